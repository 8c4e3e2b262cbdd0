package mercadopago_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// counter is a terminal beside a device, with a customer and a cashier, without a desk.
type counter struct {
	*shop
	*mercadopago.Acquirer
	book *store.Ledger
	// atCard is what happens when the card is asked for; true: the cashier cancels.
	atCard func() (cancel bool)

	mu    sync.Mutex
	shown []payment.Prompt
	sent  []sent // each request of the driver's that has a key
}

type sent struct{ path, key, body string }

// atCounter runs a test in a bubble, and holds the driver to the rules of the API.
func atCounter(t *testing.T, change func(*pointsim.Config), test func(*counter)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		files, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		ledger, err := files.Ledger()
		if err != nil {
			t.Fatal(err)
		}
		p, closing := openShop(t, dir, change)
		defer closing()
		c := &counter{shop: p, book: ledger}
		c.atCard = c.pays
		c.open(nil)
		defer func() { c.Close() }()
		test(c)
		if v := p.account.Violations(); len(v) > 0 {
			t.Errorf("violations: %q", v)
		}
	})
}

// open is the process starting, perhaps with another configuration.
func (c *counter) open(change func(*mercadopago.Config)) {
	c.t.Helper()
	if c.Acquirer != nil {
		c.Close()
	}
	config := c.config
	config.Network.Wrap = func(next http.RoundTripper) http.RoundTripper {
		return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
			if key := r.Header.Get("X-Idempotency-Key"); key != "" {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				c.mu.Lock()
				c.sent = append(c.sent, sent{r.URL.Path, key, string(body)})
				c.mu.Unlock()
			}
			return next.RoundTrip(r)
		})
	}
	config.Book = c.book
	if change != nil {
		change(&config)
	}
	var err error
	if c.Acquirer, err = mercadopago.New(config); err != nil {
		c.t.Fatal(err)
	}
}

func (c *counter) pays() bool {
	if err := c.account.Pay(""); err != nil {
		c.t.Errorf("paying: %v", err)
	}
	return false
}

func (c *counter) charge(t payment.Transaction) payment.Charge {
	show := func(p payment.Prompt) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.shown = append(c.shown, p)
	}
	return payment.Charge{
		Transaction: t, Sending: func() error { return nil }, Show: show,
		Ask: func(ctx context.Context, p payment.Prompt) (payment.Action, error) {
			show(p)
			switch {
			case p.Step == payment.StepConfirm:
				return payment.Action{Kind: payment.ActConfirm}, nil
			case c.atCard():
				return payment.Action{Kind: payment.ActCancel}, nil
			}
			<-ctx.Done()
			return payment.Action{}, ctx.Err()
		},
	}
}

func attempt(id int64, amount string) payment.Transaction {
	return payment.Transaction{
		ID: id, State: payment.StateSent, CreatedAt: time.Now(),
		Request: payment.Request{Method: payment.Credit, Amount: money.MustParse(amount), Installments: 1, Plan: payment.Single},
	}
}

// giving is a payment with a reversal of it under way.
func giving(t payment.Transaction, paid payment.Outcome, amounts ...string) payment.Transaction {
	t.State, t.Outcome = payment.StateReversing, paid
	for _, a := range amounts {
		t.Reversals = append(t.Reversals, payment.Reversal{Amount: money.MustParse(a)})
	}
	return t
}

func (c *counter) pay(t payment.Transaction, want payment.Verdict) payment.Outcome {
	c.t.Helper()
	o, err := c.Pay(context.Background(), c.charge(t))
	return c.is(o, err, want)
}

func (c *counter) reverse(t payment.Transaction, want payment.Verdict) payment.Outcome {
	c.t.Helper()
	o, err := c.Reverse(context.Background(), c.charge(t))
	return c.is(o, err, want)
}

func (c *counter) is(o payment.Outcome, err error, want payment.Verdict) payment.Outcome {
	c.t.Helper()
	if err != nil || o.Verdict != want {
		c.t.Fatalf("ended %q (%q), %v; want %q", o.Verdict, o.Message, err, want)
	}
	return o
}

func (c *counter) next(kind httpsim.Misdeed, on httpsim.Call, times int, delay time.Duration) {
	c.t.Helper()
	if err := c.account.Next(httpsim.Misbehaviour{Kind: kind, On: on, Times: times, Delay: delay}); err != nil {
		c.t.Fatal(err)
	}
}

// stands is what the customers have paid and not been given back.
func (c *counter) stands(want string) {
	c.t.Helper()
	b, err := pointsim.ReadBalance(c.ledger)
	if err != nil {
		c.t.Fatal(err)
	}
	sum := money.Zero
	for _, s := range b.Sums {
		if sum = sum.Add(s.Standing()); s.Open() {
			c.t.Errorf("%+v is open", s)
		}
	}
	if sum.Cmp(money.MustParse(want)) != 0 {
		c.t.Errorf("%s stands, want %s", sum, want)
	}
}

// posted are the requests to a path's end.
func (c *counter) posted(suffix string) []sent {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.sent), func(s sent) bool { return !strings.HasSuffix(s.path, suffix) })
}
