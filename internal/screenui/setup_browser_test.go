//go:build !race || everything

package screenui_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// madePassword is the one made up at the first start, as it was said there.
func madePassword(t *testing.T, said string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)Senha\s+(\S+)`).FindStringSubmatch(said)
	if found == nil {
		t.Fatalf("no password in: %s", said)
	}
	return found[1]
}

func TestBrowserFirstStartByTouch(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	made := madePassword(t, m.said)
	p := openPage(t, m, browsertest.Window(480, 800), browsertest.Touch)
	told := listen(p)
	if !m.admits("admin", made) {
		t.Fatal("the password said at the start is none")
	}
	p.view("setup")
	p.setupStep("welcome")
	p.tap("[data-do=next]")
	p.setupStep("user")
	p.inField("user", "admin")
	for range "admin" {
		p.tap(key("back"))
	}
	p.inField("user", "")
	p.wait(`document.querySelector("[data-do=next]").disabled`)
	p.tapText(newUser)
	p.inField("user", newUser)
	p.tap("[data-do=next]")
	p.setupStep("password")
	p.tapText(newPassword[:7])
	p.inField("password", newPassword[:7])
	p.wait(`document.querySelector("[data-do=next]").disabled`) // too short
	p.wait(`document.querySelector("[data-field=password]").type === "password"`)
	for range newPassword[:7] {
		p.tap(key("back"))
	}
	p.tapText(newPassword)
	p.inField("password", newPassword)
	p.tap("[data-do=next]")
	p.setupStep("name")
	p.tapText("Padaria do Ze")
	p.inField("name", "Padaria do Ze")
	p.tap("[data-do=back]") // and nothing is lost
	p.setupStep("password")
	p.inField("password", newPassword)
	p.tap("[data-do=next]")
	p.setupStep("name")
	p.inField("name", "Padaria do Ze")
	p.tap("[data-do=next]")
	p.setupStep("printer")
	p.tap("[data-do=printer-virtual-576]", "[data-do=next]")
	p.setupStep("acquirer")
	p.tap("[data-do=acquirer-emulator]", "[data-do=next]")
	p.setupStep("pin")
	p.tapPIN(newPIN)
	p.tap("[data-do=next]")
	p.tapPIN("73916")
	p.tap("[data-do=next]")
	p.reads(".setup-error", "Os dois não são iguais. Escolha de novo.")
	for range 2 {
		p.tapPIN(newPIN)
		p.tap("[data-do=next]")
	}
	p.setupStep("done")
	if shown := browsertest.Eval[string](t, p.ctx, "document.body.innerText"); strings.Contains(shown, newPassword) || strings.Contains(shown, newPIN) {
		t.Errorf("the summary says a secret: %s", shown)
	}
	if !m.admits("admin", made) || m.admits(newUser, newPassword) {
		t.Error("something has changed before the end")
	}
	p.tap("[data-do=finish]")
	p.view("idle")
	p.reads(".idle-name", "Padaria do Ze")
	if !m.admits(newUser, newPassword) || m.admits("admin", made) || m.admits(newUser, made) {
		t.Error("callers don't get in with the new credentials, or still with the old ones")
	}
	told.saysNone(p, made, newPassword)
	p.do(chromedp.Reload())
	p.view("idle") // it is never asked again
}

func TestBrowserFirstStartByKeyboardInEnglish(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	p := openPage(t, m, browsertest.Window(1024, 768))
	next := func(to string) {
		t.Helper()
		p.press("Enter")
		p.setupStep(to)
	}
	p.setupStep("welcome")
	p.tabTo("[data-do=locale-en]")
	p.press("Enter")
	p.wait(`document.querySelector("[data-view=setup] h1").innerText === "Welcome" && document.documentElement.lang === "en"`)
	p.tabTo("[data-do=next]")
	next("user")
	p.wait(`document.activeElement.dataset.field === "user"`)
	p.press("Backspace", "Backspace", "Backspace", "Backspace", "Backspace")
	p.do(browsertest.Type("till"))
	p.inField("user", "till")
	next("password")
	p.do(browsertest.Type("short"), browsertest.Press("Enter"))
	p.reads(".setup-error", "Use at least 8 characters")
	p.do(browsertest.Type(" no more"))
	p.inField("password", "short no more")
	next("name")
	p.do(browsertest.Type("Corner Shop"))
	p.inField("name", "Corner Shop")
	next("printer")
	p.tabTo("[role=radio][aria-checked=true]")
	p.press("ArrowDown")
	p.wait(`document.activeElement.matches("[data-do=printer-virtual-384][aria-checked=true]")`)
	p.press("ArrowUp")
	p.wait(`document.activeElement.matches("[data-do=printer-virtual-576][aria-checked=true]")`)
	p.tabTo("[data-do=next]")
	next("acquirer")
	p.tabTo("[data-do=next]")
	next("pin")
	for range 2 {
		p.do(browsertest.Type(newPIN), browsertest.Wait(`document.querySelector("[data-typed]").dataset.typed === "5"`), browsertest.Press("Enter"))
		p.wait(`document.querySelector("[data-typed]")?.dataset.typed !== "5"`)
	}
	p.setupStep("done")
	p.tabTo("[data-do=finish]")
	p.press("Enter")
	p.view("idle")
	p.reads(".idle-name", "Corner Shop")
	if !m.admits("till", "short no more") {
		t.Error("callers don't get in")
	}
}

func TestBrowserFirstStartWithANetworkPrinter(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered, production)
	p := openPage(t, m, browsertest.Window(480, 800), browsertest.Touch)
	p.agree(422, "/settings/first")
	p.setupStep("welcome")
	p.tap("[data-do=next]")
	for _, step := range []struct{ name, typed string }{{"user", ""}, {"password", newPassword}, {"name", "Padaria"}} {
		p.setupStep(step.name)
		p.do(browsertest.Type(step.typed))
		p.tap("[data-do=next]")
	}
	p.setupStep("printer")
	p.tap("[data-do=printer-network]", "[data-do=next]")
	p.inField("network", "")
	p.do(browsertest.Type("a b"), browsertest.Press("Enter"))
	p.setupStep("pin") // production has no acquirer to choose from
	for range 2 {
		p.tapPIN(newPIN)
		p.tap("[data-do=next]")
	}
	p.setupStep("done")
	p.says(".setup-summary", "tcp://a b")
	p.tap("[data-do=finish]")
	p.setupStep("printer") // what is wrong is asked again
	p.reads(".setup-error", "Escolha uma das opções, ou informe uma impressora de rede como tcp://192.168.0.50")
	p.inField("network", "a b")
	p.press("Backspace", "Backspace")
	p.do(browsertest.Type("10.0.0.7"), browsertest.Press("Enter"))
	p.setupStep("pin")
	for range 2 {
		p.tapPIN(newPIN)
		p.tap("[data-do=next]")
	}
	p.setupStep("done")
	p.tap("[data-do=finish]")
	p.view("idle")
	p.unlock()
	p.reads("[data-do=edit-printer] .setup-row-value", "Rede a10.0.0.7:9100")
}
