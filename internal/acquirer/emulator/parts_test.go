package emulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// The bank has books of its own: it gives back no more than it was paid, whatever the terminal asks for.
func TestTheBankGivesBackParts(t *testing.T) {
	atCounter(t, func(c *counter) {
		tx := attempt(1, "10.00", payment.Credit)
		tx.Outcome = c.is(c.proceed(tx), payment.Accepted)
		part := func(amount string) payment.Transaction {
			tx.State = payment.StateReversing
			tx.Reversals = append(tx.Reversals, payment.Reversal{Amount: money.MustParse(amount)})
			return tx
		}
		o := c.is(c.proceed(part("4.00")), payment.Accepted)
		for _, want := range []string{"R$ 4,00", "VALOR DA VENDA", "R$ 10,00", "RESTA DA VENDA", "R$ 6,00"} {
			if !strings.Contains(o.Receipt.Customer, want) {
				t.Errorf("no %q in\n%s", want, o.Receipt.Customer)
			}
		}
		tx.Reversals[0].NSU, tx.Reversals[0].At = o.NSU, time.Now()
		c.reopen()
		c.is(c.proceed(part("6.01")), payment.Declined)
		c.is(c.proceed(part("6.00")), payment.Accepted)
		c.is(c.proceed(part("0.01")), payment.Declined)
		c.settles(tx, payment.Abandoned)
	})
}
