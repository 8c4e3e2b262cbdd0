package pixsim

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/money"
)

// The statuses of the API.
const (
	active         = "ATIVA"
	concluded      = "CONCLUIDA"
	removedByUser  = "REMOVIDA_PELO_USUARIO_RECEBEDOR"
	removedByPSP   = "REMOVIDA_PELO_PSP"
	refunding      = "EM_PROCESSAMENTO"
	refundMade     = "DEVOLVIDO"
	refundNotMade  = "NAO_REALIZADO"
	ispb           = "99999999"
	payloadAddress = "pix.example.com/qr/v2/"
)

// What a payer can be told.
var (
	ErrNoCharge  = errors.New("não há cobrança com este txid")
	ErrNotActive = errors.New("a cobrança não pode mais ser paga")
)

type cob struct {
	created Event
	status  string
	paid    []*paid
}

type paid struct {
	Event
	refunds []*Event // the newest state of each
}

// apply is an event that is in the ledger.
func (b *Bank) apply(e Event) {
	switch e.Kind {
	case Charged:
		c := &cob{created: e, status: active}
		b.charges[e.TxID], b.order = c, append(b.order, c)
	case Removed:
		b.charges[e.TxID].status = e.Status
	case Paid:
		p := &paid{Event: e}
		c := b.charges[e.TxID]
		c.paid, b.payments[e.E2EID] = append(c.paid, p), p
		if c.status == active {
			c.status = concluded
		}
	case Refunded:
		p := b.payments[e.E2EID]
		if r := p.refund(e.ID); r != nil {
			*r = e
			return
		}
		p.refunds = append(p.refunds, &e)
	case Violated:
		b.violations = append(b.violations, e.Note)
	}
}

func (b *Bank) happen(e Event) error {
	e.At = time.Now()
	if err := b.ledger.Append(e); err != nil {
		return err
	}
	b.apply(e)
	switch {
	case b.note == nil:
		b.door.Report(Exchange{Events: []Event{e}})
	default:
		b.note.Events = append(b.note.Events, e)
	}
	if e.Kind == Charged {
		b.attend(b.charges[e.TxID])
	}
	return nil
}

func (p *paid) refund(id string) *Event {
	for _, r := range p.refunds {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// left is what could still be given back.
func (p *paid) left() money.Decimal {
	left := money.MustParse(p.Amount)
	for _, r := range p.refunds {
		if r.Status != refundNotMade {
			left = left.Sub(money.MustParse(r.Amount))
		}
	}
	return left
}

func (c *cob) expiry() time.Time {
	return c.created.At.Add(time.Duration(c.created.Expiry) * time.Second)
}

func (c *cob) payable() bool { return c.status == active && !time.Now().After(c.expiry()) }

// Pay is a customer paying a charge; an empty amount is the right one.
func (b *Bank) Pay(txid, amount string) (e2eid string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pay(txid, amount, false)
}

// PayLate is a payment that was under way when the charge expired or was removed.
func (b *Bank) PayLate(txid, amount string) (e2eid string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pay(txid, amount, true)
}

func (b *Bank) pay(txid, amount string, late bool) (string, error) {
	c := b.charges[txid]
	switch {
	case c == nil:
		return "", ErrNoCharge
	case !late && !c.payable():
		return "", ErrNotActive
	}
	if amount == "" {
		amount = c.created.Amount
	}
	if !amountPattern.MatchString(amount) {
		return "", fmt.Errorf("%q não é um valor como 10.00", amount)
	}
	e2eid := newID("E")
	return e2eid, b.happen(Event{Kind: Paid, TxID: txid, E2EID: e2eid, Amount: amount})
}

// newID makes an endToEndId or a return's id.
func newID(kind string) string {
	return kind + ispb + time.Now().UTC().Format("200601021504") + strings.ToUpper(rand.Text()[:11])
}

// Remove is the PSP taking a charge away.
func (b *Bank) Remove(txid string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.remove(txid)
}

func (b *Bank) remove(txid string) error {
	c := b.charges[txid]
	switch {
	case c == nil:
		return ErrNoCharge
	case c.status != active:
		return ErrNotActive
	}
	return b.happen(Event{Kind: Removed, TxID: txid, Status: removedByPSP})
}

// Active are the charges that can be paid now, oldest first.
func (b *Bank) Active() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var ids []string
	for _, c := range b.order {
		if c.payable() {
			ids = append(ids, c.created.TxID)
		}
	}
	return ids
}

func (b *Bank) brCode(txid, amount string) (string, error) {
	return brazil.DynamicPIX{Merchant: b.config.Merchant, Location: payloadAddress + txid, Amount: amount}.BRCode()
}

// mature brings refunds in the making to their end when their time has come.
func (b *Bank) mature(p *paid) error {
	for _, r := range p.refunds {
		if r.Status == refunding && !time.Now().Before(r.Until) {
			e := *r
			e.Status, e.Until, e.End = r.End, time.Time{}, ""
			if err := b.happen(e); err != nil {
				return err
			}
		}
	}
	return nil
}
