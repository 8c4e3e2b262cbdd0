package peers

import (
	"context"
	"errors"
	"log"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// Pass sends a request on over a link as it is, and the answer back as it comes. failed answers in the place of who did not.
type Pass func(w http.ResponseWriter, r *http.Request, over http.RoundTripper, failed func(http.ResponseWriter, error))

// Server is for the requests of other hubs; it is to be served with ServeTLS.
func (p *Peers) Server(pass Pass, faults *log.Logger) *http.Server {
	only := new(http.Protocols)
	only.SetHTTP2(true)
	return &http.Server{
		Handler:   http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, pass) }),
		TLSConfig: p.lines.identity.accepting(p.known), Protocols: only,
		HTTP2: &http.HTTP2Config{
			SendPingTimeout: silence, PingTimeout: silence,
			MaxConcurrentStreams: mostRequests, MaxReceiveBufferPerStream: requestWindow, MaxReceiveBufferPerConnection: connectionWindow,
		},
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: mostHeaderBytes, ErrorLog: faults,
		DisableGeneralOptionsHandler: true,
	}
}

func (p *Peers) known(keyHash []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), locatePatience)
	defer cancel()
	return p.leases.Known(ctx, keyHash)
}

// serve passes a request on to the connection that it is for, and to no other.
func (p *Peers) serve(w http.ResponseWriter, r *http.Request, pass Pass) {
	named := r.Header.Get(linkHeader)
	if named == "" { // a hub that has just dialled
		w.WriteHeader(http.StatusNoContent)
		return
	}
	r.Header.Del(linkHeader)
	at, is := read(named)
	if !is || !p.leases.Holds(at) {
		say(w, notSent)
		return
	}
	link, is := p.board.Find(at.Terminal)
	if !is {
		say(w, notSent)
		return
	}
	if r.ContentLength == 0 {
		r.Body = http.NoBody // as HTTP/1 has it: what has no body is not waited for
	}
	pass(w, r, unmarked{link}, func(w http.ResponseWriter, err error) {
		if errors.Is(err, tunnel.ErrNotSent) {
			say(w, notSent)
			return
		}
		say(w, broken)
	})
}

func say(w http.ResponseWriter, verdict string) {
	w.Header().Set(verdictHeader, verdict)
	w.WriteHeader(http.StatusBadGateway)
}

// unmarked takes from a terminal's answers what only hubs say: it may be stolen.
type unmarked struct{ http.RoundTripper }

func (u unmarked) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := u.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Header.Del(verdictHeader)
	}
	return resp, err
}
