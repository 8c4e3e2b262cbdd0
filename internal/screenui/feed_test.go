package screenui_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

func item(description string) object {
	return object{"code": "789", "description": description, "quantity": 2, "unitPrice": 5.5, "total": 11}
}

// Who cancels a sale is told what has to go back: what the caller recorded, and what was charged before it could.
func TestFeedOfACancelledSaleKnowsWhatWasPaid(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	f := m.follow()
	m.must("POST", "/emulator/foreground", object{"active": true})
	charge := func(amount float64, reference string) {
		t.Helper()
		held := m.hold("/transaction", object{"tPag": "17", "amount": amount, "referenceId": reference})
		f.until("the code", func() bool { return f.part("payment")["step"] == "pix" })
		m.must("POST", "/emulator/payment", object{"outcome": "approve"})
		if a := m.ends(held); a.status != http.StatusOK {
			t.Fatalf("charging %v: %d %s", amount, a.status, a.body)
		}
		f.view("result")
		m.touch("/result/dismiss", object{})
	}
	cancelled := func(want string) {
		t.Helper()
		m.must("POST", "/sale/cancel", object{"messageInterval": 600000})
		f.view("closing")
		if got := f.part("closing")["paid"]; got != want {
			t.Errorf("%v was paid in the sale, not %s", got, want)
		}
		m.touch("/closing/dismiss", object{})
		f.view("idle")
	}
	charge(7, "before")
	m.must("POST", "/sale", object{})
	cancelled("0")

	m.must("POST", "/sale", object{})
	f.view("sale")
	charge(5, "r1")
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 20})
	cancelled("25")

	m.must("POST", "/sale", object{})
	f.view("sale")
	charge(6, "r2")
	m.must("POST", "/sale/payment", object{"tPag": "17", "value": 6})
	cancelled("6")
}

func TestFeedFollowsASale(t *testing.T) {
	t.Parallel()
	m := start(t)
	f := m.follow()
	if f.hello["emulator"] != true || f.hello["apiUrl"] != m.api || f.hello["version"] != "1.2.3" {
		t.Fatalf("hello %v", f.hello)
	}
	f.view("idle")
	m.must("POST", "/sale", object{"customerName": "Ana", "sellerName": "Davi"})
	f.view("sale")
	for i := range 20 {
		m.must("POST", "/sale/item", item(fmt.Sprint("Item ", i)))
	}
	m.must("POST", "/sale/payment", object{"tPag": "pix", "value": 20.5})
	f.until("all of the sale", func() bool {
		s := f.part("sale")
		return s["customerName"] == "Ana" && len(f.items) == 20 && s["summary"].(object)["due"] == "199.5"
	})
	if f.whole != 1 {
		t.Errorf("the whole cart was told %d times", f.whole)
	}
	// A page that comes later knows the same.
	late := m.follow()
	if len(late.items) != 20 || late.part("sale")["summary"].(object)["total"] != "220" {
		t.Errorf("a late page knows %d items, %v", len(late.items), late.part("sale"))
	}
	m.must("POST", "/sale/finalize", object{"message": "Volte sempre", "messageInterval": 60000})
	f.view("closing")
	if f.part("closing")["message"] != "Volte sempre" || f.part("sale") != nil {
		t.Errorf("closing %v, sale %v", f.part("closing"), f.part("sale"))
	}
	if a := m.touch("/closing/dismiss", object{}); a.status != 204 {
		t.Fatalf("dismissing: %d", a.status)
	}
	f.view("idle")
}

func TestFeedEndsWithTheService(t *testing.T) {
	t.Parallel()
	m := start(t)
	f := m.follow()
	m.stop()
	waittest.Receive(t, "the end of the feed", f.ended)
}

func TestPagesAreSeenAndMissed(t *testing.T) {
	t.Parallel()
	m := start(t)
	f := m.follow()
	if m.active() {
		t.Fatal("a page that has not said so counts as visible")
	}
	// Said again until it has been heard: a busy machine may take the page for dead before it is asked.
	visible := func(is bool) {
		if m.touch("/page/visible", object{"page": f.hello["page"], "visible": is}).status == http.StatusNotFound {
			f = m.follow()
		}
	}
	m.until("a visible page is the foreground", func() bool { visible(true); return m.active() })
	m.until("a hidden page is the background", func() bool { visible(false); return !m.active() })
	m.until("shown again, it is the foreground", func() bool { visible(true); return m.active() })
	// It is silent now; how long that may last is TestSilentPageIsMissed's.
	waittest.Receive(t, "the end of a silent page's feed", f.ended)
	if m.active() {
		t.Error("a dead page is still the foreground")
	}
	if a := m.touch("/page/beat", object{"page": f.hello["page"]}); a.status != 404 {
		t.Errorf("a page taken for dead: %d, it must come back", a.status)
	}
	// One that leaves says so.
	f = m.follow()
	m.touch("/page/gone", object{"page": f.hello["page"]})
	waittest.Receive(t, "the end of a page's feed that has gone", f.ended)
}

