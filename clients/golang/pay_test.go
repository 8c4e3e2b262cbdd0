package client_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
)

const post = "POST /transaction"

func credit(reference string) client.Payment {
	return client.Payment{Method: client.Credit, Amount: "10.00", Reference: reference}
}

func TestPaymentOutcomes(t *testing.T) {
	t.Parallel()
	_, c := start(t)
	for _, is := range []struct {
		amount  client.Decimal
		want    error
		message string
	}{
		{"0.51", client.ErrRefused, "Saldo insuficiente"},
		{"0.57", client.ErrCancelled, "Transação cancelada"},
		{"0.001", client.ErrInvalid, "Requisição inválida: amount deve ter no máximo duas casas decimais"},
	} {
		_, err := c.Pay(t.Context(), client.Payment{Method: client.Debit, Amount: is.amount, Reference: "r" + string(is.amount)})
		wants(t, err, is.want)
		var said *client.Error
		if !errors.As(err, &said) || said.Message != is.message {
			t.Errorf("%s: got %v, want %s", is.amount, err, is.message)
		}
	}
	if _, err := c.Pay(t.Context(), client.Payment{Method: client.PIX, Amount: "7,49"}); err == nil {
		t.Error("an amount with a comma was sent")
	}
	first, err := c.Pay(t.Context(), client.Payment{Method: client.PIX, Amount: "7.49", Reference: "pix"})
	must(t, err)
	same, err := c.Pay(t.Context(), client.Payment{Method: client.PIX, Amount: "7.490", Reference: "pix"})
	must(t, err)
	if first.NSU != same.NSU {
		t.Errorf("paid twice: %s and %s", first.NSU, same.NSU)
	}
	_, err = c.Pay(t.Context(), client.Payment{Method: client.PIX, Amount: "8", Reference: "pix"})
	wants(t, err, client.ErrConflict)
	_, err = c.Reverse(t.Context(), "nunca")
	wants(t, err, client.ErrNotFound)
}

// Wherever the connection breaks, the customer is charged once and the caller gets the answer.
func TestLostAnswersOfPayments(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	for name, cuts := range map[string][]apptest.Cut{
		"before":  {apptest.BeforeRequest, apptest.BeforeRequest},
		"midway":  {apptest.MidOperation},
		"after":   {apptest.BeforeAnswer},
		"gateway": {apptest.GatewayError},
		"unlucky": {apptest.BeforeRequest, apptest.MidOperation, apptest.BeforeAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			cutter := apptest.NewCutter(t, p.Base)
			c := connect(t, cutter.URL)
			for i, outcome := range []struct {
				next string
				want error
			}{{"approve", nil}, {"refuse", client.ErrRefused}} {
				p.Call("POST", "/emulator/acquirer", `{"next": "`+outcome.next+`", "delayMs": 300}`, nil)
				reference := name + outcome.next
				cutter.Cut(post, cuts...)
				before := p.Approved()
				sent := cutter.Sent(post)
				paid, err := c.Pay(t.Context(), credit(reference))
				wants(t, err, outcome.want)
				if outcome.want == nil && (paid.Details.Status != client.Approved || paid.Details.Reference != reference) {
					t.Errorf("paid %+v", paid)
				}
				if got := p.Approved() - before; got != 1-i {
					t.Errorf("%s: %d payments approved", outcome.next, got)
				}
				if name == "midway" || name == "after" || name == "gateway" {
					if n := cutter.Sent(post) - sent; n != 1 {
						t.Errorf("%s: the payment was sent %d times", outcome.next, n)
					}
				}
			}
		})
	}
}

// A refusal of before is not mistaken for the answer to a request that never arrived.
func TestAnEarlierAttemptIsNotTheAnswer(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	cutter := apptest.NewCutter(t, p.Base)
	c := connect(t, cutter.URL)
	p.Call("POST", "/emulator/acquirer", `{"next": "refuse"}`, nil)
	_, err := c.Pay(t.Context(), credit("r"))
	wants(t, err, client.ErrRefused)
	// The terminal tells its time in whole seconds: before the next one, both attempts could be the same. Longer does no harm.
	time.Sleep(1200 * time.Millisecond)
	cutter.Cut(post, apptest.BeforeRequest)
	paid, err := c.Pay(t.Context(), credit("r"))
	must(t, err)
	if paid.Details.Status != client.Approved {
		t.Errorf("paid %+v", paid)
	}
}

func TestLostAnswersOfReversals(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	cutter := apptest.NewCutter(t, p.Base)
	c := connect(t, cutter.URL)
	for reference, cut := range map[string]apptest.Cut{"before": apptest.BeforeRequest, "midway": apptest.MidOperation, "after": apptest.BeforeAnswer} {
		_, err := c.Pay(t.Context(), credit(reference))
		must(t, err)
		p.Call("POST", "/emulator/acquirer", `{"next": "approve", "delayMs": 300}`, nil)
		cutter.Cut("POST /transaction/"+reference+"/reversal", cut)
		back, err := c.Reverse(t.Context(), reference)
		must(t, err)
		if back.Details.Status != client.Reversed {
			t.Errorf("%s: %+v", reference, back)
		}
		_, err = c.Reverse(t.Context(), reference)
		wants(t, err, client.ErrConflict)
	}
}

