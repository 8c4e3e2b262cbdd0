package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// shop is a counter whose terminal hangs on the hub: its callers come through that only.
type shop struct {
	*counter.Counter
	*campaign
	number  int
	link    *link
	dice    *rand.Rand // for the callers' goroutine; the counter's own is for the one that does harm
	scenes  []scene    // still to come
	certain []string   // faults that come before those that chance chooses

	harm sync.Mutex // held while something is done to terminal, link or other sides

	mu        sync.Mutex
	terminals []string // the ids that it has had in the hub, the one of now at the end

	orders     []*order
	operations []string // where those are that ran by themselves
	complaints []string
	cents      int // of the next sale, so that no two have the same amount
	copied     *copied
	past       []history // of data that are no more
}

// order is what a caller wants of the shop, and how it asked for it.
type order struct {
	*counter.Sale
	key  string // of the request that is sent again with it; empty: the next one gets another
	keys int
	gone bool // its terminal has lost it: only the hub knows
}

// open starts the other sides, joins the hub and starts the terminal.
func (s *shop) open(ctx context.Context) error {
	if err := s.Open(ctx); err != nil {
		return err
	}
	if err := s.join(ctx); err != nil {
		return err
	}
	return s.StartService(ctx)
}

// join has the terminal join the hub, as a person does with the line that the hub gives.
func (s *shop) join(ctx context.Context) error {
	var code struct{ Code, Line string }
	if err := s.hubs.read(ctx, "POST", "/api/v1/codes", map[string]string{"name": fmt.Sprintf("Caixa %d", s.number)}, &code); err != nil {
		return err
	}
	_, pin, _ := strings.Cut(code.Line, " --pin ")
	return until(ctx, "the terminal joins", func() (bool, error) {
		cmd := exec.CommandContext(ctx, s.Binary, "join", "https://"+s.link.address, code.Code, "--pin", pin, "--data", s.Data())
		said, _ := cmd.CombinedOutput() // what it has left behind tells
		if m, err := tunnel.Load(s.Data()); err == nil {
			s.known(m.Terminal)
			return true, nil
		}
		if strings.Contains(string(said), "Código inválido") { // it was taken, and the answer lost: a person makes another
			return false, s.hubs.read(ctx, "POST", "/api/v1/codes", map[string]string{"name": fmt.Sprintf("Caixa %d", s.number)}, &code)
		}
		return false, nil // the hub is away for the moment: the person tries again
	})
}

// known takes note of the terminal's id in the hub.
func (s *shop) known(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.terminals = append(slices.DeleteFunc(s.terminals, func(other string) bool { return other == id }), id)
}

// ids are all that the terminal has had, the one of now at the end.
func (s *shop) ids() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.terminals)
}

// path is an address of the terminal's interface through the hub.
func (s *shop) path(rest string) string {
	ids := s.ids()
	return "/terminals/" + ids[len(ids)-1] + rest
}

// sell makes a reference for a new payment.
func (s *shop) sell(acquirer string) *order {
	tPag := map[string][]string{counter.TEF: {"03", "04", "99"}, counter.PIX: {"17"}}[acquirer]
	s.cents++
	o := &order{Sale: counter.NewSale(fmt.Sprintf("venda-%d-%d", s.number, len(s.orders)+1), acquirer, tPag[s.dice.IntN(len(tPag))], s.cents)}
	s.orders = append(s.orders, o)
	return o
}

// those are the orders of the data of now that fit.
func (s *shop) those(fit func(*order) bool) (some []*order) {
	for _, o := range s.orders {
		if !o.gone && fit(o) {
			some = append(some, o)
		}
	}
	return some
}

func (s *shop) pending() []*order { return s.those(func(o *order) bool { return o.Asking != "" }) }

// paid are those that could be given back, whole or in part.
func (s *shop) paid(k counter.Kind) []*order {
	return s.those(func(o *order) bool {
		return o.Approved && !o.Reversed && o.Asking == "" && (k == counter.Reversing || o.Acquirer == counter.PIX && o.Back.Sign() == 0)
	})
}

// request asks for what the caller wants of an order. What is not known to be paid is paid first.
func (s *shop) request(ctx context.Context, o *order, k counter.Kind) counter.Answer {
	var body any
	path := "/transaction/" + o.Reference + "/reversal"
	switch {
	case k == counter.Paying || !o.Approved:
		k, path, body = counter.Paying, "/transaction", o.Payment()
		s.figures.count(func(f *Figures) { f.Payments++ })
	case k == counter.Returning:
		body = map[string]any{"amount": json.Number(o.Part), "reversalId": "parte"}
		s.figures.count(func(f *Figures) { f.Reversals++ })
	default:
		s.figures.count(func(f *Figures) { f.Reversals++ })
	}
	if o.Asking != k {
		o.key = ""
	}
	o.Begin(k)
	a := s.send(ctx, s.path(path), body, o, string(k))
	verdict, became := o.Heard(k, a)
	if verdict != counter.Lost {
		o.key = "" // what was answered is known; asked again it is another request
	}
	s.figures.heard(k, verdict, became, a)
	if verdict == counter.Lost || verdict == counter.Unavailable {
		wait(ctx, 300*time.Millisecond) //nolint:errcheck // whoever goes on looks
	}
	return a
}