func TestTouchAnswersOnlyWhatIsShown(t *testing.T) {
	t.Parallel()
	m := start(t)
	f := m.follow()
	held := m.hold("/ask", object{"question": object{"type": "CPF", "required": true}})
	f.view("question")
	serial := f.part("question")["serial"]
	ask := func(path string, value string) answer {
		return m.touch(path, object{"serial": serial, "index": 0, "value": value})
	}
	if a := ask("/question/check", "111"); a.object()["ok"] != false || a.object()["reason"] != "not a CPF" {
		t.Errorf("checking a bad one: %s", a.body)
	}
	if a := ask("/question/check", "529.982.247-25"); a.object()["ok"] != true {
		t.Errorf("checking a good one: %s", a.body)
	}
	if a := ask("/question/answer", "111"); a.status != 422 || a.object()["reason"] != "not a CPF" {
		t.Errorf("a bad answer: %d %s", a.status, a.body)
	}
	if a := m.touch("/question/cancel", object{"serial": serial}); a.status != 403 {
		t.Errorf("cancelling what has no cancel button: %d", a.status)
	}
	for _, wrong := range []object{{"serial": 0, "value": "52998224725"}, {"serial": 7, "value": "52998224725"}, {"serial": serial, "index": 1, "value": "52998224725"}} {
		if a := m.touch("/question/answer", wrong); a.status != 409 {
			t.Errorf("answering another question %v: %d", wrong, a.status)
		}
	}
	if a := ask("/question/answer", "529.982.247-25"); a.status != 204 {
		t.Errorf("a good answer: %d %s", a.status, a.body)
	}
	if a := m.ends(held); a.object()["value"] != "52998224725" {
		t.Errorf("the caller got %s", a.body)
	}
	if a := ask("/question/answer", "52998224725"); a.status != 409 {
		t.Errorf("answering again: %d", a.status)
	}
}

func TestTouchRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, body := range []string{"", "null}", "[", `{"serial":-1}`, `{"serial":"1"}`, `{"value":"` + strings.Repeat("a", 1<<17) + `"}`} {
		if a := m.touch("/question/answer", body); a.status != 400 {
			t.Errorf("%.20q: %d", body, a.status)
		}
	}
	for _, path := range []string{"/nothing", "/js/../screenui.go", "/paper/1.png", "/paper/x.pdf", "/picture/1/0", "/qr/payment/1.svg"} {
		if a := m.do("GET", m.screen+path, nil, func(*http.Request) {}); a.status != 404 && a.status != 307 {
			t.Errorf("GET %s: %d", path, a.status)
		}
	}
	if a := m.do("GET", m.screen+"/closing/dismiss", nil, func(*http.Request) {}); a.status != 404 && a.status != 405 {
		t.Errorf("GET of a touch: %d", a.status)
	}
}

func TestTooManyPages(t *testing.T) {
	t.Parallel()
	m := start(t)
	const most = 64
	var pages []*feed
	for range most {
		pages = append(pages, m.follow())
	}
	for {
		f, refused := m.mayFollow()
		if f == nil {
			if refused.status != http.StatusServiceUnavailable {
				t.Errorf("one page too many: %d %s", refused.status, refused.body)
			}
			return
		}
		// The service ends the feed of a page that takes nothing for five seconds, and a machine that stands still so long takes nothing.
		pages = append(pages, f)
		m.until("a page that has ended has made room", func() bool {
			open := 0
			for _, p := range pages {
				select {
				case <-p.ended:
				default:
					open++
				}
			}
			return open <= most
		})
	}
}

func TestIdleKnowsTheAcquirer(t *testing.T) {
	t.Parallel()
	m := start(t)
	f := m.follow()
	for _, c := range []struct{ next, state string }{{"offline", "offline"}, {"timeout", "silent"}, {"approve", "ready"}} {
		m.must("POST", "/emulator/reset", nil)
		m.must("POST", "/emulator/acquirer", object{"next": c.next})
		f.until("acquirer "+c.state, func() bool { return f.part("acquirer")["state"] == c.state })
	}
}

func TestProductionHasNoPanel(t *testing.T) {
	t.Parallel()
	m := start(t, production)
	f := m.follow()
	if f.hello["emulator"] != false || f.part("printer")["state"] != "none" || f.part("acquirer")["state"] != "none" {
		t.Errorf("hello %v, state %v", f.hello, f.state)
	}
	for _, path := range []string{"/emulator/reset", "/emulator/card"} {
		if a := m.touch(path, object{}); a.status != 404 && a.status != 405 {
			t.Errorf("POST %s: %d %s", path, a.status, a.body)
		}
	}
	if a := m.do("GET", m.screen+"/logs", nil, func(*http.Request) {}); a.status != 404 {
		t.Errorf("GET /logs: %d", a.status)
	}
}
