package main

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// bareCommand, as the first argument, makes this program the other side of a ratio.
const bareCommand = "bare"

// startBare starts a bare proxy with a hub's certificate, and gives the members that may hang on it.
func (b *bench) startBare(h *hub, n int) (*rig.Server, []tunnel.Membership, error) {
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, nil, err
	}
	links := rig.FreeAddress()
	members := make([]tunnel.Membership, n)
	for i := range members {
		members[i] = tunnel.Membership{
			Address: "https://" + links, Pin: h.pin, Hub: "bare", Terminal: fmt.Sprintf("bare%d", i), HubKey: public, Key: ed25519.NewKeyFromSeed(key.Seed()),
		}
	}
	path, err := b.writeMembers("bare.json", members[:1]) // all have one key: nobody is kept apart here
	if err != nil {
		return nil, nil, err
	}
	server, err := b.startPart(bareCommand, links, path, h.data)
	return server, members, err
}

// serveBare passes requests on in the plainest way: over the link of /terminals/ID, or to the address that is named in a header by
// connections of its own. There is no routing beyond that, no credentials, no records.
func serveBare(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("%s takes two addresses, a file and a folder", bareCommand)
	}
	callers, links, data := args[0], args[1], args[3]
	text, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	var members []tunnel.Membership
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	key := members[0].Key
	host := tunnel.Host{ID: "bare", Key: key, Admit: func(context.Context, string) (ed25519.PublicKey, error) { return key.Public().(ed25519.PublicKey), nil }}
	cert, err := tls.LoadX509KeyPair(filepath.Join(data, certificate.OwnName), filepath.Join(data, "tls-key.pem"))
	if err != nil {
		return err
	}
	go endWithParent()
	var proxies sync.Map // of ids
	accepting := &http.Server{
		Addr: links, TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}}, TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
		ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if conn, err := tunnel.Accept(w, r, host); err == nil {
				proxies.Store(conn.Terminal(), bareProxy(conn))
			}
		}),
	}
	plain := bareProxy(&http.Transport{MaxIdleConnsPerHost: 256})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", answerStatus)
	mux.HandleFunc("/terminals/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(plainHeader) != "" {
			plain.ServeHTTP(w, r)
			return
		}
		id, _, _ := strings.Cut(r.URL.Path[len("/terminals/"):], "/")
		proxy, ok := proxies.Load(id)
		if !ok {
			http.Error(w, "no such terminal", http.StatusServiceUnavailable)
			return
		}
		proxy.(*httputil.ReverseProxy).ServeHTTP(w, r)
	})
	failed := make(chan error, 2)
	go func() { failed <- accepting.ListenAndServeTLS("", "") }()
	go func() { failed <- http.ListenAndServe(callers, mux) }()
	return errors.Join(<-failed)
}

// plainHeader names where a request goes by connections of the proxy's own.
const plainHeader = "X-To"

func bareProxy(by http.RoundTripper) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Transport: by, BufferPool: &buffers{}, ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(p *httputil.ProxyRequest) {
			to := p.In.Header.Get(plainHeader)
			if to == "" {
				to = "terminal"
			}
			p.Out.URL = &url.URL{Scheme: "http", Host: to, Path: p.In.URL.Path}
		},
	}
}

type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return *buf
	}
	return make([]byte, 32<<10)
}

func (b *buffers) Put(buf []byte) { b.pool.Put(&buf) }
