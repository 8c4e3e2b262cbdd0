package mercadopago

import (
	"github.com/maquininha/maquininha/internal/payment"
)

// ReversalKey is the key of the refund that the reversal under way asks for.
func (a *Acquirer) ReversalKey(t payment.Transaction) string { return a.reversalKey(t) }
