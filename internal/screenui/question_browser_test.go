//go:build !race || everything

package screenui_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// sample is one type of question: what to give wrong, what the page says to that, and what to give right.
type sample struct {
	name     string
	question object
	wrong    string // typed, or the value of an option
	says     string
	right    string
	shown    string // what is typed, as the mask has it
	value    string // what the caller gets
}

var yesOrNo = []object{{"id": 1, "name": "Sim, por favor", "value": "S"}, {"id": 2, "name": "Não", "value": "N"}, {"id": 3, "name": "Não sei", "value": "?"}}

const unexpected = "A resposta não está no formato esperado."

var samples = []sample{
	{"TEXT", object{"minLength": 3}, "Jo", "Muito curto: use pelo menos 3 caracteres.", "João 2", "João 2", "João 2"},
	{"NUMBER", object{"minLength": 4, "maxLength": 4}, "123", "Use 4 caracteres.", "0042", "0042", "0042"},
	{"PHONE", nil, "1033334444", "Telefone inválido. Confira o DDD e o número.", "11987654321", "(11) 98765-4321", "11987654321"},
	{"CPF", nil, "52998224724", "CPF inválido. Confira os números.", "52998224725", "529.982.247-25", "52998224725"},
	{"CNPJ", nil, "12ABC34501DE36", "CNPJ inválido. Confira o que digitou.", "12abc34501de35", "12.ABC.345/01DE-35", "12ABC34501DE35"},
	{"CPFORCNPJ", nil, "52998224724", "CPF ou CNPJ inválido. Confira o que digitou.", "52998224725", "529.982.247-25", "52998224725"},
	{"EMAIL", nil, "ana@local", "E-mail inválido. Exemplo: nome@exemplo.com.br", "ana_1@exemplo.com", "ana_1@exemplo.com", "ana_1@exemplo.com"},
	{"CEP", nil, "00000000", "CEP inválido. Confira os números.", "01310100", "01310-100", "01310100"},
	{"DATE", nil, "31022026", "Data inválida. Use dia, mês e ano.", "29022028", "29/02/2028", "2028-02-29"},
	{"TIME", nil, "2460", "Horário inválido. Use de 00:00 a 23:59.", "0905", "09:05", "09:05"},
	{"MONEY", object{"regex": `\d+\.00`}, "1234", unexpected, "123400", "R$\u00a01.234,00", "1234.00"},
	{"REGEX", object{"regex": `[A-Z]{3}\d{4}`}, "ABC12", unexpected, "ABC1234", "ABC1234", "ABC1234"},
	{"LIST", object{"regex": `[SN]`, "options": yesOrNo}, "?", unexpected, "N", "", "N"},
	{"BUTTON", object{"regex": `[SN]`, "options": yesOrNo}, "?", unexpected, "N", "", "N"},
}

// more are types once more, where one answer does not tell all.
var more = []sample{
	{"PHONE", nil, "", "", "1133334444", "(11) 3333-4444", "1133334444"},
	{"CNPJ", nil, "", "", "11222333000181", "11.222.333/0001-81", "11222333000181"},
	{"CPFORCNPJ", nil, "", "", "12abc34501de35", "12.ABC.345/01DE-35", "12ABC34501DE35"},
	{"CPFORCNPJ", nil, "", "", "11222333000181", "11.222.333/0001-81", "11222333000181"},
	{"MONEY", nil, "", "", "5", "R$\u00a00,05", "0.05"},
	{"TEXT", object{"mask": "###-###"}, "", "", "123456", "123-456", "123-456"},
	{"NUMBER", object{"mask": "##/##"}, "", "", "1234", "12/34", "1234"},
}

func (s sample) asked(extra object) object {
	q := object{"id": 7, "type": s.name, "required": true}
	maps.Copy(q, s.question)
	maps.Copy(q, extra)
	return q
}

// hand is how a person gives an answer and takes it back.
type hand struct {
	name    string
	give    func(*page, sample, string) // types or chooses; a button is the answer already
	confirm func(*page)
	erase   func(*page, int)
	cancel  func(*page)
}

var finger = hand{
	"by touch",
	func(p *page, s sample, what string) {
		if s.chosen() {
			p.tap(fmt.Sprintf("[data-value=%s]", quoted(what)))
		} else {
			p.tapText(s.reachable(p, what))
		}
	},
	func(p *page) { p.tap("[data-do=confirm]") },
	func(p *page, n int) {
		for range n {
			p.tap("[data-key=back]")
		}
	},
	func(p *page) { p.tap("[data-do=cancel]") },
}

var keyboard = hand{
	"by keyboard",
	func(p *page, s sample, what string) {
		if !s.chosen() {
			p.do(browsertest.Type(what))
			return
		}
		// From wherever an earlier choice has left it.
		p.press("Home")
		for _, o := range yesOrNo {
			p.wait(`document.activeElement.matches("[data-option]")`)
			if o["value"] == what {
				break
			}
			p.press("ArrowDown")
		}
		p.wait("document.activeElement.dataset.value === " + quoted(what))
		if s.name == "BUTTON" {
			p.press("Enter")
		}
	},
	func(p *page) { p.press("Enter") },
	func(p *page, n int) {
		for range n {
			p.press("Backspace")
		}
	},
	func(p *page) { p.press("Escape") },
}

