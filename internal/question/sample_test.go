package question_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/question"
)

func TestSample(t *testing.T) {
	for _, row := range []struct {
		name     string
		question question.Question
		want     string
		ok       bool
	}{
		{"text", ask(question.Text), "Resposta", true},
		{"default", ask(question.Text, preset("oi")), "oi", true},
		{"default in its canonical form", ask(question.CPF, preset("529.982.247-25")), "52998224725", true},
		{"default its type refuses", ask(question.CPF, preset("123")), "52998224725", true},
		{"default left empty", ask(question.Text, preset("")), "", true},
		{"empty default of what is required", ask(question.Text, preset(""), required), "Resposta", true},
		{"short text", ask(question.Text, between(0, 3)), "Res", true},
		{"long text", ask(question.Text, between(10, 12)), "RespostaRe", true},
		{"masked", ask(question.Text, mask("(##) ####")), "(12) 3456", true},
		{"number", ask(question.Number), "1", true},
		{"number of a length", ask(question.Number, between(12, 12)), "123456789012", true},
		{"phone", ask(question.Phone), "11987654321", true},
		{"landline", ask(question.Phone, between(0, 10)), "1133334444", true},
		{"CNPJ", ask(question.CNPJ), "11222333000181", true},
		{"CNPJ with letters", ask(question.CNPJ, regex(`.*[A-Z].*`)), "12ABC34501DE35", true},
		{"CPF or CNPJ", ask(question.CPFOrCNPJ), "52998224725", true},
		{"CPF or CNPJ, long", ask(question.CPFOrCNPJ, between(14, 14)), "11222333000181", true},
		{"e-mail", ask(question.Email), "cliente@exemplo.com.br", true},
		{"short e-mail", ask(question.Email, between(0, 6)), "a@b.co", true},
		{"long e-mail", ask(question.Email, between(24, 24)), "clientecl@exemplo.com.br", true},
		{"CEP", ask(question.CEP), "01310100", true},
		{"date", ask(question.Date), "2026-12-31", true},
		{"time", ask(question.Time), "12:00", true},
		{"money", ask(question.Money), "10.00", true},
		{"little money", ask(question.Money, between(0, 4)), "1.00", true},
		{"much money", ask(question.Money, between(8, 8)), "10000.00", true},
		{"list", ask(question.List, yesOrNo), "S", true},
		{"list with default", ask(question.List, yesOrNo, preset("N")), "N", true},
		{"list with a default it does not have", ask(question.Button, yesOrNo, preset("X")), "S", true},
		{"plate", ask(question.Regex, regex(`[A-Z]{3}-?\d[A-Z0-9]\d{2}`), required), "AAA1111", true},
		{"regex with a length", ask(question.Regex, regex(`[a-f]+`), between(5, 5)), "aaaaa", true},
		{"second alternative", ask(question.Regex, regex(`x|yyyy(z?)`), between(2, 9)), "yyyy", true},
		{"number as regex", ask(question.Number, regex(`^9\d{3}$`)), "9111", true},
		{"anything", ask(question.Regex, regex(`.+`)), "Resposta", true},

		{"nothing fits, nothing needed", ask(question.CPF, between(0, 5)), "", false},
		{"nothing fits", ask(question.CPF, between(0, 5), required), "", false},
		{"regex against type", ask(question.Number, regex(`[a-z]+`), required), "", false},
		{"regex of nothing", ask(question.Regex, regex(`[^\x00-\x{10FFFF}]`), required), "", false},
		{"loops of nothing", ask(question.Regex, regex(`((((\b*)*)*)*)*[^\PC]`), between(900, 900), required), "", false},
		{"longer than anyone types", ask(question.Text, between(1e9, 2e9), required), "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			newForm(t, row.question) // only questions that can be asked
			got, ok := row.question.Sample()
			if got != row.want || ok != row.ok {
				t.Errorf("got %q, %v, want %q, %v", got, ok, row.want, row.ok)
			}
		})
	}
}

// A sample is an answer: the question takes it, and takes it as it is.
func TestSampleIsAccepted(t *testing.T) {
	types := []question.Type{
		question.Text, question.Number, question.Phone, question.CPF, question.CNPJ, question.CPFOrCNPJ,
		question.Email, question.CEP, question.Date, question.Time, question.Money, question.Regex,
	}
	patterns := []string{`\d+`, `[A-Z]{2,}-\d{3}`, `(a|bc)*d?`, `.*`, `\w+@\w+\.com`}
	rapid.Check(t, func(t *rapid.T) {
		q := ask(rapid.SampledFrom(types).Draw(t, "type"))
		q.Required = rapid.Bool().Draw(t, "required")
		q.MinLength = rapid.IntRange(0, 30).Draw(t, "min")
		q.MaxLength = q.MinLength + rapid.IntRange(1, 30).Draw(t, "more")
		if q.Type == question.Regex || rapid.Bool().Draw(t, "with regex") {
			q.Regex = rapid.SampledFrom(patterns).Draw(t, "regex")
		}
		sample, ok := q.Sample()
		if !ok {
			return
		}
		if got, err := q.Canonical(sample); err != nil || got != sample {
			t.Fatalf("sample %q became %q, %v", sample, got, err)
		}
	})
}
