// Package guia carries the integrator's guide: Markdown that reads in the repository and that the service shows
// under /docs/guia, with its pictures. It is written in Portuguese; each chapter has an English translation.
package guia

import "embed"

// Files are the chapters and pictures, by their path below this folder.
//
//go:embed *.md en/*.md img/*.png
var Files embed.FS

// Chapter is one page in both languages, as paths in Files.
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
	{"muitas-lojas.md", "en/many-shops.md"},
	{"acompanhamento.md", "en/watching.md"},
	{"seguranca.md", "en/security.md"},
	{"problemas.md", "en/troubleshooting.md"},
}
