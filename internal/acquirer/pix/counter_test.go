package pix_test

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/waittest"
)

const secret = "s3cr3t+of/the=shop"

var brisk = pix.Pace{
	Poll: 4 * time.Millisecond, PollSlow: 8 * time.Millisecond, Hasty: 40 * time.Millisecond, Backoff: 2 * time.Millisecond,
	MaxBackoff: 20 * time.Millisecond, Patience: 100 * time.Millisecond, RefundPause: 15 * time.Millisecond, Landing: time.Nanosecond,
}

// counter is a terminal in front of a PSP, with a customer and an operator.
type counter struct {
	*pix.Acquirer
	t      *testing.T
	bank   *pixsim.Bank
	ledger string
	config pix.Config

	// atCode is what happens when the code is on the screen; true: the operator cancels.
	atCode  func(txid string) (cancel bool)
	confirm bool // a reversal

	mu       sync.Mutex
	shown    []payment.Prompt
	reported map[string]payment.Verdict // by txid; what was reversed is reported as abandoned
}

// open is a counter in a bubble of its own (testing/synctest): however busy the machine is, what is in time is in time.
// Its network is in memory and has no TLS, whose goodbyes wait for each other there; openSecure has both.
func open(t *testing.T, change func(*pix.Config, *pixsim.Config)) *counter {
	t.Helper()
	network := remotetest.NewPipe()
	return openOn(t, network, nil, func(p *pix.Config, b *pixsim.Config) {
		p.Network.Dial = network.Dial
		if change != nil {
			change(p, b)
		}
	})
}

// openSecure is a counter with the system's network and certificates on both sides. It waits for as long as it takes.
func openSecure(t *testing.T, change func(*pix.Config)) *counter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return openOn(t, l, contract.server, func(p *pix.Config, _ *pixsim.Config) {
		p.Timeout, p.Pace.Patience = waittest.Limit, waittest.Limit
		if change != nil {
			change(p)
		}
	})
}

func openOn(t *testing.T, l net.Listener, secure *tls.Config, change func(*pix.Config, *pixsim.Config)) *counter {
	t.Helper()
	c := &counter{t: t, ledger: filepath.Join(t.TempDir(), "psp.jsonl"), confirm: true, reported: map[string]payment.Verdict{}}
	c.atCode = c.pays
	bank := pixsim.Config{ClientID: "shop id", ClientSecret: secret, Key: "shop@example.com", Ledger: c.ledger}
	c.config = pix.Config{
		ClientID: "shop id", ClientSecret: secret, Key: "shop@example.com", Terminal: "caixa-1", Shop: "Loja", Note: "Obrigado",
		Certificate: contract.cert, PrivateKey: contract.key, CA: contract.ca, Timeout: 2 * time.Second, Pace: brisk,
	}
	change(&c.config, &bank)
	var err error
	if c.bank, err = pixsim.New(bank); err != nil {
		t.Fatal(err)
	}
	s := pixsim.NewServer(c.bank, secure)
	s.ErrorLog = log.New(io.Discard, "", 0)
	served := make(chan struct{})
	go func() {
		defer close(served)
		if secure == nil {
			_ = s.Serve(l)
		} else {
			_ = s.ServeTLS(l, "", "")
		}
	}()
	base := map[bool]string{false: "http://", true: "https://"}[secure != nil] + l.Addr().String()
	c.config.BaseURL, c.config.TokenURL = base, base+"/oauth/token"
	c.reopen()
	t.Cleanup(func() {
		c.Close()
		s.Close()
		c.bank.Close()
		<-served
		c.audit()
	})
	return c
}

// reopen is the process starting anew.
func (c *counter) reopen() { c.reopenWith(nil) }

func (c *counter) reopenWith(wrap func(http.RoundTripper) http.RoundTripper) {
	c.t.Helper()
	if c.Acquirer != nil {
		c.Close()
	}
	config := c.config
	config.Network.Wrap = wrap
	var err error
	if c.Acquirer, err = pix.New(config); err != nil {
		c.t.Fatal(err)
	}
}

// What customers and operators do.

func (c *counter) pays(txid string) bool {
	if _, err := c.bank.Pay(txid, ""); err != nil {
		c.t.Errorf("paying: %v", err)
	}
	return false
}

func cancels(string) bool { return true }
func waits(string) bool   { return false }

func (c *counter) charge(t payment.Transaction) payment.Charge {
	txid := c.TxID(t)
	return payment.Charge{
		Transaction: t, Sending: func() error { return nil },
		Show: func(p payment.Prompt) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.shown = append(c.shown, p)
		},
		Ask: func(ctx context.Context, p payment.Prompt) (payment.Action, error) {
			c.mu.Lock()
			c.shown = append(c.shown, p)
			c.mu.Unlock()
			switch {
			case p.Step == payment.StepConfirm && c.confirm:
				return payment.Action{Kind: payment.ActConfirm}, nil
			case p.Step == payment.StepConfirm, c.atCode(txid):
				return payment.Action{Kind: payment.ActCancel}, nil
			}
			<-ctx.Done()
			return payment.Action{}, ctx.Err()
		},
	}
}

