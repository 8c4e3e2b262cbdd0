//go:build !race || everything

package httpapi_test

import (
	"bufio"
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

// unread asks for something and takes no more of the answer than its first line.
func (m *terminal) unread(path string) net.Conn {
	m.t.Helper()
	conn := m.knock("")
	if err := conn.SetReadBuffer(4 << 10); err != nil {
		m.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, m.verbatim(strings.Replace(asks("GET", path), "Connection: close\r\n", "", 1))); err != nil {
		m.t.Fatal(err)
	}
	line := make([]byte, 15)
	if _, err := io.ReadFull(conn, line); err != nil || string(line) != "HTTP/1.1 200 OK" {
		m.t.Fatalf("%q, %v", line, err)
	}
	return conn
}

// Callers that do not read their lists keep no payment waiting, nor anything else.
func TestUnreadListsHoldNothingUp(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	filler := strings.Repeat("x", 900<<10)
	for n := range 12 {
		m.unchecked("POST", "/transaction", fmt.Sprintf(`{"tPag":"03","amount":1,"referenceId":"%d","details":{"a":"%s"}}`, n, filler)).ok()
	}
	for range 12 {
		defer m.unread("/transaction").Close()
	}
	m.call("GET", "/transaction/7", nil).ok()
	m.call("POST", "/transaction", `{"tPag":"03","amount":2,"referenceId":"meanwhile"}`).ok()
	m.call("POST", "/transaction/meanwhile/reversal", nil).ok()
	m.call("GET", "/transaction?limit=1", nil).ok()
}

// Who takes nothing of an answer is let go of; the rest of the list is not sent to nobody.
func TestUnreadAnswersEnd(t *testing.T) {
	t.Parallel()
	directOnly(t, "the terminal's own connections")
	m := start(t, autopilot, func(c *app.Config) { c.Timeouts.Stalled = 100 * time.Millisecond })
	filler := strings.Repeat("x", 900<<10)
	for n := range 4 {
		m.unchecked("POST", "/transaction", fmt.Sprintf(`{"tPag":"03","amount":1,"referenceId":"%d","details":{"a":"%s"}}`, n, filler)).ok()
	}
	conn := m.unread("/transaction")
	defer conn.Close()
	waittest.Until(t, "the connection is let go of", func() bool {
		for _, line := range strings.Split(string(m.call("GET", "/metrics", nil).ok().body), "\n") {
			if n, found := strings.CutPrefix(line, `maquininha_connections{side="callers"} `); found {
				return n == "1"
			}
		}
		return false
	})
	// What is left in the buffers is no whole answer.
	resp, err := http.ReadResponse(bufio.NewReader(io.MultiReader(strings.NewReader("HTTP/1.1 200 OK"), conn)), nil)
	if err == nil {
		_, err = io.ReadAll(resp.Body)
	}
	if err == nil {
		t.Error("half a list looks like a whole one")
	}
}
