package pix_test

import (
	"context"
	"errors"
	"net/http"
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

// book is the ledger's, in memory.
type book []string

func (b *book) Owe(_, line string) error { *b = append(*b, line); return nil }

func (b *book) Paid(_, line string) error {
	*b = slices.DeleteFunc(*b, func(kept string) bool { return kept == line })
	return nil
}

func (b *book) Owed(string) ([]string, error) { return slices.Clone(*b), nil }

// TestShownIsNeverNotThere: a charge that a customer saw may be paid, whoever denies it, and in whatever form.
func TestShownIsNeverNotThere(t *testing.T) {
	for _, denial := range []string{"", `{"type":"about:blank","title":"Not Found"}`, `{"type":"https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado","title":"x","status":404}`} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, func(p *pix.Config, _ *pixsim.Config) { p.Book = &book{} })
			tx, _ := c.paid(1)
			elsewhere := remotetest.Always(http.StatusNotFound, denial)
			c.reopenWith(func(next http.RoundTripper) http.RoundTripper {
				return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
					if strings.Contains(r.URL.Path, c.TxID(tx)) {
						return elsewhere(r)
					}
					return next.RoundTrip(r)
				})
			})
			if _, err := c.Settle(context.Background(), attempt(2, "10")); err != nil { // the address works
				t.Fatal(err)
			}
			if o, err := c.Settle(context.Background(), tx); err == nil {
				t.Errorf("%q: %+v", denial, o)
			}
			c.reopen()
			if o := c.settle(tx); o.Verdict != payment.Abandoned {
				t.Error(o)
			}
		})
	}
}

// TestTokenAddressProvesNothing: that nobody gives tokens there does not say that there is no charge.
func TestTokenAddressProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		tx, _ := c.paid(1)
		denied := remotetest.Always(http.StatusNotFound, `{"type":"https://pix.bcb.gov.br/api/v2/error/NaoEncontrado","title":"x","status":404}`)
		c.reopenWith(func(next http.RoundTripper) http.RoundTripper {
			return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, "/token") {
					return denied(r)
				}
				return next.RoundTrip(r)
			})
		})
		if o, err := c.Settle(context.Background(), tx); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("%+v, %v", o, err)
		}
		c.reopen()
		c.settle(tx)
	})
}

// TestDeniedRefundProvesNothing: it counts as not made only where its charge is told, and the payment on it without that refund.
func TestDeniedRefundProvesNothing(t *testing.T) {
	const missing = `{"type":"https://pix.bcb.gov.br/api/v2/error/PixDevolucaoNaoEncontrada","title":"x","status":404}`
	for _, denial := range []string{"", `{"type":"about:blank","title":"Not Found"}`, missing} {
		for _, charge := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, nil)
				tx, paid := c.paid(1)
				back := giving(tx, paid, 1)
				o, err := c.reverse(back)
				c.is(o, err, payment.Accepted)
				elsewhere := remotetest.Always(http.StatusNotFound, denial)
				c.reopenWith(func(next http.RoundTripper) http.RoundTripper {
					return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
						if strings.Contains(r.URL.Path, "/devolucao/") || !charge && strings.Contains(r.URL.Path, c.TxID(tx)) {
							return elsewhere(r)
						}
						return next.RoundTrip(r)
					})
				})
				if _, err := c.Settle(context.Background(), attempt(2, "10")); err != nil { // the address works
					t.Fatal(err)
				}
				time.Sleep(time.Minute) // nothing is on its way any more
				switch o, err := c.Settle(context.Background(), back); {
				case charge && (err != nil || o.Verdict != payment.Accepted), !charge && err == nil:
					t.Errorf("%q, charge %v: %+v, %v", denial, charge, o, err)
				}
				c.reopen()
			})
		}
	}
}
