package payment_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/maquininha/maquininha/internal/payment"
)

// routes is a terminal with an acquirer for cards and one for PIX.
func routes(t *testing.T, test func(cards, pix *bank, d *payment.Desk, l *drawer)) {
	inFront(t, func(m *terminal) {
		m.Close()
		cards, pix := m.bank, &bank{pay: ends(payment.Accepted), reverse: ends(payment.Accepted), settle: settles(payment.Abandoned)}
		d := payment.NewDesk(payment.Config{
			Ways: []payment.Way{
				{Name: "cards", Acquirer: cards, Methods: []payment.Method{payment.Credit, payment.Debit}},
				{Name: "pix", Acquirer: pix, Methods: []payment.Method{payment.Pix}},
			},
			Ledger: m.ledger, Gate: m.gate, Foreground: m.front, Changed: func() {},
		})
		defer d.Close()
		synctest.Wait()
		test(cards, pix, d, m.ledger)
	})
}

func TestRouting(t *testing.T) {
	routes(t, func(cards, pix *bank, d *payment.Desk, l *drawer) {
		pay := func(method payment.Method) (payment.Transaction, error) {
			r := request(fmt.Sprint("to ", method, " ", len(l.all())))
			r.Method = method
			return d.Pay(context.Background(), r)
		}
		for i, c := range []struct {
			method payment.Method
			way    string
		}{{payment.Credit, "cards"}, {payment.Debit, "cards"}, {payment.Pix, "pix"}} {
			if tx, err := pay(c.method); err != nil || tx.Acquirer != c.way || l.all()[i].Acquirer != c.way {
				t.Errorf("%s went to %q, %v", c.method, tx.Acquirer, err)
			}
		}
		chosen := make(chan error, 1)
		go func() {
			synctest.Wait()
			s, _ := d.Shown()
			if want := []payment.Method{payment.Credit, payment.Debit, payment.Pix}; !slices.Equal(s.Prompt.Methods, want) {
				t.Errorf("offered %v", s.Prompt.Methods)
			}
			chosen <- d.Act(s.Serial, payment.Action{Kind: payment.ActChoose, Method: payment.Pix})
		}()
		tx, err := pay(payment.AnyMethod)
		if err != nil || tx.Acquirer != "pix" || tx.Method() != payment.Pix || tx.Request.Method != payment.AnyMethod || <-chosen != nil {
			t.Errorf("%+v, %v", tx, err)
		}
		r, err := d.Reverse(context.Background(), whole(tx.Request.Reference))
		if err != nil || r.Transaction.Status() != payment.Reversed || len(pix.times(&pix.repaid)) != 1 || len(cards.times(&cards.repaid)) != 0 {
			t.Errorf("%+v, %v", r, err)
		}

		// One way that is blocked leaves the other open, and is not offered.
		cards.pay, cards.settle = lineDead, settleDead
		if _, err := pay(payment.Credit); !errors.Is(err, payment.ErrUnknown) {
			t.Error(err)
		}
		if tx, err := pay(payment.Pix); err != nil || tx.Status() != payment.Approved {
			t.Errorf("%+v, %v", tx, err)
		}
		if tx, err := pay(payment.AnyMethod); err != nil || tx.Method() != payment.Pix {
			t.Errorf("%+v, %v", tx, err)
		}
		if _, err := pay(payment.Debit); !errors.Is(err, payment.ErrUnresolved) {
			t.Error(err)
		}
	})
}

func TestMethodThatNobodyTakes(t *testing.T) {
	inFront(t, func(m *terminal) {
		d := payment.NewDesk(payment.Config{
			Ways:   []payment.Way{{Name: "pix", Acquirer: m.bank, Methods: []payment.Method{payment.Pix}}},
			Ledger: m.ledger, Gate: m.gate, Foreground: m.front, Changed: func() {},
		})
		defer d.Close()
		if _, err := d.Pay(context.Background(), request("r")); !errors.Is(err, payment.ErrMethod) {
			t.Error(err)
		}
		any := request("any")
		any.Method = payment.AnyMethod
		if tx, err := d.Pay(context.Background(), any); err != nil || tx.Method() != payment.Pix { // nothing to choose
			t.Errorf("%+v, %v", tx, err)
		}
	})
}

func TestRoutingCalledOff(t *testing.T) {
	routes(t, func(_, _ *bank, d *payment.Desk, l *drawer) {
		go func() {
			synctest.Wait()
			s, _ := d.Shown()
			if err := d.Act(s.Serial, payment.Action{Kind: payment.ActCancel}); err != nil {
				t.Error(err)
			}
		}()
		r := request("r")
		r.Method = payment.AnyMethod
		tx, err := d.Pay(context.Background(), r)
		if err != nil || tx.State != payment.StateCancelled || l.all()[0].Acquirer != "" {
			t.Errorf("%+v, %v", tx, err)
		}
	})
}
