package question_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/question"
)

func TestCanonical(t *testing.T) {
	long := strings.Repeat
	for _, row := range []struct {
		question question.Question
		input    string
		want     string
		reason   question.Reason // empty: accepted
	}{
		// Free text is as typed.
		{ask(question.Text), "Olá, mundo", "Olá, mundo", ""},
		{ask(question.Text), "  com espaços ", "  com espaços ", ""},
		{ask(question.Text), "", "", ""},
		{ask(question.Text), "   ", "   ", ""},
		{ask(question.Text, required), "", "", question.Required},
		{ask(question.Text, required), " \u00a0 ", "", question.Required},
		{ask(question.Text, required), "0", "0", ""},
		{ask(question.Text), "duas\nlinhas", "", question.BadText},
		{ask(question.Text), "tab\tulação", "", question.BadText},
		{ask(question.Text), "\x00", "", question.BadText},
		{ask(question.Text), "\u0085", "", question.BadText},
		{ask(question.Text), "\xff", "", question.BadText},
		{ask(question.Text), long("a", 255), long("a", 255), ""},
		{ask(question.Text), long("a", 256), "", question.TooLong},
		{ask(question.Text, between(3, 5)), "ação", "ação", ""}, // six bytes
		{ask(question.Text, between(3, 5)), "éé", "", question.TooShort},
		{ask(question.Text, between(3, 5)), "ações!", "", question.TooLong},
		{ask(question.Text, between(3, 5)), "", "", ""}, // not required: may be left out
		{ask(question.Text, between(3, 5), required), "", "", question.Required},

		// Masks rule free text.
		{ask(question.Text, mask("###-###")), "123456", "123-456", ""},
		{ask(question.Text, mask("###-###")), "123-456", "123-456", ""},
		{ask(question.Text, mask("###-###")), "", "", ""},
		{ask(question.Text, mask("###-###")), "12345", "", question.BadMask},
		{ask(question.Text, mask("###-###")), "123-45", "", question.BadMask},
		{ask(question.Text, mask("###-###")), "1234567", "", question.BadMask},
		{ask(question.Text, mask("###-###")), "123.456", "", question.BadMask},
		{ask(question.Text, mask("###-###")), "abc-def", "", question.BadMask},
		{ask(question.Text, mask("###-###")), "١٢٣-٤٥٦", "", question.BadMask},
		{ask(question.Text, mask("nº ##/55")), "42", "nº 42/55", ""},
		{ask(question.Text, mask("nº ##/55")), "nº 42/55", "nº 42/55", ""},
		{ask(question.Text, mask("+55 ##")), "55", "+55 55", ""},
		{ask(question.Text, mask("##-##"), between(0, 4)), "1234", "", question.TooLong}, // as masked: five
		{ask(question.Text, mask("##-##"), regex(`\d\d-\d\d`)), "1234", "12-34", ""},
		{ask(question.CPF, mask("###.###.###-##")), "529.982.247-25", "52998224725", ""},
		{ask(question.Number, mask("##-##")), "123", "123", ""}, // a guide for the page only
		{ask(question.Number, mask("##/##")), "12/34", "1234", ""},
		{ask(question.Number, mask("5#-##")), "51-23", "123", ""}, // the mask's own digit is no answer

		{ask(question.Number), "007", "007", ""},
		{ask(question.Number), " 42 ", "42", ""},
		{ask(question.Number), "4 2", "", question.NotDigits},
		{ask(question.Number), "-1", "", question.NotDigits},
		{ask(question.Number), "1.5", "", question.NotDigits},
		{ask(question.Number), "٣", "", question.NotDigits},
		{ask(question.Number, between(4, 4)), "123", "", question.TooShort},
		{ask(question.Number, between(4, 4)), "12345", "", question.TooLong},
		{ask(question.Number, required), "  ", "", question.Required},
		{ask(question.Number), "  ", "", ""},
		{ask(question.Number), "1\n", "", question.BadText},

		{ask(question.Phone), "(11) 98765-4321", "11987654321", ""},
		{ask(question.Phone), "1133334444", "1133334444", ""},
		{ask(question.Phone), "98765-4321", "", question.BadPhone},
		{ask(question.Phone), "(11) 18765-4321", "", question.BadPhone},

		{ask(question.CPF), "529.982.247-25", "52998224725", ""},
		{ask(question.CPF), " 52998224725 ", "52998224725", ""},
		{ask(question.CPF), "529.982.247-24", "", question.BadCPF},
		{ask(question.CPF), "111.111.111-11", "", question.BadCPF},
		{ask(question.CPF), "11222333000181", "", question.BadCPF},
		{ask(question.CPF, between(0, 11)), "529.982.247-25", "52998224725", ""}, // limits see the canonical value
		{ask(question.CPF), "", "", ""},
		{ask(question.CPF, required), "", "", question.Required},

		{ask(question.CNPJ), "11.222.333/0001-81", "11222333000181", ""},
		{ask(question.CNPJ), "12.abc.345/01de-35", "12ABC34501DE35", ""},
		{ask(question.CNPJ), "12.abc.345/01de-36", "", question.BadCNPJ},
		{ask(question.CNPJ), "52998224725", "", question.BadCNPJ},

		{ask(question.CPFOrCNPJ), "529.982.247-25", "52998224725", ""},
		{ask(question.CPFOrCNPJ), "11.222.333/0001-81", "11222333000181", ""},
		{ask(question.CPFOrCNPJ), "12ABC34501DE35", "12ABC34501DE35", ""},
		{ask(question.CPFOrCNPJ), "123", "", question.BadCPFOrCNPJ},

		{ask(question.Email), " Ana.Souza+pdv@Exemplo.com.br ", "Ana.Souza+pdv@Exemplo.com.br", ""},
		{ask(question.Email), "a@b.co", "a@b.co", ""},
		{ask(question.Email), "a@xn--caf-dma.xn--p1ai", "a@xn--caf-dma.xn--p1ai", ""},
		{ask(question.Email), long("a", 64) + "@b.co", long("a", 64) + "@b.co", ""},
		{ask(question.Email), long("a", 65) + "@b.co", "", question.BadEmail},
		{ask(question.Email), "a@" + long("b.", 126) + "co", "", question.BadEmail},
		{ask(question.Email), "ana", "", question.BadEmail},
		{ask(question.Email), "ana@", "", question.BadEmail},
		{ask(question.Email), "@b.co", "", question.BadEmail},
		{ask(question.Email), "ana@localhost", "", question.BadEmail},
		{ask(question.Email), "ana@b.c", "", question.BadEmail},
		{ask(question.Email), "ana@10.0.0.1", "", question.BadEmail},
		{ask(question.Email), "ana@b..co", "", question.BadEmail},
		{ask(question.Email), "ana@-b.co", "", question.BadEmail},
		{ask(question.Email), ".ana@b.co", "", question.BadEmail},
		{ask(question.Email), "ana..s@b.co", "", question.BadEmail},
		{ask(question.Email), "ana s@b.co", "", question.BadEmail},
		{ask(question.Email), "ana@b@c.co", "", question.BadEmail},
		{ask(question.Email), "josé@b.co", "", question.BadEmail},
		{ask(question.Email), "Ana <ana@b.co>", "", question.BadEmail},

		{ask(question.CEP), "01310-100", "01310100", ""},
		{ask(question.CEP), "00000-000", "", question.BadCEP},
		{ask(question.CEP), "1310-100", "", question.BadCEP},

		{ask(question.Date), "31/12/2026", "2026-12-31", ""},
		{ask(question.Date), "2026-12-31", "2026-12-31", ""},
		{ask(question.Date), "29/02/2028", "2028-02-29", ""},
		{ask(question.Date), "29/02/2026", "", question.BadDate},
		{ask(question.Date), "31/04/2026", "", question.BadDate},
		{ask(question.Date), "12/31/2026", "", question.BadDate},
		{ask(question.Date), "00/01/2026", "", question.BadDate},
		{ask(question.Date), "01/01/0000", "", question.BadDate},
		{ask(question.Date), "31/12/26", "", question.BadDate},
		{ask(question.Date), "31122026", "", question.BadDate},
		{ask(question.Date), "2026-12-31T10:00:00Z", "", question.BadDate},

		{ask(question.Time), "23:59", "23:59", ""},
		{ask(question.Time), "2359", "23:59", ""},
		{ask(question.Time), "00:00", "00:00", ""},
		{ask(question.Time), "9:05", "09:05", ""},
		{ask(question.Time), "24:00", "", question.BadTime},
		{ask(question.Time), "12:60", "", question.BadTime},
		{ask(question.Time), "12:5", "", question.BadTime},
		{ask(question.Time), "905", "", question.BadTime},
		{ask(question.Time), "12:00:00", "", question.BadTime},
		{ask(question.Time), "-1:00", "", question.BadTime},

		{ask(question.Money), "12,34", "12.34", ""},
		{ask(question.Money), "12.34", "12.34", ""},
		{ask(question.Money), "1.234,56", "1234.56", ""},
		{ask(question.Money), "1234,56", "1234.56", ""},
		{ask(question.Money), "1.234.567,8", "1234567.80", ""},
		{ask(question.Money), "1.234", "1234.00", ""},
		{ask(question.Money), "R$ 12,34", "12.34", ""},
		{ask(question.Money), "R$\u00a012,34", "12.34", ""}, // as browsers format it
		{ask(question.Money), "R$12", "12.00", ""},
		{ask(question.Money), "12", "12.00", ""},
		{ask(question.Money), "12.3", "12.30", ""},
		{ask(question.Money), "0012,34", "12.34", ""},
		{ask(question.Money), "0", "0.00", ""},
		{ask(question.Money), "0,01", "0.01", ""},
		{ask(question.Money), "99999999999999999999,99", "99999999999999999999.99", ""},
		{ask(question.Money), "-1", "", question.BadMoney},
		{ask(question.Money), "+1", "", question.BadMoney},
		{ask(question.Money), "12,345", "", question.BadMoney},
		{ask(question.Money), "0.123", "", question.BadMoney},
		{ask(question.Money), "1234.567", "", question.BadMoney},
		{ask(question.Money), "1,234.56", "", question.BadMoney},
		{ask(question.Money), "12.34,56", "", question.BadMoney},
		{ask(question.Money), ",50", "", question.BadMoney},
		{ask(question.Money), "12,", "", question.BadMoney},
		{ask(question.Money), "1e3", "", question.BadMoney},
		{ask(question.Money), "R$", "", question.BadMoney},
		{ask(question.Money), "US$ 1", "", question.BadMoney},

		{ask(question.Regex, regex(`[A-Z]{3}\d{4}`)), "ABC1234", "ABC1234", ""},
		{ask(question.Regex, regex(`[A-Z]{3}\d{4}`)), "xABC1234", "", question.NoMatch},
		{ask(question.Regex, regex(`[A-Z]{3}\d{4}`)), "ABC12345", "", question.NoMatch},
		{ask(question.Regex, regex(`^\d+$`)), "12", "12", ""},
		{ask(question.Regex, regex(`a|ab`)), "ab", "ab", ""}, // whole, though the first alternative is shorter
		{ask(question.Regex, regex(`\w+?`)), "abc", "abc", ""},
		{ask(question.Regex, regex(`(?i)sim|não`)), "NÃO", "NÃO", ""},
		{ask(question.Regex, regex(`\Qa.b`)), "a.b", "a.b", ""},
		{ask(question.Regex, regex(`\Qa.b`)), "axb", "", question.NoMatch},
		{ask(question.Regex, regex(` x `)), " x ", " x ", ""},
		{ask(question.Regex, regex(`x`)), "", "", ""},
		{ask(question.Regex, regex(`x*`), required), "", "", question.Required},
		{ask(question.CPF, regex(`529\d+`)), "529.982.247-25", "52998224725", ""},
		{ask(question.CPF, regex(`529\.982.*`)), "529.982.247-25", "", question.NoMatch},
		{ask(question.Money, regex(`\d+\.00`)), "R$ 12", "12.00", ""},

		{ask(question.List, yesOrNo), "S", "S", ""},
		{ask(question.Button, yesOrNo), "N", "N", ""},
		{ask(question.List, yesOrNo), "Sim", "", question.NotAnOption}, // the name is not the value
		{ask(question.List, yesOrNo), "s", "", question.NotAnOption},
		{ask(question.List, yesOrNo), "S ", "", question.NotAnOption},
		{ask(question.List, yesOrNo), "", "", ""},
		{ask(question.List, yesOrNo, required), "", "", question.Required},
		{ask(question.List, options(question.Option{Name: "x", Value: "a\nb"})), "a\nb", "a\nb", ""},
	} {
		got, err := row.question.Canonical(row.input)
		var reason question.Reason
		if invalid, ok := errors.AsType[*question.Invalid](err); ok {
			reason = invalid.Reason
		} else if err != nil {
			t.Errorf("%s %q: unexpected kind of error %v", row.question.Type, row.input, err)
		}
		if got != row.want || reason != row.reason {
			t.Errorf("%s %q: got %q, reason %q, want %q, %q", row.question.Type, row.input, got, reason, row.want, row.reason)
		}
	}
}

