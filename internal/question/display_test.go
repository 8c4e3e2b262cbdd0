package question_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/question"
)

func TestDisplay(t *testing.T) {
	t.Parallel()
	sizes := []question.Option{{ID: 1, Name: "Médio", Value: "M"}, {ID: 2, Name: "Outro médio", Value: "M"}}
	for _, c := range []struct {
		q           question.Question
		value, want string
	}{
		{question.Question{Type: question.CPF}, "52998224725", "529.982.247-25"},
		{question.Question{Type: question.CPF}, "", ""},
		{question.Question{Type: question.CNPJ}, "12ABC34501DE35", "12.ABC.345/01DE-35"},
		{question.Question{Type: question.CPFOrCNPJ}, "52998224725", "529.982.247-25"},
		{question.Question{Type: question.CPFOrCNPJ}, "11222333000181", "11.222.333/0001-81"},
		{question.Question{Type: question.Phone}, "11987654321", "(11) 98765-4321"},
		{question.Question{Type: question.CEP}, "01310100", "01310-100"},
		{question.Question{Type: question.Date}, "2026-12-31", "31/12/2026"},
		{question.Question{Type: question.Time}, "09:05", "09:05"},
		{question.Question{Type: question.Money}, "1234.50", "R$ 1.234,50"},
		{question.Question{Type: question.Number, Mask: "##-##"}, "1234", "12-34"},
		{question.Question{Type: question.Number}, "0012", "0012"},
		{question.Question{Type: question.List, Options: sizes}, "M", "Médio"},
		{question.Question{Type: question.Text}, "Ana", "Ana"},
	} {
		if got := c.q.Display(c.value); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.q.Type, c.value, got, c.want)
		}
	}
}
