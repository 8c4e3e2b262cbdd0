package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
)

// hub is the real one, and how to speak to it. It is started again at the same addresses.
type hub struct {
	*rig.Server        // HTTP, as behind a reverse proxy
	tls         string // where terminals dial
	data        string
	args        []string
	binary      string
	ctx         context.Context

	authorization, password, pin string // as its first start said
}

// startHub starts a hub for the first time.
func (b *bench) startHub(data string, more ...string) (*hub, error) {
	h, err := b.newHub(data, more...)
	if err != nil {
		return nil, err
	}
	return h, h.introduced()
}

// newHub starts a hub.
func (b *bench) newHub(data string, more ...string) (*hub, error) {
	plain := rig.FreeAddress()
	h := &hub{tls: rig.FreeAddress(), data: data, binary: b.hub, ctx: b.ctx}
	h.args = append([]string{"--listen", h.tls, "--http", plain, "--data", data}, more...)
	return h, h.start(plain)
}

// introduced reads what a hub says at its first start.
func (h *hub) introduced() error {
	said, err := os.ReadFile(h.screen())
	if err != nil {
		return err
	}
	find := func(pattern string) (found string) {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(string(said)); m != nil {
			return m[1]
		}
		err = fmt.Errorf("the hub's first screen lacks %s:\n%s", pattern, said)
		return ""
	}
	h.password, h.pin = find(`Senha\s+(\S+)`), find(`--pin (\S+)`)
	h.authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(find(`Chave de API\s+(\S+)`)))
	return err
}

// screen is a file: what the hub says before it answers is there when it does.
func (h *hub) screen() string { return h.data + ".screen" }

func (h *hub) start(plain string) error {
	cmd := exec.CommandContext(h.ctx, h.binary, h.args...)
	screen, err := os.Create(h.screen())
	if err != nil {
		return err
	}
	defer screen.Close()
	cmd.Stdout = screen
	h.Server, err = rig.Start(cmd, plain)
	return err
}

// restart kills the hub and starts it anew.
func (h *hub) restart() error {
	if err := h.Kill(); err != nil {
		return err
	}
	return h.start(h.Address)
}

// ask sends a request with the first key, and reads the answer into to, if that is not nil.
func (h *hub) ask(client *http.Client, method, path string, body, to any) (status int, err error) {
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return 0, err
		}
	}
	status, text, err = h.exchange(client, method, path, text)
	if err != nil || to == nil {
		return status, err
	}
	if status >= http.StatusMultipleChoices {
		return status, fmt.Errorf("%s %s: %d: %s", method, path, status, text)
	}
	return status, json.Unmarshal(text, to)
}

func (h *hub) exchange(client *http.Client, method, path string, body []byte) (status int, text []byte, err error) {
	r, err := http.NewRequestWithContext(h.ctx, method, "http://"+h.Address+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", h.authorization)
	resp, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err = io.ReadAll(resp.Body)
	return resp.StatusCode, text, err
}

// metric is the sum of a series' values.
func (h *hub) metric(name string) (sum float64, err error) {
	status, text, err := h.exchange(http.DefaultClient, "GET", "/metrics", nil)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("/metrics: %d: %s", status, text)
	}
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, name)
		if !ok || rest == "" || rest[0] != ' ' && rest[0] != '{' {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(rest[strings.LastIndexByte(rest, ' '):]), 64)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}

// get is a request as it goes over the wire.
func (h *hub) get(path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: hub\r\nAuthorization: " + h.authorization + "\r\n\r\n")
}

// online waits until so many terminals are connected. A hub that all come back to at once may turn a caller away.
func (b *bench) online(h *hub, n int) (time.Duration, error) {
	return b.until(fmt.Sprintf("%d terminals on-line", n), func() (bool, error) {
		have, err := h.metric("maquininha_hub_terminals_online")
		return err == nil && int(have) >= n, nil
	})
}
