package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// knock opens a connection of its own and says something; whether it is heard out is the service's business.
func (m *terminal) knock(text string) *net.TCPConn {
	m.t.Helper()
	conn, err := net.DialTimeout("tcp", m.host(), waittest.Limit)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(waittest.Limit)) //nolint:errcheck // a real socket takes it
	if _, err := io.WriteString(conn, m.verbatim(text)); err != nil && text != "" {
		m.t.Logf("%.60q: %v", text, err) // turned away before it had finished
	}
	return conn.(*net.TCPConn)
}

// answers reads what came back until the service closed the connection. Every refusal must be one callers can parse.
func (m *terminal) answers(what string, conn net.Conn) (statuses []int) {
	m.t.Helper()
	in := bufio.NewReader(conn)
	for {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				m.t.Errorf("%s: after %v the connection is still open", what, statuses)
			}
			return statuses
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			m.t.Errorf("%s: reading the answer: %v", what, err)
			return statuses
		}
		statuses = append(statuses, resp.StatusCode)
		if resp.StatusCode >= 400 {
			m.isError(&answer{t: m.t, what: what, status: resp.StatusCode, header: resp.Header, body: body})
		}
	}
}

// othersAreServed shows that somebody else, on a connection of its own, gets a command through from beginning to end.
func (m *terminal) othersAreServed(meanwhile string) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), waittest.Limit)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	for _, row := range []struct{ method, path, body string }{{"POST", "/sale", "{}"}, {"POST", "/sale/item", coffee}, {"POST", "/sale/cancel", `{"showMessage":false}`}} {
		resp, err := transport.RoundTrip(m.request(row.method, row.path, row.body).WithContext(ctx))
		if err != nil {
			m.t.Fatalf("%s: another caller's %s %s: %v", meanwhile, row.method, row.path, err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			m.t.Fatalf("%s: another caller's %s %s: %d %s", meanwhile, row.method, row.path, resp.StatusCode, text)
		}
	}
}

