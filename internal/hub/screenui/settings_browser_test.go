package screenui_test

import (
	"fmt"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// decidesSettings: a person decides something for all terminals, sees who took it and what was refused, changes it for one of them, and goes back in
// one step.
func (v *visit) decidesSettings(terminal *hubtest.Terminal) {
	v.t.Helper()
	terminal.TakeSettings(false, map[string]string{"locale": "Definido na partida do serviço"})
	standing := func(state string) chromedp.Action {
		return browsertest.Wait(fmt.Sprintf(`document.querySelector("[data-standing='%s'][data-state=%s]")`, terminal.ID, state))
	}
	closed := browsertest.Wait(`!document.querySelector("dialog")`)
	v.do(browsertest.Tap(`[data-nav=settings]`), shows("O hub ainda não decide nada"), standing("none"))
	v.do(browsertest.Tap(`[data-do=new-settings]`), browsertest.Tap(`[name=decide-name]`), fill(`[name=set-name]`, "Rede Pão Bom"), browsertest.Tap(`[name=decide-locale]`), pick(`[name=set-locale]`, "es"),
		browsertest.Tap(`[name=decide-pin]`), fill(`[name=set-pin]`, "4711"), fill(`[name=comment]`, "primeira"), browsertest.Tap(`[data-do=save-settings]`), closed)
	v.do(shows("Nome da loja: Rede Pão Bom"), shows("primeira"), standing("refused"), shows("Idioma: Definido na partida do serviço"), shows("conta 1"))
	v.isAccessible("settings")
	v.has(terminal, "name", "Rede Pão Bom")
	v.has(terminal, "pin", "4711")

	// Without the language nothing is refused; the secret stays, unseen.
	v.do(browsertest.Tap(`[data-do=change-settings]`), browsertest.Tap(`[name=decide-locale]`), browsertest.Wait(`document.querySelector("[name=set-pin]").value === ""`))
	v.isAccessible("the dialog of settings")
	v.do(browsertest.Tap(`[data-do=save-settings]`), closed, standing("taken"), browsertest.Tap(`[data-do=own-settings]`), browsertest.Tap(`[name=decide-theme]`), pick(`[name=set-theme]`, "dark"), browsertest.Tap(`[data-do=save-settings]`), closed,
		shows("conta 2, terminal 1"), standing("taken"))
	v.has(terminal, "theme", "dark")
	v.has(terminal, "pin", "4711")
	v.do(browsertest.Tap(`[data-chip=settings-pending]`), shows("Nenhum terminal."), browsertest.Tap(`[data-chip="settings-"]`), standing("taken"))

	// What each version changed, and back to the one before.
	v.do(browsertest.Tap(`[data-version="2"] [data-do=back-settings]`), browsertest.Tap(`[data-do=back-sure]`), closed, standing("refused"), browsertest.Tap(`[data-version="3"] a`))
	v.do(shows("Idioma: deixou de decidir"), shows("antes: Español"), browsertest.Tap(`[data-version="2"] [data-do=back-to]`), browsertest.Tap(`[data-do=back-sure]`), closed, browsertest.Wait(`document.querySelector("[data-version='4']")`))
	v.isAccessible("versions of settings")
	v.do(browsertest.Tap(`[data-nav=settings]`), standing("taken"), shows("conta 4, terminal 1"), browsertest.Tap(`[data-nav=audit]`), shows("Configurações: versão 4 (de volta à versão 2)"))
}

func (v *visit) has(terminal *hubtest.Terminal, name, want string) {
	v.t.Helper()
	waittest.Until(v.t, "the terminal has "+name+"="+want, func() bool {
		values, _ := terminal.Settings()
		return values[name] == want
	})
}
