package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
)

// shop is everybody who uses one service.
type shop struct {
	*tally
	api, screen string
	client      *http.Client
}

func newShop(s *rig.Server, t *tally) *shop {
	return &shop{
		tally: t, api: "http://" + s.Address, screen: "http://" + s.Screen,
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
	}
}

// answer is what came back. A status of 0 means that the campaign ended first.
type answer struct {
	status int
	body   []byte
}

func (a answer) ok() bool { return a.status == http.StatusOK }

// ids are made here, so that they can be told from the route they stand in.
var ids = regexp.MustCompile(`soak-[^/?]+`)

func routeName(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	return method + " " + ids.ReplaceAllString(path, "{id}")
}

// notKept is the one 503 that is no matter of the contract: the disk refused.
const notKept = "Não foi possível gravar os dados"

// call is the caller's side. Besides 200, the statuses given are as they should be, and so is the 503 of the contract;
// everything else is counted as an error.
func (s *shop) call(ctx context.Context, method, path, body string, fine ...int) answer {
	a, _ := s.send(ctx, s.api, method, path, body, fine, func(r *http.Request) { r.Header.Set("Authorization", rig.Authorization) })
	return a
}

// touch is the page's side.
func (s *shop) touch(ctx context.Context, path, body string, fine ...int) answer {
	a, _ := s.send(ctx, s.screen, "POST", path, body, append(fine, http.StatusNoContent), func(r *http.Request) { r.Header.Set("Origin", s.screen) })
	return a
}

func (s *shop) send(ctx context.Context, base, method, path, body string, fine []int, set func(*http.Request)) (answer, error) {
	name := routeName(method, path)
	r, err := http.NewRequestWithContext(ctx, method, base+path, strings.NewReader(body))
	if err != nil {
		s.failed(err.Error())
		return answer{}, err
	}
	set(r)
	began := time.Now()
	resp, err := s.client.Do(r)
	var got []byte
	if err == nil {
		got, err = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	if ctx.Err() != nil {
		return answer{}, ctx.Err()
	}
	if err != nil {
		s.failed(name + ": " + err.Error())
		return answer{}, err
	}
	a := answer{resp.StatusCode, got}
	if took := time.Since(began); a.status == http.StatusServiceUnavailable {
		s.answered("refused with 503", took) // a refusal is quick, and says nothing of the route
	} else {
		s.answered(name, took)
	}
	s.judge(name, a, fine)
	return a, nil
}

func (s *shop) judge(name string, a answer, fine []int) {
	if a.ok() || slices.Contains(fine, a.status) {
		return
	}
	var said struct {
		Code    int
		Message string
	}
	parsed := json.Unmarshal(a.body, &said) == nil && said.Message != ""
	if a.status == http.StatusServiceUnavailable && parsed && !strings.HasPrefix(said.Message, notKept) {
		s.busy(said.Message)
		return
	}
	s.failed(fmt.Sprintf("%s: %d %.200s", name, a.status, a.body))
}

// follow opens a stream of events and hands its lines on, until the context or the stream ends. A service that is
// restarted ends its streams.
func (s *shop) follow(ctx context.Context, url string, line func(string)) {
	r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		s.failed(err.Error())
		return
	}
	r.Header.Set("Authorization", rig.Authorization) // the screen passes over it
	resp, err := s.client.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			s.failed("a stream: " + err.Error())
		}
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(resp.Body) // whatever there is of it
		s.judge("a stream", answer{resp.StatusCode, body}, nil)
		return
	}
	for lines := newLines(resp.Body); lines.Scan(); {
		line(lines.Text())
	}
}
