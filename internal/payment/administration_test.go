package payment_test

import (
	"context"
	"testing"

	"github.com/maquininha/maquininha/internal/payment"
)

// menuBank is a bank with a menu, in which somebody cancels a sale.
type menuBank struct {
	*bank
	like map[string]payment.Likeness // by token, for the sale that was cancelled
}

func (b menuBank) Administer(_ context.Context, c payment.Charge) (payment.Administered, error) {
	if err := c.Sending(); err != nil {
		return payment.Administered{}, err
	}
	return payment.Administered{Outcome: ending(payment.Accepted), Reverses: func(token string) payment.Likeness { return b.like[token] }}, nil
}

func (b menuBank) SettleAdministration(context.Context, payment.Administration) (payment.Administered, error) {
	return payment.Administered{Outcome: ending(payment.Abandoned)}, nil
}

// Of several sales with the numbers of the one that was cancelled none is taken for it, and people are told. Its moment tells it from others.
func TestCancelledInTheMenu(t *testing.T) {
	for name, c := range map[string]struct {
		like     map[string]payment.Likeness
		reversed int64 // 0: none
		told     int   // candidates; -1: nothing is told
	}{
		"one":               {map[string]payment.Likeness{"a": payment.Alike}, 1, -1},
		"one of two":        {map[string]payment.Likeness{"a": payment.Exact, "b": payment.Alike}, 1, -1},
		"either":            {map[string]payment.Likeness{"a": payment.Alike, "b": payment.Alike}, 0, 2},
		"either, to minute": {map[string]payment.Likeness{"a": payment.Exact, "b": payment.Exact}, 0, 2},
		"none":              {nil, 0, 0},
		"back before":       {map[string]payment.Likeness{"a": payment.Alike, "back": payment.Exact}, 0, 1},
		"another was back":  {map[string]payment.Likeness{"a": payment.Alike, "back": payment.Alike}, 1, -1},
	} {
		t.Run(name, func(t *testing.T) {
			inFront(t, func(m *terminal) {
				told := -1
				m.Close()
				m.Desk = payment.NewDesk(payment.Config{
					Ways:   []payment.Way{{Name: "bank", Acquirer: menuBank{m.bank, c.like}, Methods: []payment.Method{payment.Credit}}},
					Ledger: m.ledger, Gate: m.gate, Foreground: m.front, Changed: func() {},
					MenuUnmatched: func(_ payment.Administration, _ payment.Administered, candidates []payment.Transaction) {
						told = len(candidates)
					},
				})
				for _, token := range []string{"a", "b", "back"} {
					m.bank.pay = func(context.Context, payment.Charge) (payment.Outcome, error) {
						return payment.Outcome{Verdict: payment.Accepted, NSU: "7", Token: token}, nil
					}
					m.pay(token, payment.Approved, nil)
				}
				m.reverse("back", payment.Accepted, nil)
				end, err := m.OpenMenu(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if e := <-end; e.Err != nil || e.Outcome.Verdict != payment.Accepted {
					t.Fatalf("%+v", e)
				}
				for id := int64(1); id <= 2; id++ {
					want := payment.Approved
					if id == c.reversed {
						want = payment.Reversed
					}
					m.kept(id, want)
				}
				if told != c.told {
					t.Errorf("people were told of %d candidates, want %d", told, c.told)
				}
			})
		})
	}
}

// Another sum than was asked for, which nobody gave back: the pending payment names it, and so does the screen.
func TestAnotherAmountIsNamed(t *testing.T) {
	inFront(t, func(m *terminal) {
		other := &payment.OtherAmountError{Asked: request("r").Amount, Paid: request("r").Amount.Add(request("r").Amount), NSU: "000123"}
		m.bank.pay = func(context.Context, payment.Charge) (payment.Outcome, error) { return payment.Outcome{}, other }
		m.bank.setSettle(func(context.Context, payment.Transaction) (payment.Outcome, error) { return payment.Outcome{}, other })
		m.pay("r", "", payment.ErrUnknown)
		if tx := m.kept(1, payment.Pending); tx.Outcome.NSU != "000123" || tx.Outcome.Message != other.Error() {
			t.Errorf("%+v", tx.Outcome)
		}
		if e, shown := m.Ended(); !shown || !e.Unknown || e.Message != "foi cobrado outro valor: R$ 20,00 em vez de R$ 10,00 (NSU 000123), e não foi devolvido; confira com o adquirente" {
			t.Errorf("%+v", e)
		}
	})
}
