package pix_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
)

// contractWith is what a shop has with a simulated bank at an address.
func contractWith(bank pixsim.Config, at string) pix.Config {
	manner, _ := pixsim.BankNamed(bank.As)
	c := pix.Config{
		Profile: bank.As, BaseURL: at + manner.Base, TokenURL: at + manner.Token, ClientID: bank.ClientID, ClientSecret: bank.ClientSecret,
		AppKey: bank.AppKey, Account: bank.Account, Key: bank.Key, Terminal: "1",
	}
	// The shop is named only where codes are made of it: elsewhere the bank has to tell them.
	if profile, _ := pix.ProfileNamed(bank.As); profile.NeedsPlace {
		c.Shop, c.City = "Loja", "Recife"
	}
	return c
}

// Every profile has a bank to be tried on.
func TestBanksAreThoseOfTheProfiles(t *testing.T) {
	if !slices.Equal(pixsim.Names(), pix.ProfileNames()) {
		t.Errorf("%v are simulated, %v have profiles", pixsim.Names(), pix.ProfileNames())
	}
}

// inBank runs a test before a simulated bank, in a bubble.
func inBank(t *testing.T, bank pixsim.Config, test func(*testing.T, *pixsim.Bank, pix.Config)) {
	t.Helper()
	bank.Ledger = filepath.Join(t.TempDir(), "psp.jsonl")
	bank.ClientID, bank.ClientSecret, bank.Key, bank.AppKey = "shop id", secret, "k", "app key"
	synctest.Test(t, func(t *testing.T) {
		b, err := pixsim.New(bank)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		network := remotetest.NewPipe()
		defer remotetest.Serve(network, b)()
		config := contractWith(bank, "http://127.0.0.1")
		config.Network.Dial = network.Dial
		test(t, b, config)
	})
}

// A bank takes its own request for a token, and none that another would.
func TestTokensAreAskedForAsTheBankWants(t *testing.T) {
	for _, c := range []struct {
		bank  string
		asked func(*pix.Config)
		taken bool
	}{
		{"itau", func(c *pix.Config) { c.TokenAuth = "basic" }, false},
		{"itau", func(c *pix.Config) { c.Scopes = "cob.read" }, false},
		{"bradesco", func(c *pix.Config) { c.Scopes = "cob.read" }, true},
		{"bb", func(c *pix.Config) { c.BasicEscape = new(bool); *c.BasicEscape = true }, false},
		{"bacen", func(c *pix.Config) { c.BasicEscape = new(bool); *c.BasicEscape = true }, true},
		{"santander", func(c *pix.Config) { c.TokenGrant = "body" }, false},
		{"inter", func(c *pix.Config) { c.TokenGrant = "query" }, false},
		{"sicoob", func(c *pix.Config) { c.TokenAuth = "body" }, false},
		{"c6", func(c *pix.Config) { c.TokenAuth = "body" }, true},
		{"banrisul", func(c *pix.Config) { c.TokenAuth = "basic" }, true},
		{"ailos", func(c *pix.Config) { c.TokenGrant = "body" }, false},
		{"efi", func(c *pix.Config) { c.TokenFormat = "form" }, true},
		{"cielo", func(c *pix.Config) { c.TokenFormat = "form" }, false},
		{"pagseguro", func(c *pix.Config) { c.TokenFormat = "form" }, true},
	} {
		t.Run(c.bank, func(t *testing.T) {
			inBank(t, pixsim.Config{As: c.bank}, func(t *testing.T, b *pixsim.Bank, config pix.Config) {
				if _, err := pix.Reach(t.Context(), config); err != nil || len(b.Violations()) > 0 {
					t.Errorf("its own: %v, %q", err, b.Violations())
				}
				c.asked(&config)
				if _, err := pix.Reach(t.Context(), config); (err == nil) != c.taken || len(b.Violations()) > 0 == c.taken {
					t.Errorf("another: %v, %q", err, b.Violations())
				}
			})
		})
	}
}

// looked is a payment of which the bank is asked what became.
func looked(t *testing.T, config pix.Config) error {
	t.Helper()
	a, err := pix.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	o, err := a.Settle(t.Context(), attempt(1, "10"))
	if err == nil && o.Verdict != payment.Abandoned {
		t.Errorf("%+v", o)
	}
	return err
}

