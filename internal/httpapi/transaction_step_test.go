//go:build !race || everything

package httpapi_test

import "testing"

// In progress and unknown are two things: while the customer pays, a look at the reference says where the payment is.
func TestAPaymentUnderWayIsNotUnknown(t *testing.T) {
	t.Parallel()
	m := start(t, silentBank)
	at := func(step string) {
		t.Helper()
		for _, p := range append(m.listed("status=pending"), m.find("r1")) {
			if p.Details.Status != "pending" || p.Message != "Transação em andamento" || p.Details.Step == nil || *p.Details.Step != step {
				t.Errorf("at %s: %s, %+v", step, p.Message, p.Details)
			}
		}
	}
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"99","amount":12.30,"referenceId":"r1"}`)
	m.awaitStep("choose")
	at("choosing")
	m.call("POST", "/emulator/payment", `{"outcome":"cancel"}`).ok()
	pay.answer().is(403, "Transação cancelada")
	if p := m.find("r1"); p.Details.Step != nil || p.Message != "Transação cancelada" {
		t.Errorf("after its end: %s, %v", p.Message, p.Details.Step)
	}

	pay = m.keepOpen("POST", "/transaction", `{"tPag":"17","amount":12.30,"referenceId":"r1"}`)
	m.awaitStep("pix")
	at("pix")
	m.call("POST", "/emulator/payment", `{"outcome":"cancel"}`).ok()
	pay.answer().is(403, "Transação cancelada")

	pay = m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":12.30,"referenceId":"r1"}`)
	m.awaitStep("card")
	at("card")
	m.presentCard(`{"entry":"insert","outcome":"timeout"}`)
	m.awaitStep("pin")
	at("pin")
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	pay.answer().is(503, unknownOutcome)
	if p := m.find("r1"); p.Details.Status != "pending" || p.Message != unknownOutcome || p.Details.Step != nil {
		t.Errorf("without an answer: %s, %+v", p.Message, p.Details)
	}
}

func TestAReversalUnderWaySaysWhereItIs(t *testing.T) {
	t.Parallel()
	m := start(t)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":12.30,"referenceId":"r1"}`)
	m.awaitStep("card")
	m.presentCard(`{"entry":"tap"}`)
	pay.answer().ok()
	reversal := m.keepOpen("POST", "/transaction/r1/reversal", nil)
	m.awaitStep("confirm")
	if p := m.find("r1"); p.Details.Status != "pending" || p.Message != "Transação em andamento" || p.Details.Step == nil || *p.Details.Step != "confirming" {
		t.Errorf("%s, %+v", p.Message, p.Details)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"cancel"}`).ok()
	reversal.answer().is(403, "Estorno cancelado")
	if p := m.find("r1"); p.Details.Status != "approved" || p.Details.Step != nil {
		t.Errorf("after it was called off: %s, %+v", p.Message, p.Details)
	}
}
