package controlpay_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/controlpay"
	"github.com/maquininha/maquininha/internal/acquirer/controlpay/paysim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

const (
	key      = "key-of-the-shop"
	patience = time.Minute // of the terminal, with a customer
)

// shop is ControlPay with its terminal, as the conformance suite sees it.
type shop struct {
	t       *testing.T
	account *paysim.Account
	ledger  string
	config  controlpay.Config
	driver  *controlpay.Acquirer // for the names alone

	asked remotetest.Notes // the names of all requests that could move money
}

// openShop has a network in memory, for a test in a bubble.
func openShop(t *testing.T, dir string) (p *shop, closing func()) {
	network := remotetest.NewPipe()
	p = &shop{t: t, ledger: filepath.Join(dir, "controlpay.jsonl")}
	p.config = controlpay.Config{
		BaseURL: "http://127.0.0.1", Key: key, Terminal: paysim.Terminal, Password: paysim.Password, Device: "1",
		Network: remote.Network{Dial: network.Dial},
	}
	var err error
	if p.account, err = paysim.New(paysim.Config{Key: key, Ledger: p.ledger, Patience: patience}); err != nil {
		t.Fatal(err)
	}
	hangUp := remotetest.Serve(network, http.HandlerFunc(p.serve))
	return p, func() {
		hangUp()
		p.account.Close()
	}
}

// serve notes what was asked for before the account acts on it.
func (p *shop) serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/Venda/") {
		p.asked.Add(r.Header.Get("X-Request-Id"))
	}
	p.account.ServeHTTP(w, r)
}

func fixture(t *testing.T, dir string) paymenttest.Fixture {
	p, closing := openShop(t, dir)
	return paymenttest.Fixture{
		Methods: []payment.Method{payment.Credit, payment.Debit},
		Start:   p.start, Play: p.play, Behave: p.account.Behave, Person: p.person,
		// A refund's payment is looked at first: while it can't be, nothing is asked for.
		Ends:  remotetest.Ends(paymenttest.End{Told: payment.Approved, Final: payment.Approved}),
		Lacks: remotetest.Lacks(), WholeOnly: "ControlPay cancels whole sales",
		Books: p.books, Reached: p.reached, Close: closing,
	}
}

func (p *shop) start(process *paymenttest.Process, _ payment.Ledger) (payment.Acquirer, func()) {
	config := p.config
	var stop func()
	p.driver, stop = remotetest.Start(p.t, process, &config.Network, func() (*controlpay.Acquirer, error) { return controlpay.New(config) })
	return p.driver, stop
}

func (p *shop) play(s paymenttest.Scene) {
	trouble := remotetest.Trouble{Call: paysim.OnSell, Tries: 1, Refused: paysim.CancelRefused}
	if s.Kind == payment.Refund {
		trouble.Call, trouble.Tries = paysim.OnCancel, 4
	}
	trouble.Play(p.t, p.account, s)
}

// person is the cashier at the screen and the customer at the terminal.
func (p *shop) person(s paymenttest.Scene, shown payment.Shown, act func(payment.Action)) {
	switch prompt := shown.Prompt; {
	case prompt.Step == payment.StepChoose && s.Case == paymenttest.OperatorCancels, prompt.Step == payment.StepConfirm && s.Case == paymenttest.OperatorCancels:
		act(payment.Action{Kind: payment.ActCancel})
	case prompt.Step == payment.StepChoose:
		act(payment.Action{Kind: payment.ActChoose, Method: prompt.Methods[0]})
	case prompt.Step == payment.StepConfirm:
		act(payment.Action{Kind: payment.ActConfirm})
	case prompt.Step == payment.StepCard:
		p.customer(s)
	}
}

// customer comes to the terminal when the sale is there; where none ever is, they leave.
func (p *shop) customer(s paymenttest.Scene) {
	how := httpsim.Misdeed("") // they pay
	switch s.Case {
	case paymenttest.CustomerCancels:
		how = paysim.CalledOff
	case paymenttest.Refuse:
		how = paysim.CardRefused
	}
	for range 30 {
		err := p.account.End(0, how)
		if err == nil {
			return
		}
		remotetest.Happened(p.t, err, paysim.ErrNoSale)
		time.Sleep(200 * time.Millisecond)
	}
}

func (p *shop) reached(t payment.Transaction) bool {
	name := p.driver.Reference(t)
	if len(t.Reversals) > 0 {
		name = p.driver.Cancellation(t)
	}
	return slices.Contains(p.asked.All(), name)
}

func (p *shop) books(all []payment.Transaction) paymenttest.Books {
	balance, err := paysim.ReadBalance(p.ledger)
	if err != nil {
		p.t.Fatal(err)
	}
	return remotetest.Books(balance.Sums, balance.Violations, all, func(s paysim.Sum, t payment.Transaction) bool { return p.driver.Reference(t) == s.Reference })
}