// What is accepted is accepted again, unchanged: the autopilot and the page may
// send back what they were given.
func TestCanonicalIsIdempotent(t *testing.T) {
	types := []question.Type{
		question.Text, question.Number, question.Phone, question.CPF, question.CNPJ, question.CPFOrCNPJ,
		question.Email, question.CEP, question.Date, question.Time, question.Money,
	}
	rapid.Check(t, func(t *rapid.T) {
		q := ask(rapid.SampledFrom(types).Draw(t, "type"))
		if q.Type == question.Text && rapid.Bool().Draw(t, "masked") {
			q.Mask = rapid.StringMatching(`[#0-9./-]{0,5}#`).Draw(t, "mask")
		}
		input := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`[0-9]{1,14}`),
			rapid.StringMatching(`[0-9]{2}/(0[1-9]|1[0-2])/[0-9]{4}|[0-2]?[0-9]:?[0-5][0-9]`),
			rapid.StringMatching(`(R\$ ?)?[0-9]{1,3}(\.[0-9]{3}){0,2}([.,][0-9]{1,2})?`),
			rapid.StringMatching(`[a-z.]{1,5}@[a-z]{1,3}\.[a-z]{1,3}`),
			rapid.SampledFrom([]string{"529.982.247-25", "12.abc.345/01de-35", "01310-100", "(11) 98765-4321"}),
		).Draw(t, "input")
		once, err := q.Canonical(input)
		if err != nil {
			return
		}
		if twice, err := q.Canonical(once); err != nil || twice != once {
			t.Fatalf("%s: %q became %q, and that %q, %v", q.Type, input, once, twice, err)
		}
	})
}
