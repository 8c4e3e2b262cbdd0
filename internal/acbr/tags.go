package acbr

import (
	"strings"

	"github.com/maquininha/maquininha/internal/receipt"
)

// signs are the tags that stand alone, or switch something on or off, as they are
// written. A nil one is for hardware that no terminal has, and leaves no trace.
var signs = map[string]func(*layout){
	"<n>": func(l *layout) { l.font.Bold = true }, "</n>": func(l *layout) { l.font.Bold = false },
	"<s>": func(l *layout) { l.font.Underline = true }, "</s>": func(l *layout) { l.font.Underline = false },
	"<i>": func(l *layout) { l.font.Italic = true }, "</i>": func(l *layout) { l.font.Italic = false },
	"<e>": func(l *layout) { l.font.Wide = true }, "</e>": func(l *layout) { l.font.Wide = false },
	"<a>": func(l *layout) { l.font.High = true }, "</a>": func(l *layout) { l.font.High = false },
	"<c>": func(l *layout) { l.font.Condensed = true }, "</c>": func(l *layout) { l.font.Condensed = false },
	"<in>": func(l *layout) { l.font.Inverse = true }, "</in>": func(l *layout) { l.font.Inverse = false },
	"</fa>": func(l *layout) { l.fontB = false }, "</fb>": func(l *layout) { l.fontB = true },
	"</fn>": (*layout).plainFont,

	"</ae>": func(l *layout) { l.alignTo(receipt.Left) },
	"</ce>": func(l *layout) { l.alignTo(receipt.Center) },
	"</ad>": func(l *layout) { l.alignTo(receipt.Right) },

	"</linha_simples>": func(l *layout) { l.rule(simpleRule) },
	"</linha_dupla>":   func(l *layout) { l.rule(doubleRule) },
	"</lf>":            (*layout).feed,
	"</pular_linhas>":  (*layout).skip,
	"</cr>":            nil,

	"</zera>":          (*layout).reset,
	"</reset>":         (*layout).reset,
	"</corte>":         func(l *layout) { l.cut(true) },
	"</corte_total>":   func(l *layout) { l.cut(true) },
	"</corte_parcial>": func(l *layout) { l.cut(false) },
	"</abre_gaveta>":   func(l *layout) { l.openDrawer("1") },
	"</beep>":          nil,
	"</logo>":          (*layout).logo,

	// Page mode: models without it print the text in order, which loses nothing.
	"<mp>": nil, "</mp>": nil, "</mp_imprimir>": nil, "</mp_configurar>": nil,
}

// blocks are the tags that take what stands between them and their end. A nil one
// is a setting that means nothing here.
var blocks map[string]func(*layout, string)

func init() { // they read blocks themselves
	blocks = map[string]func(*layout, string){
		"<ae>": func(l *layout, content string) { l.aligned(content, receipt.Left) },
		"<ce>": func(l *layout, content string) { l.aligned(content, receipt.Center) },
		"<ad>": func(l *layout, content string) { l.aligned(content, receipt.Right) },

		"<abre_gaveta>":  func(l *layout, content string) { l.openDrawer(l.content(content)) },
		"<ignorar_tags>": (*layout).text,

		"<barra_largura>":  func(l *layout, content string) { l.number(content, &l.settings.barWidth, 0, 5) },
		"<barra_altura>":   func(l *layout, content string) { l.number(content, &l.settings.barHeight, 0, 255) },
		"<barra_mostrar>":  func(l *layout, content string) { l.flag(content, func(on bool) { l.settings.barText = on }) },
		"<qrcode_largura>": func(l *layout, content string) { l.number(content, &l.settings.qrModule, 1, 16) },
		"<qrcode_error>":   func(l *layout, content string) { l.number(content, &l.settings.qrLevel, 0, 3) },
		"<qrcode_tipo>":    nil,
		"<qrcode>":         (*layout).qr,
		"<bmp>":            (*layout).picture,

		"<logo_imprimir>": func(l *layout, content string) { l.flag(content, func(on bool) { l.settings.noLogo = !on }) },
		"<logo_fatorx>":   func(l *layout, content string) { l.number(content, &l.settings.logoX, 1, mostLogo) },
		"<logo_fatory>":   func(l *layout, content string) { l.number(content, &l.settings.logoY, 1, mostLogo) },
		"<logo_kc1>":      nil, "<logo_kc2>": nil, // which of the printer's: a shop has one
		"<mp_direcao>": nil, "<mp_esquerda>": nil, "<mp_topo>": nil, "<mp_largura>": nil, "<mp_altura>": nil, "<mp_espaco>": nil, "<mp_pos>": nil,

		// Codes that receipt printers do not know, and print as text.
		"<std>": (*layout).read, "<code11>": (*layout).read, "<msi>": (*layout).read,
	}
	for name, make := range barcodes {
		blocks["<"+name+">"] = func(l *layout, content string) { l.barcode(make, content) }
	}
}

// read lays out a text, from the state that stands.
func (l *layout) read(text string) {
	ends := ends{text: lower(text)}
	for at := 0; at < len(text) && !l.tooLong; {
		from, to := nextTag(text, at)
		l.text(text[at:from])
		at = to
		tag := ends.text[from:to]
		if do, ok := blocks[tag]; ok {
			end, next := ends.after(tag, to)
			if next == 0 {
				continue // a block that never ends: what follows is text
			}
			if do != nil {
				do(l, text[to:end])
			}
			at = next
			continue
		}
		if do, ok := signs[tag]; !ok {
			l.text(tag)
		} else if do != nil {
			do(l)
		}
	}
}

// nextTag finds the next tag: < and any signs but < up to >. Without one it lies, empty, at the end.
func nextTag(text string, at int) (from, to int) {
	for {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			return len(text), len(text)
		}
		at += next
		end := strings.IndexAny(text[at+1:], "<>")
		if end < 0 {
			return len(text), len(text)
		}
		end += at + 1
		if text[end] == '>' {
			return at, end + 1
		}
		at = end
	}
}

// ends finds where blocks end. It looks for an end that is not there only once: a
// text may be full of beginnings.
type ends struct {
	text    string // in small letters
	missing map[string]bool
}

// after is where the first end of a block begins, and what follows it; 0 when there is none.
func (e *ends) after(tag string, from int) (begin, next int) {
	end := "</" + tag[1:]
	if e.missing[end] {
		return 0, 0
	}
	at := strings.Index(e.text[from:], end)
	if at < 0 {
		if e.missing == nil {
			e.missing = map[string]bool{}
		}
		e.missing[end] = true
		return 0, 0
	}
	return from + at, from + at + len(end)
}

// lower has small letters for the capitals of ASCII; everything stays in its place.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