func (s sample) chosen() bool { return s.name == "LIST" || s.name == "BUTTON" }

// reachable brings the letters of a document into sight where the pad has only digits.
func (s sample) reachable(p *page, what string) string {
	if s.name == "CPFORCNPJ" && strings.ContainsAny(what, "abcdefghijklmnopqrstuvwxyz") {
		p.tap(key("letters"))
	}
	return what
}

// shows waits for what was typed to be on the screen, or for the choice to be marked.
func (s sample) shows(p *page) {
	p.t.Helper()
	switch {
	case s.name == "LIST":
		p.wait(fmt.Sprintf(`document.querySelector("[aria-checked=true]")?.dataset.value === %s`, quoted(s.right)))
	case !s.chosen():
		p.reads(lineOf(p), s.shown)
	}
}

func lineOf(p *page) string {
	if p.has("input[data-typed]") {
		return "input[data-typed]"
	}
	return ".q-line"
}

func stage(t *testing.T) *page {
	return openPage(t, start(t), browsertest.Window(480, 800), browsertest.Touch)
}

// each runs a test for every sample by touch, and once more by keyboard alone.
func each(t *testing.T, p *page, all []sample, test func(*page, sample, hand)) {
	for _, h := range []hand{finger, keyboard} {
		for _, s := range all {
			t.Run(s.name+" "+h.name, func(t *testing.T) { test(p.in(t), s, h) })
		}
	}
}

// inTurn runs it with one hand for each sample that is typed, the next sample with the other: how either types each
// of them is TestBrowserEveryTypeIsAnswered's. What is chosen instead goes through both.
func inTurn(t *testing.T, p *page, all []sample, test func(*page, sample, hand)) {
	hands := []hand{finger, keyboard}
	for i, s := range all {
		those := hands[i%2 : i%2+1]
		if s.chosen() {
			those = hands
		}
		for _, h := range those {
			t.Run(s.name+" "+h.name, func(t *testing.T) { test(p.in(t), s, h) })
		}
	}
}

func TestBrowserEveryTypeIsAnswered(t *testing.T) {
	t.Parallel()
	p := stage(t)
	answer := func(p *page, s sample, h hand) {
		held := p.asks(s.asked(nil), nil)
		h.give(p, s, s.right)
		s.shows(p)
		if s.name != "BUTTON" {
			p.still(held)
			h.confirm(p)
		}
		p.answered(held, s.value)
	}
	each(t, p, samples, answer)
	inTurn(t, p, more, answer)
}

func TestBrowserEveryTypeIsRefusedUntilItIsRight(t *testing.T) {
	t.Parallel()
	p := stage(t)
	p.agree(422, "/question/answer")
	inTurn(t, p, samples, func(p *page, s sample, h hand) {
		// The terminal's own words for one hand, the caller's for the other.
		says, own := s.says, object{}
		if h.name == keyboard.name {
			says, own = "Não foi bem isso. Olhe de novo!", object{"errorMessage": "Não foi bem isso. Olhe de novo!"}
		}
		held := p.asks(s.asked(own), nil)
		h.give(p, s, s.wrong)
		if s.name != "BUTTON" {
			h.confirm(p)
		}
		p.reads("[data-fault]", says)
		p.wait(`!document.querySelector("[data-view=question]").hasAttribute("data-busy")`)
		p.still(held)
		if !s.chosen() {
			const empty = typed + ` === "" || document.querySelector(".q-line")?.innerText === "R$\u00a00,00"`
			h.erase(p, utf8.RuneCountInString(s.wrong))
			for range 3 { // a busy browser may lose a touch; a person would touch again
				if browsertest.Eval[bool](p.t, p.ctx, `new Promise(tell => setTimeout(() => tell(`+empty+`), 100))`) {
					break
				}
				h.erase(p, 1)
			}
			p.wait(empty)
			p.reads("[data-fault]", "")
		}
		h.give(p, s, s.right)
		s.shows(p)
		if s.name != "BUTTON" {
			p.reads("[data-fault]", "")
			h.confirm(p)
		}
		p.answered(held, s.value)
	})
}

func TestBrowserEveryTypeIsCancelled(t *testing.T) {
	t.Parallel()
	p := stage(t)
	inTurn(t, p, samples, func(p *page, s sample, h hand) {
		held := p.asks(s.asked(nil), object{"showCancelButton": true, "buttonCancelText": "Agora não"})
		p.reads("[data-do=cancel]", "Agora não")
		if s.name != "BUTTON" {
			h.give(p, s, s.right) // what is half done goes, too
		}
		h.cancel(p)
		p.cancelled(held, byPerson)
	})
}

func TestBrowserNoTypeIsCancelledWithoutTheButton(t *testing.T) {
	t.Parallel()
	p := stage(t)
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			p := p.in(t)
			held := p.asks(s.asked(nil), nil)
			if p.has("[data-do=cancel]") {
				t.Error("there is a button to cancel with")
			}
			keyboard.cancel(p)
			p.still(held)
			keyboard.give(p, s, s.right)
			if s.name != "BUTTON" {
				keyboard.confirm(p)
			}
			p.answered(held, s.value)
		})
	}
}
