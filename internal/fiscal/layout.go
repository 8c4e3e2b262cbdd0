package fiscal

import (
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
type slip struct{ receipt.Page }

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

func (s *slip) issuer(p Party) {
	s.centered(large, true, p.Name)
	s.Add(receipt.Either{Wide: centered(small, identified(p, "  ")), Narrow: centered(small, identified(p, "\n"))})
	s.centered(small, false, p.Address.String())
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
	if d.Homologation {
		s.centered(normal, true, "EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO"+nbsp+"- SEM"+nbsp+"VALOR"+nbsp+"FISCAL")
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
	if d.Homologation && (len(d.Protocol.Alerts) > 0 || paragraphs(d.TaxOfficeNotes) != "") {
		s.blank()
	}
	for _, alert := range d.Protocol.Alerts {
		s.line(small, joined(" - ", alert.Code, alert.Text))
	}
	s.line(small, paragraphs(d.TaxOfficeNotes))
}

func (d *Document) hasOfficial() bool {
	return d.Homologation || len(d.Protocol.Alerts) > 0 || paragraphs(d.TaxOfficeNotes) != ""
}

// notes are the issuer's own, and the taxes that the law wants shown.
func (s *slip) notes(d *Document, taxes Decimal) {
	s.line(small, paragraphs(d.Notes))
	if taxes.Positive() {
		s.line(small, "Tributos Totais Incidentes (Lei Federal 12.741/2012): R$"+nbsp+taxes.Brazilian(2))
	}
}

// paragraphs breaks a text where its author meant to: the layouts have no line
// breaks, so issuers write | or ; for one.
func paragraphs(text string) string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("|;\r\n", r) })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.ReplaceAll(joined("\n", parts...), "R$ ", "R$"+nbsp)
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
