// Package apidoc carries the description of the terminal's HTTP interface, and the page at its root.
package apidoc

import (
	_ "embed"
	"html"
	"net/http"

	"github.com/maquininha/maquininha/internal/docpage"
)

// The description is written in openapi.yaml and lies compressed in the binary, which may have 25 MiB. A test says when they differ.
//
//go:generate gzip -9 -n -k -f openapi.yaml

//go:embed openapi.yaml.gz
var packed []byte

//go:embed landing.html
var landing []byte

// Spec returns the OpenAPI description of the service, in YAML.
func Spec() []byte { return docpage.Unpack(packed) }

// NewPages returns the documentation of the terminal. Any other path goes to notFound.
func NewPages(notFound http.Handler) *docpage.Pages {
	return docpage.New("maquininha", packed, notFound)
}

// Door is what the page at the root tells of a terminal. Everybody may read it.
type Door struct {
	Emulator, Busy bool
	AtHub          bool   // who asks came through one
	Screen         string // where it is, for who can go there; "": it is not said
}

// Landing serves the page at the root.
func Landing(look func(*http.Request) Door) http.Handler {
	return docpage.Landing(landing, func(r *http.Request) map[string]string {
		door := look(r)
		return map[string]string{"state": door.state(), "screen": door.screen(), "url": html.EscapeString(door.address(r))}
	})
}

func (d Door) state() string {
	mode, at := "Modo produção", `<li>Livre</li>`
	if d.Emulator {
		mode = "Modo emulador"
	}
	if d.Busy {
		at = `<li class="warn">Ocupado com uma operação</li>`
	}
	return at + `<li class="plain">` + mode + `</li>`
}

func (d Door) screen() string {
	if d.Screen == "" {
		return ""
	}
	more := "."
	if d.Emulator {
		more = ", com o painel do emulador: cartões para pagar e um botão para cada tipo de requisição."
	}
	return `<li class="way"><h2><a href="` + html.EscapeString(d.Screen) + `">Tela</a></h2><p>O terminal como o cliente o vê` + more + "</p></li>\n      "
}

// address is how whoever asks has reached the terminal. By which name a hub knows it, only the hub can tell.
func (d Door) address(r *http.Request) string {
	switch {
	case d.AtHub:
		return "https://" + r.Host + "/terminals/ID"
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
