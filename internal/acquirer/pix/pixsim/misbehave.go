package pixsim

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Call is a call that can be misbehaved on.
type Call string

// The calls of the API.
const (
	OnAny       Call = "" // all but the token
	OnToken     Call = "token"
	OnCreate    Call = "create"
	OnSee       Call = "see"
	OnWithdraw  Call = "withdraw"
	OnRefund    Call = "refund"
	OnSeeRefund Call = "see-refund"
)

// Misdeed is a way to misbehave.
type Misdeed string

// The ways. "After" means that the call was carried out, only the answer is missing.
const (
	Slow        Misdeed = "slow"         // carried out and answered after the delay, even if nobody waits any more
	Silent      Misdeed = "silent"       // never answers
	SilentAfter Misdeed = "silent-after" //
	Drop        Misdeed = "drop"         // closes the connection
	DropAfter   Misdeed = "drop-after"
	Fail        Misdeed = "500"
	FailAfter   Misdeed = "500-after"
	TooMany     Misdeed = "429"
	Duplicate   Misdeed = "duplicate" // answers twice
	Garbage     Misdeed = "garbage"   // a success with no JSON
	Endless     Misdeed = "endless"   // a success of more than anybody wants to read
	Lost        Misdeed = "lost"      // a 404 that is not the API's
	Forget      Misdeed = "forget"    // the token expires early
	Twice       Misdeed = "twice"     // each payment is listed twice
	Wordy       Misdeed = "wordy"     // an error that repeats the caller's credentials

	PaidBefore Misdeed = "paid-before" // the customer pays just before the withdrawal arrives
	PaidAfter  Misdeed = "paid-after"  // a payment under way comes in after the withdrawal

	RefundSlowly        Misdeed = "refund-slowly" // EM_PROCESSAMENTO for the delay
	RefundRefused       Misdeed = "refund-refused"
	RefundSlowlyRefused Misdeed = "refund-slowly-refused"
)

var (
	refundsOnly = []Misdeed{RefundSlowly, RefundRefused, RefundSlowlyRefused}
	allMisdeeds = append([]Misdeed{
		Slow, Silent, SilentAfter, Drop, DropAfter, Fail, FailAfter, TooMany, Duplicate, Garbage, Endless, Lost, Forget, Twice, Wordy, PaidBefore, PaidAfter,
	}, refundsOnly...)
	allCalls = []Call{OnAny, OnToken, OnCreate, OnSee, OnWithdraw, OnRefund, OnSeeRefund}
)

// Misbehaviour is what the PSP will do wrong the next times.
type Misbehaviour struct {
	Kind  Misdeed
	On    Call
	Times int
	Delay time.Duration
}

// Next has the PSP misbehave. Those asked for earlier come first.
func (b *Bank) Next(m Misbehaviour) error {
	if !slices.Contains(allMisdeeds, m.Kind) || !slices.Contains(allCalls, m.On) || m.Times < 1 || m.Delay < 0 {
		return fmt.Errorf("no such misbehaviour: %+v", m)
	}
	switch {
	case slices.Contains(refundsOnly, m.Kind):
		m.On = OnRefund
	case m.Kind == PaidBefore || m.Kind == PaidAfter:
		m.On = OnWithdraw
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, m)
	return nil
}

// Behave forgets every misbehaviour asked for.
func (b *Bank) Behave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = nil
}

// takeLocked is the next misbehaviour of one of these kinds for the call; the bank is locked.
func (b *Bank) takeLocked(call Call, kinds []Misdeed) (Misbehaviour, bool) {
	for i := range b.queue {
		m := &b.queue[i]
		if !slices.Contains(kinds, m.Kind) || m.On != call && (m.On != OnAny || call == OnToken) {
			continue
		}
		taken := *m
		if m.Times--; m.Times == 0 {
			b.queue = slices.Delete(b.queue, i, i+1)
		}
		return taken, true
	}
	return Misbehaviour{}, false
}

// misbehave serves the request as the next misbehaviour says.
func (b *Bank) misbehave(w http.ResponseWriter, r *request, route route) {
	b.mu.Lock()
	m, _ := b.takeLocked(route.call, allMisdeeds[:len(allMisdeeds)-len(refundsOnly)])
	if m.Kind == Forget {
		clear(b.tokens)
	}
	b.mu.Unlock()
	switch m.Kind {
	case Slow:
		b.wait(m.Delay)
	case Silent:
		b.hush(r)
	case Drop:
		panic(http.ErrAbortHandler)
	case Fail:
		write(w, broken(io.ErrUnexpectedEOF))
		return
	case TooMany:
		w.Header().Set("Retry-After", fmt.Sprint(int(m.Delay/time.Second)))
		write(w, problem(http.StatusTooManyRequests, "RequisicaoInvalida", "too many requests"))
		return
	case Lost:
		http.Error(w, "<html>not here</html>", http.StatusNotFound)
		return
	case Wordy:
		write(w, problem(http.StatusBadRequest, "RequisicaoInvalida", r.Header.Get("Authorization")+" "+b.config.ClientSecret))
		return
	case PaidBefore:
		b.inFlight(r)
	}
	b.afterwards(w, r, m, b.serve(r, route))
}

// afterwards spoils the answer of a call that was carried out.
func (b *Bank) afterwards(w http.ResponseWriter, r *request, m Misbehaviour, answer reply) {
	switch m.Kind {
	case SilentAfter:
		b.hush(r)
	case DropAfter:
		panic(http.ErrAbortHandler)
	case FailAfter:
		write(w, broken(io.ErrUnexpectedEOF))
		return
	case Garbage:
		_, _ = io.WriteString(w, "<html>tudo certo</html>")
		return
	case Endless:
		_, _ = io.WriteString(w, `{"x":"`+strings.Repeat("x", 2<<20)+`"}`)
		return
	case Duplicate:
		if b.sendTwice(w, answer) == nil {
			return
		}
	case PaidAfter:
		b.inFlight(r)
	}
	if j, ok := answer.body.(map[string]any); ok && m.Kind == Twice {
		if list, ok := j["pix"].([]map[string]any); ok {
			j["pix"] = slices.Repeat(list, 2)
		}
	}
	write(w, answer)
}

// inFlight is the customer whose bank had read the charge already.
func (b *Bank) inFlight(r *request) {
	_, _ = b.PayLate(r.path[0], "") // no charge, no payment
}

// hush answers nothing until the caller gives up.
func (b *Bank) hush(r *request) {
	select {
	case <-r.Context().Done():
	case <-b.closed:
	}
	panic(http.ErrAbortHandler)
}

func (b *Bank) wait(d time.Duration) {
	select {
	case <-time.After(d):
	case <-b.closed:
	}
}

// sendTwice writes the same answer two times on one connection.
func (b *Bank) sendTwice(w http.ResponseWriter, answer reply) error {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	defer conn.Close()
	media, body := answer.encode()
	once := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		answer.status, http.StatusText(answer.status), media, len(body), body)
	_, err = conn.Write(bytes.Repeat(once, 2))
	return err
}
