package acbr

import (
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/barcode"
	"github.com/maquininha/maquininha/internal/receipt"
)

// settings hold for all codes that follow. A reset of the printer leaves them.
type settings struct {
	barWidth, barHeight int // in dots; zero is the default
	barText             bool
	qrModule            int // in dots
	qrLevel             int // 0 to 3: L, M, Q, H
	noLogo              bool
	logoX, logoY        int // how many times as large
}

// number is a setting; what is no whole number keeps the value.
func (l *layout) number(content string, setting *int, least, most int) {
	if n, err := strconv.Atoi(strings.TrimSpace(l.content(content))); err == nil {
		*setting = min(max(n, least), most)
	}
}

// flag is a setting that is on or off.
func (l *layout) flag(content string, set func(bool)) {
	switch value := strings.ToLower(strings.TrimSpace(l.content(content))); value {
	case "true":
		set(true)
	case "false":
		set(false)
	default:
		if n, err := strconv.Atoi(value); err == nil {
			set(n != 0)
		}
	}
}

// content is what a block says once the tags in it are read: its words, without their styles.
func (l *layout) content(raw string) string {
	if !strings.Contains(raw, "<") {
		return raw
	}
	words := &layout{columns: l.columns, found: l.found, settings: l.settings, inner: true, font: l.font, fontB: l.fontB}
	words.read(raw)
	var text strings.Builder
	for _, e := range words.page {
		if line, ok := e.(receipt.Line); ok {
			writeRuns(&text, line.Runs)
			text.WriteByte('\n')
		}
	}
	writeRuns(&text, words.line)
	return text.String()
}

func writeRuns(to *strings.Builder, runs []receipt.Run) {
	for _, run := range runs {
		to.WriteString(run.Text)
	}
}

// place is where codes and pictures stand: as the text would.
func (l *layout) place() receipt.Place {
	align := l.align
	if l.frame != nil {
		align = l.frame.align
	}
	switch align {
	case receipt.Center:
		return receipt.Middle
	case receipt.Right:
		return receipt.RightEdge
	}
	return receipt.LeftEdge
}

// draw puts a code or a picture on lines of its own.
func (l *layout) draw(e receipt.Element) {
	if len(l.line) > 0 {
		l.feed()
	}
	l.seen()
	l.add(e)
	l.begun, l.cutNow = false, false
}

const (
	defaultBarWidth, mostBarWidth = 2, 4
	defaultBarHeight              = 50
	longestBarcode                = 255
)

// maker is a kind of bar code.
type maker struct {
	clean  func(string) string
	encode func(string) (barcode.Code, error)
}

var barcodes = map[string]maker{
	"ean13":    {firstDigits(12), barcode.EAN13},
	"ean8":     {firstDigits(7), barcode.EAN8},
	"upca":     {firstDigits(11), barcode.UPCA},
	"upce":     {digits, barcode.UPCE},
	"code39":   {only("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./"), barcode.Code39},
	"code93":   {strings.TrimSpace, barcode.Code93},
	"code128":  {whole, code128},
	"code128a": {whole, barcode.Code128A},
	"code128b": {whole, code128},
	"code128c": {pairs, barcode.Code128C},
	"inter":    {pairs, barcode.Interleaved},
	"codabar":  {only("0123456789ABCDabcd$+-./:"), barcode.Codabar},
}

func (l *layout) barcode(kind maker, content string) {
	content = kind.clean(l.content(content))
	if l.inner || content == "" {
		return
	}
	if len(content) > longestBarcode {
		l.found.warn("código de barras com mais de 255 caracteres: não impresso")
		return
	}
	code, err := kind.encode(content)
	if err != nil {
		l.found.warn("código de barras com conteúdo inválido: impresso como texto")
		l.endLine()
		l.write(content)
		return
	}
	s := l.settings
	e := receipt.Barcode{Code: code, Module: min(s.barWidth, mostBarWidth), Height: s.barHeight, ShowText: s.barText, Place: l.place()}
	if e.Module == 0 {
		e.Module = defaultBarWidth
	}
	if e.Height == 0 {
		e.Height = defaultBarHeight
	}
	l.draw(e)
}

// code128 is set B, unless the text says its sets itself.
func code128(text string) (barcode.Code, error) {
	if strings.HasPrefix(text, "{") {
		return barcode.Code128Sets(text)
	}
	return barcode.Code128B(text)
}

func whole(text string) string { return text }

// only drops all signs but some.
func only(signs string) func(string) string {
	return func(text string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(signs, r) {
				return r
			}
			return -1
		}, text)
	}
}

var digits = only("0123456789")

// firstDigits are so many, filled with zeros at the left.
func firstDigits(n int) func(string) string {
	return func(text string) string {
		text = digits(text)
		text = text[:min(len(text), n)]
		return strings.Repeat("0", n-len(text)) + text
	}
}

// pairs are an even number of digits.
func pairs(text string) string {
	text = digits(text)
	if len(text)%2 != 0 {
		text = "0" + text
	}
	return text
}

func (l *layout) qr(content string) {
	content = l.content(content)
	if l.inner || content == "" {
		return
	}
	levels := [...]receipt.Level{receipt.LevelL, receipt.LevelM, receipt.LevelQ, receipt.LevelH}
	code := receipt.QR{Text: content, Module: l.settings.qrModule, Level: levels[l.settings.qrLevel], Place: l.place()}
	if code.Err() != nil {
		l.found.warn("QR code com conteúdo longo demais: não impresso")
		return
	}
	l.draw(code)
}

// openDrawer opens drawer 1 or 2.
func (l *layout) openDrawer(which string) {
	if n, err := strconv.Atoi(strings.TrimSpace(which)); err == nil && (n == 1 || n == 2) && !l.inner {
		l.found.openDrawer(n)
	}
}
