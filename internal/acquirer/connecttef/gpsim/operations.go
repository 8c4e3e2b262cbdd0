package gpsim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

type operation struct {
	made  Event
	ended *Event
}

func (o *operation) open() bool { return o.ended == nil }

// now is how it stands.
func (o *operation) now() Event {
	if o.ended != nil {
		return *o.ended
	}
	return o.made
}

// amount is what was moved, or is to be.
func (o *operation) amount() string { return cmp.Or(o.now().Amount, o.made.Amount) }

// final is what a refund must repeat.
func (o *operation) final() string {
	return fmt.Sprintf("2117132|%s|%s", o.ended.Number, o.ended.Code)
}

// apply is an event that is in the ledger.
func (m *Manager) apply(e Event) {
	switch e.Kind {
	case Made:
		o := &operation{made: e}
		m.operations[e.ID], m.inTurn = o, append(m.inTurn, o)
	case Ended:
		m.operations[e.ID].ended = &e
	case Violated:
		m.Violated(e.Note)
	}
}

func (m *Manager) happen(e Event) error {
	e.At = time.Now()
	return m.Record(e)
}

// mature brings an operation to where time has taken it.
func (m *Manager) mature(o *operation) error {
	if !o.open() || time.Now().Before(o.made.Until) {
		return nil
	}
	return m.end(o, ending{status: o.made.End})
}

// busy tells whether the device has an operation.
func (m *Manager) busy() (bool, error) {
	for _, o := range m.inTurn {
		if err := m.mature(o); err != nil {
			return false, err
		}
		if o.open() {
			return true, nil
		}
	}
	return false, nil
}

// sold is the sale that a refund names; nil: there is none.
func (m *Manager) sold(number, final string) *operation {
	i := slices.IndexFunc(m.inTurn, func(o *operation) bool {
		return !o.made.Refund && !o.open() && o.ended.Status == Approved && o.ended.Number == number && o.final() == final
	})
	if i < 0 {
		return nil
	}
	return m.inTurn[i]
}

// givenBack tells of a sale that went back, or is about to.
func (m *Manager) givenBack(sale *operation) bool {
	return slices.ContainsFunc(m.inTurn, func(o *operation) bool {
		return o.made.Refund && o.made.Of == sale.made.ID && (o.open() && o.made.End == Approved || !o.open() && o.ended.Status == Approved)
	})
}

// ending is how an operation is to end.
type ending struct {
	status, text string
	amount, kind string // where they are not what was asked for
	loose        bool
}

// end ends an operation that is at the device.
func (m *Manager) end(o *operation, how ending) error {
	if !o.open() {
		return ErrOver
	}
	e := Event{Kind: Ended, ID: o.made.ID, Status: how.status, Text: cmp.Or(how.text, texts[how.status]), Loose: how.loose}
	if how.status == Approved {
		e.Number, e.Code, e.Amount = httpsim.Digits(6), httpsim.Digits(6), how.amount
		e.Type, e.Times = cmp.Or(how.kind, o.made.Type, "10"), cmp.Or(o.made.Times, "1")
	}
	return m.happen(e)
}

const cardNumber = "4111111111111111"

// json is an operation as the API tells it.
func (o *operation) json(network string) map[string]any {
	if o.open() {
		return map[string]any{"executada": false, "textoEspecialOperador": "PROCESSANDO..."}
	}
	if o.ended.Status != Approved {
		return map[string]any{"executada": true, "statusTransacao": o.ended.Status, "textoEspecialOperador": o.ended.Text}
	}
	e, amount := o.ended, money.MustParse(o.amount())
	card := cardNumber[:6] + "******" + cardNumber[12:]
	if e.Loose {
		card = cardNumber
	}
	lines := []string{
		"----------------------------------------", "              VIA CLIENTE               ", "VALOR   " + amount.Reais(), "CARTAO  " + card, "REDE    " + network,
		"NSU     " + e.Number, "AUT     " + e.Code, e.At.Format("02/01/2006 15:04:05"),
	}
	j := map[string]any{
		"identificacao": o.made.ID, "valorTotal": strings.TrimLeft(strings.Replace(amount.Cents(), ".", "", 1), "0"), "statusTransacao": e.Status, "nomeRede": network,
		"tipoTransacao": e.Type, "numeroTransacao": e.Number, "codigoAutorizacaoTransacao": e.Code, "timestampTransacaoHost": e.At.Format("0201150405"),
		"quantidadeParcelas": e.Times, "dataTransacaoComprovante": e.At.Format("02012006"), "horaTransacaoComprovante": e.At.Format("150405"),
		"finalizacao": o.final(), "quantidadeLinhasComprovante": fmt.Sprint(len(lines)), "numeroSerieTerminal": "PBF923CC70331",
		"comprovante": `"` + strings.Join(lines, "\"\n\"") + "\"\n", "executada": true, "cnpj": "42407441000152",
	}
	if e.Type != "30" {
		j["bandeiraCartao"] = "VISA"
	}
	return j
}