func attempt(id int64, amount string) payment.Transaction {
	return payment.Transaction{
		ID: id, State: payment.StateSent, CreatedAt: time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC),
		Request: payment.Request{Method: payment.Pix, Amount: money.MustParse(amount), Installments: 1, Plan: payment.Single},
	}
}

func giving(t payment.Transaction, paid payment.Outcome, n int) payment.Transaction {
	t.State, t.Reversals, t.Outcome = payment.StateReversing, slices.Repeat([]payment.Reversal{{Amount: t.Request.Amount}}, n), paid
	return t
}

func (c *counter) pay(t payment.Transaction) (payment.Outcome, error) {
	o, err := c.Pay(context.Background(), c.charge(t))
	if err == nil {
		c.reported[c.TxID(t)] = o.Verdict
	}
	return o, err
}

func (c *counter) reverse(t payment.Transaction) (payment.Outcome, error) {
	o, err := c.Reverse(context.Background(), c.charge(t))
	return c.reversed(t, o, err)
}

func (c *counter) reversed(t payment.Transaction, o payment.Outcome, err error) (payment.Outcome, error) {
	if err == nil && o.Verdict == payment.Accepted {
		c.reported[c.TxID(t)] = payment.Abandoned
	}
	return o, err
}

// settle asks as the desk's recovery does, until there is an answer.
func (c *counter) settle(t payment.Transaction) payment.Outcome {
	c.t.Helper()
	var o payment.Outcome
	var err error
	for range 200 {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		o, err = c.Settle(ctx, t)
		cancel()
		if err == nil {
			if t.Reversing() {
				_, _ = c.reversed(t, o, nil)
			} else {
				c.reported[c.TxID(t)] = o.Verdict
			}
			return o
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.t.Fatalf("never settled: %v", err)
	return o
}

func (c *counter) is(o payment.Outcome, err error, want payment.Verdict) payment.Outcome {
	c.t.Helper()
	if err != nil || o.Verdict != want {
		c.t.Fatalf("ended %q (%q), %v; want %q", o.Verdict, o.Message, err, want)
	}
	return o
}

func (c *counter) next(m pixsim.Misbehaviour) {
	c.t.Helper()
	if m.Times == 0 {
		m.Times = 1
	}
	if err := c.bank.Next(m); err != nil {
		c.t.Fatal(err)
	}
}

// audit compares what was reported with what the PSP's ledger says, and holds the driver to the API's rules.
func (c *counter) audit() {
	c.t.Helper()
	if v := c.bank.Violations(); len(v) > 0 {
		c.t.Errorf("violations: %q", v)
	}
	events, err := pixsim.ReadLedger(c.ledger)
	if err != nil {
		c.t.Fatal(err)
	}
	standing, refunds := map[string]money.Decimal{}, map[string]string{}
	amounts, open := map[string]money.Decimal{}, map[string]bool{}
	for _, e := range events {
		switch e.Kind {
		case pixsim.Charged:
			open[e.TxID], amounts[e.TxID] = true, money.MustParse(e.Amount)
		case pixsim.Removed:
			delete(open, e.TxID)
		case pixsim.Paid:
			delete(open, e.TxID)
			standing[e.TxID] = standing[e.TxID].Add(money.MustParse(e.Amount))
		case pixsim.Refunded:
			if e.Status == "DEVOLVIDO" && refunds[e.ID] != "DEVOLVIDO" {
				standing[e.TxID] = standing[e.TxID].Sub(money.MustParse(e.Amount))
			}
			refunds[e.ID] = e.Status
		}
	}
	for txid := range amounts {
		want := money.Zero
		if c.reported[txid] == payment.Accepted {
			want = amounts[txid]
		}
		if got := standing[txid]; got.Cmp(want) != 0 {
			c.t.Errorf("%s reported as %q, %s stand of %s", txid, c.reported[txid], got, amounts[txid])
		}
		if open[txid] {
			c.t.Errorf("%s reported as %q can still be paid", txid, c.reported[txid])
		}
	}
	for id, status := range refunds {
		if status == "EM_PROCESSAMENTO" {
			c.t.Errorf("refund %s reported while still being made", id)
		}
	}
	for txid, v := range c.reported {
		if _, known := amounts[txid]; v == payment.Accepted && !known {
			c.t.Errorf("%s approved, unknown to the PSP", txid)
		}
	}
}
