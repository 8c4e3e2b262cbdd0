package rig

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
	User     = "caixa"
	Password = "abre-te sesamo"
)

// Authorization is the header that says so.
var Authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(User+":"+Password))

// Request is a request as it goes over the wire, made once and sent often.
func Request(method, path, body string) []byte {
	r := method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + Authorization + "\r\n"
	if method != "GET" {
		r += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
	}
	return []byte(r + "\r\n" + body)
}

// Caller is one kept connection. It reads no more of an answer than it must: the generator shares the processors
// with what it measures, and what it spends is missing on both sides.
type Caller struct {
	conn net.Conn
	in   *bufio.Reader
}

// Dial opens a connection.
func Dial(address string) (*Caller, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &Caller{conn, bufio.NewReaderSize(conn, 16<<10)}, nil
}

// Close hangs up.
func (c *Caller) Close() { c.conn.Close() }

// Send sends a request and waits for the whole answer, which must be a 200. The body it returns is good until the
// next call.
func (c *Caller) Send(request []byte) (body []byte, err error) {
	// No answer takes this long: a server that hangs must not hang a campaign.
	if err := c.conn.SetDeadline(time.Now().Add(10 * time.Minute)); err != nil {
		return nil, err
	}
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
		return nil, &Refusal{string(bytes.SplitN(request, []byte("\r\n"), 2)[0]), refused, string(body)}
	}
	return body, nil
}

// Refusal is an answer that is no 200.
type Refusal struct{ Request, Status, Body string }

func (r *Refusal) Error() string {
	return fmt.Sprintf("%q was answered with %s: %s", r.Request, r.Status, r.Body)
}

// Send sends requests over a connection made for them and returns the last answer.
func Send(address string, requests ...[]byte) (body []byte, err error) {
	c, err := Dial(address)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for _, r := range requests {
		if body, err = c.Send(r); err != nil {
			return nil, err
		}
	}
	return body, nil
}

// Drive has some clients send, each its next request as soon as the last is answered, for as long as more says,
// and returns how many were answered in a second, each with a 200. Both functions are called from many goroutines.
func Drive(address string, clients int, next func() []byte, more func() bool) (rate float64, err error) {
	return drive(address, clients, next, more, func(error) bool { return false })
}

// DriveOn is Drive that goes on after a refusal. Only a 200 counts as an answer.
func DriveOn(address string, clients int, next func() []byte, more func() bool) (rate float64, refused int64, err error) {
	var count atomic.Int64
	rate, err = drive(address, clients, next, more, func(err error) bool {
		var refusal *Refusal
		is := errors.As(err, &refusal)
		if is {
			count.Add(1)
		}
		return is
	})
	return rate, count.Load(), err
}

func drive(address string, clients int, next func() []byte, more func() bool, forgiven func(error) bool) (rate float64, err error) {
	callers := make([]*Caller, clients)
	for i := range callers {
		if callers[i], err = Dial(address); err != nil {
			return 0, err
		}
		defer callers[i].Close()
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
				_, err := c.Send(next())
				if err == nil {
					n++
				} else if !forgiven(err) {
					failures[i] = err
					break
				}
			}
			answered.Add(n)
		})
	}
	sending.Wait()
	return float64(answered.Load()) / time.Since(started).Seconds(), errors.Join(failures...)
}

// During says yes for a while, from now on.
func During(d time.Duration) func() bool {
	end := time.Now().Add(d)
	return func() bool { return time.Now().Before(end) }
}

// Times says yes n times.
func Times(n int) func() bool {
	var left atomic.Int64
	left.Store(int64(n))
	return func() bool { return left.Add(-1) >= 0 }
}

// Always is the same request again and again.
func Always(request []byte) func() []byte { return func() []byte { return request } }
