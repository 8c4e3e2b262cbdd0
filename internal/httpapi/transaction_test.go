package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// paid is a transaction result with nothing beside what the interface lists.
type paid struct {
	NSU     string `json:"nsu"`
	Message string `json:"message"`
	Details struct {
		Status          string          `json:"status"`
		Step            *string         `json:"step"`
		ReferenceID     *string         `json:"referenceId"`
		TPag            string          `json:"tPag"`
		Amount          json.Number     `json:"amount"`
		Installments    int             `json:"installments"`
		InstallmentType string          `json:"installmentType"`
		CreatedAt       time.Time       `json:"createdAt"`
		UpdatedAt       time.Time       `json:"updatedAt"`
		CAut            *string         `json:"cAut"`
		TBand           *string         `json:"tBand"`
		CNPJ            *string         `json:"cnpj"`
		TxID            *string         `json:"txid"`
		EndToEndID      *string         `json:"endToEndId"`
		Reversal        *reversed       `json:"reversal"`
		Reversals       []returned      `json:"reversals"`
		Reversed        json.Number     `json:"reversed"`
		Request         json.RawMessage `json:"request"`
		Receipt         *struct {
			Customer string `json:"customer"`
			Merchant string `json:"merchant"`
		} `json:"receipt"`
	} `json:"details"`
}

type reversed struct {
	NSU string    `json:"nsu"`
	At  time.Time `json:"at"`
}

type returned struct {
	ReversalID *string     `json:"reversalId"`
	NSU        string      `json:"nsu"`
	Amount     json.Number `json:"amount"`
	At         time.Time   `json:"at"`
}

// transaction reads a result and refuses fields that are not the interface's.
func (a *answer) transaction() (p paid) {
	a.t.Helper()
	dec := json.NewDecoder(bytes.NewReader(a.ok().body))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		a.t.Fatalf("%s: %v in %s", a.what, err, a.body)
	}
	if keys := a.json(); len(keys) != 3 || len(keys["details"].(map[string]any)) != 19 {
		a.t.Errorf("%s: a result with other keys: %s", a.what, a.body)
	}
	return p
}

// find looks a reference up.
func (m *terminal) find(reference string) paid {
	m.t.Helper()
	return m.call("GET", "/transaction/"+reference, nil).transaction()
}

// listed are the transactions that a query leaves.
func (m *terminal) listed(query string) (all []paid) {
	m.t.Helper()
	m.call("GET", "/transaction?"+query, nil).ok().into(&all)
	return all
}

// charge pays over the autopilot and expects an approval.
func (m *terminal) charge(reference string) paid {
	m.t.Helper()
	return m.call("POST", "/transaction", `{"tPag":"03","amount":10.50,"referenceId":"`+reference+`"}`).is(200, "Transação aprovada").transaction()
}

func (m *terminal) script(body string) {
	m.t.Helper()
	m.call("POST", "/emulator/acquirer", body).is(200, "Adquirente programado com sucesso")
}

const unknownOutcome = "Situação da transação desconhecida; consulte pelo referenceId."

func TestPersonSettlesThePayment(t *testing.T) {
	t.Parallel()
	m := start(t)
	for i, c := range []struct {
		outcome, message string
		status           int
		stored           string
	}{
		{`{"outcome":"approve"}`, "Transação aprovada", 200, "approved"},
		{`{"outcome":"refuse"}`, "Transação negada", 403, "refused"},
		{`{"outcome":"refuse","message":""}`, "Transação negada", 403, "refused"},
		{`{"outcome":"refuse","message":"Cartão bloqueado"}`, "Cartão bloqueado", 403, "refused"},
		{`{"outcome":"cancel"}`, "Transação cancelada", 403, "cancelled"},
		{`{"outcome":"cancel","message":"desisti"}`, "Transação cancelada", 403, "cancelled"},
	} {
		pay := m.keepOpen("POST", "/transaction", fmt.Sprintf(`{"tPag":"03","amount":12.34,"referenceId":"p%d"}`, i))
		m.awaitStep("card")
		pay.held()
		m.call("POST", "/emulator/payment", c.outcome).is(200, "Pagamento resolvido com sucesso")
		pay.answer().is(c.status, c.message)
		p := m.find(fmt.Sprintf("p%d", i))
		if p.Details.Status != c.stored || p.Message != c.message || p.Details.Amount != "12.34" || (p.NSU != "") != (c.stored == "approved") {
			t.Errorf("%s: stored %+v", c.outcome, p)
		}
		if all := m.listed(""); len(all) != i+1 || all[i].Details.Status != c.stored || all[i].Message != c.message {
			t.Errorf("%s: not the last of the list: %+v", c.outcome, all)
		}
	}
}

