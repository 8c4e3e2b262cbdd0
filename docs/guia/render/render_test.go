package render

import (
	"testing"

	"github.com/maquininha/maquininha/docs/guia"
)

func TestServedLinks(t *testing.T) {
	for _, c := range []struct{ to, dir, want string }{
		{"inicio-rapido.md", ".", "/docs/guia/inicio-rapido"},
		{"erros.md#venda", ".", "/docs/guia/erros#venda"},
		{"en/README.md", ".", "/docs/guia/en"},
		{"../README.md", "en", "/docs/guia"},
		{"quick-start.md", "en", "/docs/guia/en/quick-start"},
		{"../img/pix.png", "en", "/docs/guia/img/pix.png"},
		{"#venda", ".", "#venda"},
		{"../security.md", ".", guia.Outside + "docs/security.md"},
		{"../../../examples/README.md#go", "en", guia.Outside + "examples/README.md#go"},
		{"http://localhost:9050/docs", ".", "/docs"},
		{"http://localhost:9051", ".", "http://localhost:9051"},
		{"https://go.dev/dl/", ".", "https://go.dev/dl/"},
	} {
		if got := servedLink(c.to, c.dir); got != c.want {
			t.Errorf("%s in %s is %s, want %s", c.to, c.dir, got, c.want)
		}
	}
}
