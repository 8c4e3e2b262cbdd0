package tefsim

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// What the simulator's network is called.
const network = "DEMO"

// cardNumbers are how the card stands in its field, on slips and in texts, by whether the manager is careless.
var cardNumbers = map[bool][3]string{
	false: {"411111******1111", "411111******1111"},
	true:  {"4111111111111111", "4111 1111 1111 1111", "5555-5555.5555-4444"},
}

// echo begins a file with what every answer repeats.
func echo(request intpos.Message) intpos.Message {
	return intpos.Of(intpos.Command, request.Get(intpos.Command), intpos.ID, request.Get(intpos.ID))
}

// refusal reports the operation that is still open at the network, if there is one.
func refusal(request intpos.Message, text string, open *operation) intpos.Message {
	m := append(echo(request), intpos.Of(intpos.Amount, request.Get(intpos.Amount), intpos.Status, "1", intpos.Network, network)...)
	if open != nil {
		m = append(m, intpos.Of(intpos.NSU, nsuText(open.nsu), intpos.Key, open.key)...)
	}
	return append(m, intpos.Of(intpos.LineCount, "0", intpos.Text, text)...)
}

// approval speaks the profile of the request: with the 7xx fields if it has them.
func approval(request intpos.Message, o *operation, c Case) intpos.Message {
	m := echo(request)
	switch c {
	case WrongID:
		m = intpos.Of(intpos.Command, request.Get(intpos.Command), intpos.ID, "8888888888")
	case NoID:
		m = m[:1]
	}
	amount := request.Get(intpos.Amount)
	if c == WrongAmount {
		amount = oneMore(amount)
	}
	m = append(m, intpos.Of(intpos.Amount, amount)...)
	if c != NoResult {
		m = append(m, intpos.Of(intpos.Status, "0")...)
	}
	m = append(m, intpos.Of(
		intpos.Network, network, intpos.Type, kind(request), intpos.NSU, nsuText(o.nsu), intpos.Authorization, fmt.Sprintf("%06d", 500000+o.nsu),
		intpos.Installments, request.Get(intpos.Installments), intpos.Date, o.at.Format("02012006"), intpos.Time, o.at.Format("150405"),
		intpos.Key, o.key,
	)...)
	_, extended := request.Lookup(intpos.Capabilities)
	m = append(m, receipts(request, o, c, extended)...)
	if extended {
		told := "2"
		if c == Final {
			told = "1"
		}
		m = append(m, intpos.Of(intpos.MustConfirm, told, intpos.Card, cardNumbers[c == Careless][0])...)
	}
	return m
}

func kind(request intpos.Message) string {
	switch {
	case request.Get(intpos.CardKind) == "2":
		return "20"
	case request.Get(intpos.Wallet) != "":
		return ""
	case request.Get(intpos.Installments) != "":
		return "11"
	}
	return "10"
}

// receipts has none for a final sale where the profile has no other way to say that it is one.
func receipts(request intpos.Message, o *operation, c Case, extended bool) intpos.Message {
	lines := func(number, title string) intpos.Message {
		var m intpos.Message
		for i, text := range []string{"      LOJA DO SIMULADOR", title, "VALOR: R$ " + inReais(request.Get(intpos.Amount)), "CARTÃO: " + cardNumbers[c == Careless][1], "NSU: " + nsuText(o.nsu)} {
			m = append(m, intpos.Field{Number: number, Index: i + 1, Value: text})
		}
		return m
	}
	text := "TRANSAÇÃO AUTORIZADA"
	if c == Careless {
		text += " " + cardNumbers[true][2]
	}
	brand := intpos.Of(intpos.Text, text, intpos.Brand, "VISA")
	switch {
	case extended:
		m := append(intpos.Of(intpos.LineCount, "0"), brand...)
		m = append(append(m, intpos.Of(intpos.CustomerCount, "5")...), lines(intpos.CustomerLine, "VIA CLIENTE")...)
		return append(append(m, intpos.Of(intpos.MerchantCount, "5")...), lines(intpos.MerchantLine, "VIA ESTABELECIMENTO")...)
	case c == Final:
		return append(intpos.Of(intpos.LineCount, "0"), brand...)
	}
	return append(append(intpos.Of(intpos.LineCount, "5"), lines(intpos.Line, "VIA ÚNICA")...), brand...)
}

func nsuText(n int64) string { return fmt.Sprintf("%06d", n) }

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

// inReais writes an amount with a comma, however it was written.
func inReais(amount string) string {
	text := fmt.Sprintf("%03s", cents(amount))
	return text[:len(text)-2] + "," + text[len(text)-2:]
}

// encode writes as managers do: Windows-1252, receipt lines in quotes.
func encode(m intpos.Message) []byte {
	var b strings.Builder
	for _, f := range m {
		value := f.Value
		if f.Index > 0 {
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
	file, err := os.Create(filepath.Join(s.resp.Path, s.name(intpos.Exchange)))
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
