//go:build unix

package app_test

import (
	"crypto/ed25519"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// sealed is a set with secrets, as a hub makes it for a terminal.
func sealed(t *testing.T, m tunnel.Membership, mark string, values, secrets map[string]string) string {
	t.Helper()
	set := tunnel.SettingsSet{Mark: mark, Values: values, Secrets: map[string][]byte{}}
	for name, text := range secrets {
		var err error
		set.Secrets[name], err = tunnel.SealSetting(m.Key.Public().(ed25519.PublicKey), m.Terminal, mark, name, text)
		must(t, err)
	}
	text, err := json.Marshal(set)
	must(t, err)
	return string(text)
}

func report(t *testing.T, text string) (r tunnel.SettingsReport) {
	t.Helper()
	must(t, json.Unmarshal([]byte(text), &r))
	return r
}

// joinHub has the terminal of a folder join a hub, and waits for its link.
func joinHub(t *testing.T, hub *tunneltest.Hub, data string) (*tunnel.Conn, tunnel.Membership) {
	t.Helper()
	m, err := app.JoinHub(t.Context(), data, tunnel.Invitation{Address: hub.URL, Code: tunneltest.Code, Pin: hub.Pin(), Version: "1"})
	must(t, err)
	return waittest.Receive(t, "the terminal dials", hub.Accepted), m
}

const yes, no = "on", "off"

// What a hub decides is checked as what the operator types, and kept; what the start of the service decided it can't change, and what it
// has decided the operator can't, until the terminal leaves.
func TestSettingsFromAHub(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c := unconfigured(data)
	c.Timeouts.HubLook = time.Millisecond
	term := start(t, c)
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/first", `{"user":"caixa","password":"segrêdo-123","passwordAgain":"segrêdo-123","pin":"4711"}`)
	hub := tunneltest.New(t)
	conn, m := joinHub(t, hub, data)
	put := func(body string, want int) tunnel.SettingsReport {
		t.Helper()
		status, text := through(t, conn, "", "PUT", tunnel.SettingsPath, body)
		if status != want {
			t.Fatalf("%s: %d %s", body, status, text)
		}
		return report(t, text)
	}
	has := func() tunnel.SettingsReport {
		t.Helper()
		_, text := through(t, conn, "", "GET", tunnel.SettingsPath, "")
		return report(t, text)
	}
	if r := has(); r.Mark != "" {
		t.Errorf("at first: %+v", r)
	}
	put(`{"values":{}}`, http.StatusBadRequest)
	put(`nada`, http.StatusBadRequest)

	all := map[string]string{
		"name": "Filial 7", "locale": "es", "colour": "#aa0000", "theme": "dark", "user": "filial", "printer": "virtual-576", "printerModel": "", "acquirer": "emulator",
		"cardReceipt": "both", "tradeName": yes, "phone": no, "itemNotes": yes,
	}
	if r := put(sealed(t, m, "um", all, map[string]string{"password": "nova-senha-7", "pin": "998877"}), 200); r.Mark != "um" || len(r.Refused) != 0 {
		t.Errorf("all that a hub may decide: %+v", r)
	}
	if len(all)+2 != len(tunnel.Settings) {
		t.Errorf("%d settings are sent, and there are %d", len(all)+2, len(tunnel.Settings))
	}
	caller := term.as("filial", "nova-senha-7")
	allowed(t, caller, true)
	op.want(t, 422, "POST", "/settings/unlock", `{"pin":"4711"}`)
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"998877"}`)
	if s := op.settings(t); s.Name != "Filial 7" || s.Locale != "es" || len(s.Fixed) != len(tunnel.Settings) {
		t.Errorf("%+v", s)
	}
	if got := op.want(t, 422, "POST", "/settings", `{"name":"Outra"}`); !strings.Contains(got, "Definido pelo hub") {
		t.Error(got)
	}
	logs := caller.ok(t, "GET", "/logs", "")
	if !strings.Contains(logs, "configurações alteradas pelo hub") || strings.Contains(logs, "nova-senha-7") || strings.Contains(logs, "998877") {
		t.Error("the log does not tell of the change, or tells a secret")
	}
	nowhere(t, data, "nova-senha-7")

	// Each value is taken or refused by itself, and what is not named any more is the operator's again.
	r := put(sealed(t, m, "dois", map[string]string{"name": strings.Repeat("x", 41), "locale": "en", "colour": "azul", "pin": "1234", "logo": "x", "sabor": "doce"}, map[string]string{"password": "curta"}), 200)
	if r.Mark != "dois" || len(r.Refused) != 6 || r.Refused["locale"] != "" || !strings.Contains(r.Refused["name"], "40 caracteres") || !strings.Contains(r.Refused["sabor"], "não conhece") ||
		!strings.Contains(r.Refused["pin"], "cifrado") || !strings.Contains(r.Refused["password"], "8 caracteres") {
		t.Errorf("%+v", r)
	}
	other := m
	other.Terminal = "outro"
	if r := put(sealed(t, other, "três", nil, map[string]string{"password": "de-outro-terminal"}), 200); !strings.Contains(r.Refused["password"], "Não foi cifrado para este terminal") {
		t.Errorf("%+v", r)
	}
	put(sealed(t, m, "quatro", map[string]string{"locale": "en"}, nil), 200)
	op.want(t, 204, "POST", "/settings", `{"name":"Do operador"}`)
	op.want(t, 422, "POST", "/settings", `{"locale":"es"}`)

	// What needs a restart waits for the operation under way; nothing of the set is taken before.
	asked := caller.hold(t, "POST", "/transaction", transaction)
	waittest.Until(t, "the payment waits for a card", func() bool {
		return get[struct{ Payment struct{ Step string } }](t, caller, "/emulator/screen").Payment.Step == "card"
	})
	none := sealed(t, m, "cinco", map[string]string{"acquirer": "none", "name": "Sem cartão"}, nil)
	put(none, http.StatusConflict)
	if r := has(); r.Mark != "quatro" || op.settings(t).Name != "Do operador" {
		t.Errorf("while a payment is under way: %+v", r)
	}
	caller.ok(t, "POST", "/emulator/payment", `{"outcome":"approve"}`)
	if a := <-asked; a.status != http.StatusOK {
		t.Errorf("the payment: %+v", a)
	}
	put(none, 200)
	waittest.Until(t, "there is no acquirer", func() bool {
		status, body := caller.call(t, "POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"none"}`)
		return status == http.StatusServiceUnavailable && strings.Contains(body, "Nenhum adquirente")
	})
	if r := has(); r.Mark != "cinco" {
		t.Errorf("after the restart: %+v", r)
	}
	must(t, term.stop())

	// Another start decides otherwise: the hub is asked for its set again.
	fixed := c
	fixed.Locale = "es"
	term = start(t, fixed)
	conn = waittest.Receive(t, "the terminal dials again", hub.Accepted)
	if r := has(); r.Mark != "" {
		t.Errorf("after another start: %+v", r)
	}
	if r := put(sealed(t, m, "seis", map[string]string{"locale": "en", "name": "Filial 8"}, nil), 200); len(r.Refused) != 1 || !strings.Contains(r.Refused["locale"], "Definido na partida do serviço") {
		t.Errorf("%+v", r)
	}
	op = operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"998877"}`)
	if s := op.settings(t); !slices.Equal(s.Fixed, []string{"locale", "name"}) || s.Name != "Filial 8" {
		t.Errorf("%+v", s)
	}

	// Who leaves keeps the values, and may change them.
	must(t, tunnel.Remove(data))
	if s := op.settings(t); s.Name != "Filial 8" || !slices.Equal(s.Fixed, []string{"locale"}) {
		t.Errorf("without the hub: %+v", s)
	}
	op.want(t, 204, "POST", "/settings", `{"name":"Minha"}`)
}

// A PIN that was forgotten, or a password that was replaced, at the terminal is the hub's to set again.
func TestTheHubIsAskedAgain(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c := unconfigured(data)
	c.Timeouts.HubLook = time.Millisecond
	hub := tunneltest.New(t)
	m, err := app.JoinHub(t.Context(), data, tunnel.Invitation{Address: hub.URL, Code: tunneltest.Code, Pin: hub.Pin(), Version: "1"})
	must(t, err)
	for what, change := range map[string]func() error{
		"the PIN": func() error { return app.ForgetPIN(c) }, "the password": func() error { _, _, err := app.NewPassword(c); return err },
	} {
		term := start(t, c)
		conn := waittest.Receive(t, "the terminal dials", hub.Accepted)
		status, text := through(t, conn, "", "PUT", tunnel.SettingsPath, sealed(t, m, "um", nil, map[string]string{"password": "nova-senha-7", "pin": "4711"}))
		if status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		must(t, term.stop(), change())
		term = start(t, c)
		conn = waittest.Receive(t, "the terminal dials again", hub.Accepted)
		if _, text := through(t, conn, "", "GET", tunnel.SettingsPath, ""); report(t, text).Mark != "" {
			t.Errorf("%s is another, and the hub is told %s", what, text)
		}
		must(t, term.stop())
	}
}
