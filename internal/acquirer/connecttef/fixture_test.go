package connecttef_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/connecttef"
	"github.com/maquininha/maquininha/internal/acquirer/connecttef/gpsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

// shop is the manager with its device, as the conformance suite sees it.
type shop struct {
	t       *testing.T
	manager *gpsim.Manager
	ledger  string
	config  connecttef.Config
	driver  *connecttef.Acquirer // for the names alone

	customers remotetest.Customers

	mu    sync.Mutex
	asked []string // the bodies of all that could move money
}

// openShop has a network in memory, for a test in a bubble.
func openShop(t *testing.T, dir string, change func(*gpsim.Config)) (p *shop, closing func()) {
	network := remotetest.NewPipe()
	p = &shop{t: t, ledger: filepath.Join(dir, "connecttef.jsonl")}
	p.config = connecttef.Config{URL: "http://127.0.0.1", Terminal: "1", Name: paymenttest.Name, Network: remote.Network{Dial: network.Dial}}
	sim := gpsim.Config{Ledger: p.ledger}
	if change != nil {
		change(&sim)
	}
	var err error
	if p.manager, err = gpsim.New(sim); err != nil {
		t.Fatal(err)
	}
	hangUp := remotetest.Serve(network, http.HandlerFunc(p.serve))
	return p, func() {
		p.customers.Wait()
		hangUp()
		p.manager.Close()
	}
}

func (p *shop) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		body := remotetest.Overhear(r)
		p.mu.Lock()
		p.asked = append(p.asked, body)
		p.mu.Unlock()
	}
	p.manager.ServeHTTP(w, r)
}

func fixture(t *testing.T, dir string, empty bool) paymenttest.Fixture {
	p, closing := openShop(t, dir, func(c *gpsim.Config) { c.Empty = empty })
	// What can't be looked for is never asked for; what did not arrive is told as such.
	ends := remotetest.Ends(paymenttest.End{Told: payment.Approved, Final: payment.Approved})
	for _, c := range []paymenttest.Case{paymenttest.Silent, paymenttest.LostBefore, paymenttest.Late} {
		ends[paymenttest.Scene{Kind: payment.Payment, Case: c}] = paymenttest.End{Told: payment.Refused, Final: payment.Refused}
	}
	lacks := remotetest.Lacks()
	lacks[paymenttest.Scene{Kind: payment.Payment, Case: paymenttest.OperatorCancels}] = "what has left is called off at the device alone"
	return paymenttest.Fixture{
		Methods: []payment.Method{payment.Credit, payment.Debit, payment.Pix},
		Start:   p.start, Play: p.play, Behave: p.manager.Behave, Person: p.person,
		Ends: ends, Lacks: lacks, WholeOnly: "a refund names a whole sale", Books: p.books, Reached: p.reached, Close: closing,
	}
}

func (p *shop) start(process *paymenttest.Process, ledger payment.Ledger) (payment.Acquirer, func()) {
	config := p.config
	config.Book = ledger.(remote.Book)
	var stop func()
	p.driver, stop = remotetest.Start(p.t, process, &config.Network, func() (*connecttef.Acquirer, error) { return connecttef.New(config) })
	return p.driver, stop
}

func (p *shop) play(s paymenttest.Scene) {
	p.customers.Leave() // of an operation that was killed before it was at the device
	trouble := remotetest.Trouble{Call: gpsim.OnSale, Tries: 4, Refused: gpsim.RefundRefused}
	if s.Kind == payment.Refund {
		trouble.Call = gpsim.OnRefund
	}
	trouble.Play(p.t, p.manager, s)
}

// person is the cashier at the screen and the customer at the device.
func (p *shop) person(s paymenttest.Scene, shown payment.Shown, act func(payment.Action)) {
	switch prompt := shown.Prompt; {
	case s.Case == paymenttest.OperatorCancels && prompt.Cancellable:
		act(payment.Action{Kind: payment.ActCancel})
	case prompt.Step == payment.StepChoose:
		act(payment.Action{Kind: payment.ActChoose, Method: prompt.Methods[0]})
	case prompt.Step == payment.StepConfirm:
		act(payment.Action{Kind: payment.ActConfirm})
	case prompt.Step == payment.StepCard && prompt.Committed:
		p.atDevice(s.Case)
	}
}

// atDevice waits until the device asks for the card, if it ever does, and answers.
func (p *shop) atDevice(c paymenttest.Case) {
	do := map[paymenttest.Case]func(string) error{paymenttest.CustomerCancels: p.manager.Cancel, paymenttest.Refuse: p.manager.Refuse}[c]
	if do == nil {
		do = p.manager.Pay
	}
	p.customers.Come(func() bool {
		err := do("")
		remotetest.Happened(p.t, err, gpsim.ErrNone, gpsim.ErrOver)
		return err == nil
	})
}

func (p *shop) reached(t payment.Transaction) bool {
	id := p.driver.Identification(t)
	if len(t.Reversals) > 0 {
		id = p.driver.Reversal(t)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.asked, func(body string) bool { return strings.Contains(body, id) })
}

func (p *shop) books(all []payment.Transaction) paymenttest.Books {
	return remotetest.Books(p.sums(), p.manager.Violations(), all, func(s gpsim.Sum, t payment.Transaction) bool { return p.driver.Identification(t) == s.ID })
}

// sums are what became of the sales.
func (p *shop) sums() []gpsim.Sum {
	balance, err := gpsim.ReadBalance(p.ledger)
	if err != nil {
		p.t.Fatal(err)
	}
	return balance.Sums
}
