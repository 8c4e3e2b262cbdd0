package pixsim

import (
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// ErrNotPaid means that the customer was to walk away.
var ErrNotPaid = errors.New("o cliente desistiu de pagar")

// customer pays a charge as the next misbehaviour of customers says.
func (b *Bank) customer(txid string) (e2eid string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.charges[txid]
	if c == nil || !c.payable() {
		return b.pay(txid, "", false) // which says why not
	}
	m, _ := b.whims.Take(OnPay, payersOnly)
	cent := money.MustParse("0.01")
	switch {
	case m.Kind == NeverPaid:
		return "", ErrNotPaid
	case m.Kind == RemovedByPSP:
		return "", errors.Join(b.remove(txid), ErrNotPaid)
	case m.Kind == PaidMore:
		return b.pay(txid, money.MustParse(c.created.Amount).Add(cent).Cents(), false)
	case m.Kind == PaidLess && money.MustParse(c.created.Amount).Cmp(cent) > 0:
		return b.pay(txid, money.MustParse(c.created.Amount).Sub(cent).Cents(), false)
	case m.Kind == PaidTwice:
		if _, err := b.pay(txid, "", false); err != nil {
			return "", err
		}
		return b.pay(txid, "", true)
	case m.Kind == PaidLate:
		b.door.Later(time.Until(c.expiry())+time.Second, func() { _, _ = b.PayLate(txid, "") })
		return "", ErrNotPaid
	}
	return b.pay(txid, "", false)
}

// attend has a charge pay itself when its time has come.
func (b *Bank) attend(c *cob) {
	if b.config.AutoPay > 0 && c.payable() {
		txid := c.created.TxID
		b.door.Later(time.Until(c.created.At.Add(b.config.AutoPay)), func() { _, _ = b.customer(txid) }) // withdrawn or paid by hand meanwhile: never mind
	}
}
