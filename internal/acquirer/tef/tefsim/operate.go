package tefsim

import (
	"cmp"
	"context"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// operate is a sale, a cancellation or a visit to the menu.
func (s *simulator) operate(ctx context.Context, request intpos.Message, order Order) error {
	if order.Case != Mute {
		if err := s.acknowledge(request); err != nil {
			return err
		}
	}
	if order.Case == Silence {
		return nil
	}
	if broken := s.wrong(request); broken != "" {
		if err := s.protest(request, broken); err != nil {
			return err
		}
		return s.respond(ctx, s.refusal(request, "PEDIDO INVALIDO", nil), Refuse)
	}
	if order.Case == Late {
		s.after(s.config.Lateness, func() error {
			s.begin(request, Approve)
			defer s.end()
			return s.decide(ctx, request, Order{Case: Approve})
		})
		return nil
	}
	sleep(ctx, s.config.Pinpad)
	if ctx.Err() != nil {
		return nil // the manager was killed with the customer still at the pinpad
	}
	return s.decide(ctx, request, order)
}

func (s *simulator) after(d time.Duration, do func() error) {
	s.later = append(s.later, task{time.Now().Add(d), do})
}

func (s *simulator) decide(ctx context.Context, request intpos.Message, order Order) error {
	menu := request.Get(intpos.Command) == intpos.Admin
	switch order.Case {
	case Refuse:
		if menu {
			break // says it in other words
		}
		return s.respond(ctx, s.refusal(request, cmp.Or(order.Message, "NEGADA 01"), nil), order.Case)
	case Cancel:
		return s.respond(ctx, s.refusal(request, cmp.Or(order.Message, "OPERAÇÃO CANCELADA"), nil), order.Case)
	case Pending:
		if _, err := s.charge(intpos.Of(intpos.Command, intpos.Sale, intpos.ID, Stranger, intpos.Amount, "1")); err != nil {
			return err
		}
	}
	if open := s.ledger.pending(); open != nil && !s.config.Reticent {
		return s.respond(ctx, s.refusal(request, "TRANSAÇÃO PENDENTE", open), Refuse)
	}
	if menu {
		return s.administer(ctx, request, order)
	}
	var original *operation
	if request.Get(intpos.Command) == intpos.Cancel {
		original = s.original(request)
		switch {
		case original == nil || original.state != Confirmed || original.of != "" || s.foreign(request, original):
			return s.respond(ctx, s.refusal(request, "TRANSAÇÃO NÃO ENCONTRADA", nil), Refuse)
		case s.ledger.cancelledBy(original.key) != nil:
			return s.respond(ctx, s.refusal(request, "TRANSAÇÃO JÁ CANCELADA", nil), Refuse)
		case request.Get(intpos.Amount) != "" && original.amount != cents(request.Get(intpos.Amount)):
			return s.respond(ctx, s.refusal(request, "VALOR DIFERE DA VENDA", nil), Refuse)
		}
	}
	o, err := s.chargeAgainst(request, original)
	if err != nil {
		return err
	}
	switch order.Case {
	case Mute, Lost:
		return nil
	case Final:
		if err := s.record(Entry{Event: Confirmed, ID: o.id, Key: o.key, NSU: o.nsu, Note: "final"}); err != nil {
			return err
		}
	}
	return s.respond(ctx, s.approval(request, o, order.Case), order.Case)
}

func (s *simulator) charge(request intpos.Message) (*operation, error) {
	return s.chargeAgainst(request, nil)
}

// askedAmount is what the person types in where a sale says no amount.
const askedAmount = "100"

// chargeAgainst keeps the operation before anybody is told of it.
func (s *simulator) chargeAgainst(request intpos.Message, original *operation) (*operation, error) {
	e := Entry{
		Event: Charged, ID: request.Get(intpos.ID), Amount: cmp.Or(cents(request.Get(intpos.Amount)), askedAmount), NSU: s.ledger.nsu + 1,
		Document: request.Get(intpos.Document), Pix: s.now.Case != OtherMethod && asksForPix(request),
	}
	e.Key = s.vendor.key(time.Now().Format("020120061504"), e.NSU)
	if original != nil {
		e.Event, e.Of, e.Amount = Cancelled, original.key, original.amount
	}
	if s.ledger.ids[e.ID] && e.ID != Stranger {
		if err := s.protest(request, "001 já usado"); err != nil {
			return nil, err
		}
	}
	if err := s.record(e); err != nil {
		return nil, err
	}
	return s.ledger.byKey[e.Key], nil
}

// respond writes the response in the way of the case.
func (s *simulator) respond(ctx context.Context, m intpos.Message, c Case) error {
	data := s.encode(m)
	s.now.Answered, s.now.Result, s.now.Text = true, m.Get(intpos.Status), m.Get(intpos.Text)
	if c == Partial {
		return s.slowly(data, func() { sleep(ctx, slowness) })
	}
	put := func() error { return s.resp.Put(s.name(s.config.Files.Response), data) }
	if err := put(); err != nil {
		return err
	}
	switch c {
	case Duplicate:
		s.after(repetition, put)
	case Locked:
		release, err := lock(s.resp.Path, s.name(s.config.Files.Response))
		if err != nil {
			return err
		}
		sleep(ctx, slowness)
		return release()
	}
	return nil
}
