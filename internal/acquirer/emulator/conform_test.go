//go:build !race || everything

package emulator_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

func TestConforms(t *testing.T) { paymenttest.Conform(t, fixture) }

func TestCalledOff(t *testing.T) { paymenttest.ConformCalledOff(t, fixture) }

// hostLine is a line of the host's file.
type hostLine struct{ Operation, State, Amount string }

// fixture is the emulator, whose host lives in the driver's own process.
func fixture(t *testing.T, dir string) paymenttest.Fixture {
	var bank *emulator.Acquirer
	host := func() map[string]hostLine {
		lines, err := journal.Read[hostLine](filepath.Join(dir, "emulator-host.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		last := map[string]hostLine{}
		for _, l := range lines {
			last[l.Operation] = l
		}
		return last
	}
	forced := map[paymenttest.Case]emulator.Ending{
		paymenttest.Refuse: emulator.Refuse, paymenttest.CustomerCancels: emulator.Cancel, paymenttest.Silent: emulator.Timeout,
		paymenttest.LostBefore: emulator.Offline,
	}
	s := paymenttest.Fixture{
		Methods: []payment.Method{payment.Credit, payment.Debit, payment.Pix},
		Start: func(*paymenttest.Process, payment.Ledger) (payment.Acquirer, func()) {
			var err error
			if bank, err = emulator.New(dir); err != nil {
				t.Fatal(err)
			}
			return bank, func() { bank.Close() }
		},
		Play: func(paymenttest.Scene) {}, Behave: func() {}, Close: func() {},
		Person: func(s paymenttest.Scene, shown payment.Shown, act func(payment.Action)) {
			if step := shown.Prompt.Step; step == payment.StepWaiting || step == payment.StepResolving || step == payment.StepProcessing {
				return
			}
			if s.Case == paymenttest.OperatorCancels {
				act(payment.Action{Kind: payment.ActCancel})
				return
			}
			var d emulator.Decision
			if ending := forced[s.Case]; ending != "" {
				d.Forced = &emulator.Reply{Ending: ending}
			}
			_ = bank.Decide(d) // decided is decided
		},
		Ends: map[paymenttest.Scene]paymenttest.End{
			{Kind: payment.Payment, Case: paymenttest.Silent}:     {Told: payment.Pending, Final: payment.Cancelled},
			{Kind: payment.Payment, Case: paymenttest.LostBefore}: {Told: payment.Refused, Final: payment.Refused},
			{Kind: payment.Refund, Case: paymenttest.Silent}:      {Told: payment.Pending, Final: payment.Approved},
			{Kind: payment.Refund, Case: paymenttest.LostBefore}:  {Told: payment.Approved, Final: payment.Approved},
		},
		Lacks: map[paymenttest.Scene]string{},
		Reached: func(t payment.Transaction) bool {
			return host()[t.Operation()] != hostLine{}
		},
	}
	for c, why := range map[paymenttest.Case]string{
		paymenttest.LostAfter: "the host is in the driver's own process; only killing both parts them",
		paymenttest.Late:      "the host answers within the call or not at all",
		paymenttest.Duplicate: "an answer is the return of a call",
	} {
		for _, kind := range []payment.Kind{payment.Payment, payment.Refund} {
			s.Lacks[paymenttest.Scene{Kind: kind, Case: c}] = why
		}
	}
	s.Books = func(all []payment.Transaction) paymenttest.Books {
		books, lines := paymenttest.Books{Standing: map[int64]money.Decimal{}}, host()
		for _, tx := range all {
			id, sum := fmt.Sprint(tx.ID), money.Zero
			if l := lines[id]; l.State == "charged" {
				sum = money.MustParse(l.Amount)
			}
			delete(lines, id)
			for operation, l := range lines {
				if strings.HasPrefix(operation, id+"-r") {
					if l.State == "repaid" {
						sum = sum.Sub(money.MustParse(l.Amount))
					}
					delete(lines, operation)
				}
			}
			books.Standing[tx.ID] = sum
		}
		for operation, l := range lines {
			books.Foreign = append(books.Foreign, operation+" "+l.State)
		}
		return books
	}
	return s
}
