package tunnel

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

// What passes through a link: bodies of the largest kind both ways, streams as they come, hang-ups of either side, many at once.
func TestRequestsThroughTheTunnel(t *testing.T) {
	t.Parallel()
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	left, next := make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Host", r.Host)
		io.Copy(w, r.Body) //nolint:errcheck // it would show
	})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		for n := 0; r.Context().Err() == nil; n++ {
			io.WriteString(w, "line\n")           //nolint:errcheck // it would show
			http.NewResponseController(w).Flush() //nolint:errcheck // it would show
			select {
			case <-next:
			case <-r.Context().Done():
			}
		}
		left <- struct{}{}
	})
	mux.HandleFunc("/held", func(w http.ResponseWriter, r *http.Request) {
		next <- struct{}{}
		<-r.Context().Done()
		left <- struct{}{}
	})
	mux.HandleFunc("/none", func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			t.Error("a request without a body has one")
		}
	})
	mux.HandleFunc("/close", func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Connection", "close") })
	mux.HandleFunc("/abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, c, k, _ := connected(t, mux.ServeHTTP, Options{})
	ctx := context.Background()
	waittest.Until(t, "the terminal knows that it is connected", func() bool { return k.State().Up })
	if c.Terminal() != terminalID || c.Version() != "1.2.3" || gone(c) {
		t.Errorf("connected: %q %q %v", c.Terminal(), c.Version(), gone(c))
	}

	resp, err := ask(t, ctx, c, http.MethodPost, "/echo", bytes.NewReader(large))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	if err != nil || !bytes.Equal(got, large) || resp.StatusCode != http.StatusOK || resp.Header.Get("X-Host") != "terminal" {
		t.Errorf("%d bytes of %d back, %s %q: %v", len(got), len(large), resp.Status, resp.Header, err)
	}

	hangUp, cancel := context.WithCancel(ctx)
	resp, err = ask(t, hangUp, c, http.MethodGet, "/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(resp.Body)
	for range 3 { // each is read before the next is sent
		if line, err := lines.ReadString('\n'); err != nil || line != "line\n" {
			t.Fatalf("%q: %v", line, err)
		}
		next <- struct{}{}
	}
	cancel()
	waittest.Receive(t, "a stream ends when its reader hangs up", left)

	hangUp, cancel = context.WithCancel(ctx)
	answered := make(chan error, 1)
	go func() {
		_, err := ask(t, hangUp, c, http.MethodGet, "/held", nil)
		answered <- err
	}()
	waittest.Receive(t, "the request is held", next)
	cancel()
	waittest.Receive(t, "the terminal learns that the caller hung up", left)
	if err := waittest.Receive(t, "the caller is free", answered); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that hung up: %v", err)
	}

	if resp, err := ask(t, ctx, c, http.MethodGet, "/abort", nil); err == nil || errors.Is(err, ErrNotSent) {
		t.Errorf("an answer that was broken off: %v, %v", resp, err)
	}
	if resp, err := ask(t, ctx, c, http.MethodPost, "/none", nil); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%v, %v", resp, err)
	}
	if resp, err := ask(t, ctx, c, http.MethodGet, "/close", nil); err != nil || resp.Header.Get("Connection") != "" {
		t.Errorf("an answer after which the connection is to be closed: %v, %v", resp, err)
	}
	if resp, err := ask(t, ctx, c, http.MethodGet, "/echo", nil); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("after it: %v, %v", resp, err)
	}
	if gone(c) {
		t.Error("the link has gone with a request")
	}
}

// A link that ends under a held request is told to both sides; what comes after it was never sent. The terminal dials again.
func TestLinkBreaksUnderARequest(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(c *Conn, proxy *proxy){
		"by the hub":       func(c *Conn, _ *proxy) { c.Close() },
		"by the hub's end": func(c *Conn, _ *proxy) { c.link.Conn.Close() },
		"on the way":       func(_ *Conn, p *proxy) { p.cut() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			held, left := make(chan struct{}), make(chan struct{})
			h, p := newHub(t), newProxy(t)
			m := h.member(t)
			m.Proxy = p.URL
			keep(t, m, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/quick" {
					return
				}
				close(held)
				<-r.Context().Done()
				close(left)
			}, Options{})
			c := waittest.Receive(t, "the terminal is there", h.accepted)
			answered := make(chan error, 1)
			go func() {
				_, err := ask(t, context.Background(), c, http.MethodPost, "/held", strings.NewReader("x"))
				answered <- err
			}()
			waittest.Receive(t, "the request is held", held)
			cut(c, p)
			if err := waittest.Receive(t, "the caller is told", answered); err == nil || errors.Is(err, ErrNotSent) {
				t.Errorf("a request on a link that broke: %v", err)
			}
			waittest.Receive(t, "the terminal is told", left)
			waittest.Receive(t, "the hub is told", c.Context().Done())
			if _, err := ask(t, context.Background(), c, http.MethodPost, "/held", strings.NewReader("x")); !errors.Is(err, ErrNotSent) {
				t.Errorf("a request after it: %v", err)
			}
			again := waittest.Receive(t, "the terminal is back", h.accepted)
			if resp, err := ask(t, context.Background(), again, http.MethodGet, "/quick", nil); err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("on the new link: %v, %v", resp, err)
			}
		})
	}
}

