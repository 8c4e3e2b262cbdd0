package pix_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
)

func TestNoSecretIsTold(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(p *pix.Config, _ *pixsim.Config) { p.Timeout = 100 * time.Millisecond })
		var tokens []string
		spy := func(next http.RoundTripper) http.RoundTripper {
			return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
				if value, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
					tokens = append(tokens, value)
				}
				return next.RoundTrip(r)
			})
		}
		c.next(pixsim.Misbehaviour{Kind: pixsim.Duplicate, On: pixsim.OnToken, Times: 100})
		c.reopenWith(spy)
		var told []string
		for id, kind := range []pixsim.Misdeed{pixsim.Wordy, pixsim.Silent, pixsim.Drop, pixsim.Fail, pixsim.Garbage, pixsim.Endless, pixsim.Lost, pixsim.Forget} {
			c.next(pixsim.Misbehaviour{Kind: kind, Times: 9})
			tx := attempt(int64(id+1), "10")
			o, err := c.pay(tx)
			told = append(told, fmt.Sprintf("%+v %v %#v", o, err, err))
			o, err = c.Settle(context.Background(), tx)
			told = append(told, fmt.Sprintf("%+v %v", o, err))
			c.bank.Behave()
			c.settle(tx)
		}
		told = append(told, logged.String())
		for _, text := range told {
			for _, s := range append(tokens, secret, "s3cr3t") {
				if strings.Contains(text, s) {
					t.Errorf("%q in %s", s, text)
				}
			}
		}
		if len(tokens) < 10 {
			t.Errorf("saw %d tokens", len(tokens))
		}
	})
}

// TestAnswersInDoubtStayOutOfTheLog: what comes without being asked for may tell who has paid.
func TestAnswersInDoubtStayOutOfTheLog(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	inBubble(t, nil, func(c *counter, _ func(string, string) []time.Duration) {
		c.next(pixsim.Misbehaviour{Kind: pixsim.Duplicate, Times: 100})
		c.next(pixsim.Misbehaviour{Kind: pixsim.Duplicate, On: pixsim.OnToken, Times: 100})
		tx, paid := c.paid(1)
		o, err := c.reverse(giving(tx, paid, 1))
		c.is(o, err, payment.Accepted)
		synctest.Wait()
	})
	if logged.Len() > 0 {
		t.Errorf("logged: %s", logged.String())
	}
}

func TestWrongCredentials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(_ *pix.Config, b *pixsim.Config) { b.ClientSecret = "another" })
		o, err := c.pay(attempt(1, "10"))
		if c.is(o, err, payment.Declined); !strings.Contains(o.Message, "invalid_client") {
			t.Errorf("%q", o.Message)
		}
		if v := c.bank.Violations(); len(v) != 2 { // once to charge and once to look; never repeated
			t.Errorf("%q", v)
		}
		c.bank.Forgive()
	})
}

func TestTokenIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		var tokens atomic.Int64
		c.reopenWith(func(next http.RoundTripper) http.RoundTripper {
			return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, "/token") {
					tokens.Add(1)
				}
				return next.RoundTrip(r)
			})
		})
		for id := range int64(3) {
			c.paid(id + 1)
		}
		if n := tokens.Load(); n != 1 {
			t.Errorf("%d tokens", n)
		}
		c.next(pixsim.Misbehaviour{Kind: pixsim.Forget})
		c.paid(4)
		if n := tokens.Load(); n != 2 {
			t.Errorf("%d tokens", n)
		}
	})
}

// TestRedirectsAreNotFollowed: a token goes to the PSP and nowhere else.
func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("followed") }))
	defer elsewhere.Close()
	psp := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			fmt.Fprint(w, `{"access_token":"x","expires_in":60}`)
			return
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer psp.Close()
	a, err := pix.New(pix.Config{BaseURL: psp.URL, TokenURL: psp.URL + "/token", ClientID: "a", ClientSecret: "b", Key: "k", Terminal: "1", Pace: brisk})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if o, err := a.Settle(context.Background(), attempt(1, "10")); err == nil {
		t.Errorf("%+v", o)
	}
}

func TestConfig(t *testing.T) {
	good := pix.Config{BaseURL: "https://psp.example/v2/", TokenURL: "https://psp.example/token", ClientID: "a", ClientSecret: "b", Key: "k", Terminal: "1"}
	junk := filepath.Join(t.TempDir(), "junk.pem")
	if err := os.WriteFile(junk, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*pix.Config){
		"in the clear":          func(c *pix.Config) { c.BaseURL = "http://psp.example" },
		"token in the clear":    func(c *pix.Config) { c.TokenURL = "http://psp.example" },
		"no URL":                func(c *pix.Config) { c.BaseURL = "" },
		"credentials in a URL":  func(c *pix.Config) { c.TokenURL = "https://a:b@psp.example" },
		"no terminal":           func(c *pix.Config) { c.Terminal = "" },
		"no key":                func(c *pix.Config) { c.Key = "" },
		"no secret":             func(c *pix.Config) { c.ClientSecret = "" },
		"certificate alone":     func(c *pix.Config) { c.Certificate = contract.cert },
		"certificate not there": func(c *pix.Config) { c.Certificate, c.PrivateKey = "nowhere", contract.key },
		"CA not there":          func(c *pix.Config) { c.CA = "nowhere" },
		"no CA in the file":     func(c *pix.Config) { c.CA = junk },
		"long note":             func(c *pix.Config) { c.Note = strings.Repeat("á", 141) },
		"long life":             func(c *pix.Config) { c.Expiry = 25 * time.Hour },
		"short life":            func(c *pix.Config) { c.Expiry = time.Millisecond },
	} {
		c := good
		change(&c)
		if _, err := pix.New(c); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := pix.New(good); err != nil {
		t.Error(err)
	}
}
