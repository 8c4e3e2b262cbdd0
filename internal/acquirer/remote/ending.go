package remote

import (
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// Refusal is the certainty that the other end did not act on a call, and will not.
type Refusal struct {
	Message string // for the person at the terminal
	Said    bool   // by the other end itself; otherwise the call never got there
}

func (r *Refusal) Error() string { return r.Message }

// Declined is a refusal with words for the person.
func Declined(message string) payment.Outcome {
	return payment.Outcome{Verdict: payment.Declined, Message: message}
}

// Abandoned is an operation that somebody called off, or that never came to anything.
func Abandoned() payment.Outcome { return payment.Outcome{Verdict: payment.Abandoned} }

// Receipt makes both copies, for an acquirer that sends none of its own.
func Receipt(shop string, lines ...string) payment.Receipt {
	now := time.Now().Format("02/01/2006 15:04:05")
	slip := func(title string) string {
		var all []string
		if shop != "" {
			all = append(all, shop)
		}
		all = append(all, title, "")
		all = append(all, lines...)
		return strings.Join(append(all, now), "\n")
	}
	return payment.Receipt{Customer: slip("VIA CLIENTE"), Merchant: slip("VIA ESTABELECIMENTO")}
}
