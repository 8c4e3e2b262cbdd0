package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// The caller's credentials.
const (
	user     = "caixa"
	password = "campanha-de-quedas"
)

// sale is what the caller knows of one reference. It believes what it was told, and asks where it was told nothing.
type sale struct {
	Reference string
	TPag      string
	Amount    string
	Acquirer  string

	Part string // of the amount, that may go back first

	Approved  bool          // it was told so
	Returning bool          // it has asked for the part back
	Reversing bool          // it has asked for the reversal
	Reversed  bool          // it was told so
	Back      money.Decimal // as much as it was told went back
	Asking    kind          // what it has asked for without an answer
	lost      kind          // as Asking, until it knows what became of it
	Taken     []string
}

type kind string

const (
	paying    kind = "payment"
	returning kind = "reversal of a part"
	reversing kind = "reversal"
)

// answer is what came back; status 0: nothing did.
type answer struct {
	status  int
	state   string // details.status
	message string
	amount  string
	back    string // details.reversed
}

// caller is the point of sale. It remembers every answer.
type caller struct {
	client  *http.Client
	figures *Figures

	mu    sync.Mutex
	sales []*sale
}

func newCaller(f *Figures) *caller {
	// A connection of its own for each request: one to a process that was killed is no use to the next.
	return &caller{client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, figures: f}
}

// ask sends a request; an answer that was cut off is none.
func (c *caller) ask(ctx context.Context, api, method, path string, body any) answer {
	var text bytes.Buffer
	if body != nil {
		_ = json.NewEncoder(&text).Encode(body) // texts and numbers of our own
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+api+path, &text)
	if err != nil {
		return answer{}
	}
	r.SetBasicAuth(user, password)
	response, err := c.client.Do(r)
	if err != nil {
		return answer{}
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}
	}
	var said struct {
		Message string
		Details struct {
			Status   string
			Amount   json.Number
			Reversed json.Number
		}
	}
	if json.Unmarshal(raw, &said) != nil {
		return answer{}
	}
	return answer{response.StatusCode, said.Details.Status, said.Message, said.Details.Amount.String(), said.Details.Reversed.String()}
}

// patience is how long the caller waits for any answer.
const patience = 25 * time.Second

