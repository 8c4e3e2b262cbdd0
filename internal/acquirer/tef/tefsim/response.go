package tefsim

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// maskedCard is how a card stands in its field and on slips where the manager is not careless.
const maskedCard = "411111******1111"

// echo begins a file with what every answer repeats.
func echo(request intpos.Message) intpos.Message {
	return intpos.Of(intpos.Command, request.Get(intpos.Command), intpos.ID, request.Get(intpos.ID))
}

// head is echo in the way of the case.
func head(request intpos.Message, c Case) intpos.Message {
	switch c {
	case WrongID:
		return intpos.Of(intpos.Command, request.Get(intpos.Command), intpos.ID, "8888888888")
	case NoID:
		return echo(request)[:1]
	}
	return echo(request)
}

// refusal reports the operation that is still open at the network, if there is one.
func (s *simulator) refusal(request intpos.Message, text string, open *operation) intpos.Message {
	m := append(echo(request), intpos.Of(intpos.Amount, request.Get(intpos.Amount), intpos.Network, s.vendor.network)...)
	if s.vendor.results {
		m = append(m, intpos.Field{Number: intpos.Result, Index: resultLine, Value: "2"})
	} else {
		m = append(m, intpos.Of(intpos.Status, "1")...)
	}
	if open != nil {
		key := open.key
		if s.vendor.results {
			key = cmp.Or(open.document, open.key) // it means the document by it
		}
		m = append(m, intpos.Of(intpos.NSU, open.nsuText(), intpos.Key, key)...)
	}
	return append(m, intpos.Of(intpos.LineCount, "0", intpos.Text, text)...)
}

// resultLine is where Elgin's manager says how it ended.
const resultLine = 28

// approval answers as the vendor's samples do.
func (s *simulator) approval(request intpos.Message, o *operation, c Case) intpos.Message {
	v := s.vendor
	_, asked := request.Lookup(intpos.Capabilities)
	v.extended = v.extended || asked && s.config.As == ""
	m := head(request, c)
	amount := cmp.Or(request.Get(intpos.Amount), v.amount(o.amount))
	if c == WrongAmount {
		amount = oneMore(amount)
	}
	m = append(m, intpos.Of(intpos.Amount, amount, intpos.Network, v.product(request, o))...)
	if c != NoResult {
		m = append(m, v.result()...)
	}
	date, clock := o.at.Format("02012006"), o.at.Format("150405")
	if v.short {
		date = o.at.Format("0102")
	}
	if v.minutes {
		clock = o.at.Format("1504")
	}
	code, kind := fmt.Sprintf("%06d", 500000+o.nsu), v.kind(request, o)
	switch {
	case o.pix:
		code = ""
	case c == OtherMethod && !v.ownTypes:
		kind = "10"
	}
	m = append(m, intpos.Of(intpos.Type, kind, intpos.NSU, o.nsuText(), intpos.Authorization, code, intpos.Installments, count(request), intpos.Date, date, intpos.Time, clock)...)
	if !v.results {
		m = append(m, intpos.Of(intpos.Key, o.key)...)
	}
	if of := s.ledger.byKey[o.of]; of != nil {
		m = append(m, intpos.Of(intpos.OriginalNSU, of.nsuText(), intpos.OriginalTime, of.at.Format("0201150405"))...)
	}
	m = append(m, v.receipts(request, o, c, s.config.Card)...)
	m = append(m, v.card(o, c, s.config.Card)...)
	return append(m, v.waits(c)...)
}

// result says that it was approved.
func (v vendor) result() intpos.Message {
	if v.results {
		return intpos.Of(intpos.HostCode, "00")
	}
	return intpos.Of(intpos.Status, "0")
}

// waits says whether a confirmation is waited for, where the vendor has a way to say it.
func (v vendor) waits(c Case) intpos.Message {
	switch {
	case c == Final && v.results:
		return intpos.Message{{Number: intpos.Result, Index: resultLine, Value: "1"}}
	case c == Final && (v.extended || v.confirms):
		return intpos.Of(intpos.MustConfirm, "1")
	case v.extended:
		return intpos.Of(intpos.MustConfirm, "2")
	}
	return nil
}

// card is what the vendor tells of the card, in the place where it tells it.
func (v vendor) card(o *operation, c Case, pan string) intpos.Message {
	if o.pix {
		if v.extended {
			return intpos.Of(intpos.Means, "8", intpos.Wallet, "4")
		}
		return nil
	}
	var m intpos.Message
	if v.extended {
		m = append(m, intpos.Of(intpos.Card, maskedCard)...)
	}
	if c == Careless {
		m = append(m, carelessFields(pan)...)
	}
	if c == OtherMethod {
		return append(m, intpos.Of(intpos.CardName, "AMERICAN EXPRESS", intpos.CardKind, "01")...)
	}
	m = append(m, intpos.Of(intpos.Brand, v.brand)...)
	return append(m, v.more...)
}