// A keeper that stops lets what is held have its answer, and takes nothing new.
func TestStopAnswersWhatIsHeld(t *testing.T) {
	t.Parallel()
	held, release := make(chan struct{}), make(chan struct{})
	_, c, k, stop := connected(t, func(w http.ResponseWriter, r *http.Request) {
		close(held)
		<-release
		io.WriteString(w, "answer") //nolint:errcheck // it would show
	}, Options{Drain: waittest.Limit})
	answered := make(chan string, 1)
	go func() {
		resp, err := ask(t, context.Background(), c, http.MethodGet, "/", nil)
		if err != nil {
			answered <- err.Error()
			return
		}
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			answered <- err.Error()
			return
		}
		answered <- string(text)
	}()
	waittest.Receive(t, "the request is held", held)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		stop()
	}()
	waittest.Until(t, "the hub may send no more", func() bool {
		if err := c.client.Reserve(); err != nil {
			return true
		}
		c.client.Release()
		return false
	})
	if _, err := ask(t, context.Background(), c, http.MethodGet, "/", nil); !errors.Is(err, ErrNotSent) {
		t.Errorf("a request to a terminal that stops: %v", err)
	}
	close(release)
	if got := waittest.Receive(t, "the answer", answered); got != "answer" {
		t.Errorf("the held request got %q", got)
	}
	waittest.Receive(t, "the keeper has stopped", stopped)
	waittest.Receive(t, "the link is closed", c.Context().Done())
	if s := k.State(); s.Up {
		t.Errorf("after the stop: %+v", s)
	}
}

// A revoked terminal is told so, and dials no more; every other refusal may pass.
func TestRefusedTerminals(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	m := h.member(t)
	nobody := func(http.ResponseWriter, *http.Request) {}
	for _, verdict := range []error{ErrUnknown, ErrTrouble, errors.New("the database is away")} {
		h.say(verdict)
		k, _ := keep(t, m, nobody, Options{})
		want := verdict
		if !errors.Is(verdict, ErrUnknown) {
			want = ErrTrouble
		}
		trouble(t, k, want)
		h.say(nil)
		conn := waittest.Receive(t, "it is let in after "+verdict.Error(), h.accepted)
		waittest.Until(t, "it knows", func() bool { return k.State().Up })
		h.say(ErrRevoked)
		conn.Close()
		trouble(t, k, ErrRevoked)
		if s := k.State(); !s.Ended || s.Since.IsZero() {
			t.Errorf("revoked: %+v", s)
		}
		h.say(nil)
	}
	stranger := m
	stranger.Key = memberOf(t, h.Host).Key
	k, _ := keep(t, stranger, nobody, Options{})
	trouble(t, k, ErrProof)
}

// Whoever asks for no tunnel is told so, in the shape of every refusal.
func TestNoUpgrade(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	m := h.member(t)
	if err := m.Probe(context.Background()); err != nil {
		t.Errorf("probing a hub: %v", err)
	}
	resp, err := h.Client().Get(h.URL + Path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body) //nolint:errcheck // it would show
	if resp.StatusCode != http.StatusUpgradeRequired || !strings.Contains(string(text), `"message"`) {
		t.Errorf("%s %s", resp.Status, text)
	}
	m.Address = h.URL + "/elsewhere"
	if err := m.Probe(context.Background()); !errors.Is(err, ErrNoHub) {
		t.Errorf("probing something else: %v", err)
	}
	k, _ := keep(t, m, func(http.ResponseWriter, *http.Request) {}, Options{})
	trouble(t, k, ErrNoHub)
}
