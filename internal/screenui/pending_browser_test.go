//go:build !race || everything

package screenui_test

import "testing"

// What has no outcome yet is on the idle screen, and the next payment waits for it in sight of the people.
func TestPendingIsShown(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	m.must("POST", "/emulator/acquirer", object{"next": "timeout"})
	held := m.hold("/transaction", paying("03", 10))
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "tap"})
	m.paid(held, 503, "Situação da transação desconhecida; consulte pelo referenceId.")
	p.dismiss()
	p.says(`[data-view="idle"]`, "1 pagamento a conferir")
	held = m.hold("/transaction", paying("03", 20))
	p.step("resolving")
	p.says(`[data-view="payment"]`, "Resolvendo o pagamento anterior")
	m.must("POST", "/emulator/acquirer", object{"next": "normal"}) // the silence ends
	p.step("card")
	p.push("cancel")
	m.paid(held, 403, "Transação cancelada")
	p.dismiss()
	p.says(`[data-view="idle"]`, "Pagamentos")
	p.sees(`!document.querySelector('[data-view="idle"]').textContent.includes("a conferir")`)
}
