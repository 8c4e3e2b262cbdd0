package app

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// entrance is a listening socket with its doorman and its habits.
type entrance struct {
	net.Listener
	door *doorman
	tls  *tls.Config // nil: none spoken
	both bool        // HTTP too, at the same address
	// refusal is the answer to what the HTTP server itself refuses, before any handler sees it. The server's own is
	// plain English text; callers are promised JSON from every layer.
	refusal func(code int, message string) []byte
}

func (e entrance) Accept() (net.Conn, error) {
	for {
		c, err := e.Listener.Accept()
		if err != nil {
			return nil, err
		}
		g := e.door.admit(c)
		if g == nil {
			c.Close()
			continue
		}
		switch {
		case e.tls == nil:
			return connection{g, g, e.refusal}, nil
		case e.both:
			return connection{&either{guest: g, config: e.tls}, g, e.refusal}, nil
		}
		// The handshake is made with the first read, in the connection's own time.
		return connection{tls.Server(g, e.tls), g, e.refusal}, nil
	}
}

// connection is what the server reads from and writes to.
type connection struct {
	net.Conn
	guest   *guest
	refusal func(code int, message string) []byte
}

func (c connection) CloseWrite() error { return closeWrite(c.Conn) }

// Read tells those who speak HTTP where HTTPS is spoken; what the server would say, they could not read.
func (c connection) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.Conn == net.Conn(c.guest) || err == nil { // without TLS every request ends a read early: nothing to look into
		return n, err
	}
	var notTLS tls.RecordHeaderError
	if errors.As(err, &notTLS) && looksLikeHTTP(notTLS.RecordHeader) {
		c.guest.Write(c.refusal(http.StatusBadRequest, "Este endereço fala HTTPS: use https://")) //nolint:errcheck // whoever it was may be gone
		c.guest.CloseWrite()                                                                      //nolint:errcheck // as above
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

func (c connection) Write(b []byte) (int, error) {
	if !bytes.HasPrefix(b, statusLine) {
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

// callersRefusal is written as the interface writes its errors.
func callersRefusal(corsMethods string) func(int, string) []byte {
	return func(code int, message string) []byte {
		return refusal(code, map[string]any{"code": code, "message": message},
			"Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: "+corsMethods+"\r\n")
	}
}

// visitorsRefusal is written as the screen writes its errors.
func visitorsRefusal(code int, message string) []byte {
	return refusal(code, map[string]any{"message": message}, "X-Content-Type-Options: nosniff\r\n")
}

func refusal(code int, body map[string]any, headers string) []byte {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // an integer and a constant
	}
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n%s",
		code, http.StatusText(code), len(text), headers, text)
}
