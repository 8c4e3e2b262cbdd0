package mercadopago_test

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/money"
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

	mu   sync.Mutex
	keys []string // of all requests that could move money
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
		p.mu.Lock()
		p.keys = append(p.keys, r.Header.Get("X-Idempotency-Key"))
		p.mu.Unlock()
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
	config.Network.Wrap = remotetest.Killable(process)
	config.Book = ledger.(remote.Book)
	driver, err := mercadopago.New(config)
	if err != nil {
		p.t.Fatal(err)
	}
	p.driver = driver
	return driver, func() { driver.Close() }
}

func (p *shop) play(s paymenttest.Scene) {
	// When it gets nowhere it asks as often again, to see what came of the first.
	trouble := remotetest.Trouble{Call: pointsim.OnCreate, Tries: 8, Refused: pointsim.RefundRefused}
	if s.Kind == payment.Refund {
		trouble.Call, trouble.Tries = pointsim.OnRefund, 4
	}
	if m, ok := trouble.In(s); ok {
		if err := p.account.Next(m); err != nil {
			p.t.Fatal(err)
		}
	}
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
	if err != nil && !errors.Is(err, pointsim.ErrNoOrder) && !errors.Is(err, pointsim.ErrOver) {
		p.t.Errorf("at the device: %v", err)
	}
}

func (p *shop) reached(t payment.Transaction) bool {
	key := p.driver.Reference(t)
	if len(t.Reversals) > 0 {
		key = p.driver.ReversalKey(t)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.keys, key)
}

func (p *shop) books(all []payment.Transaction) paymenttest.Books {
	balance, err := pointsim.ReadBalance(p.ledger)
	if err != nil {
		p.t.Fatal(err)
	}
	books := paymenttest.Books{Standing: map[int64]money.Decimal{}, Protests: p.account.Violations()}
	for _, s := range balance.Sums {
		if s.Open() {
			books.Open = append(books.Open, fmt.Sprintf("%+v", s))
		}
		i := slices.IndexFunc(all, func(t payment.Transaction) bool { return p.driver.Reference(t) == s.Reference })
		switch sum := s.Standing(); {
		case sum.Sign() == 0:
		case i < 0:
			books.Foreign = append(books.Foreign, fmt.Sprintf("%+v", s))
		default:
			books.Standing[all[i].ID] = books.Standing[all[i].ID].Add(sum)
		}
	}
	return books
}
