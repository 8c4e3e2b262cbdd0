//go:build !race || everything

package pix_test

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
	"github.com/maquininha/maquininha/internal/thorough"
)

// fullyTried are killed at each step at every change: they differ most in what a recovery asks for. The others are in make test-all.
var fullyTried = []string{"bacen", "itau", "santander", "efi"}

func TestConforms(t *testing.T) {
	for _, as := range pixsim.Names() {
		t.Run(as, func(t *testing.T) {
			open := func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, dir, pixsim.Config{As: as}) }
			paymenttest.ConformInScenes(t, open)
			if thorough.Everything || slices.Contains(fullyTried, as) {
				paymenttest.ConformKilled(t, open)
			}
		})
	}
	t.Run("an id is answered again", func(t *testing.T) {
		paymenttest.Conform(t, func(t *testing.T, dir string) paymenttest.Fixture {
			return fixture(t, dir, pixsim.Config{Repeats: true})
		})
	})
}

func TestCalledOff(t *testing.T) {
	paymenttest.ConformCalledOff(t, func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, dir, pixsim.Config{}) })
}

func TestPaidLate(t *testing.T) {
	paymenttest.ConformLate(t, func(t *testing.T, dir string) (paymenttest.Fixture, func(payment.Transaction)) {
		p, f := openPSP(t, dir, pixsim.Config{})
		return f, func(tx payment.Transaction) {
			if _, err := p.bank.PayLate(p.driver.TxID(tx), ""); err != nil {
				t.Error(err)
			}
		}
	})
}

// psp is the other side as the conformance suite sees it.
type psp struct {
	t      *testing.T
	bank   *pixsim.Bank
	ledger string
	config pix.Config
	driver *pix.Acquirer // for the ids alone

	mu    sync.Mutex
	asked []string // the paths of all PUTs
}

func fixture(t *testing.T, dir string, bank pixsim.Config) paymenttest.Fixture {
	_, f := openPSP(t, dir, bank)
	return f
}

func openPSP(t *testing.T, dir string, bank pixsim.Config) (*psp, paymenttest.Fixture) {
	network := remotetest.NewPipe()
	p := &psp{t: t, ledger: filepath.Join(dir, "psp.jsonl")}
	bank.ClientID, bank.ClientSecret, bank.Key, bank.AppKey, bank.Ledger = "shop id", secret, "k", "app key", p.ledger
	p.config = contractWith(bank, "http://127.0.0.1")
	p.config.Expiry, p.config.Network.Dial = time.Minute, network.Dial
	var err error
	if p.bank, err = pixsim.New(bank); err != nil {
		t.Fatal(err)
	}
	hangUp := remotetest.Serve(network, http.HandlerFunc(p.serve))
	return p, paymenttest.Fixture{
		Methods: []payment.Method{payment.Pix},
		Start:   p.start, Play: p.play, Behave: p.bank.Behave, Person: p.person,
		Ends:  remotetest.Ends(paymenttest.End{Told: payment.Pending, Final: payment.Reversed}),
		Lacks: remotetest.Lacks(), Books: p.books, Reached: p.reached,
		Close: func() {
			hangUp()
			p.bank.Close()
		},
	}
}

func (p *psp) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPut {
		p.mu.Lock()
		p.asked = append(p.asked, r.URL.Path)
		p.mu.Unlock()
	}
	p.bank.ServeHTTP(w, r)
}

func (p *psp) start(process *paymenttest.Process, ledger payment.Ledger) (payment.Acquirer, func()) {
	config := p.config
	config.Name, config.Book = paymenttest.Name, ledger.(remote.Book)
	var stop func()
	p.driver, stop = remotetest.Start(p.t, process, &config.Network, func() (*pix.Acquirer, error) { return pix.New(config) })
	return p.driver, stop
}

func (p *psp) play(s paymenttest.Scene) {
	trouble := remotetest.Trouble{Call: pixsim.OnCreate, Tries: 4, Refused: pixsim.RefundRefused}
	if s.Kind == payment.Refund {
		trouble.Call = pixsim.OnRefund
	}
	trouble.Play(p.t, p.bank, s)
}

// person pays the code on the screen, confirms a reversal, or calls either off. A PSP that takes a charge away
// refuses it. Who comes after the caller has called it off is told so by the bank; what became of the payment is looked at elsewhere.
func (p *psp) person(s paymenttest.Scene, shown payment.Shown, act func(payment.Action)) {
	switch step := shown.Prompt.Step; {
	case step != payment.StepPix && step != payment.StepConfirm:
	case s.Case == paymenttest.OperatorCancels:
		act(payment.Action{Kind: payment.ActCancel})
	case step == payment.StepConfirm:
		act(payment.Action{Kind: payment.ActConfirm})
	case s.Case == paymenttest.CustomerCancels: // walks away
	case s.Case == paymenttest.Refuse:
		if err := p.bank.Remove(p.charged(shown.Prompt.BRCode)); err != nil && !errors.Is(err, pixsim.ErrNotActive) {
			p.t.Errorf("removing: %v", err)
		}
	default:
		if _, err := p.bank.Pay(p.charged(shown.Prompt.BRCode), ""); err != nil && !errors.Is(err, pixsim.ErrNotActive) {
			p.t.Errorf("paying: %v", err)
		}
	}
}

func (p *psp) events() []pixsim.Event {
	events, err := pixsim.ReadLedger(p.ledger)
	if err != nil {
		p.t.Fatal(err)
	}
	return events
}

// charged is the charge of a code, as the customer's bank finds it: by where it lies.
func (p *psp) charged(brCode string) string {
	for _, e := range p.events() {
		if e.Kind == pixsim.Charged && strings.Contains(brCode, e.TxID) {
			return e.TxID
		}
	}
	p.t.Errorf("the PSP knows no %s", brCode)
	return ""
}

func (p *psp) reached(t payment.Transaction) bool {
	path := "/cob/" + p.driver.TxID(t)
	if len(t.Reversals) > 0 {
		path = "/devolucao/" + p.driver.ReversalID(t)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.asked, func(asked string) bool { return strings.HasSuffix(asked, path) })
}

func (p *psp) books(all []payment.Transaction) paymenttest.Books {
	balance, err := pixsim.ReadBalance(p.ledger)
	if err != nil {
		p.t.Fatal(err)
	}
	expiry := map[string]time.Time{}
	for _, e := range p.events() {
		if e.Kind == pixsim.Charged {
			expiry[e.TxID] = e.At.Add(time.Duration(e.Expiry) * time.Second)
		}
	}
	books := paymenttest.Books{Standing: map[int64]money.Decimal{}, Protests: p.bank.Violations()}
	for _, a := range balance.Accounts {
		if a.Open() && (len(a.Payments) > 0 || time.Now().Before(expiry[a.TxID])) {
			books.Open = append(books.Open, fmt.Sprintf("%+v", a))
		}
		i := slices.IndexFunc(all, func(t payment.Transaction) bool { return p.driver.TxID(t) == a.TxID })
		switch sum := a.Standing(); {
		case sum.Sign() == 0:
		case i < 0:
			books.Foreign = append(books.Foreign, fmt.Sprintf("%+v", a))
		default:
			books.Standing[all[i].ID] = sum
		}
	}
	return books
}
