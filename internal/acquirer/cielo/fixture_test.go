package cielo_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/cielo"
	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

// shop is Cielo with a device, as the conformance suite sees it.
type shop struct {
	t       *testing.T
	account *ordersim.Account
	ledger  string
	config  cielo.Config
	driver  *cielo.Acquirer // for the names alone
	call    httpsim.Call    // that goes wrong

	mu     sync.Mutex
	placed []string // the paths of all requests that could have money moved
	bodies []string // of drafts
}

// openShop has a network in memory, for a test in a bubble.
func openShop(t *testing.T, dir string, change func(*ordersim.Config)) (p *shop, closing func()) {
	network := remotetest.NewPipe()
	p = &shop{t: t, ledger: filepath.Join(dir, "cielo.jsonl")}
	p.config = cielo.Config{
		BaseURL: "http://127.0.0.1" + ordersim.Base, ClientID: "client", Token: "secret-of-the-shop", Merchant: "merchant", Terminal: "1",
		Name: paymenttest.Name, Expiry: time.Minute, Network: remote.Network{Dial: network.Dial},
	}
	sim := ordersim.Config{ClientID: "client", Token: "secret-of-the-shop", Merchant: "merchant", Ledger: p.ledger}
	if change != nil {
		change(&sim)
	}
	var err error
	if p.account, err = ordersim.New(sim); err != nil {
		t.Fatal(err)
	}
	hangUp := remotetest.Serve(network, http.HandlerFunc(p.serve))
	return p, func() {
		hangUp()
		p.account.Close()
	}
}

func (p *shop) serve(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPut:
		p.mu.Lock()
		p.placed = append(p.placed, r.URL.RequestURI())
		p.mu.Unlock()
	case http.MethodPost:
		body := remotetest.Overhear(r)
		p.mu.Lock()
		p.bodies = append(p.bodies, body)
		p.mu.Unlock()
	}
	p.account.ServeHTTP(w, r)
}

func fixture(t *testing.T, dir string, call httpsim.Call, strict bool) paymenttest.Fixture {
	p, closing := openShop(t, dir, func(c *ordersim.Config) { c.Strict = strict })
	p.call = call
	ends, lacks := remotetest.Ends(paymenttest.End{}), map[paymenttest.Scene]string{
		{Kind: payment.Payment, Case: paymenttest.Refuse}: "a card that is refused leaves the order waiting for another",
	}
	for _, c := range paymenttest.Cases {
		lacks[paymenttest.Scene{Kind: payment.Refund, Case: c}] = "payments are given back at the device, and that is only recorded"
	}
	// What was never placed was never shown.
	for _, c := range []paymenttest.Case{paymenttest.Silent, paymenttest.LostBefore, paymenttest.Late} {
		ends[paymenttest.Scene{Kind: payment.Payment, Case: c}] = paymenttest.End{Told: payment.Refused, Final: payment.Refused}
	}
	return paymenttest.Fixture{
		Methods: []payment.Method{payment.Credit, payment.Debit},
		Start:   p.start, Play: p.play, Behave: p.account.Behave, Person: p.person, Ends: ends, Lacks: lacks,
		WholeOnly: "the device cancels whole payments", Books: p.books, Reached: p.reached, Close: closing,
	}
}

func (p *shop) start(process *paymenttest.Process, ledger payment.Ledger) (payment.Acquirer, func()) {
	config := p.config
	config.Book = ledger.(remote.Book)
	var stop func()
	p.driver, stop = remotetest.Start(p.t, process, &config.Network, func() (*cielo.Acquirer, error) { return cielo.New(config) })
	return p.driver, stop
}

func (p *shop) play(s paymenttest.Scene) {
	remotetest.Trouble{Call: p.call, Tries: 4}.Play(p.t, p.account, s)
}

// person is the cashier at the screen and the customer at the device.
func (p *shop) person(s paymenttest.Scene, shown payment.Shown, act func(payment.Action)) {
	switch prompt := shown.Prompt; {
	case prompt.Step == payment.StepChoose:
		act(payment.Action{Kind: payment.ActChoose, Method: prompt.Methods[0]})
	case prompt.Step != payment.StepCard || !prompt.Cancellable:
	case s.Case == paymenttest.OperatorCancels:
		act(payment.Action{Kind: payment.ActCancel})
	case s.Case == paymenttest.CustomerCancels:
		p.happened(p.account.Cancel(""))
	default:
		p.happened(p.account.Pay(""))
	}
}

// happened complains of a customer who could not, unless the order was called off in that moment.
func (p *shop) happened(err error) {
	remotetest.Happened(p.t, err, ordersim.ErrNoOrder, ordersim.ErrOver)
}

// sums are what became of the orders.
func (p *shop) sums() []ordersim.Sum {
	balance, err := ordersim.ReadBalance(p.ledger)
	if err != nil {
		p.t.Fatal(err)
	}
	return balance.Sums
}

func (p *shop) reached(t payment.Transaction) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.sums(), func(s ordersim.Sum) bool {
		return s.Number == p.driver.Number(t) && slices.ContainsFunc(p.placed, func(path string) bool { return strings.Contains(path, s.Order) })
	})
}

func (p *shop) books(all []payment.Transaction) paymenttest.Books {
	return remotetest.Books(p.sums(), p.account.Violations(), all, func(s ordersim.Sum, t payment.Transaction) bool { return p.driver.Number(t) == s.Number })
}
