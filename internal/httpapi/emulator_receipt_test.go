package httpapi_test

import (
	"reflect"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
)

// A script sees which copies of the receipt the screen offers, and how printing them went.
func TestScreenShowsTheReceiptsOnOffer(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]map[string]any{
		"ask":  {"offered": []any{"customer", "merchant"}, "printing": false, "printed": []any{}, "failed": false},
		"both": {"offered": []any{}, "printing": false, "printed": []any{"merchant", "customer"}, "failed": false},
		"none": {"offered": []any{}, "printing": false, "printed": []any{}, "failed": false},
	} {
		m := start(t, autopilot, lasting, func(c *app.Config) { c.CardReceipt = mode })
		m.charge("r1")
		if got := m.result()["receipts"]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the screen has %v, want %v", mode, got, want)
		}
	}

	m := start(t, autopilot, lasting, func(c *app.Config) { c.CardReceipt = "customer" })
	m.call("POST", "/emulator/printer", `{"state":"paperOut"}`).ok()
	m.charge("r1")
	want := map[string]any{"offered": []any{"customer", "merchant"}, "printing": false, "printed": []any{}, "failed": true}
	if got := m.result()["receipts"]; !reflect.DeepEqual(got, want) {
		t.Errorf("without paper: the screen has %v, want %v", got, want)
	}
}

// result is how the last operation ended, as the screen says it.
func (m *terminal) result() map[string]any {
	m.t.Helper()
	body, ok := m.call("GET", "/emulator/screen", nil).ok().json()["result"].(map[string]any)
	if !ok {
		m.t.Fatal("the screen shows no result")
	}
	return body
}

func TestNormalForgetsTheScript(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.script(`{"next":"refuse","times":5}`)
	m.script(`{"next":"normal"}`)
	m.charge("n1")
	m.call("POST", "/transaction", `{"tPag":"03","amount":0.51}`).is(403, "Saldo insuficiente")
}
