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
