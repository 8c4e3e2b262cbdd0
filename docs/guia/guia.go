// Package guia carries the integrator's guide: Markdown that reads in the repository, and made of it the HTML that the service shows
// under /docs/guia, with its pictures. It is written in Portuguese; each chapter has an English translation.
package guia

import (
	"embed"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/internal/packed"
)

// The chapters are written in their .md files and lie as HTML, packed, in the binary. A test says when they differ.
//
//go:generate go run ./pack

//go:embed guide.gz
var file []byte

// Pages are the chapters in HTML, by the path of their text below this folder. They are unpacked when somebody first reads one.
var Pages = sync.OnceValue(func() map[string]string { return packed.Texts(file) })

// Pictures are those of the chapters, likewise.
//
//go:embed img/*.png
var Pictures embed.FS

const (
	// Root is where the guide is served.
	Root = "/docs/guia"
	// Outside begins a link to a file of the repository that is not part of the guide. Who shows a page knows where that can be read.
	Outside = "repository:"
)

// Path is where a chapter is served.
func Path(file string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(file, ".md"), "README")
	return strings.TrimSuffix(Root+"/"+name, "/")
}

// Chapter is one page in both languages, as paths in Pages.
type Chapter struct{ Portuguese, English string }

// Chapters are all pages, in the order to read them; the first is the table of contents.
var Chapters = []Chapter{
	{"README.md", "en/README.md"},
	{"inicio-rapido.md", "en/quick-start.md"},
	{"tarefas.md", "en/tasks.md"},
	{"espera.md", "en/waiting.md"},
	{"autoatendimento.md", "en/self-service.md"},
	{"erros.md", "en/errors.md"},
	{"emulador.md", "en/emulator.md"},
	{"testes.md", "en/testing.md"},
	{"clientes.md", "en/clients.md"},
	{"tefip.md", "en/tefip.md"},
	{"producao.md", "en/production.md"},
	{"bancos.md", "en/banks.md"},
	{"muitas-lojas.md", "en/many-shops.md"},
	{"varios-hubs.md", "en/several-hubs.md"},
	{"acompanhamento.md", "en/watching.md"},
	{"seguranca.md", "en/security.md"},
	{"problemas.md", "en/troubleshooting.md"},
}
