package testserver

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/waittest"
)

const (
	lose  = "[[payment]]\nlose_answer = true\n"
	quest = `{"question":{"type":"CPF"}}`
)

// Each mistake, and the innocent who stands beside it.
func TestTheCallersFaults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, scenario string
		caller         func(*shop)
		want           []string
	}{
		{"a whole sale", "", func(s *shop) {
			s.open()
			s.must(200, "POST", "/ask", quest)
			s.pay(200, "a", "10")
			s.finalize("credit")
			s.must(200, "POST", "/print/text", `[{"text":{"value":"Recibo"}}]`)
		}, nil},
		{"busy", "[[busy]]\n", func(s *shop) { s.pay(503, "a", "10") }, []string{"busy-not-retried"}},
		{"busy, tried again", "[[busy]]\n", func(s *shop) { s.pay(503, "a", "10"); s.pay(200, "a", "10") }, nil},
		{"busy, given up for the next sale", "[[busy]]\n", func(s *shop) { s.pay(503, "a", "10"); s.pay(200, "b", "25") }, []string{"busy-not-retried"}},
		{"busy, then paid in cash", "[[busy]]\n", func(s *shop) { s.open(); s.pay(503, "a", "10"); s.finalize("money") }, nil},
		{"busy, then cancelled", "[[busy]]\n", func(s *shop) {
			s.open()
			s.pay(503, "a", "10")
			s.must(200, "POST", "/sale/cancel", "")
			s.pay(200, "b", "25")
		}, nil},
		{"a question dropped", "[[busy]]\n", func(s *shop) {
			s.open()
			s.must(503, "POST", "/ask", quest)
			s.must(200, "POST", "/ask", `{"question":{"type":"CEP"}}`)
			s.pay(200, "a", "10")
			s.finalize("credit")
			s.must(200, "POST", "/ask", quest)
		}, []string{"busy-not-retried"}},
		{"a question asked again", "[[busy]]\n", func(s *shop) { s.must(503, "POST", "/ask", quest); s.must(200, "POST", "/ask", " "+quest) }, nil},
		{"a receipt dropped", "[[busy]]\n", func(s *shop) {
			s.must(503, "POST", "/print/text", `[{"text":{"value":"Recibo 1"}}]`)
			s.must(200, "POST", "/sale", "")
			s.must(200, "POST", "/print/text", `[{"text":{"value":"Recibo 2"}}]`)
		}, []string{"busy-not-retried"}},
		{"a receipt printed after all", "[[busy]]\n", func(s *shop) {
			s.must(503, "POST", "/print/text", `[{"text":{"value":"Recibo 1"}}]`)
			s.must(200, "POST", "/sale", "")
			s.must(200, "POST", "/print/text", `[{"text":{"value":"Recibo 1"}}]`)
		}, nil},
		{"background, then paid in cash", "foreground_wait = '50ms'\n[[background]]\n", func(s *shop) { s.open(); s.pay(503, "a", "10"); s.finalize("money") }, nil},
		{"background", "foreground_wait = '50ms'\n[[background]]\n", func(s *shop) { s.pay(503, "a", "10") }, []string{"background-not-retried"}},
		{"background, tried again", "foreground_wait = '50ms'\n[[background]]\n", func(s *shop) { s.pay(503, "a", "10"); s.pay(200, "a", "10") }, nil},
		{"no reference", "", func(s *shop) { s.must(200, "POST", "/transaction", `{"tPag":"03","amount":10}`) }, []string{"payment-without-reference"}},
		{"a reference twice", "", func(s *shop) { s.pay(200, "a", "10"); s.pay(409, "a", "11") }, []string{"reference-reused"}},
		{"a reference again after a refusal", "[[payment]]\noutcome = 'refuse'\n", func(s *shop) { s.pay(403, "a", "10"); s.pay(200, "a", "11") }, nil},
		{"one reference for two sales", "", func(s *shop) {
			for range 2 {
				s.open()
				s.pay(200, "a", "10")
				s.finalize("credit")
			}
		}, []string{"reference-reused"}},
		{"finalized as if it had been paid", "[[payment]]\noutcome = 'refuse'\n", func(s *shop) { s.open(); s.pay(403, "a", "10"); s.finalize("credit") }, []string{"finalize-unapproved"}},
		{"cash after a customer's cancellation", "[[payment]]\noutcome = 'cancel'\n", func(s *shop) { s.open(); s.pay(403, "a", "10"); s.finalize("money") }, nil},
		{"finalized unpaid", "", func(s *shop) { s.open(); s.finalize("") }, []string{"finalize-uncovered"}},
		{"finalized meanwhile", "[[payment]]\ndelay = '10m'\n", func(s *shop) {
			s.open()
			var paying sync.WaitGroup
			paying.Go(func() { s.pay(200, "a", "10") })
			s.await("payment")
			s.finalize("credit")
			s.must(200, "POST", "/emulator/payment", `{"outcome":"approve"}`)
			paying.Wait()
		}, []string{"finalize-during-payment"}},
		{"a question given up", "delay = '10m'\n", func(s *shop) { s.hangUp("question", "/ask", quest) }, []string{"timeout-too-short"}},
		{"a question cancelled", "delay = '10m'\n", func(s *shop) {
			var asking sync.WaitGroup
			asking.Go(func() { s.must(409, "POST", "/ask", quest) })
			s.await("question")
			s.must(200, "POST", "/ask/cancel", "")
			asking.Wait()
		}, nil},
		{"a question that the customer cancels", "[[answer]]\ncancel = true\n", func(s *shop) { s.must(409, "POST", "/ask", quest) }, nil},
		{"a payment given up", "delay = '10m'\n", func(s *shop) {
			s.hangUp("payment", "/transaction", `{"tPag":"17","amount":10,"referenceId":"a"}`)
		}, []string{"lost-answer-not-looked-up", "timeout-too-short"}},
		{"a lost answer", lose, func(s *shop) { s.pay(0, "a", "10") }, []string{"lost-answer-not-looked-up"}},
		{"a lost answer, looked up", lose, func(s *shop) { s.pay(0, "a", "10"); s.must(200, "GET", "/transaction/a", "") }, nil},
		{"a lost answer, found by the client", lose, func(s *shop) {
			terminal, err := client.New(s.URL, s.Username, s.Password)
			if err != nil {
				s.t.Fatal(err)
			}
			defer terminal.Close()
			s.open()
			if _, err := terminal.Pay(s.t.Context(), client.Payment{Method: client.Credit, Amount: "10", Reference: "a"}); err != nil {
				s.t.Error(err)
			}
			s.finalize("credit")
		}, nil},
		{"a lost answer, charged again", lose, func(s *shop) { s.pay(0, "a", "10"); s.pay(200, "b", "10") }, []string{"double-charge-danger"}},
		{"a lost answer, repeated", lose, func(s *shop) { s.pay(0, "a", "10"); s.pay(200, "a", "10") }, nil},
		{"the wrong password", "", func(s *shop) {
			for range 3 {
				s.sendFor(s.t.Context(), "GET", "/status", "", s.Username, "errada")
			}
		}, []string{"wrong-credentials"}},
		{"the challenge, answered", "", func(s *shop) {
			for range 5 {
				s.sendFor(s.t.Context(), "GET", "/status", "", "", "")
				s.must(200, "GET", "/status", "")
			}
		}, nil},
		{"a loop without a pause", "", func(s *shop) {
			// As fast as it goes, until that was faster than the rule has it: 30 in three seconds.
			var asked []time.Time
			waittest.Until(s.t, "a loop that is quick enough to be one without a pause", func() bool {
				for range 40 {
					asked = append(asked, time.Now())
					s.must(200, "GET", "/info", "")
				}
				return time.Since(asked[len(asked)-35]) < 3*time.Second
			})
		}, []string{"polling-too-fast"}},
		{"another sale's cart", "", func(s *shop) {
			s.open()
			s.must(409, "POST", "/sale", "")
			s.must(200, "POST", "/sale/item", `{"code":"2","description":"Pão","quantity":1,"unitPrice":1,"total":1}`)
		}, []string{"open-sale-ignored"}},
		{"an item that was refused", "", func(s *shop) {
			s.open()
			s.must(400, "POST", "/sale/item", `{"code":"2","description":"Pão","quantity":"1","unitPrice":1,"total":1}`)
			s.pay(200, "a", "11")
			s.must(200, "POST", "/sale/finalize", "")
		}, []string{"refused-item-charged"}},
		{"charged twice", "", func(s *shop) {
			s.open()
			s.pay(200, "a", "10")
			s.pay(200, "b", "10")
			s.finalize("credit")
		}, []string{"sale-overcharged"}},
		{"charged again after the end", "", func(s *shop) {
			s.open()
			s.pay(200, "a", "10")
			s.finalize("credit")
			s.pay(200, "b", "10")
		}, []string{"sale-overcharged"}},
		{"charged before the sale", "", func(s *shop) {
			for _, reference := range []string{"a", "b"} {
				s.pay(200, reference, "10")
				s.open()
				s.finalize("credit")
			}
		}, nil},
		{"what is ignored", "ignore = 'payment-without-reference, finalize-uncovered'\n", func(s *shop) {
			s.open()
			s.must(200, "POST", "/transaction", `{"tPag":"03","amount":1}`)
			s.must(200, "POST", "/sale/finalize", "")
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, test.scenario)
			test.caller(s)
			report, code := s.end()
			var got []string
			for _, f := range report.Faults {
				got = append(got, f.Rule)
				if f.Title == "" || f.Remedy == "" || f.What == "" || f.Request < 1 || f.At.IsZero() {
					t.Errorf("%+v", f)
				}
				if !strings.Contains(s.words.String(), f.What) || !strings.Contains(s.words.String(), f.Remedy) {
					t.Errorf("not said: %s", f.What)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s\n%s", diff, &s.words)
			}
			if want := map[bool]int{false: 0, true: 2}[len(test.want) > 0]; code != want {
				t.Errorf("exit code %d", code)
			}
			if len(report.Notes) > 0 {
				t.Errorf("remarks: %q", report.Notes)
			}
		})
	}
}
