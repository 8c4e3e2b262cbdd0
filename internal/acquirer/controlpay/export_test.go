package controlpay

import "github.com/maquininha/maquininha/internal/payment"

// Cancellation is the name of the request that gives a payment back.
func (a *Acquirer) Cancellation(t payment.Transaction) string { return a.cancellation(t) }
