package apidoc

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/docpage/docpagetest"
)

// The contract lets the code in the body differ from the status in two places only.
func TestDescription(t *testing.T) {
	docpagetest.Check(t, Spec(), map[string]float64{"Nenhum texto enviado": 500, "Nenhum XML enviado": 403})
}

// What the page at the root leads to is served.
func TestLandingLeadsSomewhere(t *testing.T) {
	pages := NewPages(http.NotFoundHandler())
	page := httptest.NewRecorder()
	Landing(func(*http.Request) Door { return Door{} }).ServeHTTP(page, httptest.NewRequest("GET", "/", nil))
	links := regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page.Body.String(), -1)
	if len(links) < 9 {
		t.Errorf("only %d links", len(links))
	}
	for _, m := range links {
		if path := "/" + m[1]; path != "/." && !pages.Serves(path) {
			t.Errorf("%s leads nowhere", m[1])
		}
	}
}

// The door tells how the terminal is and how it was reached; a name that is no name is nothing but text.
func TestLandingTellsTheState(t *testing.T) {
	for _, c := range []struct {
		name     string
		door     Door
		host     string
		has, not []string
	}{
		{"free", Door{}, "caixa-1:9050", []string{"Livre", "Modo produção", "curl -u USUARIO:SENHA http://caixa-1:9050/status"}, []string{"Ocupado", "Tela", "{"}},
		{"busy emulator", Door{Emulator: true, Busy: true, Screen: "http://localhost:9051"}, "localhost:9050", []string{"Ocupado", "Modo emulador", `href="http://localhost:9051"`, "painel do emulador"}, []string{"Livre", "{"}},
		{"at a hub", Door{AtHub: true}, "hub.example", []string{"https://hub.example/terminals/ID/status"}, []string{"{"}},
		{"hostile", Door{}, `"><script>`, []string{"&lt;script&gt;"}, []string{"<script"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			page, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
			r.Host = c.host
			Landing(func(*http.Request) Door { return c.door }).ServeHTTP(page, r)
			for _, text := range c.has {
				if !strings.Contains(page.Body.String(), text) {
					t.Errorf("%q is missing", text)
				}
			}
			for _, text := range c.not {
				if strings.Contains(page.Body.String(), text) {
					t.Errorf("%q is there", text)
				}
			}
		})
	}
}
