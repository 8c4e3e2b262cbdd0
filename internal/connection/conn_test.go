package connection

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// open serves for the length of a test.
func open(t *testing.T, timeouts Timeouts, handler http.HandlerFunc) (l *Limiter, dial func() net.Conn) {
	t.Helper()
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l = NewLimiter(1000, timeouts)
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
	l, dial := open(t, Timeouts{}, func(w http.ResponseWriter, r *http.Request) {
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
		l, dial := open(t, Timeouts{Awaited: 200 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
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

// A known caller that takes nothing is let go of.
func TestStalledCallers(t *testing.T) {
	t.Parallel()
	const size = 4 << 20
	ended := make(chan error, 1)
	_, dial := open(t, Timeouts{Stalled: 100 * time.Millisecond}, func(w http.ResponseWriter, r *http.Request) {
		MarkKnown(r.Context())
		var err error
		for n := 0; err == nil && n < size; n += 32 << 10 {
			_, err = w.Write(make([]byte, 32<<10))
		}
		ended <- err
	})
	c := dial()
	if err := c.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") //nolint:errcheck // it would show below
	if err := waittest.Receive(t, "who reads nothing is not waited for", ended); err == nil {
		t.Error("an answer that nobody reads was taken")
	}
}

// A caller that takes a little of its answer now and then gets all of it, however long that takes; in virtual time.
func TestSlowCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inside, outside := net.Pipe()
		l := NewLimiter(1, Timeouts{Stalled: time.Minute})
		c := l.admit(inside)
		c.markKnown()
		const size = 100
		go func() {
			for range size {
				time.Sleep(50 * time.Second)
				outside.Read(make([]byte, 1)) //nolint:errcheck // it would show below
			}
		}()
		if n, err := c.Write(make([]byte, size)); n != size || err != nil {
			t.Errorf("%d bytes of %d for a slow caller: %v", n, size, err)
		}
		if n, err := c.Write(make([]byte, size)); n != 0 || err == nil {
			t.Errorf("%d bytes for one who takes nothing: %v", n, err)
		}
	})
}

// What a handler says of its own time is kept to, for that answer.
func TestHandlersKeepTheirOwnTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inside, outside := net.Pipe()
		defer outside.Close()
		c := NewLimiter(1, Timeouts{Stalled: time.Hour}).admit(inside)
		c.markKnown()
		began := time.Now()
		if err := c.SetWriteDeadline(began.Add(5 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte("x")); err == nil || time.Since(began) != 5*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// A stop that waits for the answer outdoes what the handler said, whichever came first, until nobody waits any more.
func TestStopsOutdoHandlers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inside, outside := net.Pipe()
		defer outside.Close()
		l := NewLimiter(1, Timeouts{Awaited: time.Second})
		c := l.admit(inside)
		c.markKnown()
		ended := make(chan time.Duration, 1)
		write := func() {
			began := time.Now()
			c.SetWriteDeadline(began.Add(time.Hour)) //nolint:errcheck // a pipe takes it
			c.Write([]byte("x"))                     //nolint:errcheck // nobody reads it
			ended <- time.Since(began)
		}
		l.SetWriteDeadlines()
		go write()
		if took := <-ended; took != time.Second {
			t.Errorf("begun after the stop: %v", took)
		}
		l.ClearWriteDeadlines()
		go write()
		synctest.Wait()
		l.SetWriteDeadlines()
		l.ClearWriteDeadlines()
		if took := <-ended; took != time.Hour {
			t.Errorf("when nobody waits any more: %v", took)
		}
	})
}

// Deadlines that are cleared while something is written must not be left behind.
func TestNoDeadlineIsLeftBehind(t *testing.T) {
	t.Parallel()
	l, dial := open(t, Timeouts{}, func(w http.ResponseWriter, r *http.Request) { MarkKnown(r.Context()) })
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
	_, dial := open(t, Timeouts{}, func(w http.ResponseWriter, r *http.Request) {
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
