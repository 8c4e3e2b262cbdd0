package mercadopago_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

const accessToken = "APP_USR-secret-of-the-shop"

// shop is Mercado Pago with its device, as the conformance suite sees it.
type shop struct {
	t       *testing.T
	account *pointsim.Account
	ledger  string
	config  mercadopago.Config
	driver  *mercadopago.Acquirer // for the names alone

	keys remotetest.Notes // of all requests that could move money
}

// openShop has a network in memory, for a test in a bubble.
func openShop(t *testing.T, dir string, change func(*pointsim.Config)) (p *shop, closing func()) {
	network := remotetest.NewPipe()
	p = &shop{t: t, ledger: filepath.Join(dir, "mercadopago.jsonl")}
	p.config = mercadopago.Config{
		BaseURL: "http://127.0.0.1", Token: accessToken, Device: pointsim.VirtualDevice, Terminal: "1", Name: paymenttest.Name, Expiry: time.Minute,
		Network: remote.Network{Dial: network.Dial},
	}
	sim := pointsim.Config{Token: accessToken, Ledger: p.ledger}
	if change != nil {
		change(&sim)
	}
	var err error
	if p.account, err = pointsim.New(sim); err != nil {
		t.Fatal(err)
	}
	hangUp := remotetest.Serve(network, http.HandlerFunc(p.serve))
	return p, func() {
		hangUp()
		p.account.Close()
	}
}

func (p *shop) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		p.keys.Add(r.Header.Get("X-Idempotency-Key"))
	}
	p.account.ServeHTTP(w, r)
}

func fixture(t *testing.T, dir string, noSearch bool) paymenttest.Fixture {
	p, closing := openShop(t, dir, func(c *pointsim.Config) { c.NoSearch = noSearch })
	return paymenttest.Fixture{
		Methods: []payment.Method{payment.Credit, payment.Debit},
		Start:   p.start, Play: p.play, Behave: p.account.Behave, Person: p.person,
		// A refund's payment is looked at first: while it can't be, nothing is asked for.
		Ends:  remotetest.Ends(paymenttest.End{Told: payment.Approved, Final: payment.Approved}),
		Lacks: remotetest.Lacks(), Books: p.books, Reached: p.reached, Close: closing,
	}
}

func (p *shop) start(process *paymenttest.Process, ledger payment.Ledger) (payment.Acquirer, func()) {
	config := p.config
	config.Book = ledger.(remote.Book)
	var stop func()
	p.driver, stop = remotetest.Start(p.t, process, &config.Network, func() (*mercadopago.Acquirer, error) { return mercadopago.New(config) })
	return p.driver, stop
}

func (p *shop) play(s paymenttest.Scene) {
	// When it gets nowhere it asks as often again, to see what came of the first.
	trouble := remotetest.Trouble{Call: pointsim.OnCreate, Tries: 8, Refused: pointsim.RefundRefused}
	if s.Kind == payment.Refund {
		trouble.Call, trouble.Tries = pointsim.OnRefund, 4
	}
	trouble.Play(p.t, p.account, s)
}

// person is the cashier at the screen and the customer at the device.
func (p *shop) person(s paymenttest.Scene, shown payment.Shown, act func(payment.Action)) {
	switch prompt := shown.Prompt; {
	case prompt.Step == payment.StepChoose:
		act(payment.Action{Kind: payment.ActChoose, Method: prompt.Methods[0]})
	case prompt.Step != payment.StepCard && prompt.Step != payment.StepConfirm, !prompt.Cancellable:
	case s.Case == paymenttest.OperatorCancels:
		act(payment.Action{Kind: payment.ActCancel})
	case prompt.Step == payment.StepConfirm:
		act(payment.Action{Kind: payment.ActConfirm})
	case s.Case == paymenttest.CustomerCancels:
		p.happened(p.account.End("", "canceled"))
	case s.Case == paymenttest.Refuse:
		p.happened(p.account.End("", "failed"))
	default:
		p.happened(p.account.Pay(""))
	}
}

// happened complains of a customer who could not, unless the order was called off in that moment.
func (p *shop) happened(err error) {
	remotetest.Happened(p.t, err, pointsim.ErrNoOrder, pointsim.ErrOver)
}

func (p *shop) reached(t payment.Transaction) bool {
	key := p.driver.Reference(t)
	if len(t.Reversals) > 0 {
		key = p.driver.ReversalKey(t)
	}
	return slices.Contains(p.keys.All(), key)
}

func (p *shop) books(all []payment.Transaction) paymenttest.Books {
	return remotetest.Books(p.sums(), p.account.Violations(), all, func(s pointsim.Sum, t payment.Transaction) bool { return p.driver.Reference(t) == s.Reference })
}

// sums are what became of the orders.
func (p *shop) sums() []pointsim.Sum {
	balance, err := pointsim.ReadBalance(p.ledger)
	if err != nil {
		p.t.Fatal(err)
	}
	return balance.Sums
}
