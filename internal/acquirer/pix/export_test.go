package pix

import (
	"github.com/maquininha/maquininha/internal/payment"
)

// ReversalID is the id of the refund that the reversal under way asks for.
func (a *Acquirer) ReversalID(t payment.Transaction) string { return a.reversalID(t) }
