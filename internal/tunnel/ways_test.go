package tunnel

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/nginxtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// proxy is a real one, for CONNECT only.
type proxy struct {
	*httptest.Server
	mu        sync.Mutex
	connected int
	open      []net.Conn
}

func newProxy(t *testing.T) *proxy {
	p := &proxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "CONNECT only", http.StatusMethodNotAllowed)
			return
		}
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		here, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		p.mu.Lock()
		p.connected++
		p.open = append(p.open, here, there)
		p.mu.Unlock()
		io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n") //nolint:errcheck // it would show
		pass(here, there)
	}))
	t.Cleanup(p.Close)
	return p
}

// cut breaks every connection there is.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		c.Close()
	}
}

// pass carries what either says to the other, until one goes.
func pass(a, b net.Conn) {
	go func() {
		io.Copy(a, b) //nolint:errcheck // either end may go
		a.Close()
	}()
	io.Copy(b, a) //nolint:errcheck // as above
	b.Close()
}

// The link passes a proxy of the shop's network.
func TestThroughAProxy(t *testing.T) {
	t.Parallel()
	p := newProxy(t)
	h := newHub(t)
	m := h.member(t)
	m.Proxy = p.URL
	if err := m.Probe(context.Background()); err != nil {
		t.Error(err)
	}
	keep(t, m, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.Path) }, Options{}) //nolint:errcheck // it would show
	c := waittest.Receive(t, "the terminal is there", h.accepted)
	resp, err := ask(t, context.Background(), c, http.MethodGet, "/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "/status" {
		t.Errorf("%s: %v", text, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.connected != 2 {
		t.Errorf("the proxy has connected %d times", p.connected)
	}
}

const nginxServer = `server {
	listen unix:%[1]s/nginx.sock ssl;
	ssl_certificate %[1]s/cert.pem;
	ssl_certificate_key %[1]s/key.pem;
	location / {
		proxy_pass http://%[2]s;
		proxy_http_version 1.1;
		proxy_set_header Upgrade $http_upgrade;
		proxy_set_header Connection "upgrade";
		proxy_read_timeout 1h;
		proxy_send_timeout 1h;
	}
}
`

// The link passes a reverse proxy that ends TLS: the hub's own connection has none.
func TestBehindNginx(t *testing.T) {
	t.Parallel()
	program := nginxtest.Find(t)
	h := newHub(t)
	plain := httptest.NewServer(h.Config.Handler)
	defer plain.Close()
	dir := t.TempDir()
	leaf := selfSigned(t, dir)
	nginxtest.Start(t, program, dir, fmt.Sprintf(nginxServer, dir, plain.Listener.Addr()))
	m := h.member(t)
	m.Address, m.Pin = "https://"+forward(t, filepath.Join(dir, "nginx.sock")), Pin(leaf)
	waittest.Until(t, "nginx answers", func() bool { return m.Probe(context.Background()) == nil })
	k, _ := keep(t, m, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }, Options{}) //nolint:errcheck // it would show
	c := waittest.Receive(t, "the terminal is there", h.accepted)
	large := io.LimitReader(zeros{}, 16<<20)
	resp, err := ask(t, context.Background(), c, http.MethodPost, "/", large)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, resp.Body); err != nil || n != 16<<20 {
		t.Errorf("%d bytes: %v", n, err)
	}
	h.say(ErrRevoked)
	c.Close()
	trouble(t, k, ErrRevoked)
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// forward lets TCP reach a socket file: nginx can't say which free port it has taken.
func forward(t *testing.T, socket string) (address string) {
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	go func() {
		for {
			here, err := port.Accept()
			if err != nil {
				return
			}
			go func() {
				defer here.Close()
				if there, err := net.Dial("unix", socket); err == nil {
					pass(here, there)
				}
			}()
		}
	}()
	return port.Addr().String()
}

// selfSigned puts the certificate of Go's own test server into files.
func selfSigned(t *testing.T, dir string) *x509.Certificate {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: pair.Certificate[0]}, "key.pem": {Type: "PRIVATE KEY", Bytes: key}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return server.Certificate()
}
