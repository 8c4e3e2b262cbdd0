//go:build unix

package app_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

type stored struct {
	NSU     string
	Message string
	Details struct {
		Status      string
		ReferenceID string
	}
}

// stall opens a connection whose caller sends the beginning of a body and then nothing.
func stall(t *testing.T, c caller) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.base, "http://"))
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /sale HTTP/1.1\r\nHost: x\r\nAuthorization: Basic %s\r\nContent-Length: 1000\r\n\r\n{\"custom",
		base64.StdEncoding.EncodeToString([]byte(c.user+":"+c.password)))
	must(t, err)
	return conn
}

// endless has a service wait for callers as good as for ever: what waits for them does not end.
func endless(c app.Config) app.Config {
	c.Timeouts = app.Timeouts{Headers: time.Hour, Stop: time.Hour}
	c.Timeouts.API.Body, c.Timeouts.API.KeepAlive = time.Hour, time.Hour
	return c
}

// ends waits for something that nothing should hold up.
func ends(t *testing.T, what string, do func() error) {
	t.Helper()
	over := make(chan error, 1)
	go func() { over <- do() }()
	must(t, waittest.Receive(t, what, over))
}

// cutOff checks that a stalled caller is told that its request will not be taken any more.
func cutOff(t *testing.T, stalled net.Conn) {
	t.Helper()
	must(t, stalled.SetReadDeadline(time.Now().Add(waittest.Limit)))
	if resp, err := http.ReadResponse(bufio.NewReader(stalled), nil); err != nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("the stalled caller got %+v (%v), want 503", resp, err)
	}
}

// deaf opens a log stream and never reads it.
func deaf(t *testing.T, c caller) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.base, "http://"))
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprintf(conn, "GET /logs/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Basic %s\r\n\r\n",
		base64.StdEncoding.EncodeToString([]byte(c.user+":"+c.password)))
	must(t, err)
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "200") {
		t.Fatalf("the stream: %q, %v", line, err)
	}
	return conn
}

// Callers that stall, listen or dawdle do not keep the service from stopping.
func TestStopWithStalledCallers(t *testing.T) {
	t.Parallel()
	term := start(t, endless(config(t.TempDir())))
	stalled := stall(t, term.caller)
	deaf(t, term.caller)
	awaitStalled(t, term.caller)
	asked := term.hold(t, "POST", "/ask", question)
	waittest.Until(t, "the question is shown", func() bool {
		return get[struct{ View string }](t, term.caller, "/emulator/screen").View == "question"
	})
	ends(t, "the service stops", term.stop)
	stopped(t, "the question", asked)
	cutOff(t, stalled)
}

// awaitStalled returns when the request of stall has arrived: it shows the notification of its command before it reads the body.
func awaitStalled(t *testing.T, c caller) {
	t.Helper()
	waittest.Until(t, "the stalled request has arrived", func() bool {
		return strings.Contains(c.ok(t, "GET", "/emulator/screen", ""), "POST /sale")
	})
}

func TestRestart(t *testing.T) {
	t.Parallel()
	term := start(t, config(t.TempDir()))
	term.ok(t, "POST", "/sale", `{"customerName":"Ana"}`)
	asked, paid := holdBoth(t, term.caller)
	before := get[struct{ StartedAt string }](t, term.caller, "/status")
	var after struct{ Status, StartedAt string }
	must(t, json.Unmarshal([]byte(term.ok(t, "POST", "/restart", "")), &after))
	if after.Status != "ok" || after.StartedAt == before.StartedAt {
		t.Errorf("restarted: %+v, before %+v", after, before)
	}
	stopped(t, "the question", asked)
	stopped(t, "the payment", paid)
	if sale := term.ok(t, "GET", "/sale", ""); !strings.Contains(sale, `"Ana"`) {
		t.Errorf("the sale came back as %s", sale)
	}
	waittest.Until(t, "the payment is recovered", func() bool {
		return get[stored](t, term.caller, "/transaction/held").Details.Status == "cancelled"
	})
	must(t, term.stop())
}

// One caller that stalls, and the restart of the terminal waits for it; it must not wait for long: the rest of a body may take
// its time.
func TestRestartWithStalledCallers(t *testing.T) {
	t.Parallel()
	term := start(t, endless(config(t.TempDir())))
	stalled := stall(t, term.caller)
	deaf(t, term.caller)
	awaitStalled(t, term.caller)
	term.ok(t, "POST", "/restart", "")
	cutOff(t, stalled)
	term.ok(t, "GET", "/status", "")
	ends(t, "the service stops", term.stop)
}

// Whatever is asked while the service restarts again and again gets an answer, and what was answered is kept.
func TestRestartUnderLoad(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	term := start(t, config(data))
	term.ok(t, "POST", "/sale", "")
	ctx, cancel := context.WithCancel(context.Background())
	const callers = 4
	kept := make(chan []string, callers)
	for c := range callers {
		go func() {
			var mine []string
			for n := 0; ctx.Err() == nil; n++ {
				id := fmt.Sprintf("%d-%d", c, n)
				status, body, err := term.send(context.Background(), "POST", "/sale/item", itemBody(id, "1"))
				switch {
				case err != nil:
					t.Errorf("item %s: %v", id, err)
				case status == http.StatusOK:
					mine = append(mine, id)
				case status != http.StatusServiceUnavailable:
					t.Errorf("item %s: %d %s", id, status, body)
				}
			}
			kept <- mine
		}()
	}
	restarts := make(chan answer, 16)
	for range 8 { // two at once, eight times
		for range 2 {
			go func() {
				status, body, err := term.send(context.Background(), "POST", "/restart", "")
				restarts <- answer{status, string(body), err}
			}()
		}
		for range 2 {
			if a := <-restarts; a.err != nil || (a.status != http.StatusOK && a.status != http.StatusServiceUnavailable) {
				t.Errorf("restart: %d %s (%v)", a.status, a.body, a.err)
			}
		}
	}
	cancel()
	there := map[string]bool{}
	for range callers {
		for _, id := range <-kept {
			there[id] = true
		}
	}
	if len(there) == 0 {
		t.Error("nothing was answered at all")
	}
	must(t, term.stop())
	term = start(t, config(data))
	for _, i := range get[saleAnswer](t, term.caller, "/sale").Items {
		delete(there, i.ID)
	}
	if len(there) != 0 {
		t.Errorf("answered and lost: %v", there)
	}
	must(t, term.stop())
}

// The plain answers that the HTTP server itself would give are JSON here too.
func TestMalformedHTTP(t *testing.T) {
	t.Parallel()
	term := start(t, config(t.TempDir()))
	for name, text := range map[string]string{
		"nonsense": "garbage\r\n\r\n", "no host": "GET /status HTTP/1.1\r\n\r\n", "bad length": "POST /sale HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
		"huge header": "GET /status HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 200<<10) + "\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(term.base, "http://"))
		must(t, err)
		_, _ = io.WriteString(conn, text) // it may be cut off before all of it is sent
		must(t, conn.SetReadDeadline(time.Now().Add(waittest.Limit)))
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			conn.Close()
			continue
		}
		var body struct {
			Code    int
			Message string
		}
		if err := json.NewDecoder(resp.Body).Decode(&body); err != nil || resp.StatusCode < 400 || body.Code != resp.StatusCode || body.Message == "" {
			t.Errorf("%s: %d %+v (%v)", name, resp.StatusCode, body, err)
		}
		resp.Body.Close()
		conn.Close()
	}
	term.ok(t, "GET", "/status", "")
	must(t, term.stop())
}
