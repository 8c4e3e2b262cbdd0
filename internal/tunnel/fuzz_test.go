package tunnel

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// taped is a connection that keeps what was written to it.
type taped struct {
	net.Conn
	mu   sync.Mutex
	sent bytes.Buffer
}

func (c *taped) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.sent.Write(b)
	c.mu.Unlock()
	return c.Conn.Write(b)
}

func (c *taped) tape() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.sent.Bytes())
}

// anEcho answers with what was asked.
func anEcho(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Motivo", r.URL.Path)
	io.Copy(w, r.Body) //nolint:errcheck // whoever asks may be gone
}

// heardOnLink is what both ends of a link say in a request and its answer.
func heardOnLink(t testing.TB) (ofHub, ofTerminal []byte) {
	t.Helper()
	inside, outside := net.Pipe()
	hubs, terminals := &taped{Conn: inside}, &taped{Conn: outside}
	k := NewKeeper(Membership{}, http.HandlerFunc(anEcho), Options{})
	served := make(chan struct{})
	go func() {
		defer close(served)
		k.serve(context.Background(), terminals)
	}()
	c, err := Host{}.newConn(hubs, proof{Terminal: terminalID})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://terminal/ask?x=1", strings.NewReader(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	c.Close()
	<-served
	return hubs.tape(), terminals.tape()
}

// heard plays somebody who says something on a connection once a text has come, takes everything, and hangs up.
func heard(said []byte, once string) (conn net.Conn, hungUp <-chan struct{}) {
	inside, outside := net.Pipe()
	ended := make(chan struct{})
	come := make(chan struct{})
	waiting := once != ""
	if !waiting {
		close(come)
	}
	go func() {
		var taken []byte
		for piece := make([]byte, 4<<10); ; {
			n, err := outside.Read(piece)
			if taken = append(taken, piece[:n]...); waiting && (err != nil || bytes.Contains(taken, []byte(once))) {
				waiting = false
				close(come)
			}
			if err != nil {
				break
			}
		}
		close(ended)
	}()
	go func() {
		<-come
		outside.Write(said) //nolint:errcheck // the other side may have had enough
		outside.Close()
	}()
	return inside, ended
}

const settingsFrame = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"

// headersFrame is an answer of HTTP/2 to the first request, which has only a status.
func headersFrame(status string) []byte {
	block := append([]byte{0x08, byte(len(status))}, status...) // :status, to the letter
	return append([]byte{0, 0, byte(len(block)), 1, 5, 0, 0, 0, 1}, block...)
}

// What a terminal that has proved itself says on the link: a request has an answer that a caller can be given, or fails.
func FuzzLinkOfTerminal(f *testing.F) {
	_, ofTerminal := heardOnLink(f)
	f.Add(ofTerminal)
	f.Add(ofTerminal[:len(ofTerminal)/2])
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\n"))
	f.Add(piece("HTTP/1.1 200 OK\r\n\r\n"))
	f.Add(bytes.Repeat(piece(""), 100))
	for _, status := range []string{"7", "99999", "-1"} {
		f.Add(append(piece(settingsFrame), piece(string(headersFrame(status)))...))
	}
	transport := Timing{}.Transport()
	const body = "the whole body"
	f.Fuzz(func(t *testing.T, said []byte) {
		conn, hungUp := heard(said, body)
		c, err := Host{Transport: transport}.newConn(conn, proof{Terminal: terminalID})
		if err != nil {
			t.Fatal(err)
		}
		c.OnNews(func() error { return nil })
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://terminal/ask", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := c.RoundTrip(r); err == nil {
			if resp.StatusCode < 200 || resp.StatusCode > 599 {
				t.Errorf("an answer of status %d", resp.StatusCode)
			}
			io.Copy(io.Discard, resp.Body) //nolint:errcheck // it may break off
			resp.Body.Close()
		}
		c.Close()
		<-c.Context().Done()
		<-hungUp
	})
}

// What somebody who has proved to be the hub says on the link: what reaches the terminal's interface is a request with a path, and the
// link ends with the connection.
func FuzzLinkOfHub(f *testing.F) {
	ofHub, _ := heardOnLink(f)
	f.Add(ofHub)
	f.Add(ofHub[:len(ofHub)/2])
	f.Add([]byte("GET / HTTP/1.1\r\nHost: terminal\r\n\r\n"))
	f.Fuzz(func(t *testing.T, said []byte) {
		synctest.Test(t, func(t *testing.T) { // the library takes its time to say farewell
			conn, hungUp := heard(said, "")
			k := NewKeeper(Membership{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL == nil || r.Body == nil || r.Method == "" || r.Method != http.MethodConnect && r.URL.Path == "" && r.RequestURI != "*" {
					t.Errorf("%s %q %v", r.Method, r.RequestURI, r.URL)
				}
				anEcho(w, r)
			}), Options{})
			k.serve(t.Context(), conn)
			<-hungUp
			time.Sleep(time.Minute) // whoever still answers, or says farewell, has done so
		})
	})
}

