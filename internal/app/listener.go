package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// plainErrors gives a listener's connections one habit: what the HTTP server itself refuses, before any handler
// sees it, is answered in plain English text; callers are promised JSON from every layer.
type plainErrors struct {
	net.Listener
	corsMethods string
}

func (l plainErrors) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return plainErrorConn{c, l.corsMethods}, nil
}

type plainErrorConn struct {
	net.Conn
	corsMethods string
}

// The server writes such an answer whole, in one call, with just these two headers; handlers' answers have more.
var (
	statusLine = []byte("HTTP/1.1 ")
	// An Expect header it does not know is refused without a body; no handler of ours answers so.
	unmetExpectation = []byte("HTTP/1.1 417 ")
	plainHeaders     = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
)

func (c plainErrorConn) Write(b []byte) (int, error) {
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
	if _, err := c.Conn.Write(refusal(code, c.corsMethods)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// refusal is the same answer as the interface writes it.
func refusal(code int, corsMethods string) []byte {
	message := "Requisição HTTP malformada"
	if code == http.StatusRequestHeaderFieldsTooLarge {
		message = "Cabeçalhos da requisição grandes demais"
	}
	body, err := json.Marshal(map[string]any{"code": code, "message": message})
	if err != nil {
		panic(err) // an integer and a constant
	}
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n"+
		"Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: %s\r\nConnection: close\r\n\r\n%s",
		code, http.StatusText(code), len(body), corsMethods, body)
}
