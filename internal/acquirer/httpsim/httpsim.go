// Package httpsim is what simulators of services over HTTP have in common: how they misbehave, on demand or by chance, and how
// they are served. What they simulate, and their books, are their own.
package httpsim

import (
	"context"
	"crypto/tls"
	"errors"
	"log"
	"net"
	"net/http"
	"strings"
	"time"
)

// Server is how a simulator is served.
type Server struct {
	Listen    string      // an address like 127.0.0.1:8443
	TLS       *tls.Config // nil: plain HTTP
	Ready     func(net.Addr)
	Complaint func(string) // of the server, about connections; may be nil
}

// Run serves until the context ends, and closes the simulator however it ends.
func (s Server) Run(ctx context.Context, h http.Handler, closing func() error) error {
	l, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return errors.Join(err, closing())
	}
	server := NewServer(h, s.TLS)
	if s.Complaint != nil {
		server.ErrorLog = log.New(complaints(s.Complaint), "", 0)
	}
	if s.Ready != nil {
		s.Ready(l.Addr())
	}
	served := make(chan error, 1)
	go func() {
		if s.TLS != nil {
			served <- server.ServeTLS(l, "", "")
			return
		}
		served <- server.Serve(l)
	}()
	select {
	case err = <-served:
	case <-ctx.Done():
		err = server.Close()
		<-served
	}
	return errors.Join(err, closing())
}

// NewServer speaks HTTP/1.1 only: misbehaving takes a connection of one's own.
func NewServer(h http.Handler, t *tls.Config) *http.Server {
	var only http.Protocols
	only.SetHTTP1(true)
	return &http.Server{Handler: h, TLSConfig: t, Protocols: &only, ReadHeaderTimeout: 10 * time.Second}
}

// complaints are what the HTTP server has to say about connections.
type complaints func(string)

func (report complaints) Write(line []byte) (int, error) {
	report(strings.TrimSpace(string(line)))
	return len(line), nil
}

// Answerer remembers the status that was written.
type Answerer struct {
	http.ResponseWriter
	Status int // 0: none
}

// WriteHeader notes it.
func (a *Answerer) WriteHeader(status int) {
	a.Status = status
	a.ResponseWriter.WriteHeader(status)
}

func (a *Answerer) Write(p []byte) (int, error) {
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	return a.ResponseWriter.Write(p)
}

// Unwrap lets a connection be taken over.
func (a *Answerer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
