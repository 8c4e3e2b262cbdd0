//go:build !race || everything

package httpapi_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// back are the parts of a transaction that went back, by their ids and amounts.
func (p paid) back() (parts []string) {
	for _, r := range p.Details.Reversals {
		id := "-"
		if r.ReversalID != nil {
			id = *r.ReversalID
		}
		parts = append(parts, id+" "+r.Amount.String())
	}
	return parts
}

func TestPartialReversals(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	const path = "/transaction/r/reversal"
	paid := m.charge("r")
	if d := paid.Details; d.Reversals == nil || len(d.Reversals) > 0 || d.Reversed != "0" {
		t.Errorf("nothing went back yet: %+v", d)
	}
	// What is wrong changes nothing.
	for body, want := range map[string]string{
		`{"amount":0}`:                            "amount deve ser maior que zero",
		`{"amount":-1}`:                           "amount deve ser maior que zero",
		`{"amount":1.001}`:                        "amount deve ter no máximo duas casas decimais",
		`{"amount":10000000}`:                     "amount está fora da faixa aceita",
		`{"amount":"1"}`:                          "amount deve ser um número",
		`{"reversalId":7}`:                        "reversalId deve ser um texto",
		fmt.Sprintf(`{"reversalId":"%0257d"}`, 7): "reversalId deve ter no máximo 256 caracteres",
		// Who writes amount wrong meant a part.
		`{"Amount":1}`:                     "amount deve ser o valor a devolver; sem corpo, devolve-se tudo o que resta",
		`{"value":1,"reversalId":"a"}`:     "amount deve ser o valor a devolver; sem corpo, devolve-se tudo o que resta",
		`{"amount":null,"reversalId":"a"}`: "amount deve ser o valor a devolver; sem corpo, devolve-se tudo o que resta",
		`[]`:                               "o corpo deve ser um objeto JSON",
		`{"amount":`:                       "o corpo não é um JSON válido (posição 11)",
	} {
		m.call("POST", path, body).is(400, "Requisição inválida: "+want)
	}
	m.call("POST", path, `{"amount":10.51}`).is(409, "Valor maior do que o disponível para estorno")
	m.call("POST", "/transaction/nobody/reversal", `{"amount":1}`).is(404, "Transação não encontrada")
	if diff := cmp.Diff(paid, m.find("r")); diff != "" {
		t.Errorf("something has changed:\n%s", diff)
	}

	part := m.call("POST", path, `{"amount":2.50,"reversalId":"troca-7"}`).is(200, "Estorno aprovado").transaction()
	d := part.Details
	if d.Status != "approved" || d.Reversal != nil || d.Reversed != "2.50" || !slices.Equal(part.back(), []string{"troca-7 2.50"}) || part.NSU != paid.NSU ||
		d.Reversals[0].NSU == "" || d.Reversals[0].NSU == paid.NSU || d.Reversals[0].At.Before(paid.Details.CreatedAt) {
		t.Errorf("after a part: %+v", part)
	}
	again := m.call("POST", path, `{"amount":2.5,"reversalId":"troca-7"}`).is(200, "Estorno aprovado").transaction()
	if diff := cmp.Diff(part, again); diff != "" {
		t.Errorf("the same again:\n%s", diff)
	}
	m.call("POST", path, `{"amount":3,"reversalId":"troca-7"}`).is(409, "reversalId já utilizado em outro estorno desta transação")
	m.call("POST", path, `{"amount":8.01,"reversalId":"troca-8"}`).is(409, "Valor maior do que o disponível para estorno")
	m.script(`{"next":"refuse"}`)
	m.call("POST", path, `{"amount":3,"reversalId":"troca-8"}`).is(403, "Estorno negado")
	if found := m.find("r"); found.Message != "Transação aprovada" || !slices.Equal(found.back(), []string{"troca-7 2.50"}) {
		t.Errorf("after a refusal: %+v", found)
	}
	m.call("POST", path, `{"amount":3,"reversalId":"troca-8"}`).is(200, "Estorno aprovado")
	m.charge("r") // what is left still answers for the reference

	// They are on the disk, and the rest is all that is left.
	m = m.again(func(*appConfig) {})
	whole := m.call("POST", path, nil).is(200, "Estorno aprovado").transaction()
	d = whole.Details
	if d.Status != "reversed" || d.Reversal == nil || d.Reversed != "10.50" || !slices.Equal(whole.back(), []string{"troca-7 2.50", "troca-8 3", "- 5.00"}) ||
		d.Reversal.NSU != d.Reversals[2].NSU || !d.Reversal.At.Equal(d.Reversals[2].At) {
		t.Errorf("after the rest: %+v", whole)
	}
	if diff := cmp.Diff(whole, m.find("r")); diff != "" {
		t.Errorf("answered and stored differ:\n%s", diff)
	}
	for _, none := range []any{nil, "null", "{}"} { // all are no body
		m.call("POST", path, none).is(409, "Transação já estornada")
	}
	m.call("POST", path, `{"amount":1}`).is(409, "Transação já estornada")
	m.call("POST", path, `{"amount":2.50,"reversalId":"troca-7"}`).is(200, "Estorno aprovado")
}
