//go:build !race || everything

package httpapi_test

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

// story is what the log's own entries that hold a text say, oldest first.
func (m *terminal) story(search string) (told []logEntry) {
	m.t.Helper()
	told = m.entries("source=app&limit=100000&search=" + url.QueryEscape(search))
	slices.Reverse(told)
	return told
}

// facts are the lines of an entry's details.
func (e logEntry) facts() map[string]string {
	found := map[string]string{}
	if e.Details == nil {
		return found
	}
	for line := range strings.SplitSeq(*e.Details, "\n") {
		key, value, _ := strings.Cut(line, "=")
		found[key] = value
	}
	return found
}

// tells checks that the entries which hold a text are these, oldest first.
func (m *terminal) tells(search string, want ...string) (told []logEntry) {
	m.t.Helper()
	told = m.story(search)
	if got := messagesOf(told); !slices.Equal(got, want) {
		m.t.Errorf("search %q tells\n%s\nwant\n%s", search, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return told
}

func TestTheLogTellsOfASale(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", `{"customerDocument":"52998224725","customerName":"Ana Souza","sellerName":"Beto"}`).ok()
	m.call("PATCH", "/sale", `{"customerName":"Ana S."}`).ok()
	m.call("POST", "/sale/item", `{"id":"a","code":"789","description":"Pão francês","quantity":3,"unitPrice":10.5,"total":31.5}`).ok()
	m.call("POST", "/sale/item", `{"id":"b","code":"1","description":"Leite","quantity":1,"unitPrice":5,"total":5}`).ok()
	m.call("PATCH", "/sale/item/a", `{"quantity":4,"total":42}`).ok()
	m.call("POST", "/sale/item/b/cancel", nil).ok()
	m.call("DELETE", "/sale/item/b", nil).ok()
	m.call("POST", "/sale/payment", `{"id":"p","tPag":"money","value":50}`).ok()
	m.call("PATCH", "/sale/payment/p", `{"value":60}`).ok()
	m.call("POST", "/sale/payment", `{"id":"q","tPag":"pix","value":1}`).ok()
	m.call("DELETE", "/sale/payment/q", nil).ok()
	m.call("POST", "/sale/finalize", nil).ok()
	told := m.tells("venda=1",
		"Venda 1 aberta", "Dados da venda 1 alterados", "Item adicionado: Pão francês", "Item adicionado: Leite", "Item alterado: Pão francês",
		"Item cancelado: Leite", "Item removido: Leite", "Pagamento lançado na venda 1: R$ 50,00, dinheiro", "Pagamento da venda 1 alterado: R$ 60,00, dinheiro",
		"Pagamento lançado na venda 1: R$ 1,00, PIX", "Pagamento da venda 1 removido: R$ 1,00, PIX",
		"Venda 1 finalizada: 1 item, total R$ 42,00, pago R$ 60,00, troco R$ 18,00")
	if len(told) == 12 {
		changed := told[4].facts()
		for key, want := range map[string]string{"item": "a", "código": "789", "quantidade": "4", "quantidade anterior": "3", "preço": "10.50", "total": "42.00", "total anterior": "31.50"} {
			if changed[key] != want {
				t.Errorf("%s=%q, want %q: %v", key, changed[key], want, changed)
			}
		}
		end := told[11].facts()
		for key, want := range map[string]string{"itens": "1", "total": "42.00", "pago": "60.00", "troco": "18.00"} {
			if end[key] != want {
				t.Errorf("at the end %s=%q, want %q", key, end[key], want)
			}
		}
	}
	// What the customer said of themselves is nobody's business.
	for _, private := range []string{"52998224725", "Ana S"} {
		if got := m.entries("search=" + url.QueryEscape(private)); len(got) != 0 {
			t.Errorf("the log tells %q: %q", private, messagesOf(got))
		}
	}
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/sale/item", `{"code":"1","description":"Café","quantity":1,"unitPrice":1.005,"total":9.995}`).ok()
	m.call("POST", "/sale/cancel", nil).ok()
	told = m.tells("venda=2", "Venda 2 aberta", "Item adicionado: Café",
		"Total do item "+m.story("Item adicionado: Café")[0].facts()["item"]+" difere em R$ 8,99 de quantidade × preço − desconto + acréscimo",
		"Venda 2 cancelada: 1 item, total R$ 10,00")
	if total := told[1].facts()["total"]; total != "10.00" {
		t.Errorf("an amount of %q in the log", total)
	}
}

// A sale that was open goes on under its number.
func TestTheLogTellsOfASaleThatGoesOn(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	m = m.again()
	m.call("POST", "/sale/finalize", nil).ok()
	m.tells("venda=1", "Venda 1 aberta", "Venda 1 retomada: já estava aberta quando o serviço iniciou",
		"Venda 1 finalizada: 0 itens, total R$ 0,00, pago R$ 0,00")
}

func TestTheLogTellsOfAPayment(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("POST", "/sale", nil).ok()
	paid := m.call("POST", "/transaction", `{"tPag":"03","amount":77.7,"referenceId":"PED-1","installments":2,"installmentType":"seller"}`).transaction()
	nsu := paid.NSU
	approved := []string{
		"Pagamento pedido: R$ 77,70, crédito", "Pagamento enviado ao adquirente: R$ 77,70", "Pagamento aprovado pelo adquirente: R$ 77,70, NSU " + nsu,
		"Pagamento confirmado: R$ 77,70, NSU " + nsu, "Confirmação entregue ao adquirente",
	}
	told := m.tells("PED-1", approved...)
	for _, e := range told {
		f := e.facts()
		if f["op"] == "" || f["op"] != told[0].facts()["op"] || f["venda"] != "1" || f["valor"] != "77.70" || f["forma"] != "crédito" || f["parcelas"] != "2" {
			t.Errorf("%s: %v", e.Message, f)
		}
	}
	if f := told[2].facts(); f["NSU"] != nsu || f["autorização"] != *paid.Details.CAut || f["transação"] != "1" || f["adquirente"] != "emulador" {
		t.Errorf("the approval says %v", f)
	}
	// Support has one of these; the request's own line is among what they find by op.
	for _, search := range []string{nsu, "77,70", "77.70", "ped-1"} {
		if got := m.entries("search=" + url.QueryEscape(search)); len(got) < 3 {
			t.Errorf("search %q finds %q", search, messagesOf(got))
		}
	}
	if all := m.entries("search=op%3D" + told[0].facts()["op"]); len(all) != 6 || !strings.HasPrefix(all[0].Message, "POST /transaction 200") {
		t.Errorf("by its op: %q", messagesOf(all))
	}

	m.call("POST", "/transaction", `{"tPag":"03","amount":77.7,"referenceId":"PED-1","installments":2,"installmentType":"seller"}`).ok()
	m.call("POST", "/transaction", `{"tPag":"03","amount":78,"referenceId":"PED-1"}`).is(409, "Referência já utilizada em outra transação")
	m.call("POST", "/transaction", `{"tPag":"03","amount":-1,"referenceId":"PED-1"}`).isInvalid("amount")
	m.call("POST", "/transaction/PED-1/reversal", nil).ok()
	m.call("POST", "/transaction/PED-1/reversal", nil).is(409, "Transação já estornada")
	back := m.call("GET", "/transaction/PED-1", nil).transaction().Details.Reversal.NSU
	m.tells("PED-1", append(approved,
		"Pagamento já aprovado antes: respondido de novo, sem outra cobrança",
		"Pagamento sem sucesso: Referência já utilizada em outra transação",
		"Pagamento sem sucesso: Requisição inválida: amount deve ser maior que zero",
		"Estorno pedido: R$ 77,70, crédito", "Estorno iniciado: R$ 77,70", "Estorno enviado ao adquirente: R$ 77,70",
		"Estorno aprovado pelo adquirente: R$ 77,70, NSU "+back, "Confirmação entregue ao adquirente",
		"Estorno sem sucesso: Transação já estornada")...)

	m.call("POST", "/emulator/acquirer", `{"next":"refuse","message":"Saldo insuficiente"}`).ok()
	m.call("POST", "/transaction", `{"tPag":"04","amount":5,"referenceId":"PED-2"}`).is(403, "Saldo insuficiente")
	m.call("POST", "/emulator/acquirer", `{"next":"cancel"}`).ok()
	m.call("POST", "/transaction", `{"tPag":"17","amount":5,"referenceId":"PED-3"}`).is(403, "Transação cancelada")
	m.tells("PED-2", "Pagamento pedido: R$ 5,00, débito", "Pagamento enviado ao adquirente: R$ 5,00", "Pagamento recusado pelo adquirente: Saldo insuficiente")
	if told := m.story("PED-3"); !strings.HasPrefix(told[len(told)-1].Message, "Pagamento cancelado por quem estava no terminal") {
		t.Errorf("a cancelled one: %q", messagesOf(told))
	}
}

// Who hung up before anything was sent has no payment, and the log says so.
func TestTheLogTellsOfPaymentsThatEndedWithTheirCaller(t *testing.T) {
	t.Parallel()
	m := start(t, human)
	ctx, hangUp := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		req := m.request("POST", "/transaction", `{"tPag":"03","amount":9.9,"referenceId":"SOLTO"}`).WithContext(ctx)
		if resp, err := m.client.Do(req); err == nil {
			resp.Body.Close()
		}
	}()
	m.awaitOperation("waiting") // for the foreground
	hangUp()
	<-gone
	waittest.Until(t, "the log tells that nothing was charged", func() bool {
		told := m.story("SOLTO")
		return slices.ContainsFunc(told, func(e logEntry) bool { return strings.HasSuffix(e.Message, "nada foi cobrado") })
	})
	m.call("GET", "/transaction/SOLTO", nil).is(404, "Transação não encontrada")
}

// Who hung up can still be told what became of it, and so can who asks for an outcome that came late.
func TestTheLogTellsOfPaymentsThatNobodyWaitedFor(t *testing.T) {
	t.Parallel()
	m := start(t)
	ctx, hangUp := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		req := m.request("POST", "/transaction", `{"tPag":"03","amount":9.9,"referenceId":"LARGADO"}`).WithContext(ctx)
		if resp, err := m.client.Do(req); err == nil {
			resp.Body.Close()
		}
	}()
	waittest.Until(t, "the payment waits for a card", func() bool {
		return strings.Contains(string(m.call("GET", "/emulator/screen", nil).ok().body), `"card"`)
	})
	hangUp()
	<-gone
	waittest.Until(t, "the log tells of the hang-up", func() bool { return len(m.story("desligou")) == 1 })
	m.call("POST", "/print/text", `[{"text":{"value":"x"}}]`).is(503, "Aplicativo ocupado realizando outra operação, tente mais tarde!")
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	waittest.Until(t, "the outcome", func() bool { return len(m.story("Confirmação entregue")) == 1 })
	told := m.story("LARGADO")
	if op := told[0].facts()["op"]; op == "" || op != told[len(told)-1].facts()["op"] || !strings.HasPrefix(told[1].Message, "Pagamento: o PDV desligou") {
		t.Errorf("%q", messagesOf(told))
	}
	busy := m.story("ocupado")
	if len(busy) != 1 || busy[0].Message != "Comando recusado: o terminal está ocupado com o pagamento LARGADO" || busy[0].facts()["comando"] != "POST /print/text" {
		t.Errorf("busy: %+v", busy)
	}
}

func TestTheLogTellsOfAPaymentWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("POST", "/emulator/acquirer", `{"next":"timeout"}`).ok()
	m.call("POST", "/transaction", `{"tPag":"03","amount":3,"referenceId":"MUDO"}`)
	waittest.Until(t, "it is settled", func() bool { return m.find("MUDO").Details.Status != "pending" })
	waittest.Until(t, "the log tells so", func() bool {
		told := m.story("MUDO")
		return strings.HasPrefix(told[len(told)-1].Message, "Pagamento desfeito") || len(m.story("resolvida com o adquirente")) > 0
	})
	told := m.story("MUDO")
	var messages []string
	for _, e := range told {
		messages = append(messages, e.Message)
		if e.facts()["op"] != told[0].facts()["op"] {
			t.Errorf("%s: another op: %v", e.Message, e.facts())
		}
	}
	for _, want := range []string{"Pagamento sem resposta do adquirente: o adquirente não responde", "Pagamento desfeito: nada foi cobrado"} {
		if !slices.Contains(messages, want) {
			t.Errorf("%q is not among %q", want, messages)
		}
	}
	m.call("POST", "/transaction", `{"tPag":"03","amount":3,"referenceId":"DEPOIS"}`).ok()
	m.tells("adquirente com problema", "Adquirente com problema: o adquirente não responde")
	m.tells("voltou a responder", "Adquirente voltou a responder")
}

