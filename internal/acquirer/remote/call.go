package remote

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// MaxTries is how often a call is made that may be repeated.
const MaxTries = 4

const maxAnswer = 1 << 20

var errTooLong = errors.New("the answer is too long")

// Answer is what the other side said.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// OK tells of a success.
func (a Answer) OK() bool { return a.Status >= 200 && a.Status <= 299 }

// Ask makes one request. An answer that is no success counts though its body is cut off: its status says enough.
func Ask(ctx context.Context, by *http.Client, req *http.Request, timeout time.Duration) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	res, err := by.Do(req.WithContext(ctx))
	if err != nil {
		return Answer{}, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	a := Answer{Status: res.StatusCode, Header: res.Header, Body: raw}
	switch {
	case !a.OK():
		return a, nil
	case err != nil:
		return Answer{}, err
	case len(raw) > maxAnswer:
		return Answer{}, errTooLong
	}
	return a, nil
}

// Failure is a call that was not answered as hoped.
type Failure struct {
	Err    error
	Text   string // of Err, without secrets
	Unsure bool   // the other side may have acted on it
}

func (f *Failure) Error() string { return f.Text }
func (f *Failure) Unwrap() error { return f.Err }

// NoEffect tells that the other side did not act on a call: it said so, or never got it.
func NoEffect(err error) bool {
	var f *Failure
	return errors.As(err, &f) && !f.Unsure
}

// Backoff is the pause before a repetition: the first, then twice as long each time up to the most. Who wants a longer pause is not asked
// again.
type Backoff struct{ First, Most time.Duration }

// Repeat makes a call as long as that may help; it has to be one that may be repeated. Requests made with the marked context
// could have an effect. Its error is a *Failure, in whose text hide leaves no secrets.
func (b Backoff) Repeat(ctx context.Context, tries int, hide func(error) string, call func(mark func(context.Context) context.Context) ([]byte, error)) ([]byte, error) {
	unsure := false
	for try := 1; ; try++ {
		var sent atomic.Bool
		raw, err := call(func(ctx context.Context) context.Context {
			return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }})
		})
		if err == nil {
			return raw, nil
		}
		var p Problem
		answered := errors.As(err, &p)
		unsure = unsure || sent.Load() && (!answered || p.Unsure())
		again := ctx.Err() == nil && try < tries && !errors.Is(err, errTooLong) && (!answered || p.Transient())
		if !again || !b.pause(ctx, try, p) {
			return nil, &Failure{Err: err, Text: hide(err), Unsure: unsure}
		}
	}
}

// pause waits before the next try; false: it is not worth it.
func (b Backoff) pause(ctx context.Context, try int, p Problem) bool {
	wait := min(b.First<<(try-1), b.Most)
	wait = wait/2 + rand.N(wait/2+1) // terminals that lost the other side together must not come back together
	if p != nil {
		wait = max(wait, p.Wait())
	}
	return wait <= b.Most && Sleep(ctx, wait) == nil
}

// RetryAfter reads both forms of the header. A moment is by the other side's clock, which need not be ours: how far off it is
// goes by what that clock showed when it answered.
func RetryAfter(h http.Header) time.Duration {
	s := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(s)
	now, noClock := http.ParseTime(h.Get("Date"))
	if err != nil || noClock != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}
