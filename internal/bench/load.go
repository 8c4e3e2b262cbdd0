package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// What every caller shows, to the service and to the bare handler alike.
const (
	user     = "caixa"
	password = "abre-te sesamo"
)

var authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))

// request is a request as it goes over the wire, made once and sent often.
func request(method, path, body string) []byte {
	r := method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + authorization + "\r\n"
	if method != "GET" {
		r += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
	}
	return []byte(r + "\r\n" + body)
}

// caller is one kept connection. It reads no more of an answer than it must: the generator shares the processors
// with what it measures, and what it spends is missing on both sides.
type caller struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(address string) (*caller, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	// No measurement takes this long: a server that hangs must not hang the bench.
	if err := conn.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &caller{conn, bufio.NewReaderSize(conn, 16<<10)}, nil
}

func (c *caller) close() { c.conn.Close() }

// send sends a request and waits for the whole answer, which must be a 200. The body it returns is good until the
// next call.
func (c *caller) send(request []byte) (body []byte, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return nil, err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	var refused string
	if !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
		refused = string(bytes.TrimSpace(line))
	}
	length := -1
	for len(line) > len("\r\n") {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return nil, err
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return nil, err
			}
		}
	}
	if length < 0 {
		return nil, errors.New("an answer without a length")
	}
	if body, err = c.in.Peek(length); err != nil {
		return nil, err
	}
	if _, err := c.in.Discard(length); err != nil {
		return nil, err
	}
	if refused != "" {
		return nil, fmt.Errorf("%q was answered with %s: %s", bytes.SplitN(request, []byte("\r\n"), 2)[0], refused, body)
	}
	return body, nil
}

// send sends requests over a connection made for them and returns the last answer.
func send(address string, requests ...[]byte) (body []byte, err error) {
	c, err := dial(address)
	if err != nil {
		return nil, err
	}
	defer c.close()
	for _, r := range requests {
		if body, err = c.send(r); err != nil {
			return nil, err
		}
	}
	return body, nil
}

// drive has some clients send, each its next request as soon as the last is answered, for as long as more says,
// and returns the requests answered in a second. Both functions are called from many goroutines.
func drive(address string, clients int, next func() []byte, more func() bool) (rate float64, err error) {
	callers := make([]*caller, clients)
	for i := range callers {
		if callers[i], err = dial(address); err != nil {
			return 0, err
		}
		defer callers[i].close()
	}
	var (
		answered atomic.Int64
		failures = make([]error, clients)
		sending  sync.WaitGroup
	)
	started := time.Now()
	for i, c := range callers {
		sending.Go(func() {
			n := int64(0)
			for more() {
				if _, failures[i] = c.send(next()); failures[i] != nil {
					break
				}
				n++
			}
			answered.Add(n)
		})
	}
	sending.Wait()
	return float64(answered.Load()) / time.Since(started).Seconds(), errors.Join(failures...)
}

// during says yes for a while, from now on.
func during(d time.Duration) func() bool {
	end := time.Now().Add(d)
	return func() bool { return time.Now().Before(end) }
}

// times says yes n times.
func times(n int) func() bool {
	var left atomic.Int64
	left.Store(int64(n))
	return func() bool { return left.Add(-1) >= 0 }
}

func always(request []byte) func() []byte { return func() []byte { return request } }
