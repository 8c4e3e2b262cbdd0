package connecttef

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// operation is one as Connect TEF tells it. Only once it is executed is there anything in it.
type operation struct {
	executed     bool
	approved     bool
	text         string // for the operator
	network      string
	number       string // the NSU
	code         string // the authorisation
	final        string // in three parts with bars: a refund must repeat it
	kind         string // by its table of codes
	installments string
	brand        string
	total        string
	receipt      string
}

type operationJSON struct {
	ID           word  `json:"identificacao"`
	Executed     *bool `json:"executada"`
	Status       word  `json:"statusTransacao"`
	Text         word  `json:"textoEspecialOperador"`
	Network      word  `json:"nomeRede"`
	Number       word  `json:"numeroTransacao"`
	Code         word  `json:"codigoAutorizacaoTransacao"`
	Final        word  `json:"finalizacao"`
	Kind         word  `json:"tipoTransacao"`
	Installments word  `json:"quantidadeParcelas"`
	Brand        word  `json:"bandeiraCartao"`
	Total        word  `json:"valorTotal"`
	Receipt      word  `json:"comprovante"`
}

// word is a text that may come as a number, or as null.
type word string

// UnmarshalJSON takes whichever it is.
func (w *word) UnmarshalJSON(raw []byte) error {
	var text string
	switch {
	case bytes.Equal(raw, []byte("null")):
	case raw[0] == '"':
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
	default:
		var n json.Number
		if err := json.Unmarshal(raw, &n); err != nil {
			return err
		}
		text = n.String()
	}
	*w = word(text)
	return nil
}

// line is a word in one line, without the card number that it might have.
func (w word) line() string { return cardnames.Mask(remote.Tidy(string(w))) }

// told says whether it is about an operation at all.
func (j *operationJSON) told() bool { return j.Executed != nil || j.ID != "" || j.Status != "" }

// empty tells an object without members from somebody else's.
func empty(raw []byte) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(raw, &members) == nil && len(members) == 0
}

var errNotTold = errors.New("the answer tells of no operation")

// parseOperation reads an answer about an operation of ours. Not known means that the answer is empty; what it
// can't make sense of is an error: nothing is guessed where money is concerned.
func parseOperation(raw []byte, id string) (o operation, known bool, err error) {
	var j *operationJSON
	if len(bytes.TrimSpace(raw)) == 0 {
		return operation{}, false, nil
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return operation{}, false, fmt.Errorf("reading the operation: %w", err)
	}
	switch {
	case j == nil || !j.told() && empty(raw):
		return operation{}, false, nil
	case !j.told():
		return operation{}, false, errNotTold
	case j.ID != "" && string(j.ID) != id:
		return operation{}, false, fmt.Errorf("the answer is another operation: %s", j.ID.line())
	case j.Executed == nil:
		return operation{}, false, errors.New("the answer does not say whether the operation was executed")
	case *j.Executed && j.Status == "":
		return operation{}, false, errors.New("the answer does not say how the operation ended")
	}
	return operation{
		executed: *j.Executed, approved: *j.Executed && j.Status == "0", text: j.Text.line(), network: j.Network.line(), number: j.Number.line(),
		code: j.Code.line(), final: j.Final.line(), kind: j.Kind.line(), installments: j.Installments.line(), brand: j.Brand.line(),
		total: j.Total.line(), receipt: receipt(string(j.Receipt)),
	}, true, nil
}

// receipt is the text as it is printed: its lines come in quotes.
func receipt(text string) string {
	const most = 16 << 10
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(text[:min(len(text), most)], "?")) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) >= 2 && line[0] == '"' && line[len(line)-1] == '"' {
			line = line[1 : len(line)-1]
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return cardnames.Mask(strings.TrimRight(strings.Join(lines, "\n"), "\n"))
}

// of tells whether an operation is of an amount. Its pages write a total in reais in requests, and the same as cents in an answer.
func (o operation) of(amount money.Decimal) bool {
	if o.total == "" {
		return true
	}
	said, err := money.Parse(strings.Replace(o.total, ",", ".", 1))
	if err != nil {
		return false
	}
	cents := money.MustParse(strings.Replace(amount.Cents(), ".", "", 1))
	return said.Cmp(amount) == 0 || said.Cmp(cents) == 0
}

// sum is the total that was paid: what has no comma is cents.
func (o operation) sum() (money.Decimal, error) {
	text := strings.Replace(o.total, ",", ".", 1)
	if !strings.Contains(text, ".") {
		text = strings.Repeat("0", max(3-len(text), 0)) + text
		text = text[:len(text)-2] + "." + text[len(text)-2:]
	}
	return money.Parse(text)
}

// another is why the end of a payment is not known that was made over another sum.
func (o operation) another(asked money.Decimal) *payment.OtherAmountError {
	e := &payment.OtherAmountError{Asked: asked, NSU: o.number}
	var err error
	if e.Paid, err = o.sum(); err != nil {
		e.Told = o.total
	}
	return e
}