func TestScriptedAcquirer(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	for _, c := range []struct {
		next, message string
		status        int
	}{
		{`{"next":"approve"}`, "Transação aprovada", 200},
		{`{"next":"refuse"}`, "Transação negada", 403},
		{`{"next":"refuse","message":"Senha inválida"}`, "Senha inválida", 403},
		{`{"next":"cancel"}`, "Transação cancelada", 403},
		{`{"next":"offline"}`, "Adquirente fora do ar", 403},
		{`{"next":"refuse","delayMs":50,"message":"devagar"}`, "devagar", 403},
	} {
		m.script(c.next)
		m.call("POST", "/transaction", `{"tPag":"04","amount":3}`).is(c.status, c.message)
	}
	m.script(`{"next":"refuse","message":"um","times":2}`)
	m.script(`{"next":"refuse","message":"dois"}`)
	for _, want := range []string{"um", "um", "dois"} {
		m.call("POST", "/transaction", `{"tPag":"04","amount":3}`).is(403, want)
	}
	m.call("POST", "/transaction", `{"tPag":"04","amount":3}`).is(200, "Transação aprovada")
	if got := m.listed("status=refused"); len(got) != 7 { // offline ones too: nothing was sent
		t.Errorf("%d refused, want 7", len(got))
	}
	began := time.Now()
	m.script(`{"next":"approve","delayMs":300}`)
	m.call("POST", "/transaction", `{"tPag":"04","amount":3}`).ok()
	if took := time.Since(began); took < 300*time.Millisecond {
		t.Errorf("a delay of 300 ms took %v", took)
	}
}

func TestMagicAmounts(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	for _, c := range []struct {
		amount, says string
		status       int
		stored       string
	}{
		{"0.51", "saldo insuficiente", 403, "refused"},
		{"0.54", "cartão vencido", 403, "refused"},
		{"0.55", "senha inválida", 403, "refused"},
		{"0.57", "transação cancelada", 403, "cancelled"},
		{"0.91", "emissor fora do ar", 403, "refused"},
		{"0.510", "saldo insuficiente", 403, "refused"},
		{"51e-2", "saldo insuficiente", 403, "refused"},
		{"1.51", "transação aprovada", 200, "approved"},
		{"51", "transação aprovada", 200, "approved"},
		{"0.52", "transação aprovada", 200, "approved"},
	} {
		a := m.call("POST", "/transaction", `{"tPag":"03","amount":`+c.amount+`,"referenceId":"`+c.amount+`"}`)
		said, _ := a.json()["message"].(string)
		if a.status != c.status || !strings.EqualFold(said, c.says) {
			t.Errorf("%s: %d %q, want %d %q", c.amount, a.status, said, c.status, c.says)
		}
		if got := m.find(c.amount).Details.Status; got != c.stored {
			t.Errorf("%s: stored as %s, want %s", c.amount, got, c.stored)
		}
	}
}