// hijacked is an answer whose connection can be had.
type hijacked struct {
	*httptest.ResponseRecorder
	conn net.Conn
}

func (h hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(bufio.NewReader(h.conn), bufio.NewWriter(h.conn)), nil
}

// Whoever comes to the tunnel's path, with whatever request and proof, is refused without the terminal's key.
func FuzzAccept(f *testing.F) {
	h := newHost(f, func() (ed25519.PublicKey, error) { return make([]byte, ed25519.PublicKeySize), nil })
	for _, request := range []string{
		"GET /tunnel HTTP/1.1\r\nHost: hub\r\nConnection: keep-alive, Upgrade\r\nUpgrade: " + Protocol + "\r\n\r\n",
		"POST /tunnel HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: " + Protocol + "\r\nContent-Length: 1\r\n\r\n{",
		"GET /tunnel HTTP/1.0\r\n\r\n",
	} {
		var b bytes.Buffer
		if err := writeFrame(&b, proof{Terminal: terminalID, Nonce: newNonce(), Version: "1", Signature: make([]byte, ed25519.SignatureSize)}); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(request), b.Bytes())
	}
	f.Fuzz(func(t *testing.T, request, said []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(request)))
		if err != nil {
			return
		}
		conn, hungUp := heard(said, "")
		w := hijacked{httptest.NewRecorder(), conn}
		c, err := Accept(w, r.WithContext(t.Context()), h)
		if err == nil {
			c.Close()
			t.Error("somebody is a terminal without its key")
		}
		if errors.Is(err, ErrNoUpgrade) && w.Code != http.StatusUpgradeRequired {
			t.Errorf("%q was told %d", request, w.Code)
		}
		conn.Close()
		<-hungUp
	})
}

// What somebody without the hub's key answers to a terminal that asks for the tunnel: the terminal neither takes him for its hub, nor believes that it
// was revoked, and lets go of the connection.
func FuzzAnswerToTerminal(f *testing.F) {
	_, hubKey, err := ed25519.GenerateKey(nil)
	if err != nil {
		f.Fatal(err)
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		f.Fatal(err)
	}
	m := Membership{Hub: "hub-1", HubKey: publicOf(hubKey), Terminal: terminalID, Key: key}
	var frames bytes.Buffer
	for _, said := range []any{challenge{Hub: m.Hub, Nonce: newNonce()}, verdict{Refused: "revoked", Signature: make([]byte, ed25519.SignatureSize)}} {
		if err := writeFrame(&frames, said); err != nil {
			f.Fatal(err)
		}
	}
	const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + Protocol + "\r\n\r\n"
	f.Add(append([]byte(switching), frames.Bytes()...))
	f.Add(append([]byte("HTTP/1.1 103 Early Hints\r\n\r\n"+switching), frames.Bytes()[:20]...))
	f.Add([]byte(switching + "\xff\xff\xff\xff{}"))
	f.Add([]byte("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, said []byte) {
		answered, hungUp := heard(said, "\r\n\r\n")
		w := way{address: &url.URL{Scheme: "http", Host: "hub.example"}, dial: func(context.Context, string, string) (net.Conn, error) { return answered, nil }}
		conn, err := w.upgrade(t.Context())
		if err == nil {
			if err = m.prove(conn, proof{Version: "1"}); err == nil || errors.Is(err, ErrRevoked) || errors.Is(err, ErrUnknown) {
				t.Errorf("%q is believed: %v", said, err)
			}
			conn.Close()
		}
		<-hungUp
	})
}

// The line that a hub shows, however it was pasted: nothing of it is more than a word.
func FuzzReadLine(f *testing.F) {
	f.Add("maquininha join https://hub.example ABCD2345 --pin sha256/AAAA --proxy=http://proxy:3128")
	f.Add("https://hub.example\tABCD 2345")
	f.Add("--pin")
	f.Fuzz(func(t *testing.T, line string) {
		i := ReadLine(line)
		for _, part := range []string{i.Address, i.Code, i.Pin, i.Proxy} {
			if len(strings.Fields(part)) > 1 || !strings.Contains(line, part) && part != i.Code {
				t.Errorf("%q of %q", part, line)
			}
		}
		if i.Name != "" || i.Version != "" {
			t.Errorf("%+v", i)
		}
		CleanCode(i.Code)
	})
}
