package fiscal

import (
	"html"
	"strings"

	"github.com/maquininha/maquininha/internal/receipt"
)

// Sizes of a coupon, in points: column heads, small print, text, what matters and
// what the customer looks for.
const (
	caption = 6
	small   = 7
	normal  = 8
	large   = 9
	huge    = 11
)

// nbsp holds words together that read badly on different lines.
const nbsp = "\u00a0"

// qrMM is the smallest QR code, in millimetres, that the manuals allow.
const qrMM = 25

// slip is a page in the making, with the words of a coupon.
type slip struct {
	receipt.Page
	style Style
}

func (s *slip) centered(size int, bold bool, value string) {
	if value != "" {
		s.Add(receipt.Text{Value: value, Size: size, Bold: bold, Align: receipt.Center})
	}
}

func (s *slip) line(size int, value string) {
	if value != "" {
		s.Add(receipt.Text{Value: value, Size: size})
	}
}

// labelled leaves out what is not given.
func (s *slip) labelled(label, value string) {
	if value != "" {
		s.line(normal, label+": "+value)
	}
}

func (s *slip) pair(label, value string) {
	s.Add(receipt.Pair{Left: label, Right: value, Size: normal})
}

func (s *slip) amount(label string, d Decimal) { s.pair(label, d.Brazilian(2)) }

// amountGiven leaves out what the document does not give.
func (s *slip) amountGiven(label string, d Decimal) {
	if d != "" {
		s.amount(label, d)
	}
}

// amountAbove leaves out what is not given or zero.
func (s *slip) amountAbove(label string, d Decimal) {
	if d.Positive() {
		s.amount(label, d)
	}
}

// total is the amount that the customer looks for. On the narrow roll its label
// and eight digits must still share a line.
func (s *slip) total(label string, d Decimal) {
	pair := func(size int) []receipt.Element {
		return []receipt.Element{receipt.Pair{Left: label, Right: d.Brazilian(2), Size: size, Bold: true}}
	}
	s.Add(receipt.Either{Wide: pair(huge), Narrow: pair(normal)})
}

func (s *slip) rule() { s.Add(receipt.Rule{Dashed: true}) }

func (s *slip) blank() { s.Add(receipt.Blank{Size: caption}) }

// logoMM is how high a logo may be: enough to be known by, and little paper.
const logoMM = 20

func (s *slip) issuer(p Party) {
	if s.style.Logo != nil {
		s.Add(receipt.Image{Picture: s.style.Logo, MaxMM: logoMM}, receipt.Blank{Size: caption})
	}
	if s.style.TradeName && p.TradeName != "" && !strings.EqualFold(p.TradeName, p.Name) {
		s.centered(huge, true, p.TradeName)
		s.centered(normal, true, p.Name)
	} else {
		s.centered(large, true, p.Name)
	}
	s.Add(receipt.Either{Wide: centered(small, identified(p, "  ")), Narrow: centered(small, identified(p, "\n"))})
	s.centered(small, false, p.Address.String())
	if s.style.Phone && p.Phone != "" {
		s.centered(small, false, "Fone"+nbsp+nowrap(phone(p.Phone)))
	}
}

// centered is a text as it stands in the middle of a roll.
func centered(size int, value string) []receipt.Element {
	return []receipt.Element{receipt.Text{Value: value, Size: size, Align: receipt.Center}}
}

// identified is a party's numbers.
func identified(p Party, separator string) string {
	id := p.ID.String()
	if p.StateRegistration != "" {
		id = joined(separator, id, "IE"+nbsp+p.StateRegistration)
	}
	return id
}

// party is a party under its role; one that is not there is left out.
func (s *slip) party(role string, p *Party) {
	if p == nil {
		return
	}
	s.role(role, p)
	s.line(small, p.Address.String())
}

func (s *slip) role(role string, p *Party) {
	s.Add(receipt.Text{Value: role, Size: caption, Bold: true})
	s.line(normal, p.Name)
	s.line(small, identified(*p, "  "))
}

// contingency stands twice on a coupon issued off-line.
func (s *slip) contingency(d *Document) {
	if d.Contingency {
		s.centered(normal, true, "EMITIDA EM CONTINGÊNCIA")
	}
}

func (s *slip) homologation(d *Document) {
	issued := "EMITIDA" // a nota
	if d.Freight != nil {
		issued = "EMITIDO" // o conhecimento
	}
	if d.Homologation {
		s.centered(normal, true, issued+" EM AMBIENTE DE HOMOLOGAÇÃO"+nbsp+"- SEM"+nbsp+"VALOR"+nbsp+"FISCAL")
	}
}

