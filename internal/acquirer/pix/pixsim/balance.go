package pixsim

import (
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// Account is what became of one charge.
type Account struct {
	TxID     string
	Amount   string // that was asked for
	Status   string // as the API has it; expiry is none
	Payments []Payment
}

// Payment is money that came in.
type Payment struct {
	E2EID, Amount string
	Refunds       []Refund
}

// Refund is money that went back, if its status says so.
type Refund struct{ ID, Amount, Status string }

// Left is what the shop has kept of a payment; refunds in the making have not left yet.
func (p Payment) Left() money.Decimal {
	left := money.MustParse(p.Amount)
	for _, r := range p.Refunds {
		if r.Status == refundMade {
			left = left.Sub(money.MustParse(r.Amount))
		}
	}
	return left
}

// Standing is what the customers have paid for the charge and not been given back.
func (a Account) Standing() money.Decimal {
	sum := money.Zero
	for _, p := range a.Payments {
		sum = sum.Add(p.Left())
	}
	return sum
}

// Open tells whether a customer can still pay, or a refund is still in the making.
func (a Account) Open() bool {
	for _, p := range a.Payments {
		for _, r := range p.Refunds {
			if r.Status == refunding {
				return true
			}
		}
	}
	return a.Status == active
}

// Balance is a whole ledger.
type Balance struct {
	Accounts   []Account // in the order they were asked for
	Violations []Event
}

// Double are the charges for which more than one payment stands.
func (b Balance) Double() []string {
	var double []string
	for _, a := range b.Accounts {
		standing := 0
		for _, p := range a.Payments {
			if p.Left().Sign() > 0 {
				standing++
			}
		}
		if standing > 1 {
			double = append(double, a.TxID)
		}
	}
	return double
}

// ReadBalance adds a ledger up, also while a PSP writes it; one that does not exist is empty.
func ReadBalance(path string) (Balance, error) {
	events, err := ReadLedger(path)
	if err != nil {
		return Balance{}, err
	}
	b := emptyBank(Config{})
	var sum Balance
	for _, e := range events {
		b.apply(e)
		if e.Kind == Violated {
			sum.Violations = append(sum.Violations, e)
		}
	}
	for _, c := range b.order {
		a := Account{TxID: c.created.TxID, Amount: c.created.Amount, Status: c.status}
		for _, p := range c.paid {
			a.Payments = append(a.Payments, p.account())
		}
		sum.Accounts = append(sum.Accounts, a)
	}
	return sum, nil
}

func (p *paid) account() Payment {
	made := Payment{E2EID: p.E2EID, Amount: p.Amount}
	for _, r := range p.refunds {
		status := r.Status
		if status == refunding && !time.Now().Before(r.Until) {
			status = r.End // the PSP writes it when somebody asks next
		}
		made.Refunds = append(made.Refunds, Refund{r.ID, r.Amount, status})
	}
	return made
}
