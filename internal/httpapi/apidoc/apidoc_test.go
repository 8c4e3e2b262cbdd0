package apidoc

import (
	"net/http"
	"net/http/httptest"
	"regexp"
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
	Landing().ServeHTTP(page, httptest.NewRequest("GET", "/", nil))
	links := regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page.Body.String(), -1)
	if len(links) < 5 {
		t.Errorf("only %d links", len(links))
	}
	for _, m := range links {
		if !pages.Serves(m[1]) {
			t.Errorf("%s leads nowhere", m[1])
		}
	}
}
