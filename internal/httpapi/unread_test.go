package httpapi_test

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// Many callers send the whole body before they look for an answer: a refusal that needs none of it must still be one
// they can read, not a connection reset.
func TestRefusalOfALargeBodyCanBeRead(t *testing.T) {
	t.Parallel()
	m := start(t, longBodyTimeout)
	nobody := header{"Authorization", ""}
	for _, row := range []struct {
		method, path string
		size         int
		headers      []header
		status       int
	}{
		{"POST", "/sale", 5 << 20, []header{nobody}, 401},
		{"POST", "/nada", 5 << 20, nil, 404},
		{"PUT", "/ask", 5 << 20, nil, 405},
		{"POST", "/sale", 5 << 20, nil, 413},
		{"POST", "/print/image", 17 << 20, nil, 413},
		{"DELETE", "/sale/item/x", 5 << 20, nil, 409},
	} {
		conn, err := net.Dial("tcp", m.host())
		if err != nil {
			t.Fatal(err)
		}
		req := m.request(row.method, row.path, bytes.Repeat([]byte("a"), row.size), row.headers...)
		if err := req.Write(conn); err != nil {
			t.Errorf("%s %s: sending: %v", row.method, row.path, err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), req)
		if err != nil {
			t.Errorf("%s %s with %d bytes: %v", row.method, row.path, row.size, err)
		} else if resp.StatusCode != row.status {
			t.Errorf("%s %s: %d, want %d", row.method, row.path, resp.StatusCode, row.status)
		}
		conn.Close()
	}
}

// A caller that stalls in a body nobody reads gets its answer and is let go of; it can't hold a goroutine for ever.
func TestStallingInABodyNobodyReads(t *testing.T) {
	t.Parallel()
	m := start(t, shortBodyTimeout)
	for _, line := range []string{"POST /sale", "GET /status", "OPTIONS /sale", "GET /docs", "PUT /sale"} {
		conn, err := net.Dial("tcp", m.host())
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(waittest.Limit))
		io.WriteString(conn, m.verbatim(line+" HTTP/1.1\r\nHost: terminal\r\nContent-Length: 1000\r\n\r\nfew")) //nolint:errcheck // the answer would show it
		in := bufio.NewReader(conn)
		method, _, _ := strings.Cut(line, " ")
		if _, err := http.ReadResponse(in, &http.Request{Method: method}); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if _, err := in.WriteTo(discard{}); err != nil {
			t.Errorf("%s: the connection was not closed: %v", line, err)
		}
		conn.Close()
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
