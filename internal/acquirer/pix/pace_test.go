package pix_test

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
)

// inBubble runs a test with the driver's own pace, in no time. Calls gets when each call of the PSP was made.
func inBubble(t *testing.T, change func(*pix.Config, *pixsim.Config), test func(*counter, func(method, path string) []time.Duration)) {
	ledger := filepath.Join(t.TempDir(), "psp.jsonl")
	synctest.Test(t, func(t *testing.T) {
		c := &counter{t: t, ledger: ledger, confirm: true, reported: map[string]payment.Verdict{}}
		c.atCode = c.pays
		sim := pixsim.Config{ClientID: "shop id", ClientSecret: secret, Key: "k", Ledger: ledger}
		p := remotetest.NewPipe()
		c.config = pix.Config{
			BaseURL: "http://127.0.0.1/v2", TokenURL: "http://127.0.0.1/oauth/token", ClientID: "shop id", ClientSecret: secret, Key: "k", Terminal: "1",
			Network: remote.Network{Dial: p.Dial},
		}
		if change != nil {
			change(&c.config, &sim)
		}
		var err error
		if c.bank, err = pixsim.New(sim); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		var mu sync.Mutex
		calls := map[string][]time.Duration{}
		s := pixsim.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			calls[r.Method+" "+r.URL.Path] = append(calls[r.Method+" "+r.URL.Path], time.Since(began))
			mu.Unlock()
			http.StripPrefix("/v2", c.bank).ServeHTTP(w, r)
		}), nil)
		token := http.NewServeMux()
		token.Handle("/v2/", s.Handler)
		token.HandleFunc("/oauth/token", func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			calls["token"] = append(calls["token"], time.Since(began))
			mu.Unlock()
			c.bank.ServeHTTP(w, r)
		})
		s.Handler = token
		go func() { _ = s.Serve(p) }()
		c.reopen()
		test(c, func(method, path string) []time.Duration {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(calls[method+path])
		})
		c.Close()
		s.Close()
		c.bank.Close()
		c.audit()
		synctest.Wait()
	})
}

func TestPollingPace(t *testing.T) {
	inBubble(t, nil, func(c *counter, calls func(string, string) []time.Duration) {
		c.atCode = waits
		began := time.Now()
		tx := attempt(1, "10")
		o, err := c.pay(tx)
		c.is(o, err, payment.Abandoned)
		if took := time.Since(began); took != 5*time.Minute {
			t.Errorf("withdrawn after %v", took)
		}
		looks := calls("GET ", "/v2/cob/"+c.TxID(tx))
		for i, at := range looks[:len(looks)-1] { // the last one is the look after the withdrawal
			want := time.Duration(i+1) * time.Second
			if i >= 10 {
				want = time.Duration(10+2*(i-9)) * time.Second
			}
			if at != want {
				t.Fatalf("look %d at %v, want %v", i, at, want)
			}
		}
	})
}

func TestTokenIsRenewedInTime(t *testing.T) {
	inBubble(t, func(_ *pix.Config, b *pixsim.Config) { b.TokenLife = time.Minute }, func(c *counter, calls func(string, string) []time.Duration) {
		c.atCode = waits
		o, err := c.pay(attempt(1, "10"))
		c.is(o, err, payment.Abandoned)
		// Five minutes at 54 seconds each: the simulator counts the use of an expired one as a violation.
		if n := len(calls("token", "")); n != 6 {
			t.Errorf("%d tokens", n)
		}
	})
}

func TestRefundPatience(t *testing.T) {
	inBubble(t, nil, func(c *counter, _ func(string, string) []time.Duration) {
		tx, paid := c.paid(1)
		c.next(pixsim.Misbehaviour{Kind: pixsim.RefundSlowly, Delay: time.Minute})
		began := time.Now()
		back := giving(tx, paid, 1)
		if o, err := c.reverse(back); err == nil {
			t.Fatalf("%+v", o)
		}
		if took := time.Since(began); took != 30*time.Second {
			t.Errorf("waited %v", took)
		}
		time.Sleep(30 * time.Second)
		if o := c.settle(back); o.Verdict != payment.Accepted {
			t.Error(o)
		}
	})
}

func TestAbsentRefundIsRuledOutOnlyAfterItCouldHaveLanded(t *testing.T) {
	inBubble(t, nil, func(c *counter, _ func(string, string) []time.Duration) {
		tx, paid := c.paid(1)
		c.reopen()
		back := giving(tx, paid, 1)
		for range 10 {
			if o, err := c.Settle(context.Background(), back); err == nil {
				t.Fatalf("%+v", o)
			}
			time.Sleep(time.Second)
		}
		if o := c.settle(back); o.Verdict != payment.Abandoned {
			t.Error(o)
		}
	})
}

func TestSilenceIsBounded(t *testing.T) {
	inBubble(t, nil, func(c *counter, calls func(string, string) []time.Duration) {
		c.next(pixsim.Misbehaviour{Kind: pixsim.Silent, Times: 1000})
		began := time.Now()
		tx := attempt(1, "10")
		if o, err := c.pay(tx); err == nil {
			t.Fatalf("%+v", o)
		}
		if took := time.Since(began); took < 80*time.Second || took > 90*time.Second { // four PUTs and four GETs of ten seconds
			t.Errorf("took %v", took)
		}
		if n := len(calls("PUT ", "/v2/cob/"+c.TxID(tx))); n != 4 {
			t.Errorf("%d tries", n)
		}
		c.bank.Behave()
		c.settle(tx)
	})
}

func TestRetryAfter(t *testing.T) {
	inBubble(t, nil, func(c *counter, calls func(string, string) []time.Duration) {
		c.next(pixsim.Misbehaviour{Kind: pixsim.TooMany, On: pixsim.OnCreate, Delay: 3 * time.Second})
		tx := attempt(1, "10")
		o, err := c.pay(tx)
		c.is(o, err, payment.Accepted)
		if puts := calls("PUT ", "/v2/cob/"+c.TxID(tx)); len(puts) != 2 || puts[1]-puts[0] != 3*time.Second {
			t.Errorf("PUTs at %v", puts)
		}
		c.next(pixsim.Misbehaviour{Kind: pixsim.TooMany, On: pixsim.OnCreate, Delay: time.Hour})
		o, err = c.pay(attempt(2, "10"))
		c.is(o, err, payment.Declined) // nobody waits for that
	})
}
