package pix

import (
	"fmt"
	"regexp"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// e2ePattern also keeps an answer from choosing the path of the next request.
var e2ePattern = regexp.MustCompile(`^[a-zA-Z0-9]{32}$`)

// TxID is the charge's id at the PSP, always the same for an attempt.
func (a *Acquirer) TxID(t payment.Transaction) string {
	t.Reversals = nil // the charge is the payment's, whatever is under way with it now
	return "mq" + a.digest(t, "charge")
}

// reversalID is the refund of the reversal under way. What it gives back is part of it: a ledger restored from a backup has
// forgotten its newest reversals, and another amount, or another name, must not find one of them.
func (a *Acquirer) reversalID(t payment.Transaction) string {
	purpose := "reversal"
	if r := t.LastReversal(); r.ID != "" || r.Amount.Cmp(t.Request.Amount) != 0 {
		purpose = fmt.Sprintf("reversal %s %s", r.Amount.Cents(), r.ID)
	}
	return "rv" + a.digest(t, purpose)
}

// undoID is the nth try to give back what nobody was told of: an id that the PSP did not act on is used up.
func (a *Acquirer) undoID(t payment.Transaction, e2eid string, n int) string {
	t.Reversals = nil
	return "un" + a.digest(t, fmt.Sprintf("undo %s %d", e2eid, n))
}

func (a *Acquirer) digest(t payment.Transaction, purpose string) string {
	return remote.Digest(a.config.Terminal, t, purpose)
}
