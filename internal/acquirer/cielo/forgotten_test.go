package cielo_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/cielo"
	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
)

// deniedElsewhere is the 404 of a site builder at a wrong address: it has Cielo's form.
const deniedElsewhere = `{"code":"rest_no_route","message":"No route was found.","data":{"status":404}}`

func elsewhere(c *cielo.Config) { always(http.StatusNotFound, deniedElsewhere)(c) }

// TestPlacedIsNeverGone: whoever denies an order that was placed, it may be paid.
func TestPlacedIsNeverGone(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.AtCard = func() bool {
			m.pays()
			m.next(httpsim.Silent, ordersim.OnSee, 1000, 0)
			return true
		}
		tx := remotetest.Attempt(1, "10")
		m.Unknown(m.Acquirer.Pay(context.Background(), m.Charge(tx)))
		m.account.Behave()
		m.open(elsewhere)
		m.Unknown(m.Acquirer.Settle(context.Background(), tx))
		m.Unknown(m.Acquirer.Settle(context.Background(), remotetest.Attempt(2, "10"))) // of which the book has nothing
		m.open(nil)
		m.Counter.Settle(tx, payment.Accepted)
		m.stands("10.00")
	})
}

// TestLateMoneyIsNotReturnedByADenial: only the order itself tells that it went back.
func TestLateMoneyIsNotReturnedByADenial(t *testing.T) {
	atCounter(t, func(m *counter) {
		tx := remotetest.Attempt(1, "10")
		tx.Outcome = m.Counter.Pay(tx, payment.Accepted)
		m.open(elsewhere)
		if found, err := m.LateMoney(context.Background(), tx); err != nil || found.Came() {
			t.Errorf("%+v, %v", found, err)
		}
		if err := m.ReturnLate(context.Background(), tx); err == nil {
			t.Error("taken for returned")
		}
	})
}

// TestDeletedDraft: the answer to its deletion was lost, and it is missing in a list too.
func TestDeletedDraft(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.next(httpsim.Silent, ordersim.OnPlace, 1000, 0)
		m.next(httpsim.SilentAfter, ordersim.OnDelete, 1, 0)
		m.next(httpsim.Silent, ordersim.OnSearch, 1000, 0)
		tx := remotetest.Attempt(1, "10")
		m.Unknown(m.Acquirer.Pay(context.Background(), m.Charge(tx)))
		m.account.Behave()
		m.open(elsewhere)
		m.Unknown(m.Acquirer.Settle(context.Background(), tx))
		m.open(nil)
		m.Counter.Settle(tx, payment.Abandoned)
	})
}

// between has somebody else answer the requests that he has an answer for.
func between(answer func(*http.Request, http.RoundTripper) remotetest.RoundTrip) func(*cielo.Config) {
	return func(c *cielo.Config) {
		c.Network.Wrap = func(next http.RoundTripper) http.RoundTripper {
			return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
				if by := answer(r, next); by != nil {
					return by(r)
				}
				return next.RoundTrip(r)
			})
		}
	}
}

func isPlacing(r *http.Request) bool { return r.URL.Query().Get("operation") == "PLACE" }

// TestPlacedByNobody: a yes to PLACE is not what a payment is taken for. The order is still a draft, and goes as one.
func TestPlacedByNobody(t *testing.T) {
	atCounter(t, func(m *counter) {
		m.open(between(func(r *http.Request, _ http.RoundTripper) remotetest.RoundTrip {
			if isPlacing(r) {
				return remotetest.Always(http.StatusOK, "")
			}
			return nil
		}))
		m.AtCard = func() bool { return false } // no device shows it
		tx := remotetest.Attempt(1, "10")
		m.Counter.Pay(tx, payment.Abandoned)
		m.open(nil)
		m.Counter.Settle(tx, payment.Abandoned)
		m.stands("0.00")
	})
}

// TestPlacedAfterItsEnd: PLACE arrives though it was refused, and the deletion was none. What is paid then is looked for.
func TestPlacedAfterItsEnd(t *testing.T) {
	atCounter(t, func(m *counter) {
		var place *http.Request
		m.open(between(func(r *http.Request, next http.RoundTripper) remotetest.RoundTrip {
			switch {
			case isPlacing(r):
				place = r.Clone(context.Background())
				return remotetest.Always(http.StatusForbidden, "")
			case r.Method == http.MethodDelete:
				if res, err := next.RoundTrip(place); err != nil || res.StatusCode != http.StatusOK {
					t.Errorf("%+v, %v", res, err)
				} else {
					res.Body.Close()
				}
				return remotetest.Always(http.StatusOK, "")
			}
			return nil
		}))
		tx := remotetest.Attempt(1, "10")
		tx.Outcome = m.Counter.Pay(tx, payment.Declined)
		m.pays()
		m.stands("10.00")
		if found, err := m.LateMoney(context.Background(), tx); err != nil || found.Amount.Cents() != "10.00" {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

// at404 has somebody else answer, who speaks JSON too.
func at404(c *cielo.Config) {
	always(http.StatusNotFound, `{"statusCode":404,"error":"Not Found","message":"Cannot GET /orders"}`)(c)
}

func always(status int, body string) func(*cielo.Config) {
	return func(c *cielo.Config) {
		c.Network.Wrap = func(http.RoundTripper) http.RoundTripper { return remotetest.Always(status, body) }
	}
}

// TestStray404: that somebody else at the address knows no order proves nothing about one that is paid.
func TestStray404(t *testing.T) {
	for _, how := range []httpsim.Misdeed{httpsim.Lost, httpsim.LostJSON} {
		atCounter(t, func(c *counter) {
			tx := remotetest.Attempt(1, "10")
			c.Counter.Pay(tx, payment.Accepted)
			c.next(how, "", 1000, 0)
			c.Unknown(c.Acquirer.Settle(context.Background(), tx))
		})
	}
	atCounter(t, func(c *counter) {
		c.open(func(config *cielo.Config) {
			config.Network.Wrap = func(http.RoundTripper) http.RoundTripper { return remotetest.Always(http.StatusOK, `{"status":"ok"}`) }
		})
		c.Unknown(c.Acquirer.Settle(context.Background(), remotetest.Attempt(1, "10")))
	})
}