// What a person typed is in no log; which of the caller's options they chose may be.
func TestTheLogTellsOfQuestionsButNotOfAnswers(t *testing.T) {
	t.Parallel()
	m := start(t)
	answered := func(question, answer string) {
		t.Helper()
		done := make(chan struct{})
		go func() {
			defer close(done)
			m.call("POST", "/ask", `{"question":`+question+`}`)
		}()
		waittest.Until(t, "the question", func() bool { return m.call("POST", "/emulator/answer", answer).status == 200 })
		<-done
	}
	answered(`{"question":"CPF na nota?","type":"CPF"}`, `{"value":"529.982.247-25"}`)
	answered(`{"question":"Telefone?","type":"PHONE"}`, `{"value":"11987654321"}`)
	answered(`{"question":"E-mail?","type":"EMAIL"}`, `{"value":"ana@exemplo.com.br"}`)
	answered(`{"question":"Nome?","type":"TEXT"}`, `{"value":"Ana Souza"}`)
	answered(`{"question":"Sacola?","type":"BUTTON","options":[{"id":1,"name":"Com sacola","value":"s"},{"id":2,"name":"Sem sacola","value":"n"}]}`, `{"value":"n"}`)
	answered(`{"question":"Nota?","type":"TEXT"}`, `{"cancel":true}`)
	m.tells("Pergunta", "Pergunta feita: CPF na nota?", "Pergunta respondida: CPF na nota?", "Pergunta feita: Telefone?", "Pergunta respondida: Telefone?",
		"Pergunta feita: E-mail?", "Pergunta respondida: E-mail?", "Pergunta feita: Nome?", "Pergunta respondida: Nome?",
		"Pergunta feita: Sacola?", "Pergunta respondida: Sacola?", "Pergunta feita: Nota?", "Pergunta cancelada por quem estava no terminal: Nota?")
	if told := m.story("Pergunta respondida: CPF"); told[0].facts()["tipo"] != "CPF" || told[0].facts()["duração"] == "" {
		t.Errorf("%v", told[0].facts())
	}
	if told := m.story("Pergunta respondida: Sacola"); told[0].facts()["escolha"] != "Sem sacola" {
		t.Errorf("%v", told[0].facts())
	}
	for _, private := range []string{"529982", "529.982", "987654321", "ana@", "exemplo.com", "Ana Souza"} {
		if got := m.entries("search=" + url.QueryEscape(private)); len(got) != 0 {
			t.Errorf("the log tells %q: %q", private, messagesOf(got))
		}
	}
}

