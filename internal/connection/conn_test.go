package connection

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// open serves for the length of a test; writeTimeout is how long answers may take while they have deadlines.
func open(t *testing.T, writeTimeout time.Duration, handler http.HandlerFunc) (l *Limiter, dial func() net.Conn) {
	t.Helper()
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l = NewLimiter(1000, writeTimeout)
	server := Track(&http.Server{Handler: handler, MaxHeaderBytes: 64 << 10})
	served := make(chan error, 1)
	go func() { served <- server.Serve(Listener{Listener: port, Limiter: l, Refusal: ScreenRefusal}) }()
	t.Cleanup(func() {
		server.Close()
		<-served
	})
	return l, func() net.Conn {
		c, err := net.Dial("tcp", port.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
}

// Unfinished requests of strangers take no more memory than there is for them; who asks as most do is served meanwhile.
func TestLongRequestsOfStrangers(t *testing.T) {
	t.Parallel()
	l, dial := open(t, 0, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/known" {
			MarkKnown(r.Context())
		}
	})
	ask := func(c net.Conn, path string, size int) (*http.Response, error) {
		if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\nA: "+strings.Repeat("a", size)+"\r\n\r\n"); err != nil {
			return nil, err
		}
		return http.ReadResponse(bufio.NewReader(c), nil)
	}
	friend := dial()
	if _, err := ask(friend, "/known", 0); err != nil {
		t.Fatal(err)
	}
	long := "GET / HTTP/1.1\r\n" + strings.Repeat("a: b\r\n", 10_000)
	var strangers []net.Conn
	for range 100 {
		c := dial()
		strangers = append(strangers, c)
		io.WriteString(c, long) //nolint:errcheck // it may be closed in the middle of it
	}
	waittest.Until(t, "the strangers are closed", func() bool {
		return l.headerBytes.Load() <= allStrangersHeaderBytes+int64(len(strangers))*strangerHeaderBytes
	})
	if resp, err := ask(dial(), "/", 100); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("a stranger with a short request: %v, %v", resp, err)
	}
	if resp, err := ask(friend, "/known", 30_000); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("somebody known with a long one: %v, %v", resp, err)
	}
	for _, c := range strangers {
		c.Close()
	}
	waittest.Until(t, "their bytes are forgotten", func() bool { return l.headerBytes.Load() == 0 })
	if resp, err := ask(dial(), "/", 30_000); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("a stranger with a long request, alone: %v, %v", resp, err)
	}
}

// Whoever waits for all answers does not wait for those that nobody reads; later ones take the time they want.
func TestWriteDeadlines(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/known", "/stranger"} {
		ended := make(chan error, 1)
		l, dial := open(t, 200*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/known" {
				MarkKnown(r.Context())
			}
			var err error
			for n := 0; err == nil && n < 1000; n++ {
				_, err = w.Write(make([]byte, 64<<10))
			}
			ended <- err
		})
		c := dial()
		io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n") //nolint:errcheck // it would show below
		waittest.Until(t, "the answer is on its way", func() bool { return l.Count() == 1 && writing(l) })
		l.SetWriteDeadlines()
		if err := waittest.Receive(t, path+" is not waited for", ended); err == nil {
			t.Errorf("%s: an answer that nobody reads was taken", path)
		}
		l.ClearWriteDeadlines()
		next := dial()
		io.WriteString(next, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n") //nolint:errcheck // as above
		if n, err := io.CopyN(io.Discard, next, 1000*64<<10); err != nil {
			t.Errorf("%s: after it, %d bytes: %v", path, n, err)
		}
	}
}

// Deadlines that are cleared while something is written must not be left behind.
func TestNoDeadlineIsLeftBehind(t *testing.T) {
	t.Parallel()
	l, dial := open(t, 0, func(w http.ResponseWriter, r *http.Request) { MarkKnown(r.Context()) })
	c := dial()
	in := bufio.NewReader(c)
	for range 2 {
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") //nolint:errcheck // it would show below
		if resp, err := http.ReadResponse(in, nil); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%v, %v", resp, err)
		}
		waittest.Until(t, "the answer is written", func() bool { return !writing(l) })
		l.mu.Lock()
		for c := range l.conns {
			c.deadline.Store(1)
			if err := c.Conn.SetWriteDeadline(time.Unix(1, 0)); err != nil {
				t.Error(err)
			}
		}
		l.mu.Unlock()
	}
}

// What a handler writes is left alone, whatever it looks like; what the server itself refuses is not.
func TestOnlyTheServersRefusalsAreReworded(t *testing.T) {
	t.Parallel()
	_, dial := open(t, 0, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "8192")
		io.WriteString(w, strings.Repeat("x", 100)) //nolint:errcheck // it would show below
		w.(http.Flusher).Flush()
		io.WriteString(w, "HTTP/1.1 417 \r\n"+strings.Repeat("x", 8192-100-15)) //nolint:errcheck // as above
	})
	c := dial()
	in := bufio.NewReader(c)
	for range 2 {
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") //nolint:errcheck // as above
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(resp.Body); err != nil || len(body) != 8192 || !strings.Contains(string(body), "HTTP/1.1 417") {
			t.Errorf("%d bytes, %v", len(body), err)
		}
	}
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n") //nolint:errcheck // as above
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusExpectationFailed || !strings.Contains(string(body), "message") {
		t.Errorf("%s %s, %v", resp.Status, body, err)
	}
}

func writing(l *Limiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		if c.writing.Load() {
			return true
		}
	}
	return false
}