func TestEveryWayToPay(t *testing.T) {
	t.Parallel()
	m := start(t)
	txid, endToEnd := regexp.MustCompile(`^[a-zA-Z0-9]{26,35}$`), regexp.MustCompile(`^E[a-zA-Z0-9]{31}$`)
	seen := map[string]bool{}
	for i, c := range []struct{ tPag, step, choice, as string }{
		{"03", "card", "", "03"},
		{"04", "card", "", "04"},
		{"17", "pix", "", "17"},
		{"99", "choose", "", "03"},
		{"99", "choose", `,"tPag":"03"`, "03"},
		{"99", "choose", `,"tPag":"04"`, "04"},
		{"99", "choose", `,"tPag":"17"`, "17"},
		{"04", "card", `,"tPag":"17"`, "04"}, // only where the caller left it open
	} {
		before := time.Now().Add(-time.Second)
		pay := m.keepOpen("POST", "/transaction", fmt.Sprintf(`{"tPag":%q,"amount":7.49,"referenceId":"w%d"}`, c.tPag, i))
		m.awaitStep(c.step)
		m.call("POST", "/emulator/payment", `{"outcome":"approve"`+c.choice+`}`).ok()
		p := pay.answer().is(200, "Transação aprovada").transaction()
		d := p.Details
		if d.Status != "approved" || d.TPag != c.as || d.Amount != "7.49" || d.ReferenceID == nil || *d.ReferenceID != fmt.Sprintf("w%d", i) || d.Reversal != nil {
			t.Errorf("%+v: %+v", c, p)
		}
		if d.CreatedAt.Before(before) || d.UpdatedAt.Before(d.CreatedAt) || d.UpdatedAt.After(time.Now()) {
			t.Errorf("%+v: created %v, updated %v", c, d.CreatedAt, d.UpdatedAt)
		}
		if p.NSU == "" || seen[p.NSU] {
			t.Errorf("%+v: NSU %q is not its own", c, p.NSU)
		}
		seen[p.NSU] = true
		if d.Receipt == nil || d.Receipt.Customer == "" || d.Receipt.Merchant == "" || !strings.Contains(d.Receipt.Customer, "7,49") {
			t.Errorf("%+v: receipt %+v", c, d.Receipt)
		}
		if c.as == "17" {
			if d.TxID == nil || !txid.MatchString(*d.TxID) || d.EndToEndID == nil || !endToEnd.MatchString(*d.EndToEndID) {
				t.Errorf("%+v: PIX without its ids: %+v", c, d)
			}
			if d.CAut != nil || d.TBand != nil || d.CNPJ != nil {
				t.Errorf("%+v: PIX with a card's fields: cAut, tBand or cnpj", c)
			}
		} else if d.TxID != nil || d.EndToEndID != nil || d.CAut == nil || *d.CAut == "" || d.TBand == nil || len(*d.TBand) != 2 || d.CNPJ == nil || len(*d.CNPJ) != 14 {
			t.Errorf("%+v: fields of a card: %+v", c, d)
		}
		if diff := cmp.Diff(p, m.find(fmt.Sprintf("w%d", i))); diff != "" {
			t.Errorf("%+v: answered and stored differ:\n%s", c, diff)
		}
	}
}

