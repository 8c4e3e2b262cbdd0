//go:build unix

package screenui_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// knock opens a connection of its own to the screen and says something.
func (m *terminal) knock(text string) *net.TCPConn {
	m.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(m.screen, "http://"))
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(waittest.Limit)) //nolint:errcheck // a real socket takes it
	if _, err := io.WriteString(conn, text); err != nil && text != "" {
		m.t.Logf("%.60q: %v", text, err) // turned away before it had finished
	}
	return conn.(*net.TCPConn)
}

// statuses are the answers on a connection until the service closes it.
func (m *terminal) statuses(what string, conn net.Conn) (all []int) {
	m.t.Helper()
	for in := bufio.NewReader(conn); ; {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				m.t.Errorf("%s: after %v the connection is still open", what, all)
			}
			return all
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			m.t.Errorf("%s: reading the answer: %v", what, err)
			return all
		}
		all = append(all, resp.StatusCode)
	}
}

// pagesAreServed shows that the terminal's own page gets through meanwhile.
func (m *terminal) pagesAreServed(meanwhile string) {
	m.t.Helper()
	for range 3 {
		if a := m.touch("/closing/dismiss", object{}); a.status != http.StatusNoContent {
			m.t.Fatalf("%s: the page's own touch: %d %s", meanwhile, a.status, a.body)
		}
		if a := m.do("GET", m.screen+"/", nil, func(*http.Request) {}); a.status != http.StatusOK {
			m.t.Fatalf("%s: the page: %d", meanwhile, a.status)
		}
	}
}

func TestAbuseOfTheScreen(t *testing.T) {
	t.Parallel()
	m := start(t)
	host := strings.TrimPrefix(m.screen, "http://")
	head := func(method, path string) string {
		return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + m.screen + "\r\n"
	}
	foreign := func(method, path string) string { return method + " " + path + " HTTP/1.1\r\nHost: evil.example\r\n" }
	for _, row := range []struct {
		name, text string
		want       []int
	}{
		{"rubbish", "LIXO\r\n\r\n", []int{400}},
		{"TLS", "\x16\x03\x01\x00\xf4\x01\x00\x00\xf0\x03\x03" + strings.Repeat("\x00\xff\n", 40), []int{400}},
		{"two Host", head("GET", "/") + "Host: evil.example\r\n\r\n", []int{400}},
		{"two Origin", head("POST", "/closing/dismiss") + "Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}", []int{403}},
		{"absolute form with a foreign name", "GET http://evil.example/ HTTP/1.1\r\nHost: " + host + "\r\n\r\n", []int{403}},
		{"no Host at all", "GET / HTTP/1.0\r\n\r\n", []int{403}},
		{"smuggled touch", foreign("GET", "/") + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + foreign("POST", "/closing/dismiss") + "\r\n", []int{403, 403}},
		{"space before the colon", head("POST", "/closing/dismiss") + "Content-Length : 2\r\n\r\n{}", []int{400}},
		{"huge header", head("GET", "/") + "X: " + strings.Repeat("a", 200<<10) + "\r\n\r\n", []int{431}},
		{"huge touch", head("POST", "/closing/dismiss") + "Content-Length: 100000000\r\n\r\n" + strings.Repeat(" ", 1<<20), []int{400}},
		{"deep touch", head("POST", "/closing/dismiss") + "Content-Length: 60000\r\n\r\n" + strings.Repeat("[", 60_000), []int{400}},
		{"parent", head("GET", "/js/../../../../etc/passwd") + "\r\n", []int{404}},
		{"encoded parent", head("GET", "/js/%2e%2e/%2e%2e/etc/passwd") + "\r\n", []int{404}},
		{"NUL", head("GET", "/js/main.js%00.css") + "\r\n", []int{404}},
		{"two slashes", head("GET", "//js/main.js") + "\r\n", []int{404}},
		{"CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", []int{403}},
		{"TRACE", head("TRACE", "/") + "\r\n", []int{404}},
		{"star", head("OPTIONS", "*") + "\r\n", []int{400}},
	} {
		conn := m.knock(row.text)
		conn.CloseWrite() //nolint:errcheck // the service may have closed it first
		if got := m.statuses(row.name, conn); fmt.Sprint(got) != fmt.Sprint(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
		conn.Close()
	}
	m.pagesAreServed("after odd requests")
}

// Whoever takes for ever is let go of, before the guard and behind it.
func TestAbuseOfTheScreenSlowly(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes the ten seconds that somebody slow is given")
	}
	m := start(t)
	host := strings.TrimPrefix(m.screen, "http://")
	touch := "POST /closing/dismiss HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + m.screen + "\r\nContent-Length: 100\r\n\r\n{"
	conns := map[string][]*net.TCPConn{}
	var slow sync.WaitGroup
	defer slow.Wait()
	for what, begin := range map[string]string{
		"silence": "", "headers": "GET / HTTP/1.1\r\nHost: ", "touch": touch,
		"foreign body": strings.Replace(touch, m.screen, "http://evil.example", 1),
		"unread body":  "GET / HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 100\r\n\r\n{",
	} {
		for range 10 {
			conn := m.knock(begin)
			conns[what] = append(conns[what], conn)
			if what == "silence" {
				continue
			}
			slow.Go(func() {
				for range 100 {
					time.Sleep(200 * time.Millisecond) // the pace of the attack
					if _, err := conn.Write([]byte("a")); err != nil {
						return
					}
				}
			})
		}
	}
	m.pagesAreServed("while fifty drip")
	want := map[string]string{"silence": "[]", "headers": "[]", "touch": "[400]", "foreign body": "[403]", "unread body": "[200]"}
	for what, all := range conns {
		for _, conn := range all {
			if got := fmt.Sprint(m.statuses(what, conn)); got != want[what] {
				t.Errorf("%s: %s, want %s", what, got, want[what])
			}
			conn.Close()
		}
	}
}

// The screen has a bound of its own; a page that is open keeps its feed.
func TestAbuseOfTheScreenByNumbers(t *testing.T) {
	const many = 700
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < 4096 {
		t.Skipf("only %d open files are allowed here", limit.Cur)
	}
	m := start(t)
	feed := m.knock("GET /feed HTTP/1.1\r\nHost: " + strings.TrimPrefix(m.screen, "http://") + "\r\n\r\n")
	in := bufio.NewReader(feed)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Fatalf("the feed: %q, %v", line, err)
	}
	for range many {
		m.knock("")
	}
	m.pagesAreServed("with hundreds of silent connections")
	m.call("POST", "/sale", object{"customerName": "Marca-da-venda"})
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatalf("the open page lost its feed: %v", err)
		}
		if strings.Contains(line, "Marca-da-venda") {
			return
		}
	}
}
