package testserver_test

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/testserver"
)

const honestDays = 8

// badDay is as bad as chance has it.
func badDay(r *rand.Rand) testserver.Scenario {
	s := testserver.Scenario{ForegroundWait: 50 * time.Millisecond}
	soon := func() time.Duration { return time.Duration(r.IntN(100)) * time.Millisecond }
	for range 4 {
		o := testserver.Operation{LoseAnswer: r.IntN(3) == 0, Delay: soon(), BankDelay: soon()}
		o.Outcome = []string{"approve", "approve", "approve", "refuse", "cancel", "offline"}[r.IntN(6)]
		s.Payments = append(s.Payments, o)
		s.Answers = append(s.Answers, testserver.Answer{Cancel: r.IntN(4) == 0, Delay: soon()})
	}
	for _, request := range []string{"POST /transaction", "POST /ask", "POST /print/*"} {
		if r.IntN(2) == 0 {
			s.Busy = append(s.Busy, testserver.Absence{When: testserver.When{Request: request, Number: 1 + r.IntN(3)}, Refusals: r.IntN(3), For: soon() * 5})
		}
	}
	if r.IntN(2) == 0 {
		s.Restarts = append(s.Restarts, testserver.Restart{When: testserver.When{Number: 1 + r.IntN(5)}, After: soon()})
	}
	if r.IntN(3) == 0 {
		s.Background = append(s.Background, testserver.Absence{When: testserver.When{Request: "POST /transaction", Number: 1 + r.IntN(3)}, For: soon() * 3})
	}
	if r.IntN(3) == 0 {
		s.Printer = append(s.Printer, testserver.Jam{Job: 1 + r.IntN(2)})
	}
	return s
}

// The Go client, with a point of sale that heeds it, is without fault on any day.
func TestTheClientIsWithoutFault(t *testing.T) {
	for seed := range uint64(honestDays) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			terminal := testserver.Start(t, badDay(rand.New(rand.NewPCG(seed, 7))))
			c, err := client.New(terminal.URL, terminal.Username, terminal.Password)
			must(t, err)
			t.Cleanup(c.Close)
			for n := range 3 {
				sell(t, c, strconv.Itoa(n))
			}
		})
	}
}

// again repeats what came while the terminal was about to start anew: it has refused it.
func again(do func() error) error {
	for {
		if err := do(); !errors.Is(err, client.ErrStopping) {
			return err
		}
	}
}

func sell(t *testing.T, c *client.Client, reference string) {
	t.Helper()
	must(t, c.StartSale(t.Context(), client.Sale{}))
	_, err := c.AddItem(t.Context(), client.Item{Code: "1", Description: "Café", Quantity: "1", UnitPrice: "10", Total: "10"})
	must(t, err)
	if _, err := c.Ask(t.Context(), client.Parameters{ShowCancelButton: true}, client.Question{Type: client.AskCPF}); err != nil && !errors.Is(err, client.ErrQuestionCancelled) {
		t.Error(err)
	}
	p := client.Payment{Method: client.Credit, Amount: "10", Reference: reference}
	_, err = c.Pay(t.Context(), p)
	for errors.Is(err, client.ErrBackground) { // somebody opens the application
		_, err = c.Pay(t.Context(), p)
	}
	switch {
	case err == nil:
		_, err = c.AddPayment(t.Context(), client.SalePayment{Type: client.TypeCredit, Value: "10"})
		must(t, err)
		_, err = c.FinalizeSale(t.Context(), client.Closing{})
		must(t, err)
		if err := again(func() error { return c.PrintText(t.Context(), client.Divide()) }); err != nil && !errors.Is(err, client.ErrNotPrinted) {
			t.Error(err)
		}
	case errors.Is(err, client.ErrRefused), errors.Is(err, client.ErrCancelled):
		_, err := c.CancelSale(t.Context(), client.Closing{})
		must(t, err)
	default:
		t.Error(err)
	}
}
