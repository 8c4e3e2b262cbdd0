package fiscal

import (
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/receipt"
)

// Sizes of a coupon, in points: column heads, small print, text, what matters.
const (
	caption = 6
	small   = 7
	normal  = 8
	large   = 9
)

// nbsp holds words together that read badly on different lines.
const nbsp = "\u00a0"

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

func (s *slip) heading(value string) {
	s.Add(receipt.Text{Value: value, Size: normal, Bold: true})
}

func (s *slip) amount(label string, d Decimal) {
	s.Add(receipt.Pair{Left: label, Right: d.Brazilian(2), Size: normal})
}

// amountAbove leaves out what is not given or zero.
func (s *slip) amountAbove(label string, d Decimal) {
	if d.Positive() {
		s.amount(label, d)
	}
}

func (s *slip) rule() { s.Add(receipt.Rule{}) }

func (s *slip) issuer(p Party) {
	s.centered(large, true, p.Name)
	s.centered(normal, false, p.ID.String())
	if p.StateRegistration != "" {
		s.centered(normal, false, "IE "+p.StateRegistration)
	}
	s.centered(small, false, p.Address.String())
}

// party is a party under its role; one that is not there is left out.
func (s *slip) party(role string, p *Party) {
	if p == nil {
		return
	}
	s.heading(role)
	s.line(normal, p.Name)
	id := p.ID.String()
	if p.StateRegistration != "" {
		id = joined("  ", id, "IE "+p.StateRegistration)
	}
	s.line(normal, id)
	s.line(small, p.Address.String())
}

// notices say in what way a document is not an ordinary one.
func (s *slip) notices(d *Document) {
	if d.Contingency {
		s.centered(normal, true, "EMITIDA EM CONTINGÊNCIA")
	}
	if d.Homologation {
		s.centered(normal, true, "EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO"+nbsp+"- SEM"+nbsp+"VALOR"+nbsp+"FISCAL")
	}
}

func (s *slip) key(url, key string) {
	s.centered(normal, true, "Consulte pela Chave de Acesso em")
	s.centered(small, false, url)
	s.centered(small, false, blocks(key))
}

func (s *slip) protocol(p Protocol) {
	s.centered(normal, false, "Protocolo de Autorização: "+p.Number)
	if p.At != "" {
		s.centered(normal, false, "Data de Autorização: "+dateTime(p.At))
	}
}

// notes are what the tax office and the issuer add.
func (s *slip) notes(d *Document) {
	for _, alert := range d.Protocol.Alerts {
		s.line(small, alert)
	}
	s.line(small, paragraphs(d.TaxOfficeNotes))
	s.line(small, paragraphs(d.Notes))
}

// paragraphs breaks a text where its author meant to: the layouts have no line
// breaks, so issuers write | or ; for one.
func paragraphs(text string) string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '|' || r == ';' || r == '\n' })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return joined("\n", parts...)
}

// blocks sets a key in eleven groups of four, on two lines of like length: the
// narrow roll has no room for more, and a lone group at the end is overlooked.
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

// dateTime is a moment by the clock of who wrote it. What is no date is shown as
// it stands: better odd than missing.
func dateTime(iso string) string {
	t, err := time.Parse(time.RFC3339, iso)
	if err != nil {
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