// A part goes back once, however its answer is lost; without an id nobody knows, and nothing is sent again.
func TestLostAnswersOfParts(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	cutter := apptest.NewCutter(t, p.Base)
	c := connect(t, cutter.URL)
	_, err := c.Pay(t.Context(), client.Payment{Method: client.Credit, Amount: "10.00", Reference: "r"})
	must(t, err)
	for id, cut := range map[string]apptest.Cut{"before": apptest.BeforeRequest, "midway": apptest.MidOperation, "after": apptest.BeforeAnswer} {
		p.Call("POST", "/emulator/acquirer", `{"next": "approve", "delayMs": 300}`, nil)
		cutter.Cut("POST /transaction/r/reversal", cut)
		for range 2 { // the second time by the caller's own wish
			back, err := c.ReversePart(t.Context(), "r", client.Refund{Amount: "2.00", ID: id})
			must(t, err)
			if back.Details.Status != client.Approved {
				t.Errorf("%s: %+v", id, back)
			}
		}
	}
	p.Call("POST", "/emulator/acquirer", `{"next": "normal"}`, nil)
	cutter.Cut("POST /transaction/r/reversal", apptest.BeforeAnswer)
	_, err = c.ReversePart(t.Context(), "r", client.Refund{Amount: "1.00"})
	wants(t, err, client.ErrUnknownOutcome)
	now, err := c.Transaction(t.Context(), "r")
	must(t, err)
	if d := now.Details; !d.Reversed.Equal("7") || len(d.Reversals) != 4 {
		t.Errorf("%s went back: %+v", d.Reversed, d.Reversals)
	}
	_, err = c.ReversePart(t.Context(), "r", client.Refund{Amount: "3.01", ID: "more"})
	wants(t, err, client.ErrConflict)
}

// Without a reference nothing is sent twice, and the caller is told that nobody knows.
func TestNoReferenceNoSecondTry(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	cutter := apptest.NewCutter(t, p.Base)
	c := connect(t, cutter.URL)
	for _, cut := range []apptest.Cut{apptest.BeforeRequest, apptest.BeforeAnswer} {
		cutter.Cut(post, cut)
		_, err := c.Pay(t.Context(), credit(""))
		wants(t, err, client.ErrUnknownOutcome)
		wants(t, err, client.ErrNoAnswer)
	}
	p.Call("POST", "/emulator/acquirer", `{"next": "approve", "delayMs": 60000}`, nil)
	ctx, cancel := context.WithCancel(t.Context())
	running := beside(func() (client.Transaction, error) { return c.Pay(ctx, credit("first")) })
	p.AwaitBusy(true)
	_, err := c.Pay(t.Context(), credit(""))
	wants(t, err, client.ErrBusy)
	if n := cutter.Sent(post); n != 4 {
		t.Errorf("%d requests for 4 payments", n)
	}
	cancel()
	wants(t, (<-running).err, client.ErrUnknownOutcome)
}

// A power cut in the middle of a payment: nobody was told it was approved, so it is undone, and can be made again.
func TestTerminalKilledInTheMiddle(t *testing.T) {
	t.Parallel()
	p, c := start(t)
	p.Call("POST", "/emulator/acquirer", `{"next": "approve", "delayMs": 60000}`, nil)
	running := beside(func() (client.Transaction, error) { return c.Pay(t.Context(), credit("r")) })
	awaitPending(t, c, "r")
	p.Kill()
	p.Again()
	wants(t, (<-running).err, client.ErrCancelled)
	paid, err := c.Pay(t.Context(), credit("r"))
	must(t, err)
	if paid.Details.Status != client.Approved || p.Approved() != 1 {
		t.Errorf("%d approved, the last %+v", p.Approved(), paid)
	}
}

// The acquirer says nothing: the terminal finds out later, and so does the caller.
func TestSilentAcquirer(t *testing.T) {
	t.Parallel()
	config := apptest.Config(t)
	config.Autopilot, config.Play = true, &app.Play{Silence: time.Hour} // for as long as a busy machine takes to look at it
	s := apptest.Start(t, config)
	impatient := connect(t, "http://"+s.API.String(), client.WithRecoveryPatience(0))
	_, err := impatient.Pay(t.Context(), client.Payment{Method: client.Credit, Amount: "0.98", Reference: "r"})
	var unknown *client.UnknownOutcomeError
	if !errors.As(err, &unknown) || unknown.Reference != "r" {
		t.Fatalf("got %v", err)
	}
	known, err := impatient.Transaction(t.Context(), "r")
	must(t, err)
	if known.Details.Status != client.Pending {
		t.Errorf("%+v", known)
	}
}

func TestTerminalGone(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	c := connect(t, p.Base, client.WithRecoveryPatience(100*time.Millisecond))
	p.Call("POST", "/emulator/acquirer", `{"next": "approve", "delayMs": 60000}`, nil)
	running := beside(func() (client.Transaction, error) { return c.Pay(t.Context(), credit("r")) })
	awaitPending(t, c, "r")
	p.Kill()
	wants(t, (<-running).err, client.ErrUnknownOutcome)
	_, err := c.Pay(t.Context(), credit("r"))
	wants(t, err, client.ErrUnreachable)
	if errors.Is(err, client.ErrUnknownOutcome) {
		t.Error("what was never sent is said to be unknown")
	}
}
