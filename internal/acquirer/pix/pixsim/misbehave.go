package pixsim

import (
	"bytes"
	"errors"
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
	OnPay       Call = "pay" // no call of the API: a customer
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
	switch only := m.Kind.only(); {
	case m.Kind.Meaning() == "":
		return fmt.Errorf("misbehaviour %q não existe; há %v", m.Kind, Misdeeds())
	case !slices.Contains(allCalls, m.On) || only == OnAny && m.On == OnPay:
		return fmt.Errorf("on %q não existe ou não serve aqui; há %v", m.On, allCalls[1:])
	case m.Times < 1 || m.Delay < 0:
		return errors.New("times deve ser ao menos 1, e ms não pode ser negativo")
	case only != OnAny:
		m.On = only
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
	return b.chaos.take(call, kinds)
}

// misbehave serves the request as the next misbehaviour says.
func (b *Bank) misbehave(w http.ResponseWriter, r *request, route route) {
	b.mu.Lock()
	m, _ := b.takeLocked(route.call, callsOnly)
	if m.Kind == Forget {
		clear(b.tokens)
	}
	b.mu.Unlock()
	r.note.Misdeed = m.Kind
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
	case Unavailable:
		write(w, problem(http.StatusServiceUnavailable, "ServicoIndisponivel", "fora do ar"))
		return
	case Denied:
		write(w, denied(route.call))
		return
	case TooMany:
		w.Header().Set("Retry-After", fmt.Sprint(int(m.Delay/time.Second)))
		write(w, problem(http.StatusTooManyRequests, "RequisicaoInvalida", "pedidos demais"))
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
	answer := b.serve(r, route)
	r.note.note(answer)
	b.afterwards(w, r, m, answer)
}

// denied is a refusal in the words of the endpoint.
func denied(call Call) reply {
	if call == OnToken {
		return reply{http.StatusUnauthorized, map[string]string{"error": "invalid_client", "error_description": "credenciais recusadas"}}
	}
	return problem(http.StatusUnauthorized, "AcessoNegado", "token recusado")
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
			r.note.Status = answer.status
			return
		}
	case CutAnswer:
		media, body := answer.encode()
		w.Header().Set("Content-Type", media)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.WriteHeader(answer.status)
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
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