func (s *slip) key(url, key string) {
	s.centered(small, false, "Consulte pela Chave de Acesso em")
	s.centered(small, false, url)
	s.Add(receipt.Either{Wide: centered(normal, blocks(key)), Narrow: centered(small, blocks(key))})
}

func (s *slip) qr(text string) {
	if text != "" {
		s.Add(receipt.QR{Text: text, MinMM: qrMM})
	}
}

func (s *slip) protocol(p Protocol) {
	s.centered(small, false, "Protocolo de Autorização: "+nowrap(p.Number))
	if p.At != "" {
		s.centered(small, false, "Data de Autorização: "+dateTime(p.At))
	}
}

// official is what the tax office has to say: its messages and its notes.
func (s *slip) official(d *Document) {
	s.homologation(d)
	if d.Homologation && d.taxOfficeSpeaks() {
		s.blank()
	}
	for _, alert := range d.Protocol.Alerts {
		s.line(small, joined(" - ", alert.Code, alert.Text))
	}
	s.line(small, paragraphs(d.TaxOfficeNotes))
	s.remarks(d.shown(d.TaxOfficeRemarks))
}

func (d *Document) hasOfficial() bool { return d.Homologation || d.taxOfficeSpeaks() }

func (d *Document) taxOfficeSpeaks() bool {
	return len(d.Protocol.Alerts) > 0 || paragraphs(d.TaxOfficeNotes) != "" || len(d.shown(d.TaxOfficeRemarks)) > 0
}

// shown are remarks where they have a place: the manual of the NFC-e has none for them,
// and systems leave notes to each other there.
func (d *Document) shown(remarks []Remark) []Remark {
	if d.Kind == NFCe {
		return nil
	}
	return remarks
}

func (s *slip) remarks(remarks []Remark) {
	for _, r := range remarks {
		s.line(small, joined(": ", r.Field, paragraphs(r.Text)))
	}
}

// notes are the issuer's own, and the taxes that the law wants shown.
func (s *slip) notes(d *Document, taxes Decimal) {
	s.line(small, paragraphs(d.Notes))
	s.remarks(d.shown(d.Remarks))
	if taxes.Positive() {
		s.line(small, "Tributos Totais Incidentes (Lei Federal 12.741/2012): R$"+nbsp+taxes.Brazilian(2))
	}
}

func (d *Document) hasNotes(taxes Decimal) bool {
	return paragraphs(d.Notes) != "" || len(d.shown(d.Remarks)) > 0 || taxes.Positive()
}

// paragraphs breaks a text where its author meant to: the layouts have no line
// breaks, so issuers write | or ; for one. A text that was escaped twice still has
// references in it, and the sign that ends one breaks nothing.
func paragraphs(text string) string {
	var parts []string
	begin := 0
	for i, r := range text {
		if strings.ContainsRune("|;\r\n", r) && !(r == ';' && endsReference(text[begin:i+1])) {
			parts = append(parts, strings.TrimSpace(text[begin:i]))
			begin = i + 1
		}
	}
	parts = append(parts, strings.TrimSpace(text[begin:]))
	return strings.ReplaceAll(joined("\n", parts...), "R$ ", "R$"+nbsp)
}

// endsReference tells whether the ; at the end of a text belongs to &lt; or its like,
// however often that was escaped.
func endsReference(text string) bool {
	const longest = 32
	text = text[max(len(text)-longest, 0):]
	from := strings.LastIndexByte(text, '&')
	if from < 0 {
		return false
	}
	for text = text[from:]; strings.HasSuffix(text, ";"); {
		plain := html.UnescapeString(text)
		if plain == text {
			return false
		}
		text = plain
	}
	return true
}

// blocks sets a key in eleven groups of four, on two lines of like length: no roll
// has room for all at a size that can be read aloud, and a lone group at the end
// is overlooked.
func blocks(key string) string {
	const firstLine = 6 * 4
	var out strings.Builder
	for i, r := range key {
		switch {
		case i == firstLine:
			out.WriteByte('\n')
		case i > 0 && i%4 == 0:
			out.WriteByte(' ')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// nowrap keeps a text on one line.
func nowrap(text string) string { return strings.ReplaceAll(text, " ", nbsp) }

// dateTime is a moment by the clock of who wrote it.
func dateTime(iso string) string {
	t, ok := moment(iso)
	if !ok {
		return iso
	}
	return t.Format("02/01/2006" + nbsp + "15:04:05")
}

// numbered is a document's name with its number and series.
func numbered(name string, d *Document) string {
	return name + " nº" + nbsp + padded(d.Number, 9) + " Série" + nbsp + padded(d.Series, 3)
}

// padded fills a number up with zeros, the way numbers and series are printed.
func padded(number string, digits int) string {
	return strings.Repeat("0", max(digits-len(number), 0)) + number
}
