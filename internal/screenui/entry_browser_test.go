//go:build !race || everything

package screenui_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// line is what a person sees of a masked entry: pale, typed and pale again, with dots between.
const line = `[...document.querySelectorAll(".q-line span")].map(e => e.textContent).join("·")`

func TestBrowserMasksWhileTyping(t *testing.T) {
	t.Parallel()
	type step struct{ keys, line string }
	p := stage(t)
	for _, row := range []struct {
		name     string
		question object
		steps    []step
	}{
		{"CPF", object{"type": "CPF"}, []step{
			{"", "··000.000.000-00"},
			{"5", "·5·00.000.000-00"},
			{"29", "·529·.000.000-00"},
			{"9", "·529.9·00.000-00"},
			{"x", "·529.9·00.000-00"},
			{"82247", "·529.982.247·-00"},
			{"25", "·529.982.247-25·"},
			{"9", "·529.982.247-25·"},
			{"\b\b\b", "·529.982.24·0-00"},
		}},
		{"a landline", object{"type": "PHONE"}, []step{
			{"11", "·(11·) 0000-0000"}, {"3", "·(11) 3·000-0000"}, {"333444", "·(11) 3333-444·0"}, {"4", "·(11) 3333-4444·"},
		}},
		{"a mobile", object{"type": "PHONE"}, []step{
			{"11", "·(11·) 0000-0000"}, {"9", "·(11) 9·0000-0000"}, {"8765", "·(11) 98765·-0000"}, {"43219", "·(11) 98765-4321·"},
		}},
		{"CNPJ", object{"type": "CNPJ"}, []step{
			{"12", "·12·.AAA.AAA/AAAA-00"},
			{"a", "·12.A·AA.AAA/AAAA-00"},
			{"bc34501de", "·12.ABC.345/01DE·-00"},
			{"x", "·12.ABC.345/01DE·-00"},
			{"3", "·12.ABC.345/01DE-3·0"},
			{"59", "·12.ABC.345/01DE-35·"},
		}},
		{"CPF, CNPJ and back", object{"type": "CPFORCNPJ"}, []step{
			{"", "··000.000.000-00"},
			{"52998224725", "·529.982.247-25·"},
			{"0", "·52.998.224/7250·-00"},
			{"\b", "·529.982.247-25·"},
			{"\b\b\b\b\b\b\b\b\b", "·52·0.000.000-00"},
			{"a", "·52.A·AA.AAA/AAAA-00"},
			{"\b", "·52·0.000.000-00"},
		}},
		{"CEP", object{"type": "CEP"}, []step{{"01310", "·01310·-000"}, {"1", "·01310-1·00"}, {"000", "·01310-100·"}}},
		{"DATE", object{"type": "DATE"}, []step{{"", "··dd/mm/aaaa"}, {"2", "·2·d/mm/aaaa"}, {"902", "·29/02·/aaaa"}, {"2028", "·29/02/2028·"}}},
		{"TIME", object{"type": "TIME"}, []step{{"", "··hh:mm"}, {"09", "·09·:mm"}, {"05", "·09:05·"}}},
		{"MONEY", object{"type": "MONEY"}, []step{
			{"", "R$\u00a00,00··"},
			{"1", "R$\u00a00,0·1·"},
			{"2", "R$\u00a00,·12·"},
			{"3", "·R$\u00a01,23·"},
			{"4567", "·R$\u00a012.345,67·"},
			{"\b", "·R$\u00a01.234,56·"},
			{"\b\b\b\b\b\b", "R$\u00a00,00··"},
			{"0", "·R$\u00a00,00·"},
			{"07", "R$\u00a00,0·7·"},
		}},
		{"the caller's mask", object{"type": "TEXT", "mask": "nº ###/##"}, []step{{"1", "·nº 1·00/00"}, {"a234", "·nº 123/4·0"}, {"56", "·nº 123/45·"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := p.in(t)
			held := p.asks(row.question, object{"showCancelButton": true})
			for _, s := range row.steps {
				p.do(browsertest.Type(s.keys))
				p.wait(line + " === " + quoted(s.line))
			}
			p.press("Escape")
			p.cancelled(held, byPerson)
		})
	}
}

func TestBrowserDefaultValues(t *testing.T) {
	t.Parallel()
	p := stage(t)
	for _, row := range []struct{ kind, given, shown, value string }{
		{"TEXT", "Maria José", "Maria José", "Maria José"},
		{"NUMBER", "0042", "0042", "0042"},
		{"PHONE", "11987654321", "(11) 98765-4321", "11987654321"},
		{"CPF", "52998224725", "529.982.247-25", "52998224725"},
		{"CNPJ", "12.ABC.345/01DE-35", "12.ABC.345/01DE-35", "12ABC34501DE35"},
		{"CPFORCNPJ", "11222333000181", "11.222.333/0001-81", "11222333000181"},
		{"EMAIL", "ana@exemplo.com", "ana@exemplo.com", "ana@exemplo.com"},
		{"CEP", "01310-100", "01310-100", "01310100"},
		{"DATE", "2028-02-29", "29/02/2028", "2028-02-29"},
		{"TIME", "9:05", "09:05", "09:05"},
		{"MONEY", "1234.5", "R$\u00a01.234,50", "1234.50"},
		{"REGEX", "abc", "abc", "abc"},
	} {
		t.Run(row.kind, func(t *testing.T) {
			p := p.in(t)
			held := p.asks(object{"type": row.kind, "defaultValue": row.given, "required": true, "regex": ".+"}, nil)
			p.reads(lineOf(p), row.shown)
			p.press("Enter")
			p.answered(held, row.value)
		})
	}
	t.Run("LIST", func(t *testing.T) {
		p := p.in(t)
		held := p.asks(object{"type": "LIST", "defaultValue": "N", "options": yesOrNo, "required": true}, nil)
		p.wait(`document.querySelector("[aria-checked=true]").dataset.value === "N"`)
		p.tap("[data-do=confirm]")
		p.answered(held, "N")
	})
	t.Run("BUTTON", func(t *testing.T) {
		p := p.in(t)
		held := p.asks(object{"type": "BUTTON", "defaultValue": "N", "options": yesOrNo, "required": true}, nil)
		p.wait(`document.querySelector("[data-chosen]").dataset.value === "N" && document.activeElement.dataset.value === "N"`)
		p.press("Enter")
		p.answered(held, "N")
	})
	t.Run("nothing of its kind", func(t *testing.T) {
		p := p.in(t)
		p.agree(422, "/question/answer")
		held := p.asks(object{"type": "CPF", "defaultValue": "não sei"}, nil)
		p.reads(".q-line", "não sei")
		p.press("Enter")
		p.reads("[data-fault]", "CPF inválido. Confira os números.")
		p.wait(`!document.querySelector("[data-view=question]").hasAttribute("data-busy")`)
		p.do(browsertest.Type("5"))
		p.wait(line + ` === "·5·00.000.000-00"`)
		p.do(browsertest.Type("2998224725"), browsertest.Press("Enter"))
		p.answered(held, "52998224725")
	})
}

func TestBrowserRequiredAndOptional(t *testing.T) {
	t.Parallel()
	p := stage(t)
	for _, s := range samples {
		t.Run(s.name+" required", func(t *testing.T) {
			p := p.in(t)
			held := p.asks(s.asked(nil), object{"showCancelButton": true})
			if s.name != "BUTTON" {
				p.wait(`document.querySelector("[data-do=confirm]").disabled`)
				p.press("Enter")
				p.reads("[data-fault]", "Esta resposta é obrigatória.")
			}
			p.still(held)
			p.press("Escape")
			p.cancelled(held, byPerson)
		})
		t.Run(s.name+" optional", func(t *testing.T) {
			p := p.in(t)
			held := p.asks(s.asked(object{"required": false}), nil)
			p.lacks(".q-prompt small") // the button says it
			if s.name == "BUTTON" {
				p.tap("[data-do=skip]")
			} else {
				p.reads("[data-do=confirm]", "Pular")
				p.tap("[data-do=confirm]")
			}
			p.answered(held, "")
		})
	}
	t.Run("a choice is taken back", func(t *testing.T) {
		p := p.in(t)
		held := p.asks(object{"type": "LIST", "options": yesOrNo}, nil)
		p.tap(`[data-value=S]`)
		p.wait(`document.querySelector("[data-value=S]").ariaChecked === "true"`)
		p.do(browsertest.Press("Backspace"), browsertest.Wait(`!document.querySelector("[aria-checked=true]")`))
		p.tap("[data-do=confirm]")
		p.answered(held, "")
	})
}

func TestBrowserLengths(t *testing.T) {
	t.Parallel()
	p := stage(t)
	for _, row := range []struct {
		question            object
		keys, shown, answer string
	}{
		{object{"type": "TEXT", "maxLength": 5}, "ações!!", "ações", "ações"},
		{object{"type": "NUMBER", "maxLength": 4}, "123456", "1234", "1234"},
		{object{"type": "EMAIL", "maxLength": 6}, "a@b.com.br", "a@b.co", "a@b.co"},
		{object{"type": "MONEY", "maxLength": 5}, "123456", "R$\u00a012,34", "12.34"},
	} {
		t.Run(fmt.Sprint(row.question["type"]), func(t *testing.T) {
			p := p.in(t)
			held := p.asks(row.question, nil)
			p.do(browsertest.Type(row.keys))
			p.reads(lineOf(p), row.shown)
			p.press("Enter")
			p.answered(held, row.answer)
		})
	}
}

// Early is before anybody confirms; the service is the one that says it.
func TestBrowserSaysEarlyWhatTheServiceWouldSay(t *testing.T) {
	t.Parallel()
	p := stage(t)
	for _, s := range samples {
		if s.chosen() || s.name == "EMAIL" || s.name == "NUMBER" || s.name == "TEXT" {
			continue // what is not finished yet may still become right
		}
		t.Run(s.name, func(t *testing.T) {
			p := p.in(t)
			held := p.asks(s.asked(nil), nil)
			p.do(browsertest.Type(s.wrong))
			p.reads("[data-fault]", s.says)
			p.do(browsertest.Wait(`!document.querySelector("[data-fine]")`))
			for range s.wrong {
				p.press("Backspace")
			}
			p.do(browsertest.Type(s.right), browsertest.Wait(`document.querySelector("[data-fine]")`))
			p.reads("[data-fault]", "")
			p.press("Enter")
			p.answered(held, s.value)
		})
	}
}

func TestBrowserConfirmsTheAnswerOnceMore(t *testing.T) {
	t.Parallel()
	p := stage(t)
	inTurn(t, p, samples, func(p *page, s sample, h hand) {
		held := p.asks(s.asked(object{"question": "Qual?"}), object{"confirmAnswer": true, "buttonText": "Isso mesmo"})
		step := func(name string) {
			p.t.Helper()
			p.wait(fmt.Sprintf(`document.querySelector("[data-view=question]").dataset.step === %s`, quoted(name)))
		}
		once := func() {
			h.give(p, s, s.right)
			s.shows(p)
			if s.name != "BUTTON" {
				p.reads("[data-do=confirm]", "Isso mesmo")
				h.confirm(p)
			}
			step("confirm")
		}
		once()
		shown := s.shown
		if s.chosen() {
			shown = "Não"
		}
		p.reads("[data-given]", shown)
		p.still(held)
		if h.name == keyboard.name {
			p.press("Escape")
		} else {
			p.tap("[data-do=correct]")
		}
		step("input")
		s.shows(p) // nothing has to be typed again
		if s.name == "BUTTON" {
			once()
		} else {
			h.confirm(p)
			step("confirm")
		}
		p.still(held)
		h.confirm(p)
		p.answered(held, s.value)
	})
}

func TestBrowserShowsSuccessForItsInterval(t *testing.T) {
	t.Parallel()
	p := stage(t)
	succeed := func(message string, interval time.Duration) {
		t.Helper()
		parameters := object{"showSuccessMessage": true, "successMessage": message, "successMessageInterval": interval.Milliseconds(), "buttonText": "Enviar"}
		held := p.asks(object{"type": "NUMBER", "question": "Quantas pessoas?", "required": true}, parameters)
		p.reads(".q-prompt", "Quantas pessoas?")
		p.reads("[data-do=confirm]", "Enviar")
		p.tapText("42")
		p.tap("[data-do=confirm]")
		if a := p.m.ends(held); a.object()["value"] != "42" {
			t.Errorf("the caller got %d %s", a.status, a.body)
		}
	}
	for _, row := range []struct{ message, shown string }{{"Obrigado, volte sempre!", "Obrigado, volte sempre!"}, {"", "Tudo certo!"}} {
		succeed(row.message, time.Hour)
		p.view("success")
		p.reads("[data-message]", row.shown)
	}
	// Then it goes by itself. A busy machine may look too late at what does not stay: only that it went is seen here.
	const interval = time.Second
	from := time.Now()
	succeed("Até logo", interval)
	p.view("idle")
	if lasted := time.Since(from); lasted < interval {
		t.Errorf("it was gone after %v", lasted)
	}
}
