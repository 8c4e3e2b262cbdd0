//go:build !race || everything

package screenui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/thorough"
)

// household is a form whose order is neither that of its ids nor of its types.
var household = []object{
	{"id": 30, "type": "TEXT", "question": "Qual o seu nome?", "required": true},
	{"id": 10, "type": "CPF", "question": "E o CPF?"},
	{"id": 20, "type": "BUTTON", "question": "Quer nota?", "options": yesOrNo, "required": true},
	{"id": 40, "type": "LIST", "question": "De onde nos conhece?", "options": yesOrNo, "required": true},
}

func (p *page) asksForm(questions []object, parameters object) <-chan answer {
	p.t.Helper()
	held := p.m.hold("/ask/form", object{"questions": questions, "parameters": parameters})
	p.at(1, len(questions))
	return held
}

func (p *page) at(n, of int) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("[data-progress]")?.dataset.progress === "%d/%d"`, n, of))
}

// answers is what the caller of a form got.
func (p *page) answers(held <-chan answer, want ...object) {
	p.t.Helper()
	a := p.m.ends(held)
	got := strings.TrimSpace(string(a.body))
	if a.status != http.StatusOK || got != quoted(want) {
		p.t.Errorf("the caller got %d %s, want %s", a.status, got, quoted(want))
	}
	p.view("idle")
}

func TestBrowserFormIsAskedOneByOne(t *testing.T) {
	t.Parallel()
	p := stage(t)
	held := p.asksForm(household, nil)
	p.reads(".q-prompt", "Qual o seu nome?")
	p.reads(".q-progress span", "1 de 4")
	p.do(browsertest.Type("Ana"), browsertest.Press("Enter"))
	p.at(2, 4)
	p.reads(".q-prompt span", "E o CPF?")
	p.wait(typed + ` === ""`)
	p.tap("[data-do=confirm]") // left open
	p.at(3, 4)
	p.reads(".q-progress span", "3 de 4")
	p.still(held)
	p.tap("[data-value=S]")
	p.at(4, 4)
	p.tap(`[data-value="?"]`, "[data-do=confirm]")
	p.answers(held, object{"id": 30, "value": "Ana"}, object{"id": 10, "value": ""}, object{"id": 20, "value": "S"}, object{"id": 40, "value": "?"})
}

func TestBrowserReloadInTheMiddleOfAForm(t *testing.T) {
	t.Parallel()
	p := stage(t)
	reload := func() {
		t.Helper()
		p.do(chromedp.Reload())
		p.view("question")
	}
	held := p.asksForm(household, object{"confirmAnswer": false})
	p.do(browsertest.Type("An"))
	p.wait(typed + ` === "An"`)
	reload()
	p.at(1, 4)
	p.wait(typed + ` === "An"`)
	p.do(browsertest.Type("a"), browsertest.Press("Enter"))
	p.at(2, 4)
	p.tapText("529")
	reload()
	p.at(2, 4)
	p.wait(line + ` === "·529·.000.000-00"`)
	p.tapText("98224725")
	p.tap("[data-do=confirm]")
	p.at(3, 4)
	reload()
	p.at(3, 4)
	p.tap("[data-value=N]")
	p.at(4, 4)
	p.tap("[data-value=S]")
	p.wait(`document.querySelector("[aria-checked=true]")`)
	reload()
	p.wait(`document.querySelector("[aria-checked=true]").dataset.value === "S"`)
	p.tap("[data-do=confirm]")
	p.answers(held, object{"id": 30, "value": "Ana"}, object{"id": 10, "value": "52998224725"}, object{"id": 20, "value": "N"}, object{"id": 40, "value": "S"})

	// People's documents do not stay behind, and the next form starts empty.
	p.wait(`[sessionStorage, localStorage].every(place => Object.values(place).every(kept => !/Ana|529/.test(kept)))`)
	held = p.asksForm(household, object{"showCancelButton": true})
	p.wait(typed + ` === ""`)
	p.press("Escape")
	p.cancelled(held, byPerson)
}

func TestBrowserFormLeavesTheScreen(t *testing.T) {
	t.Parallel()
	p := stage(t)
	t.Run("cancelled by the caller", func(t *testing.T) {
		p := p.in(t)
		held := p.asksForm(household, nil)
		p.do(browsertest.Type("Ana"), browsertest.Press("Enter"))
		p.at(2, 4)
		p.m.must("POST", "/ask/cancel", nil)
		p.cancelled(held, byCaller)
	})
	t.Run("the caller hangs up", func(t *testing.T) {
		p := p.in(t)
		hangUp := p.m.phone("/ask/form", object{"questions": household})
		p.at(1, 4)
		p.do(browsertest.Type("Ana"))
		hangUp()
		p.view("idle")
	})
	t.Run("cancelled in the middle by the person", func(t *testing.T) {
		p := p.in(t)
		held := p.asksForm(household, object{"showCancelButton": true})
		p.do(browsertest.Type("Ana"), browsertest.Press("Enter"))
		p.at(2, 4)
		p.tap("[data-do=cancel]")
		p.cancelled(held, byPerson)
	})
}

// phone is a call whose caller may hang up before there is an answer.
func (m *terminal) phone(path string, body any) (hangUp func()) {
	m.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		m.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "POST", m.api+path, strings.NewReader(string(text)))
	if err != nil {
		m.t.Fatal(err)
	}
	r.SetBasicAuth(testUser, testPassword)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if a, err := m.client.Do(r); err == nil {
			a.Body.Close()
			m.t.Errorf("the caller got %s before hanging up", a.Status)
		}
	}()
	hangUp = func() {
		cancel()
		<-ended
	}
	m.t.Cleanup(hangUp)
	return hangUp
}

func TestBrowserTwoPagesAnswerOnce(t *testing.T) {
	t.Parallel()
	p := stage(t)
	other := p.another(browsertest.Window(1024, 768))
	both := []*page{p, other}

	t.Run("one answers and the other moves on", func(t *testing.T) {
		held := p.asksForm(household[:2], nil)
		other.at(1, 2)
		p.do(browsertest.Type("Ana"))
		other.do(browsertest.Type("Bia"))
		p.wait(typed + ` === "Ana"`)
		other.wait(typed + ` === "Bia"`) // each its own until one is given
		other.press("Enter")
		for _, each := range both {
			each.at(2, 2)
			each.wait(typed + ` === ""`)
		}
		p.tapText("52998224725")
		p.tap("[data-do=confirm]")
		p.answers(held, object{"id": 30, "value": "Bia"}, object{"id": 10, "value": "52998224725"})
		other.view("idle")
	})

	t.Run("both answer at once", func(t *testing.T) {
		for _, each := range both {
			each.agree(409, "/question/answer")
			each.agree(409, "/question/check") // of what the other has answered meanwhile
		}
		twins := []object{{"id": 1, "type": "NUMBER", "required": true}, {"id": 2, "type": "NUMBER", "required": true}, {"id": 3, "type": "NUMBER", "required": true}}
		for range thorough.Rounds(2, 5) {
			held := p.asksForm(twins, object{"showCancelButton": true})
			other.at(1, 3)
			for i, each := range both {
				each.do(browsertest.Type(fmt.Sprint(i + 1)))
				each.wait(typed + ` !== ""`)
			}
			var pressing sync.WaitGroup
			for _, each := range both {
				pressing.Go(func() {
					if err := chromedp.Run(each.ctx, browsertest.Press("Enter")); err != nil {
						t.Error(err)
					}
				})
			}
			pressing.Wait()
			// One of the two was taken: neither the loser's answer nor its key went on to the next question.
			for _, each := range both {
				each.at(2, 3)
				each.wait(`!document.querySelector("[data-view=question]").hasAttribute("data-busy")`)
			}
			p.still(held)
			p.at(2, 3)
			other.press("Escape")
			p.cancelled(held, byPerson)
			other.view("idle")
		}
	})
}

// A second tap that was meant for the question before is none for the next.
func TestBrowserDoubleTapAnswersOnce(t *testing.T) {
	t.Parallel()
	p := stage(t)
	held := p.asksForm([]object{
		{"id": 1, "type": "BUTTON", "options": yesOrNo, "required": true},
		{"id": 2, "type": "BUTTON", "options": yesOrNo, "required": true},
	}, nil)
	p.doubleTap(`[data-value="N"]`, `document.querySelector("[data-progress]")?.dataset.progress === "2/2"`, func() { p.at(2, 2) })
	p.still(held)
	p.at(2, 2)
	p.tap("[data-value=S]")
	p.answers(held, object{"id": 1, "value": "N"}, object{"id": 2, "value": "S"})
}