// receipts has none for a final sale where the vendor has no other way to say that it is one.
func (v vendor) receipts(request intpos.Message, o *operation, c Case, pan string) intpos.Message {
	slip := []string{"      LOJA DO SIMULADOR", "", "VALOR: R$ " + inReais(cmp.Or(request.Get(intpos.Amount), o.amount)), "CARTÃO: " + maskedCard, "NSU: " + o.nsuText()}
	text := "TRANSAÇÃO AUTORIZADA"
	if c == Careless {
		text += " " + grouped(pan, "-")
		slip = append(slip[:3], append(carelessLines(pan), slip[4])...)
	}
	length := strconv.Itoa(len(slip))
	lines := func(m intpos.Message, number, title string) intpos.Message {
		for i, text := range slip {
			if i == 1 {
				text = title
			}
			m = append(m, intpos.Field{Number: number, Index: i + 1, Value: text})
		}
		return m
	}
	said := intpos.Of(intpos.Text, text)
	switch {
	case v.extended:
		m := lines(append(intpos.Of(intpos.LineCount, "0", intpos.ReducedCount, "1"), intpos.Field{Number: intpos.ReducedLine, Index: 1, Value: "VIA REDUZIDA"}), intpos.CustomerLine, "VIA CLIENTE")
		m = append(lines(m, intpos.MerchantLine, "VIA ESTABELECIMENTO"), intpos.Of(intpos.CustomerCount, length, intpos.MerchantCount, length, intpos.Copies, "3")...)
		return append(m, said...)
	case c == Final && !v.confirms:
		return append(intpos.Of(intpos.LineCount, "0"), said...)
	case v.split:
		m := lines(intpos.Of(intpos.LineCount, strconv.Itoa(2*len(slip)), intpos.FirstCopy, length), intpos.Line, "VIA CLIENTE")
		for _, f := range lines(nil, intpos.Line, "VIA ESTABELECIMENTO") {
			f.Index += len(slip)
			m = append(m, f)
		}
		return append(m, said...)
	}
	return append(lines(intpos.Of(intpos.LineCount, length), intpos.Line, "VIA ÚNICA"), said...)
}

// oneMore adds a cent, in the way the amount is written.
func oneMore(amount string) string {
	n, err := strconv.Atoi(cents(amount))
	if err != nil {
		return amount + "1"
	}
	if strings.Contains(amount, ",") {
		return inReais(strconv.Itoa(n + 1))
	}
	return strconv.Itoa(n + 1)
}

// amount writes cents as the vendor does.
func (v vendor) amount(cents string) string {
	if v.reais {
		return inReais(cents)
	}
	return cents
}

// inReais writes an amount with a comma, however it was written.
func inReais(amount string) string {
	text := fmt.Sprintf("%03s", cents(amount))
	return text[:len(text)-2] + "," + text[len(text)-2:]
}

// slips are the fields of receipt lines.
var slips = []string{intpos.Line, intpos.ReducedLine, intpos.CustomerLine, intpos.MerchantLine}

// encode writes as managers do: Windows-1252, receipt lines in quotes or without.
func (s *simulator) encode(m intpos.Message) []byte {
	var b strings.Builder
	for _, f := range m {
		value := f.Value
		if slices.Contains(slips, f.Number) && f.Index > 0 && !s.vendor.unquoted {
			value = `"` + value + `"`
		}
		fmt.Fprintf(&b, "%s-%03d = %s\r\n", f.Number, f.Index, value)
	}
	b.WriteString("999-999 = 0\r\n")
	text, err := charmap.Windows1252.NewEncoder().String(b.String())
	if err != nil {
		return []byte(b.String())
	}
	return []byte(text)
}

// name is a file's name in the case this manager writes it.
func (s *simulator) name(file string) string {
	if s.config.Upper {
		return strings.ToUpper(file)
	}
	return file
}

// slowly writes a file in two parts, visible all the while.
func (s *simulator) slowly(data []byte, between func()) error {
	file, err := os.Create(filepath.Join(s.resp.Path, s.name(s.config.Files.Response)))
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(data[:len(data)/2]); err != nil {
		return err
	}
	between()
	_, err = file.Write(data[len(data)/2:])
	return err
}