func TestTheLogTellsOfPaperDisplayAndForeground(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot, func(c *app.Config) { c.CardReceipt = "both" })
	m.printXML(fiscalDocument(t, "nfce.xml")).ok()
	if told := m.story("Impressão feita: NFC-e"); len(told) != 1 || told[0].facts()["duração"] == "" || !strings.Contains(told[0].facts()["documento"], "chave ") {
		t.Errorf("a coupon: %+v", told)
	}
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"COM-VIA"}`).ok()
	told := m.story("COM-VIA")
	if n := len(told); n < 2 || told[n-2].Message != "Impressão feita: comprovante, via do estabelecimento" || told[n-1].Message != "Impressão feita: comprovante, via do cliente" ||
		told[n-1].facts()["op"] != told[0].facts()["op"] {
		t.Errorf("receipts: %q", messagesOf(told))
	}
	m.call("POST", "/emulator/printer", `{"state":"paperOut"}`).ok()
	m.call("POST", "/print/text", `[{"text":{"value":"x"}}]`).is(500, "Erro ao imprimir")
	m.call("POST", "/print/image", []byte("x")).is(500, "Erro ao imprimir")
	m.call("POST", "/emulator/printer", `{"state":"ok"}`).ok()
	m.tells("Impressora", "Impressora com problema: impressora sem papel", "Impressão falhou: impressora sem papel (texto)", "Impressora voltou a funcionar")
	m.tells("Impressão recusada", "Impressão recusada: os bytes não são uma imagem PNG, JPEG, GIF, BMP ou WebP (imagem)")

	m.call("POST", "/display/text", `{"content":[{"text":{"value":"oi"}}],"backgroundColor":"#fff"}`).ok()
	m.call("POST", "/display/pop", nil).ok()
	m.call("POST", "/display/clear", nil).ok()
	m.tells("Display:", "Display: texto de 1 linha na tela", "Display: fechado pelo PDV", "Display: limpo pelo PDV")

	m.call("POST", "/emulator/foreground", `{"active":false}`).ok()
	m.call("POST", "/emulator/foreground", `{"active":false}`).ok()
	m.call("POST", "/emulator/foreground", `{"active":true}`).ok()
	m.tells("primeiro plano", "Aplicativo saiu do primeiro plano: pagamentos esperam até que volte", "Aplicativo em primeiro plano")
}

// A reference that looks like a card is masked in the log, and found there all the same.
func TestAReferenceThatLooksLikeACardIsFound(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"`+cardNumber+`"}`).ok()
	told := m.story(cardNumber)
	if len(told) != 5 || told[0].facts()["referência"] != "411111******1111" {
		t.Errorf("found %+v", told)
	}
	if got := m.entries("search=" + cardNumber[:13]); len(got) != 0 {
		t.Errorf("the log has %q", messagesOf(got))
	}
}

