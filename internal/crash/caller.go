package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/maquininha/maquininha/internal/counter"
)

// The caller's credentials.
const (
	user     = "caixa"
	password = "campanha-de-quedas"
)

// caller is the point of sale. It remembers every answer.
type caller struct {
	client  *http.Client
	figures *Figures

	mu    sync.Mutex
	sales []*counter.Sale
}

func newCaller(f *Figures) *caller {
	// A connection of its own for each request: one to a process that was killed is no use to the next.
	return &caller{client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, figures: f}
}

// ask sends a request; an answer that was cut off is none.
func (c *caller) ask(ctx context.Context, api, method, path string, body any) counter.Answer {
	ctx, cancel := context.WithTimeout(ctx, counter.Patience)
	defer cancel()
	var text bytes.Buffer
	if body != nil {
		_ = json.NewEncoder(&text).Encode(body) // texts and numbers of our own
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+api+path, &text)
	if err != nil {
		return counter.Answer{}
	}
	r.SetBasicAuth(user, password)
	response, err := c.client.Do(r)
	if err != nil {
		return counter.Answer{}
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return counter.Answer{}
	}
	return counter.ReadAnswer(response.StatusCode, raw)
}

// pay asks for the payment of the reference, for the first time or again.
func (c *caller) pay(ctx context.Context, api string, s *counter.Sale) counter.Answer {
	c.begin(s, counter.Paying)
	a := c.ask(ctx, api, "POST", "/transaction", s.Payment())
	c.figures.count(func(f *Figures) { f.Payments++ })
	c.heard(s, counter.Paying, a, func(f *Figures) { f.Approvals++ })
	return a
}

// reverse asks for the money to be given back: the part under its own name, or all that is left.
func (c *caller) reverse(ctx context.Context, api string, s *counter.Sale, k counter.Kind) counter.Answer {
	c.begin(s, k)
	var body any
	agreed := func(f *Figures) { f.Reversed++ }
	if k == counter.Returning {
		body = map[string]any{"amount": json.Number(s.Part), "reversalId": "parte"}
		agreed = func(f *Figures) { f.Returned++ }
	}
	a := c.ask(ctx, api, "POST", "/transaction/"+s.Reference+"/reversal", body)
	c.figures.count(func(f *Figures) { f.Reversals++ })
	c.heard(s, k, a, agreed)
	return a
}

// heard remembers and counts an answer.
func (c *caller) heard(s *counter.Sale, k counter.Kind, a counter.Answer, agreed func(*Figures)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	verdict, became := s.Heard(k, a)
	c.figures.count(func(f *Figures) {
		f.Found.Count(became)
		switch verdict {
		case counter.Agreed:
			agreed(f)
		case counter.Declined:
			f.Refusals++
		case counter.Lost:
			f.Lost++
		case counter.Unavailable:
			f.Unavailable++
		}
	})
}

// callOff asks for the end of what is under way on the reference. What became of it, the held request hears.
func (c *caller) callOff(ctx context.Context, api string, s *counter.Sale) {
	a := c.ask(ctx, api, "POST", "/operation/cancel", map[string]string{"referenceId": s.Reference})
	c.mu.Lock()
	defer c.mu.Unlock()
	switch a.Status {
	case 0, http.StatusServiceUnavailable:
	case http.StatusAccepted:
		c.figures.count(func(f *Figures) { f.CalledOff++ })
	case http.StatusConflict, http.StatusNotFound: // too late, or too early
		c.figures.count(func(f *Figures) { f.NotCalledOff++ })
	default:
		s.Taken = append(s.Taken, fmt.Sprintf("the wish to cancel it was answered %d %s", a.Status, a.Message))
	}
}

// look asks how the reference stands.
func (c *caller) look(ctx context.Context, api string, s *counter.Sale) counter.Answer {
	a := c.ask(ctx, api, "GET", "/transaction/"+s.Reference, nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	became := s.Looked(a)
	c.figures.count(func(f *Figures) { f.Found.Count(became) })
	return a
}

func (c *caller) begin(s *counter.Sale, k counter.Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.Begin(k)
}

// open are the references that the caller must ask about.
func (c *caller) open() (open []*counter.Sale) {
	return c.those(func(s *counter.Sale) bool { return s.Asking != "" })
}

// paid are the references that could be reversed, or given back in part.
func (c *caller) paid(acquirer string, k counter.Kind) []*counter.Sale {
	return c.those(func(s *counter.Sale) bool {
		return s.Acquirer == acquirer && s.Approved && !s.Reversed && s.Asking == "" && (k == counter.Reversing || s.Back.Sign() == 0)
	})
}

func (c *caller) those(fit func(*counter.Sale) bool) (some []*counter.Sale) {
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
func (c *caller) sell(station int, acquirer, tPag string, cents int) *counter.Sale {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := counter.NewSale(fmt.Sprintf("venda-%d-%d", station, len(c.sales)+1), acquirer, tPag, cents)
	c.sales = append(c.sales, s)
	return s
}
