package testserver

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/httpapi"
)

// The routes here are the interface's, without what only people and programs that watch ask for.
func TestRoutesAreTheInterfaces(t *testing.T) {
	var want []string
	for _, route := range new(httpapi.API).Patterns() {
		switch _, place, _ := strings.Cut(route, " "); {
		case strings.HasPrefix(place, "/emulator"), strings.HasPrefix(place, "/logs/"), strings.HasPrefix(place, "/docs"), place == "/metrics", place == "/openapi.bundle.yaml", place == "/{$}":
		default:
			want = append(want, route)
		}
	}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(routes))); diff != "" {
		t.Error(diff)
	}
}

func TestRequests(t *testing.T) {
	for request, want := range map[string]string{
		"":                             "",
		"POST /transaction":            "",
		"POST /print/*":                "",
		"POST /transaction/*/reversal": "",
		"POST /transaction/7/reversal": "",
		"GET /transaction/pedido-1":    "",
		"PATCH /sale/*/*":              "",
		"POST /transacao":              `quis dizer "POST /transaction"?`,
		"GET /transaction/*/reversal":  `quis dizer "POST /transaction/*/reversal"?`,
		"POST /print/qrcode":           `quis dizer "POST /print/`,
		"POST /tudo-junto":             "deve ser uma rota",
		"POST /transaction/":           "não é uma rota",
		"POST /print/[":                "não é uma rota",
		"transaction":                  `quis dizer "POST /transaction"?`,
	} {
		got := When{Request: request}.problem()
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q", request, got)
		}
	}
}
