// Package connection is how connections come in: how many at once and which is closed when there are too many, TLS or not,
// and what is said to those whom the HTTP server itself refuses. It knows nothing of what they come for.
package connection

import (
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"strconv"
)

// Listener is a listening socket whose connections are limited.
type Listener struct {
	net.Listener
	Limiter *Limiter
	TLS     *tls.Config // nil: none spoken
	Both    bool        // HTTP too, at the same address
	// Newcomers are let in while there are fewer than this who have sent no request yet, and else turned away; 0: always.
	Newcomers int
	// Refusal is the answer to what the HTTP server itself refuses, before any handler sees it. The server's own is
	// plain English text; callers are promised JSON from every layer.
	Refusal func(code int, message string) []byte
}

func (l Listener) Accept() (net.Conn, error) {
	for {
		nc, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if !l.Limiter.welcomes(l.Newcomers) {
			nc.Close()
			continue
		}
		c := l.Limiter.admit(nc)
		if c == nil {
			nc.Close()
			continue
		}
		if l.TLS != nil {
			c.maxHeaderBytes += handshakeBytes
		}
		switch {
		case l.TLS == nil:
			return serverConn{c, c, l.Refusal}, nil
		case l.Both:
			return serverConn{&detectConn{conn: c, config: l.TLS}, c, l.Refusal}, nil
		}
		// The handshake is made with the first read, in the connection's own time.
		return serverConn{tls.Server(c, l.TLS), c, l.Refusal}, nil
	}
}

// serverConn is what the HTTP server reads from and writes to.
type serverConn struct {
	net.Conn
	conn    *conn // under TLS, if that is spoken
	refusal func(code int, message string) []byte
}

func (c serverConn) CloseWrite() error { return closeWrite(c.Conn) }

// NetConn is what lies under TLS: whoever took the connection over may cut it without TLS's farewell.
func (c serverConn) NetConn() net.Conn { return c.conn }

// Read tells those who speak HTTP where HTTPS is spoken; what the server would say, they could not read.
func (c serverConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.Conn == net.Conn(c.conn) || err == nil { // without TLS every request ends a read early: nothing to look into
		return n, err
	}
	var notTLS tls.RecordHeaderError
	if errors.As(err, &notTLS) && looksLikeHTTP(notTLS.RecordHeader) {
		c.conn.Write(c.refusal(http.StatusBadRequest, "Este endereço fala HTTPS: use https://")) //nolint:errcheck // whoever it was may be gone
		c.conn.CloseWrite()                                                                      //nolint:errcheck // as above
	}
	return n, err
}

// looksLikeHTTP tells whether five bytes begin a request line.
func looksLikeHTTP(begin [5]byte) bool {
	for _, b := range begin {
		if (b < 'A' || b > 'Z') && b != ' ' && b != '/' {
			return false
		}
	}
	return true
}

// The server writes such an answer whole, in one call, with just these two headers; handlers' answers have more.
var (
	statusLine = []byte("HTTP/1.1 ")
	// An Expect header it does not know is refused without a body; no handler of ours answers so.
	unmetExpectation = []byte("HTTP/1.1 417 ")
	plainHeaders     = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
)

func (c serverConn) Write(b []byte) (int, error) {
	if c.conn.stage.Load() == stageHandled || !bytes.HasPrefix(b, statusLine) { // a picture may have such bytes in it
		return c.Conn.Write(b)
	}
	end := bytes.Index(b, []byte("\r\n"))
	if end < len(statusLine)+3 || !bytes.HasPrefix(b[end:], plainHeaders) && !bytes.HasPrefix(b, unmetExpectation) {
		return c.Conn.Write(b)
	}
	code, err := strconv.Atoi(string(b[len(statusLine) : len(statusLine)+3]))
	if err != nil {
		return c.Conn.Write(b)
	}
	message := "Requisição HTTP malformada"
	if code == http.StatusRequestHeaderFieldsTooLarge {
		message = "Cabeçalhos da requisição grandes demais"
	}
	if _, err := c.Conn.Write(c.refusal(code, message)); err != nil {
		return 0, err
	}
	return len(b), nil
}