func TestTransactionFieldRules(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	for _, c := range []struct{ body, names string }{
		{``, ""},
		{`{`, ""},
		{`[]`, ""},
		{`{}`, "tPag"},
		{`{"amount":1}`, "tPag"},
		{`{"tPag":null,"amount":1}`, "tPag"},
		{`{"tPag":"01","amount":1}`, "tPag"},
		{`{"tPag":3,"amount":1}`, "tPag"},
		{`{"tPag":"credit","amount":1}`, "tPag"},
		{`{"tPag":"03"}`, "amount"},
		{`{"tPag":"03","amount":null}`, "amount"},
		{`{"tPag":"03","amount":"10"}`, "amount"},
		{`{"tPag":"03","amount":0}`, "amount"},
		{`{"tPag":"03","amount":0.00}`, "amount"},
		{`{"tPag":"03","amount":-1}`, "amount"},
		{`{"tPag":"03","amount":0.001}`, "amount"},
		{`{"tPag":"03","amount":10.999}`, "amount"},
		{`{"tPag":"03","amount":1e-3}`, "amount"},
		{`{"tPag":"03","amount":10000000}`, "amount"},
		{`{"tPag":"03","amount":9999999.991}`, "amount"},
		{`{"tPag":"03","amount":1e300}`, "amount"},
		{`{"tPag":"03","amount":1,"installments":0}`, "installments"},
		{`{"tPag":"03","amount":1,"installments":-2}`, "installments"},
		{`{"tPag":"03","amount":1,"installments":"2"}`, "installments"},
		{`{"tPag":"03","amount":1,"installments":1.5}`, "installments"},
		{`{"tPag":"03","amount":1,"installmentType":"shop"}`, "installmentType"},
		{`{"tPag":"03","amount":1,"installmentType":1}`, "installmentType"},
		{`{"tPag":"03","amount":1,"referenceId":5}`, "referenceId"},
		{`{"tPag":"03","amount":1,"details":"x"}`, "details"},
		{`{"tPag":"03","amount":1,"details":[1]}`, "details"},
	} {
		m.call("POST", "/transaction", c.body).isInvalid(c.names)
	}
	if all := m.listed(""); len(all) != 0 {
		t.Errorf("refused requests are listed: %+v", all)
	}
	for _, amount := range []string{"0.01", "9999999.99", "10", "10.5", "10.50", "1e3"} {
		p := m.call("POST", "/transaction", `{"tPag":"03","amount":`+amount+`}`).transaction()
		if want := map[string]string{"1e3": "1000"}[amount]; string(p.Details.Amount) != amount && string(p.Details.Amount) != want {
			t.Errorf("%s came out as %s", amount, p.Details.Amount)
		}
	}
}

func TestInstallments(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	for _, c := range []struct {
		extra string
		n     int
		plan  string
	}{
		{``, 1, "single"},
		{`,"installments":null,"installmentType":null`, 1, "single"},
		{`,"installments":3,"installmentType":"seller"`, 3, "seller"},
		{`,"installments":12,"installmentType":"buyer"`, 12, "buyer"},
		{`,"installments":6`, 6, "single"},
		{`,"installmentType":"seller"`, 1, "seller"},
	} {
		d := m.call("POST", "/transaction", `{"tPag":"03","amount":90`+c.extra+`}`).transaction().Details
		if d.Installments != c.n || d.InstallmentType != c.plan {
			t.Errorf("%q: %d %s, want %d %s", c.extra, d.Installments, d.InstallmentType, c.n, c.plan)
		}
	}
}

func TestTheCallersOwnDetailsComeBack(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	for i, c := range []struct{ sent, want string }{
		{`,"details":{"caixa":"02","nested":{"a":[1,2.50,null,true,"ação <&> 😀"]},"big":12345678901234567890,"tiny":0.10}`, `{"caixa":"02","nested":{"a":[1,2.50,null,true,"ação <&> 😀"]},"big":12345678901234567890,"tiny":0.10}`},
		{`,"details":{}`, `{}`},
		{`,"details":null`, `null`},
		{``, `null`},
	} {
		p := m.call("POST", "/transaction", fmt.Sprintf(`{"tPag":"03","amount":1,"referenceId":"d%d"%s}`, i, c.sent)).transaction()
		for _, got := range []json.RawMessage{p.Details.Request, m.find(fmt.Sprintf("d%d", i)).Details.Request} {
			if diff := cmp.Diff(loose(t, c.want), loose(t, string(got))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.sent, diff)
			}
		}
	}
}

// loose reads JSON so that the order of keys does not count, but every digit does.
func loose(t testing.TB, text string) (v any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return v
}

func TestProductionHasNoAcquirer(t *testing.T) {
	t.Parallel()
	m := start(t, production)
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"a"}`).is(503, "Nenhum adquirente configurado neste terminal")
	m.call("POST", "/transaction/a/reversal", nil).is(503, "Nenhum adquirente configurado neste terminal")
	m.call("POST", "/transaction", `{"tPag":"03","amount":0}`).isInvalid("amount")
	m.call("GET", "/transaction/a", nil).is(404, "Transação não encontrada")
	if all := m.listed(""); len(all) != 0 {
		t.Errorf("listed %+v", all)
	}
	if busy := m.call("GET", "/info", nil).ok().json()["isBusy"]; busy != false {
		t.Error("a refused payment left the terminal busy")
	}
}
