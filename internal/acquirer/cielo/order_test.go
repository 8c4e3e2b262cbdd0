package cielo

import (
	"testing"

	"github.com/maquininha/maquininha/internal/money"
)

// TestStanding: however a cancelled payment is told of, it counts once.
func TestStanding(t *testing.T) {
	for list, want := range map[string]string{
		`[]`: "0",
		`[{"transaction_type":"PAYMENT","status":"CONFIRMED","amount":1000}]`:                                                                            "10.00",
		`[{"transaction_type":"PAYMENT","status":"PENDING","amount":1000}]`:                                                                              "0",
		`[{"transaction_type":"PAYMENT","status":"CANCELLED","amount":1000}]`:                                                                            "0",
		`[{"transaction_type":"CANCELLATION","status":"CONFIRMED","amount":1000},{"transaction_type":"PAYMENT","status":"CONFIRMED","amount":1000}]`:     "0.00",
		`[{"transaction_type":"CANCELLATION","status":"CONFIRMED","amount":1000},{"transaction_type":"PAYMENT","status":"CANCELLED","amount":1000}]`:     "0.00",
		`[{"transaction_type":"PAYMENT","status":"CONFIRMED","amount":400},{"transaction_type":"PAYMENT","status":"CANCELLED","amount":600}]`:            "4.00",
		`[{"transaction_type":"PAYMENT","status":"CONFIRMED","amount":"400"},{"transaction_type":"PAYMENT","status":"CONFIRMED","amount":5,"number":7}]`: "4.05",
	} {
		all, err := parseTransactions([]byte(list))
		if got := (order{transactions: all}).standing(); err != nil || got.Cmp(money.MustParse(want)) != 0 {
			t.Errorf("%s: %s, %v; want %s", list, got, err, want)
		}
	}
}

// TestNothingIsGuessed: what makes no sense is an error.
func TestNothingIsGuessed(t *testing.T) {
	for _, list := range []string{
		`{}`, `[{"transaction_type":"GIFT","status":"CONFIRMED","amount":1000}]`, `[{"transaction_type":"PAYMENT","status":"MAYBE","amount":1000}]`,
		`[{"transaction_type":"PAYMENT","status":"CONFIRMED","amount":10.5}]`, `[{"transaction_type":"PAYMENT","status":"CONFIRMED","amount":-1}]`, `<html>`,
	} {
		if all, err := parseTransactions([]byte(list)); err == nil {
			t.Errorf("%s: %+v", list, all)
		}
	}
	for _, text := range []string{
		`{}`, `{"id":"../orders","status":"PAID","price":1}`, `{"id":"a","status":"LOST","price":1}`, `{"id":"a","status":"PAID"}`, `[]`,
	} {
		if o, _, err := parseOrder([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, o)
		}
	}
	for text, want := range map[string]int{``: 0, `[]`: 0, `{"id":"a","number":"n","status":"DRAFT","price":1}`: 1, `[{"id":"a","number":"other","status":"DRAFT","price":1}]`: 0} {
		if got, err := parseList([]byte(text), "n"); err != nil || len(got) != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	if o, _, err := parseOrder([]byte(`{"id":"a","number":"n","status":"cancelled","price":"1050"}`)); err != nil || o.state != canceled || o.price.Cents() != "10.50" {
		t.Errorf("%+v, %v", o, err)
	}
}
