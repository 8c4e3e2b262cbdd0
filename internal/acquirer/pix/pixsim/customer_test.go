package pixsim_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
)

// TestCustomers has charges pay themselves in every way there is.
func TestCustomers(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	synctest.Test(t, func(t *testing.T) {
		happened := make(chan pixsim.Exchange, 100)
		c, stop := inside(t, pixsim.Config{Ledger: ledger, AutoPay: time.Millisecond, Log: func(e pixsim.Exchange) { happened <- e }})
		for i, way := range []struct {
			misdeed string
			events  int
		}{
			{"", 1},
			{"paid-twice", 2},
			{"paid-more", 1},
			{"paid-less", 1},
			{"paid-late", 1},
			{"removed", 1},
		} {
			if way.misdeed != "" {
				c.want(200, "POST", "/sim/next", `{"misbehaviour":"`+way.misdeed+`"}`)
			}
			c.want(201, "PUT", "/cob/"+txid+string(rune('a'+i)), strings.Replace(good, "300", "1", 1))
			for left := way.events; left > 0; {
				if e := <-happened; e.Method == "" {
					left -= len(e.Events)
				}
			}
		}
		stop()
		b, err := pixsim.ReadBalance(ledger)
		if err != nil || len(b.Accounts) != 6 || len(b.Violations) != 0 {
			t.Fatalf("%+v, %v", b, err)
		}
		for i, want := range []string{"10.00", "20.00", "10.01", "9.99", "10.00", "0.00"} {
			if a := b.Accounts[i]; a.Standing().Cents() != want || a.Open() {
				t.Errorf("%d: %+v", i, a)
			}
		}
		if d := b.Double(); len(d) != 1 || d[0] != txid+"b" {
			t.Errorf("%q", d)
		}
	})
}

// TestTheClockIsSetBack: what the ledger has as of tomorrow happens as if it were of now.
func TestTheClockIsSetBack(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(24 * time.Hour)
		c, stop := inside(t, pixsim.Config{Ledger: ledger})
		c.want(201, "PUT", "/cob/"+txid, good)
		e2eid := c.want(200, "POST", "/sim/pay/"+txid, "")["endToEndId"].(string)
		c.want(200, "POST", "/sim/next", `{"misbehaviour":"refund-slowly","ms":5000}`)
		c.want(201, "PUT", "/pix/"+e2eid+"/devolucao/a", `{"valor":"4.00"}`)
		c.want(201, "PUT", "/cob/"+txid+"2", good)
		c.want(201, "PUT", "/cob/"+txid+"3", good)
		stop()
	})
	synctest.Test(t, func(t *testing.T) { // a day before
		c, stop := inside(t, pixsim.Config{Ledger: ledger, AutoPay: 10 * time.Second})
		defer stop()
		c.want(200, "POST", "/sim/next", `{"misbehaviour":"paid-late"}`)
		statuses := func() (s [3]any) {
			for i, id := range []string{txid, txid + "2", txid + "3"} {
				s[i] = c.want(200, "GET", "/cob/"+id, "")["status"]
			}
			if pix, ok := c.want(200, "GET", "/cob/"+txid, "")["pix"].([]any); ok {
				s[0] = pix[0].(map[string]any)["devolucoes"].([]any)[0].(map[string]any)["status"]
			}
			return s
		}
		for _, step := range []struct {
			wait time.Duration
			paid int
			back string
		}{{4 * time.Second, 0, "EM_PROCESSAMENTO"}, {2 * time.Second, 0, "DEVOLVIDO"}, {5 * time.Second, 1, "DEVOLVIDO"}, {300 * time.Second, 2, "DEVOLVIDO"}} {
			time.Sleep(step.wait)
			synctest.Wait()
			s, paid := statuses(), 0
			for _, status := range s[1:] {
				if status == "CONCLUIDA" {
					paid++
				}
			}
			if paid != step.paid || s[0] != step.back {
				t.Errorf("%v; want %d paid and the refund %s", s, step.paid, step.back)
			}
		}
	})
}

func TestPayingByHand(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	c, stop := run(t, ledger)
	defer stop()
	c.want(404, "POST", "/sim/pay", "")
	c.want(201, "PUT", "/cob/"+txid, good)
	c.want(201, "PUT", "/cob/"+txid+"2", good)
	c.want(400, "POST", "/sim/pay", `{"value":"1.00"}`)
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"never-paid"}`)
	c.want(409, "POST", "/sim/pay", "")
	c.want(200, "POST", "/sim/pay", "")
	c.want(200, "POST", "/sim/pay", `{"times":2,"valor":"3.00"}`)
	c.want(404, "POST", "/sim/pay", "")
	b, err := pixsim.ReadBalance(ledger) // while the PSP has it
	if err != nil || b.Accounts[0].Standing().Cents() != "10.00" || b.Accounts[1].Standing().Cents() != "6.00" {
		t.Errorf("%+v, %v", b, err)
	}
	if all := c.want(200, "GET", "/sim", "")["misbehaviour"].(map[string]any); len(all) != len(pixsim.Misdeeds()) {
		t.Errorf("%v", all)
	}
	for _, m := range pixsim.Misdeeds() {
		if pixsim.Repertoire.Meaning(m) == "" {
			t.Errorf("nobody knows what %s is", m)
		}
	}
}

func TestRefusalsAndCuts(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	c, stop := run(t, ledger)
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"401","on":"token"}`)
	if c.asks(url.Values{"grant_type": {"client_credentials"}}) != "" {
		t.Error("a token for a client that is refused")
	}
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"401"}`)
	c.want(401, "PUT", "/cob/"+txid, good)
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"503"}`)
	c.want(503, "PUT", "/cob/"+txid, good)
	c.want(404, "GET", "/cob/"+txid, "")
	c.want(200, "POST", "/sim/next", `{"misbehaviour":"cut"}`)
	r, _ := http.NewRequest(http.MethodPut, c.base+"/cob/"+txid, strings.NewReader(good))
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if raw, err := io.ReadAll(res.Body); err == nil || len(raw) == 0 {
		t.Errorf("%s, %v", raw, err)
	}
	c.want(200, "GET", "/cob/"+txid, "")
	c.want(405, "POST", "/cob/"+txid, "")
	if _, err := pixsim.New(pixsim.Config{ClientID: "a", ClientSecret: "b", Key: "k", Ledger: ledger}); !errors.Is(err, pixsim.ErrTaken) {
		t.Errorf("two PSPs have one ledger: %v", err)
	}
	stop()
	c, stop = run(t, ledger)
	defer stop()
	if n := c.violations(); n != 1 {
		t.Errorf("%d violations are remembered", n)
	}
}

func TestChaosLeavesTokensInPeace(t *testing.T) {
	c, stop := runWith(t, pixsim.Config{
		Ledger: filepath.Join(t.TempDir(), "ledger"), Chaos: pixsim.Chaos{Share: 1, Kinds: []pixsim.Misdeed{pixsim.Unavailable, pixsim.RefundRefused}},
	})
	defer stop()
	for range 20 {
		c.want(503, "PUT", "/cob/"+txid, good)
	}
	if c.token == "" {
		t.Error("no token")
	}
}