// send sends a request in one of the ways there are: held or by itself, with a key or without.
func (s *shop) send(ctx context.Context, path string, body any, o *order, what string) counter.Answer {
	var headers []string
	if s.dice.IntN(2) == 0 || o.key != "" && s.dice.IntN(4) > 0 {
		if o.key == "" {
			o.keys++
			o.key = fmt.Sprintf("%s %s %d", what, o.Reference, o.keys)
		}
		headers = append(headers, "Idempotency-Key", o.key)
	}
	patience := counter.Patience
	if s.dice.IntN(10) == 0 { // the caller hangs up
		patience = counter.Moment(s.dice, 3*time.Second)
	}
	if s.dice.IntN(2) == 0 {
		a := s.hubs.ask(ctx, patience, "POST", path, body, headers...)
		return counter.ReadAnswer(a.status, a.body)
	}
	a := s.hubs.ask(ctx, patience, "POST", path, body, append(headers, "Prefer", "respond-async")...)
	if a.status != 202 {
		return counter.ReadAnswer(a.status, a.body)
	}
	s.figures.count(func(f *Figures) { f.Async++ })
	at := a.header.Get("Location")
	s.operations = append(s.operations, at)
	status, answer := s.follow(ctx, at)
	return counter.ReadAnswer(status, answer)
}

// follow waits for the end of an operation; 0: the caller has no patience left.
func (s *shop) follow(ctx context.Context, at string) (int, []byte) {
	for limit := time.Now().Add(2 * counter.Patience); time.Now().Before(limit) && ctx.Err() == nil; {
		a := s.hubs.ask(ctx, counter.Patience, "GET", at, nil, "Prefer", "wait=5")
		var o struct {
			State  string
			Answer *struct {
				Status int
				Body   json.RawMessage
			}
		}
		switch {
		case a.status == 404:
			s.complaints = append(s.complaints, "the operation "+at+" is not known any more")
			return 0, nil
		case a.status != 200 || json.Unmarshal(a.body, &o) != nil:
			wait(ctx, 200*time.Millisecond) //nolint:errcheck // the loop looks
		case o.State == "done" && o.Answer != nil:
			return o.Answer.Status, o.Answer.Body
		case o.State == "broken":
			return 502, []byte("{}")
		}
	}
	return 0, nil
}

// look asks how an order stands. What is answered from the hub's records may be of before the caller's last request, and says nothing then.
func (s *shop) look(ctx context.Context, o *order) counter.Answer {
	a := s.hubs.ask(ctx, counter.Patience, "GET", s.path("/transaction/"+o.Reference), nil)
	if a.header.Get("X-Maquininha-As-Of") != "" {
		s.figures.count(func(f *Figures) { f.FromRecords++ })
		return counter.Answer{}
	}
	said := counter.ReadAnswer(a.status, a.body)
	s.figures.count(func(f *Figures) { f.Found.Count(o.Looked(said)) })
	return said
}

// question asks the person something.
func (s *shop) question(ctx context.Context) {
	s.figures.count(func(f *Figures) { f.Questions++ })
	s.Wish(counter.Approve)
	body := map[string]any{"question": map[string]any{"question": "Tudo certo?", "type": "TEXT"}}
	status, answer := 0, []byte(nil)
	a := s.hubs.ask(ctx, counter.Patience, "POST", s.path("/ask"), body, [][]string{nil, {"Prefer", "respond-async"}}[s.dice.IntN(2)]...)
	if status, answer = a.status, a.body; status == 202 {
		s.figures.count(func(f *Figures) { f.Async++ })
		s.operations = append(s.operations, a.header.Get("Location"))
		status, answer = s.follow(ctx, a.header.Get("Location"))
	}
	switch {
	case status == 200 && strings.Contains(string(answer), counter.Answered):
		s.figures.count(func(f *Figures) { f.Answered++ })
	case status == 0 || status >= 500:
		s.figures.count(func(f *Figures) { f.Unanswered++ })
		wait(ctx, 300*time.Millisecond) //nolint:errcheck // as above
	default:
		s.complaints = append(s.complaints, fmt.Sprintf("a question was answered %d %s", status, answer))
	}
}