// pay asks for the payment of the reference, for the first time or again.
func (c *caller) pay(ctx context.Context, api string, s *sale) answer {
	c.begin(s, paying)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a := c.ask(ctx, api, "POST", "/transaction", map[string]any{
		"tPag": s.TPag, "amount": json.Number(s.Amount), "referenceId": s.Reference, "details": map[string]string{"pedido": s.Reference},
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.figures.count(func(f *Figures) { f.Payments++ })
	switch a.status {
	case http.StatusOK:
		c.figures.count(func(f *Figures) { f.Approvals++ })
		s.learn(c.figures, "approved", a.back)
		if a.amount != s.Amount {
			s.take("it was told that %s was paid instead of %s", a.amount, s.Amount)
		}
	case http.StatusForbidden:
		c.figures.count(func(f *Figures) { f.Refusals++ })
		s.learn(c.figures, "refused", "")
	case http.StatusConflict:
		s.learn(c.figures, "reversed", "") // the only other content that a reference of this caller can have
	default:
		c.unanswered(s, paying, a)
	}
	return a
}

// reverse asks for the money to be given back: the part under its own name, or all that is left.
func (c *caller) reverse(ctx context.Context, api string, s *sale, k kind) answer {
	c.begin(s, k)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var body any
	if k == returning {
		body = map[string]any{"amount": json.Number(s.Part), "reversalId": "parte"}
	}
	a := c.ask(ctx, api, "POST", "/transaction/"+s.Reference+"/reversal", body)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.figures.count(func(f *Figures) { f.Reversals++ })
	switch {
	case a.status == http.StatusOK && k == returning:
		c.figures.count(func(f *Figures) { f.Returned++ })
		s.learn(c.figures, a.state, a.back)
		if part := money.MustParse(s.Part); s.Back.Cmp(part) < 0 {
			s.take("it was told that %s went back, and %s was asked for", s.Back, part)
		}
	case a.status == http.StatusOK, a.status == http.StatusConflict && a.message == "Transação já estornada":
		c.figures.count(func(f *Figures) { f.Reversed++ })
		s.learn(c.figures, "reversed", a.back)
	case a.status == http.StatusForbidden:
		c.figures.count(func(f *Figures) { f.Refusals++ })
		s.Asking, s.lost = "", ""
	case a.status == http.StatusConflict, a.status == http.StatusNotFound:
		s.take("its reversal was answered %d %s", a.status, a.message)
	default:
		c.unanswered(s, k, a)
	}
	return a
}

// callOff asks for the end of what is under way on the reference. What became of it, the held request hears.
func (c *caller) callOff(ctx context.Context, api string, s *sale) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a := c.ask(ctx, api, "POST", "/operation/cancel", map[string]string{"referenceId": s.Reference})
	c.mu.Lock()
	defer c.mu.Unlock()
	switch a.status {
	case 0, http.StatusServiceUnavailable:
	case http.StatusAccepted:
		c.figures.count(func(f *Figures) { f.CalledOff++ })
	case http.StatusConflict, http.StatusNotFound: // too late, or too early
		c.figures.count(func(f *Figures) { f.NotCalledOff++ })
	default:
		s.take("the wish to cancel it was answered %d %s", a.status, a.message)
	}
}

// look asks how the reference stands.
func (c *caller) look(ctx context.Context, api string, s *sale) answer {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a := c.ask(ctx, api, "GET", "/transaction/"+s.Reference, nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch a.status {
	case http.StatusOK:
		s.learn(c.figures, a.state, a.back)
	case http.StatusNotFound:
		s.learn(c.figures, "unknown", "")
	}
	return a
}

func (c *caller) begin(s *sale, k kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.Asking = k
	s.Reversing = s.Reversing || k == reversing
	s.Returning = s.Returning || k == returning
}

// unanswered is for an answer that tells nothing. 503 is one: the terminal does not know, is busy or is going down.
func (c *caller) unanswered(s *sale, k kind, a answer) {
	s.lost = k
	switch a.status {
	case 0:
		c.figures.count(func(f *Figures) { f.Lost++ })
	case http.StatusServiceUnavailable:
		c.figures.count(func(f *Figures) { f.Unavailable++ })
	default:
		s.take("a %s was answered %d %s", k, a.status, a.message)
	}
}

// learn takes the terminal's word for how the reference stands and how much of it went back, and notes what contradicts an
// earlier one.
func (s *sale) learn(f *Figures, state, back string) {
	s.learnBack(back)
	switch state {
	case "approved":
		if s.Reversed {
			s.take("it is approved after it was reversed")
		}
		f.found(s.lost, paying, func(f *Figures) { f.FoundApproved++ })
		f.found(s.lost, reversing, func(f *Figures) { f.FoundKept++ })
		if s.Back.Sign() > 0 {
			f.found(s.lost, returning, func(f *Figures) { f.FoundReversed++ })
		} else {
			f.found(s.lost, returning, func(f *Figures) { f.FoundKept++ })
		}
		s.Approved = true
	case "reversed":
		if !s.Reversing {
			s.take("it is reversed, which nobody asked for")
		}
		f.found(s.lost, reversing, func(f *Figures) { f.FoundReversed++ })
		s.Reversed = true
	case "refused", "cancelled", "unknown":
		if s.Approved {
			s.take("it is %s after it was approved", state)
		}
		f.found(s.lost, paying, func(f *Figures) { f.FoundUndone++ })
	default:
		return // pending: ask again
	}
	s.Asking, s.lost = "", ""
}

// learnBack takes the terminal's word for how much went back; empty: it said nothing of it.
func (s *sale) learnBack(text string) {
	back, err := money.Parse(text)
	switch {
	case err != nil:
		return
	case back.Cmp(s.Back) < 0:
		s.take("%s of it went back, after %s had", back, s.Back)
	case back.Sign() > 0 && !s.Reversing && (!s.Returning || back.Cmp(money.MustParse(s.Part)) != 0):
		s.take("%s of it went back, which nobody asked for", back)
	}
	s.Back = back
}

// take notes an answer that took another one back.
func (s *sale) take(format string, details ...any) {
	s.Taken = append(s.Taken, fmt.Sprintf(format, details...))
}

// open are the references that the caller must ask about.
func (c *caller) open() (open []*sale) {
	return c.those(func(s *sale) bool { return s.Asking != "" })
}

// paid are the references that could be reversed, or given back in part.
func (c *caller) paid(acquirer string, k kind) []*sale {
	return c.those(func(s *sale) bool {
		return s.Acquirer == acquirer && s.Approved && !s.Reversed && s.Asking == "" && (k == reversing || s.Back.Sign() == 0)
	})
}

func (c *caller) those(fit func(*sale) bool) (some []*sale) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sales {
		if fit(s) {
			some = append(some, s)
		}
	}
	return some
}

// sell makes a reference for a new payment.
func (c *caller) sell(station int, acquirer, tPag string, cents int) *sale {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &sale{
		Reference: fmt.Sprintf("venda-%d-%d", station, len(c.sales)+1), TPag: tPag, Acquirer: acquirer,
		Amount: fmt.Sprintf("%d.%02d", cents/100, cents%100), Part: fmt.Sprintf("%d.%02d", cents/200, cents/2%100),
	}
	c.sales = append(c.sales, s)
	return s
}
