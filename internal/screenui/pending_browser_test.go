//go:build !race || everything

package screenui_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// loses has a payment end without an outcome.
func (p *page) loses(reference string) {
	p.t.Helper()
	p.m.must("POST", "/emulator/acquirer", object{"next": "timeout"})
	body := paying("03", 10)
	body["referenceId"] = reference
	held := p.m.hold("/transaction", body)
	p.step("card")
	p.m.must("POST", "/emulator/card", object{"entry": "tap"})
	p.m.paid(held, 503, "Situação da transação desconhecida; consulte pelo referenceId.")
	p.verdict("unknown", "Não cobre de novo Estamos confirmando com o banco. R$ 10,00")
	p.says(`[data-view="result"]`, "Referência "+reference)
}

// What has no outcome yet stays until somebody has taken note, is in the bar of every view until it is settled, and then
// says how it came out. The next payment waits for it in sight of the people.
func TestPendingIsShown(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	pending := func() { t.Helper(); p.says("[data-pending]", "1 a conferir") }
	m.must("POST", "/sale", object{})
	p.loses("venda-7")
	pending()
	p.do(browsertest.Tap(".mark")) // a touch beside the button decides nothing
	p.fits("an unknown outcome")
	p.dismiss()
	p.view("sale")
	pending()
	held := m.hold("/transaction", paying("03", 20))
	p.step("resolving")
	pending()
	p.says(`[data-view="payment"]`, "Resolvendo o pagamento anterior")
	m.must("POST", "/emulator/acquirer", object{"next": "normal"}) // the silence ends
	p.step("card")
	p.lacks("[data-pending]")
	p.push("cancel")
	m.paid(held, 403, "Transação cancelada")
	p.says(`[data-do="settled"]`, "Nada foi cobrado · R$ 10,00 venda-7 Entendi")
	p.push("settled")
	p.lacks(`[data-do="settled"]`)
	m.must("POST", "/sale/cancel", object{"showMessage": false})
	p.view("idle")

	p.loses("venda-8")
	m.must("POST", "/emulator/acquirer", object{"next": "normal"})
	p.verdict("cancelled", "Nada foi cobrado R$ 10,00") // in the place of what nobody knew
	p.lacks("[data-pending]")
	p.dismiss()
	p.view("idle")
	p.lacks(`[data-do="settled"]`)
	p.says(`[data-view="idle"]`, "Pagamentos prontos")
}
