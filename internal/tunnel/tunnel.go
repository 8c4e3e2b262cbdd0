// Package tunnel carries a hub's requests to a terminal over a connection that the terminal dialled, so that no way into the
// shop's network is needed. Both ends are here: the terminal dials, proves who it is and then serves HTTP/2 on the
// connection; the hub accepts, checks the proof and sends requests.
//
// Invariants: the terminal's private key never leaves it; a proof is bound to a fresh challenge of the hub and to the hub's
// own key, and is useless when replayed; the hub proves itself too, so that a reverse proxy that ends TLS learns nothing
// it could use; whatever the other side sends is bounded before it is read.
package tunnel

import (
	"cmp"
	"errors"
	"net/http"
	"time"
)

// The hub's paths that a terminal calls.
const (
	Path     = "/tunnel" // GET, upgraded to Protocol
	JoinPath = "/join"   // POST: a JoinRequest, answered with a JoinAnswer
)

// StrangerHeader marks a request whose caller has shown the hub no credentials: it may see what a terminal shows everybody, and nothing
// more.
const StrangerHeader = "X-Maquininha-Stranger"

// Protocol is what the connection is upgraded to. Its version is in the texts that are signed.
const Protocol = "maquininha-tunnel"

// Why a terminal is not let in.
var (
	ErrRevoked = errors.New("the hub has revoked this terminal")
	ErrUnknown = errors.New("the hub does not know this terminal")
	ErrProof   = errors.New("the proof is not of this terminal's key")
	ErrTrouble = errors.New("the hub can't look this terminal up at the moment")
)

// Timing is how long each side waits for the other. Zero is the product's own.
type Timing struct {
	Handshake time.Duration // for each side to prove itself
	Ping      time.Duration // a silent link is asked whether it lives after this
	PingReply time.Duration // and is given up after this
}

func (t Timing) handshake() time.Duration { return cmp.Or(t.Handshake, 10*time.Second) }

// Limits of the connection, for both ends. The windows keep one slow reader from holding much memory, and many of them from
// stopping the rest.
const (
	mostRequests    = 1024
	streamWindow    = 256 << 10
	terminalWindow  = 4<<20 - 1 // the most that the library takes; the hub's own is practically none
	mostHeaderBytes = 64 << 10
)

func (t Timing) http2() *http.HTTP2Config {
	return &http.HTTP2Config{
		SendPingTimeout: cmp.Or(t.Ping, 20*time.Second), PingTimeout: cmp.Or(t.PingReply, 10*time.Second),
		MaxConcurrentStreams: mostRequests, MaxReceiveBufferPerStream: streamWindow,
	}
}

// unencrypted is HTTP/2 without TLS of its own: the connection below has it.
func unencrypted() *http.Protocols {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return p
}
