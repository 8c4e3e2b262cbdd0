//go:build unix

package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/apptest/behindhub"
	"github.com/maquininha/maquininha/internal/waittest"
)

// From a real hub to a real terminal: a set with secrets, one that waits for a payment, back to the version before, and a terminal whose start
// decides otherwise.
func TestAHubDecidesSettings(t *testing.T) {
	t.Parallel()
	hub := behindhub.Start(t)
	admin := newCaller(t, hub.Plain()).as(hub.User, hub.Password)
	c := unconfigured(t.TempDir())
	c.Timeouts.HubLook = time.Millisecond
	term := start(t, c)
	id := strings.TrimPrefix(hub.Before(t, c.Data), "/terminals/")
	type standing struct {
		ID, State string
		Refused   map[string]string
		Trouble   *string
	}
	says := func(of string) (s standing) {
		for _, one := range get[struct{ Terminals []standing }](t, admin, "/api/v1/settings/terminals").Terminals {
			if one.ID == of {
				s = one
			}
		}
		return s
	}
	becomes := func(of, state string) {
		t.Helper()
		waittest.Until(t, "the settings are "+state, func() bool { return says(of).State == state })
	}
	decide := func(body string) {
		t.Helper()
		if status, text := admin.call(t, "POST", "/api/v1/settings", body); status != http.StatusCreated {
			t.Fatalf("%d %s", status, text)
		}
	}
	decide(`{"values":{"user":"rede","password":"senha-da-rede","pin":"4711","name":"Rede","locale":"es"}}`)
	becomes(id, "taken")
	caller := term.as("rede", "senha-da-rede")
	allowed(t, caller, true)
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/first", `{"name":"x","later":true}`)
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	if s := op.settings(t); s.Name != "Rede" || s.Locale != "es" {
		t.Errorf("%+v", s)
	}

	asked := caller.hold(t, "POST", "/transaction", transaction)
	waittest.Until(t, "the payment waits for a card", func() bool {
		return get[struct{ Payment struct{ Step string } }](t, caller, "/emulator/screen").Payment.Step == "card"
	})
	decide(`{"values":{"user":"rede","password":null,"pin":null,"name":"Sem cartão","acquirer":"none"}}`)
	waittest.Until(t, "the hub says why it waits", func() bool {
		s := says(id)
		return s.State == "pending" && s.Trouble != nil && strings.Contains(*s.Trouble, "operação em andamento")
	})
	caller.ok(t, "POST", "/emulator/payment", `{"outcome":"approve"}`)
	if a := <-asked; a.status != http.StatusOK {
		t.Errorf("the payment: %+v", a)
	}
	becomes(id, "taken")
	without := func() bool {
		status, body := caller.call(t, "POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"none"}`)
		return status == http.StatusServiceUnavailable && strings.Contains(body, "Nenhum adquirente")
	}
	waittest.Until(t, "there is no acquirer", without)
	account := get[[]struct{ ID string }](t, admin, "/api/v1/settings")[0].ID
	if status, text := admin.call(t, "POST", "/api/v1/settings/"+account+"/back", ""); status != http.StatusOK || !strings.Contains(text, `"version":3`) {
		t.Errorf("back: %d %s", status, text)
	}
	becomes(id, "taken")
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	if s := op.settings(t); s.Name != "Rede" {
		t.Errorf("after going back: %+v", s)
	}

	// What the start decided is refused; all else is taken.
	fixed := config(t.TempDir())
	fixed.Timeouts.HubLook, fixed.Locale = time.Millisecond, "en"
	start(t, fixed)
	other := strings.TrimPrefix(hub.Before(t, fixed.Data), "/terminals/")
	becomes(other, "refused")
	if s := says(other); len(s.Refused) != 3 || !strings.Contains(s.Refused["locale"], "Definido na partida do serviço") || s.Refused["password"] == "" || s.Refused["user"] == "" {
		t.Errorf("%+v", s)
	}
}
