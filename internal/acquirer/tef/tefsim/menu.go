package tefsim

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// What the person does in the manager's own menu (ADM), where it is more than to print the last receipt again.
const (
	Reverse      Case = "reverse"
	ReverseFinal Case = "reverse-final"
)

// MenuCases are those of ADM.
var MenuCases = []Case{
	Approve, Reverse, ReverseFinal, Refuse, Cancel, NoStatus, Mute, Silence, Lost, Partial, Locked, WrongID, NoID, NoResult, Pending, Late, Duplicate, Careless,
}

// administer is the manager's own menu: the last receipt once more, a report where there is none, or the newest sale cancelled.
func (s *simulator) administer(ctx context.Context, request intpos.Message, order Order) error {
	switch order.Case {
	case Refuse:
		return s.respond(ctx, s.refusal(request, cmp.Or(order.Message, "FUNÇÃO NÃO DISPONÍVEL"), nil), order.Case)
	case Reverse, ReverseFinal, Lost, Mute:
		original := s.original(request)
		if original == nil {
			return s.respond(ctx, s.refusal(request, "NENHUMA VENDA A CANCELAR", nil), Refuse)
		}
		o, err := s.chargeAgainst(request, original)
		if err != nil || order.Case == Lost || order.Case == Mute {
			return err
		}
		how := Approve
		if order.Case == ReverseFinal {
			how = Final
			if err := s.record(Entry{Event: Confirmed, ID: o.id, Key: o.key, NSU: o.nsu, Note: "final"}); err != nil {
				return err
			}
		}
		return s.respond(ctx, s.approval(request, o, how), order.Case)
	}
	return s.reprint(ctx, request, order.Case)
}

// reprint answers with paper. Managers that have no way to say otherwise wait for it to be confirmed, as after a sale.
func (s *simulator) reprint(ctx context.Context, request intpos.Message, c Case) error {
	v, last := s.vendor, s.lastPrinted()
	title := "COMPROVANTE REIMPRESSO"
	if last == nil {
		title, last = "RELATÓRIO: NENHUMA OPERAÇÃO", &operation{at: time.Now()}
	}
	m, nsu, key := head(request, c), last.nsuText(), ""
	if !v.extended && !v.results {
		e := Entry{Event: Reported, ID: request.Get(intpos.ID), NSU: s.ledger.nsu + 1}
		e.Key = v.key(time.Now().Format("020120061504"), e.NSU)
		if err := s.record(e); err != nil {
			return err
		}
		nsu, key = s.ledger.byKey[e.Key].nsuText(), e.Key
	}
	m = append(m, intpos.Of(intpos.Network, cmp.Or(v.network, "VISA"))...)
	if c != NoResult {
		m = append(m, v.result()...)
	}
	m = append(m, intpos.Of(intpos.Type, "00", intpos.NSU, nsu, intpos.Key, key)...)
	m = append(m, v.receipts(request, last, c, s.config.Card)...)
	i := slices.IndexFunc(m, func(f intpos.Field) bool { return f.Number == intpos.Text })
	m[i].Value = title + m[i].Value[len("TRANSAÇÃO AUTORIZADA"):] // what a careless manager adds stays
	if v.extended || v.results {
		m = append(m, v.waits(Final)...)
	}
	return s.respond(ctx, m, c)
}

// lastPrinted is the newest operation that had a receipt.
func (s *simulator) lastPrinted() *operation {
	for _, o := range slices.Backward(s.ledger.order) {
		if !o.report && o.state != Undone {
			return o
		}
	}
	return nil
}
