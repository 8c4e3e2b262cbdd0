package client_test

import (
	"testing"

	"github.com/maquininha/maquininha/client"
)

func TestOperationIsSeenAndCancelled(t *testing.T) {
	t.Parallel()
	p, c := start(t, "--operator", "human")
	ctx := t.Context()
	events, err := c.StreamOperation(ctx)
	must(t, err)
	p.Call("POST", "/emulator/foreground", `{"active":true}`, nil)
	pay := client.Payment{Method: client.PIX, Amount: "18.90", Reference: "r1"}
	paying := beside(func() (client.Transaction, error) { return c.Pay(ctx, pay) })
	for o, err := range events {
		must(t, err)
		if o == nil || o.Step != client.ReadingPIX {
			continue
		}
		if o.Kind != client.PaymentRuns || o.Reference != "r1" || o.Amount != "18.90" || o.Pix == nil || o.Pix.Code == "" || o.Pix.ExpiresAt.IsZero() || !o.Cancellable {
			t.Errorf("%+v, %+v", o, o.Pix)
		}
		wants(t, c.CancelOperation(ctx, client.Wish{Reference: "of the last customer"}), client.ErrConflict)
		must(t, c.CancelOperation(ctx, client.Wish{Reference: "r1"}))
		break
	}
	wants(t, (<-paying).err, client.ErrCancelled)

	asking := beside(func() (client.Answer, error) {
		return c.Ask(ctx, client.Parameters{Timeout: 3600}, client.Question{Text: "CPF?", Type: client.AskCPF})
	})
	awaitQuestion(t, p, true)
	if o, err := c.Operation(ctx); err != nil || o == nil || o.Kind != client.QuestionRuns || o.Message != "CPF?" || o.Of != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	must(t, c.CancelOperation(ctx, client.Wish{}))
	wants(t, (<-asking).err, client.ErrQuestionCancelled)

	pay.Timeout = 9
	_, err = c.Pay(ctx, pay)
	wants(t, err, client.ErrInvalid)
	_, err = c.AskForm(ctx, client.Parameters{Timeout: 3601}, client.Question{})
	wants(t, err, client.ErrInvalid)
}
