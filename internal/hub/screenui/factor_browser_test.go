package screenui_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/totp"
)

// An administrator who must have a second factor can do nothing else before, and signs in with its codes from then on.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	h := startHub(t, func(c *app.Config) { c.RequireFactor = true })
	p := browsertest.Start(t)
	record := browsertest.Watch(p)
	do := func(actions ...chromedp.Action) { t.Helper(); browsertest.Run(t, p, actions...) }
	eval := func(expression string) string { t.Helper(); return browsertest.Eval[string](t, p, expression) }
	signIn := chromedp.Tasks{fill(`[name=name]`, "admin"), fill(`[name=password]`, h.password), browsertest.Tap(`[data-do=signin]`)}

	do(chromedp.Navigate(h.page), pick(".languages", "pt-BR"), signIn, shows("Quem administra este hub precisa de um segundo fator."))
	if status := eval(`fetch("/api/v1/terminals").then((r) => String(r.status))`); status != "403" {
		t.Errorf("the fleet is there without it: %s", status)
	}
	do(browsertest.Wait(`document.querySelector(".qr")?.naturalWidth > 0`))
	told := eval(`document.querySelector("[data-told=factor-secret]").textContent`)
	secret, err := totp.ParseSecret(told)
	if err != nil {
		t.Fatalf("the secret %q: %v", told, err)
	}
	do(fill(`[name=factor-code]`, "12345"), browsertest.Tap(`[data-do=factor-set]`), shows("Não foi feito"))
	do(chromedp.Evaluate(`document.querySelector("[name=factor-code]").select()`, nil), browsertest.Type(secret.Code(time.Now())), browsertest.Tap(`[data-do=factor-set]`))

	do(browsertest.Wait(`document.querySelector("[data-do=signin]")`), signIn, browsertest.Wait(`document.activeElement.name === "code"`), browsertest.Type("000000"), browsertest.Press("Enter"), shows("Código errado ou já usado"))
	do(fill(`[name=code]`, secret.Code(time.Now().Add(30*time.Second))), browsertest.Press("Enter"), shows("Nenhum terminal ainda."))
	do(browsertest.Tap(`[data-do=factor]`), shows("Sua conta pede um código do celular ao entrar."), browsertest.Tap(`[data-do=factor-again]`), browsertest.Wait(`document.querySelector("[name=factor-current]") && document.querySelector(".qr")`), browsertest.Press("Escape"))
	do(goTo("#/access"), browsertest.Wait(`[...document.querySelectorAll("[data-item=admin]")].some((row) => row.innerText.includes("sim"))`))
	do(browsertest.Tap(`[data-do=new-password]`), browsertest.Wait(`document.activeElement.name === "current-password"`), browsertest.Type("errada-errada"), browsertest.Tap(`[data-do=password-sure]`), shows("Senha atual incorreta"))
	do(fill(`[name=current-password]`, h.password), browsertest.Tap(`[data-do=password-sure]`), browsertest.Wait(`document.querySelector("[data-told=secret]")?.textContent.length > 20`))
	if strangers := record.Strangers(h.page); len(strangers) > 0 {
		t.Errorf("the page asked strangers: %q", strangers)
	}
}
