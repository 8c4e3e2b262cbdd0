package question_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/question"
)

// What is accepted is canonical: it is text, and reading it again changes nothing.
func FuzzCanonical(f *testing.F) {
	types := []question.Type{
		question.Text, question.Number, question.Phone, question.CPF, question.CNPJ, question.CPFOrCNPJ, question.Email, question.CEP,
		question.Date, question.Time, question.Money,
	}
	for kind := range types {
		for _, seed := range []string{
			"529.982.247-25", "12.ABC.345/01DE-35", "11222333000181", "(11) 98765-4321", "+55 11 3333-4444", "01310-100", "ana@exemplo.com.br",
			"31/12/2026", "2026-02-29", "9:05", "2359", "24:00", "R$ 1.234,56", "12,3", "0", " ", "\u0660", "1e3", "-1",
		} {
			f.Add(uint8(kind), seed, "")
		}
	}
	f.Add(uint8(0), "1234", "##-##")
	f.Add(uint8(1), "51-23", "5#-##")
	f.Fuzz(func(t *testing.T, kind uint8, typed, mask string) {
		q := ask(types[int(kind)%len(types)])
		if q.Type == question.Text {
			q.Mask = mask
		}
		value, err := q.Canonical(typed)
		var invalid *question.Invalid
		if err != nil {
			if !errors.As(err, &invalid) || invalid.Reason == "" || value != "" {
				t.Fatalf("%v %q: %q, %v", q.Type, typed, value, err)
			}
			return
		}
		if !utf8.ValidString(value) || utf8.RuneCountInString(value) > q.MaxLength {
			t.Errorf("%v %q: %q", q.Type, typed, value)
		}
		if q.Mask != "" {
			return // a masked answer may be read as what was typed
		}
		if again, err := q.Canonical(value); err != nil || again != value {
			t.Errorf("%v %q is %q, which is %q (%v)", q.Type, typed, value, again, err)
		}
	})
}