// Requests of odd shapes: each gets what is written here, in this order, and then the connection is over. What follows
// a request on its connection is at most another request, with credentials of its own to show.
func TestAbuseOddRequests(t *testing.T) {
	t.Parallel()
	m := start(t)
	auth := "Authorization: " + basic(testUser+":"+testPassword).value + "\r\n"
	get, post := "GET /status HTTP/1.1\r\nHost: x\r\n"+auth, "POST /sale/cancel HTTP/1.1\r\nHost: x\r\n"+auth // 409: no sale is open
	line := func(target string) string { return "GET " + target + " HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n" }
	stranger := func(target string) string { return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n" }
	next := "GET /status HTTP/1.1\r\nHost: x\r\n\r\n" // without credentials
	chunks := "2\r\n{}\r\n0\r\n\r\n"
	for _, row := range []struct {
		name, text string
		want       []int
	}{
		// Where a body ends: never two opinions within this service.
		{"length and chunks", post + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + next, []int{409, 401}},
		{"chunks and length", post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n" + chunks + next, []int{409, 401}},
		{"space before the colon", post + "Transfer-Encoding : chunked\r\n\r\n" + chunks + next, []int{400}},
		{"unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n" + chunks + next, []int{501}},
		{"identity", post + "Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}" + next, []int{501}},
		{"chunked twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + next, []int{501}},
		{"list of codings", post + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunks + next, []int{501}},
		{"quoted coding", post + "Transfer-Encoding: \"chunked\"\r\n\r\n" + chunks + next, []int{501}},
		{"vertical tab", post + "Transfer-Encoding: \x0bchunked\r\n\r\n" + chunks + next, []int{400}},
		{"tab", post + "Transfer-Encoding:\tchunked\r\n\r\n" + chunks + next, []int{409, 401}},
		{"folded coding", post + "Transfer-Encoding:\r\n chunked\r\n\r\n" + chunks + next, []int{409, 401}},
		{"chunks in HTTP/1.0", strings.Replace(post, "1.1", "1.0", 1) + "Transfer-Encoding: chunked\r\n\r\n" + chunks + next, []int{409}},
		{"bare LF in chunks", post + "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n" + next, []int{400}},
		{"line end in a chunk extension", post + "Transfer-Encoding: chunked\r\n\r\n2;a=\"b\nc\"\r\n{}\r\n0\r\n\r\n" + next, []int{400}},
		{"chunk beyond all numbers", post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}" + next, []int{400}},
		{"negative chunk", post + "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n" + next, []int{400}},
		{"0x in a chunk", post + "Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n" + next, []int{400}},
		{"credentials in a trailer", stranger("/status")[:len(stranger("/status"))-2] + "Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n0\r\n" + auth + "\r\n", []int{401}},
		{"endless trailer", post + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("A: b\r\n", 50_000) + "\r\n" + next, []int{400}},
		{"length with a sign", post + "Content-Length: +2\r\n\r\n{}" + next, []int{400}},
		{"negative length", post + "Content-Length: -2\r\n\r\n{}" + next, []int{400}},
		{"list of lengths", post + "Content-Length: 2, 2\r\n\r\n{}" + next, []int{400}},
		{"two lengths", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}" + next, []int{400}},
		{"empty length", post + "Content-Length: \r\n\r\n{}" + next, []int{400}},
		{"length beyond all numbers", post + "Content-Length: 99999999999999999999\r\n\r\n{}", []int{400}},
		{"length too long", post + "Content-Length: 50\r\n\r\n{}", []int{400}},
		{"length too short", post + "Content-Length: 1\r\n\r\n{}" + next, []int{400, 400}},
		{"largest length", post + "Content-Length: 9223372036854775807\r\n\r\n{}", []int{413}},
		{"body on a GET", get + "Content-Length: 5\r\n\r\nhello" + next, []int{200, 401}},

		// Headers.
		{"two Authorization", "GET /status HTTP/1.1\r\nHost: x\r\n" + auth + auth + "\r\n", []int{401}},
		{"two Authorization, one wrong", get + "Authorization: Basic eDp5\r\n\r\n", []int{401}},
		{"two Host", get + "Host: y\r\n\r\n", []int{400}},
		{"Host with a path", "GET /status HTTP/1.1\r\nHost: x/y?z\r\n" + auth + "\r\n", []int{400}},
		{"folded first header", "GET /status HTTP/1.1\r\n Host: x\r\n\r\n", []int{400}},
		{"bare CR in a header", get + "X: a\rb\r\n\r\n", []int{400}},
		{"20,000 headers", get + strings.Repeat("A: b\r\n", 20_000) + "\r\n", []int{431}},
		{"huge header", get + "X: " + strings.Repeat("a", 1<<20) + "\r\n\r\n", []int{431}},
		{"unknown coding of the body", strings.Replace(post, "/cancel", "", 1) + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", []int{415}},
		{"body packed twice", strings.Replace(post, "/cancel", "", 1) + "Content-Encoding: identity\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n{}", []int{415}},

		// Paths and methods.
		{"encoded parent", stranger("/docs/%2e%2e/status"), []int{401}},
		{"doubly encoded parent", stranger("/docs/%252e%252e/status"), []int{401}},
		{"encoded slash", stranger("/docs%2f..%2fstatus"), []int{401}},
		{"semicolon", stranger("/docs;/../status"), []int{401}},
		{"backslash", stranger("/docs\\..\\status"), []int{401}},
		{"parent", line("/docs/../status"), []int{404}},
		{"two slashes", line("//status"), []int{404}},
		{"NUL", line("/status%00"), []int{404}},
		{"NUL and more", line("/docs%00/../status"), []int{404}},
		{"parameters", line("/status;a=b"), []int{404}},
		{"overlong UTF-8", line("/docs/%c0%ae%c0%ae/status"), []int{404}},
		{"60 KiB path", line("/" + strings.Repeat("a", 60<<10)), []int{404}},
		{"too long a path", line("/" + strings.Repeat("a", 100<<10)), []int{431}},
		{"no slash", line("status"), []int{400}},
		{"star", line("*"), []int{404}},
		{"absolute, a stranger", stranger("http://terminal/status"), []int{401}},
		{"absolute, elsewhere", line("http://example.com/nada"), []int{404}},
		{"CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n" + auth + "\r\n", []int{404}},
		{"TRACE", "TRACE /status HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n", []int{405}},
		{"TRACE, a stranger", "TRACE /status HTTP/1.1\r\nHost: x\r\nX: y\r\n\r\n", []int{401}},
		{"60 KiB method", strings.Repeat("A", 60<<10) + " /status HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n", []int{405}},

		// Other protocols.
		{"HTTP/0.9", "GET /status\r\n\r\n", []int{400}},
		{"HTTP/1.0", "GET /nada HTTP/1.0\r\n" + auth + "\r\n" + next, []int{404}},
		{"HTTP/2 in the clear", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", []int{401}},
		{"upgrade to HTTP/2", strings.Replace(next, "\r\n\r\n", "\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", 1), []int{401}},
		{"WebSocket", strings.Replace(line("/logs/nada"), "\r\n\r\n", "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", 1), []int{404}},
		{"TLS", "\x16\x03\x01\x00\xf4\x01\x00\x00\xf0\x03\x03" + strings.Repeat("\x00\xff\n", 40), []int{400}},
		{"pipelined", get + "\r\n" + get + "\r\n" + next + line("/nada"), []int{200, 200, 401, 404}},
	} {
		if m.path != "" && (!requestLine.MatchString(row.text) || row.name == "largest length") {
			continue // no terminal's path; a body that breaks off before the terminal's answer has come
		}
		conn := m.knock(row.text)
		conn.CloseWrite() //nolint:errcheck // the service may have closed it first
		if got := m.answers(row.name, conn); fmt.Sprint(got) != fmt.Sprint(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
		conn.Close()
	}
	m.othersAreServed("after odd requests")
	m.alive()
	for _, entry := range strings.Split(string(m.call("GET", "/logs?limit=100000", nil).ok().body), "\n") {
		if len(entry) > 4<<10 {
			t.Errorf("a log entry of %d bytes: %.200s…", len(entry), entry)
		}
	}
}
