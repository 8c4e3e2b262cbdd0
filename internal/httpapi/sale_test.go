package httpapi_test

import "testing"

func TestSaleFromOpenToFinalized(t *testing.T) {
	m := start(t)
	m.call("POST", "/sale", nil).ok().is(200, "Venda iniciada com sucesso")
	m.call("POST", "/sale", `{"customerName":"Ana"}`).is(409, "Já existe uma venda ativa!")
	m.call("POST", "/sale/item", `{"id":"1","code":"789","description":"Café","quantity":1,"unitPrice":7.50,"total":7.50}`).is(200, "Item adicionado com sucesso")
	m.call("POST", "/sale/finalize", nil).is(200, "Venda finalizada com sucesso")
	m.call("GET", "/sale", nil).is(409, "Nenhuma venda ativa!")
}
