package screenui_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// What the screen says of each thing that can be wrong with an invitation, with a real terminal and a real hub.
func TestWhyAHubIsNotJoined(t *testing.T) {
	t.Parallel()
	hub := tunneltest.New(t)
	m := start(t, func(c *app.Config) { c.SkipSetup, c.Timeouts.HubJoin = true, waittest.Limit })
	if a := m.touch("/settings/pin", object{"pin": "1234"}); a.status != http.StatusNoContent {
		t.Fatalf("choosing a PIN: %d %s", a.status, a.body)
	}
	in := m.touch("/settings/unlock", object{"pin": "1234"})
	cookie, _, _ := strings.Cut(in.header.Get("Set-Cookie"), ";")
	ask := func(method string, body any) answer {
		t.Helper()
		return m.do(method, m.screen+"/settings/hub", body, func(r *http.Request) {
			r.Header.Set("Origin", m.screen)
			r.Header.Set("Cookie", cookie)
		})
	}
	is := func(want string) {
		t.Helper()
		m.until(want, func() bool { return ask("GET", nil).object()["state"] == want })
	}
	refused := func(field, reason, text string, body object) {
		t.Helper()
		a := ask("POST", body)
		said := a.object()
		got, _ := said["reason"].(string)
		if message, _ := said["message"].(string); a.status != http.StatusUnprocessableEntity || said["field"] != field || got != reason || !strings.Contains(message, text) {
			t.Errorf("%v: %d %s", body, a.status, a.body)
		}
	}
	is("none")
	refused("address", "address", "Informe o endereço", object{"address": " "})
	refused("code", "code", "Informe o código", object{"address": hub.URL})
	refused("address", "badAddress", "Não é o endereço", object{"address": "http://hub.exemplo", "code": "x"})
	refused("address", "silent", "Não foi possível entrar", object{"address": "127.0.0.1:1", "code": "x"})
	refused("pin", "pin", "seu próprio certificado", object{"address": hub.URL, "code": tunneltest.Code})
	refused("pin", "badPin", "não é válido", object{"address": hub.URL, "code": tunneltest.Code, "pin": "x"})
	refused("pin", "pinDiffers", "no meio do caminho", object{"address": hub.URL, "code": tunneltest.Code, "pin": "sha256/" + strings.Repeat("A", 43) + "="})
	refused("code", "refused", "Código desconhecido ou vencido", object{"address": hub.URL, "code": "ZZZZ9999", "pin": hub.Pin()})
	kept := filepath.Join(m.config.Data, tunnel.File)
	if err := os.WriteFile(kept, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Of such a hub nobody at the screen could get rid.
	if a := ask("POST", object{"address": "maquininha join " + hub.URL + " " + tunneltest.Code + " --pin " + hub.Pin()}); a.status != http.StatusNoContent {
		t.Fatalf("joining: %d %s", a.status, a.body)
	}
	is("up")
	refused("address", "joined", "já está em um hub", object{"address": hub.URL, "code": tunneltest.Code, "pin": hub.Pin()})
	if a := ask("DELETE", nil); a.status != http.StatusNoContent {
		t.Errorf("leaving: %d %s", a.status, a.body)
	}
	is("none")
	if a := ask("DELETE", nil); a.status != http.StatusNoContent {
		t.Errorf("leaving no hub: %d %s", a.status, a.body)
	}
	if _, err := os.Stat(kept); !os.IsNotExist(err) {
		t.Error(err)
	}
}