// Whatever the terminal can do leaves entries without a word of English, without bodies, and with amounts in cents.
var twoDecimals = regexp.MustCompile(`^-?\d+\.\d\d$`)

func TestEveryAmountInTheLogHasTwoDecimals(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/sale/item", `{"code":"1","description":"Gasolina","quantity":10.123,"unitPrice":5.799,"discount":0.1,"total":58.603277}`).ok()
	m.call("POST", "/sale/payment", `{"value":58.6032}`).ok()
	m.call("POST", "/transaction", `{"tPag":"17","amount":58.6,"referenceId":"G"}`).ok()
	m.call("POST", "/sale/finalize", nil).ok()
	seen := 0
	for _, e := range m.story("") {
		for key, value := range e.facts() {
			if slices.Contains([]string{"valor", "total", "pago", "troco", "desconto"}, key) {
				if seen++; !twoDecimals.MatchString(value) {
					t.Errorf("%s: %s=%s", e.Message, key, value)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d amounts were found", seen)
	}
}

// All that a restart leaves in the log is found by its op.
func TestTheLogTellsOfARestart(t *testing.T) {
	t.Parallel()
	m := start(t, android)
	m.call("POST", "/restart", nil).ok()
	asked := m.tells("reinício", "reinício do serviço pedido pelo PDV")
	m.tells("serviço", "serviço iniciado", "reinício do serviço pedido pelo PDV", "serviço iniciado", "serviço reiniciado")
	together := messagesOf(m.entries("search=" + asked[0].facts()["op"]))
	if len(together) != 3 || !strings.HasPrefix(together[0], "POST /restart 200") {
		t.Errorf("by its op: %q", together)
	}
}

// The driver's own English stays in the ledger.
func TestFailuresInTheLogArePortuguese(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("POST", "/emulator/printer", `{"state":"coverOpen"}`).ok()
	m.call("POST", "/print/text", `[{"text":{"value":"x"}}]`).is(500, "Erro ao imprimir")
	m.call("POST", "/print/image", []byte("x")).is(500, "Erro ao imprimir")
	m.call("POST", "/display/image", []byte("x")).is(500, "Erro ao exibir imagem")
	m.printXML("<a/>")
	for _, e := range m.entries("level=error") {
		for _, word := range []string{"failed", "printer", "image ", "cannot", " not ", " is "} {
			if e.Details == nil || strings.Contains(*e.Details, word) {
				t.Errorf("%s: %v", e.Message, e.facts())
			}
		}
	}
}