// What comes with every call is missed where it is missing.
func TestBanksWantTheirHeaders(t *testing.T) {
	for _, c := range []struct {
		bank, missed string
		spoilt       func(*pix.Config)
	}{
		{"itau", "x-correlationID não é um UUID", func(c *pix.Config) { c.Headers = "x-correlationID: 1" }},
		{"itau", "x-correlationID já foi usado", func(c *pix.Config) { c.Headers = "x-correlationID: 123e4567-e12b-12d1-a456-426655440000" }},
		{"bb", "gw-dev-app-key errado", func(c *pix.Config) { c.AppKey = "another" }},
		{"sicoob", "client_id ausente", func(c *pix.Config) { c.Headers = "x-sicoob-clientid: {client_id}" }},
		{"inter", "x-conta-corrente ausente", func(c *pix.Config) { c.Account = "" }},
	} {
		t.Run(c.bank, func(t *testing.T) {
			inBank(t, pixsim.Config{As: c.bank, Account: "123"}, func(t *testing.T, b *pixsim.Bank, config pix.Config) {
				if err := looked(t, config); err != nil || len(b.Violations()) > 0 {
					t.Fatalf("%v, %q", err, b.Violations())
				}
				c.spoilt(&config)
				_ = looked(t, config) // an id of its own passes once
				err := looked(t, config)
				if err == nil || !strings.Contains(strings.Join(b.Violations(), "\n"), c.missed) {
					t.Errorf("%v, %q", err, b.Violations())
				}
			})
		})
	}
}

// A bank that counts calls lets them pass again a minute later.
func TestTooManyCallsAMinute(t *testing.T) {
	inBank(t, pixsim.Config{As: "inter", PerMinute: 2}, func(t *testing.T, b *pixsim.Bank, config pix.Config) {
		if err := looked(t, config); err != nil { // a token and a look
			t.Fatal(err)
		}
		if err := looked(t, config); err == nil || !strings.Contains(err.Error(), "429") {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Minute)
		if err := looked(t, config); err != nil || len(b.Violations()) > 0 {
			t.Errorf("%v, %q", err, b.Violations())
		}
	})
}

// A code that the first answer lacks is in the next, and a charge that can't be withdrawn is over only when it has expired.
func TestBareChargesThatStay(t *testing.T) {
	inBank(t, pixsim.Config{As: "bradesco", KeepsCharges: true}, func(t *testing.T, b *pixsim.Bank, config pix.Config) {
		if err := b.Next(pixsim.Misbehaviour{Kind: pixsim.Bare, On: pixsim.OnCreate, Times: 1}); err != nil {
			t.Fatal(err)
		}
		config.Expiry = time.Minute
		a, err := pix.New(config)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		shown := ""
		tx := attempt(1, "10")
		o, err := a.Pay(t.Context(), payment.Charge{
			Transaction: tx, Sending: func() error { return nil }, Show: func(payment.Prompt) {},
			Ask: func(_ context.Context, p payment.Prompt) (payment.Action, error) {
				shown = p.BRCode
				return payment.Action{Kind: payment.ActCancel}, nil
			},
		})
		if err == nil || !strings.Contains(shown, a.TxID(tx)) {
			t.Fatalf("%+v, %v with %q", o, err, shown)
		}
		tx.UpdatedAt = time.Now()
		time.Sleep(3 * time.Minute)
		if o, err := a.Settle(t.Context(), tx); err != nil || o.Verdict != payment.Abandoned {
			t.Errorf("%+v, %v", o, err)
		}
		if len(b.Violations()) > 0 {
			t.Errorf("%q", b.Violations())
		}
	})
}

// Where a creation has the code beside the charge, it is found there.
func TestCodeBesideTheCharge(t *testing.T) {
	inBank(t, pixsim.Config{As: "bradesco"}, func(t *testing.T, b *pixsim.Bank, config pix.Config) {
		config.CreatePath, config.Shop, config.City = "cob-emv", "", ""
		a, err := pix.New(config)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		o, err := a.Pay(t.Context(), payment.Charge{
			Transaction: attempt(1, "10"), Sending: func() error { return nil }, Show: func(payment.Prompt) {},
			Ask: func(ctx context.Context, p payment.Prompt) (payment.Action, error) {
				if _, err := b.Pay(b.Active()[0], ""); err != nil {
					t.Error(err)
				}
				<-ctx.Done()
				return payment.Action{}, ctx.Err()
			},
		})
		if err != nil || o.Verdict != payment.Accepted || len(b.Violations()) > 0 {
			t.Errorf("%+v, %v, %q", o, err, b.Violations())
		}
	})
}
