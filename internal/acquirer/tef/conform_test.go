//go:build !race || everything

package tef_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
	"github.com/maquininha/maquininha/internal/thorough"
)

// TestConforms plays every scene with every manager. Those that differ most are killed at each step too; make test-all does it to all.
func TestConforms(t *testing.T) {
	for _, profile := range tef.Profiles {
		t.Run(profile.Name, func(t *testing.T) {
			open := func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, profile.Name, dir) }
			paymenttest.ConformInScenes(t, open)
			if thorough.Everything || slices.Contains([]string{"paygo", "elgin"}, profile.Name) {
				paymenttest.ConformKilled(t, open)
			}
		})
	}
}

// TestMenu has a sale cancelled in each manager's own menu, and its receipt printed again: neither ledger may know what the other does not.
func TestMenu(t *testing.T) {
	for _, c := range []struct {
		profile string
		order   tefsim.Case
		end     payment.Status
	}{
		{"paygo", tefsim.Reverse, payment.Reversed},
		{"paygo", tefsim.ReverseFinal, payment.Reversed},
		{"tefdial", tefsim.Reverse, payment.Reversed},
		{"tefdial", tefsim.Approve, payment.Approved},
		{"sitef", tefsim.Reverse, payment.Reversed},
		{"elgin", tefsim.Reverse, payment.Reversed},
		{"elgin", tefsim.ReverseFinal, payment.Reversed},
		{"connecttef", tefsim.Reverse, payment.Reversed},
		{"connecttef", tefsim.Approve, payment.Approved},
		{"multiplus", tefsim.Reverse, payment.Reversed},
		{"auttar", tefsim.Approve, payment.Approved},
	} {
		t.Run(c.profile+"/"+string(c.order), func(t *testing.T) {
			paymenttest.ConformMenu(t, func(t *testing.T, dir string) paymenttest.Fixture {
				return menuFixture(t, c.profile, dir, c.order, c.end)
			})
		})
	}
}

// menuFixture has whoever is at the menu do one thing there.
func menuFixture(t *testing.T, profile, dir string, order tefsim.Case, end payment.Status) paymenttest.Fixture {
	f := fixture(t, profile, dir)
	sell := f.Play
	f.Play = func(s paymenttest.Scene) {
		sell(s)
		if s.Kind != payment.Menu {
			return
		}
		at := map[paymenttest.Case]tefsim.Case{
			paymenttest.Approve: order, paymenttest.Refuse: tefsim.Refuse, paymenttest.CustomerCancels: tefsim.Cancel, paymenttest.Silent: tefsim.Silence,
			paymenttest.LostBefore: tefsim.NoStatus, paymenttest.LostAfter: tefsim.Lost, paymenttest.Late: tefsim.Late, paymenttest.Duplicate: tefsim.Duplicate,
		}[s.Case]
		if err := tefsim.Steer(dir, tefsim.Order{Command: intpos.Admin, Case: at}); err != nil {
			t.Fatal(err)
		}
	}
	untouched, nobodyKnows := paymenttest.End{Told: payment.Approved, Final: payment.Approved}, paymenttest.End{Told: payment.Pending, Final: payment.Approved}
	for scene, ends := range map[paymenttest.Case]paymenttest.End{
		paymenttest.Approve: {Told: end, Final: end}, paymenttest.Refuse: untouched, paymenttest.CustomerCancels: untouched, paymenttest.Silent: nobodyKnows,
		paymenttest.LostBefore: untouched, paymenttest.LostAfter: nobodyKnows, paymenttest.Late: nobodyKnows, paymenttest.Duplicate: untouched,
	} {
		f.Ends[paymenttest.Scene{Kind: payment.Menu, Case: scene}] = ends
	}
	f.Lingers[paymenttest.Scene{Kind: payment.Menu, Case: paymenttest.LostAfter}] = "the network tells of it with the next operation only"
	return f
}

func TestCalledOff(t *testing.T) {
	paymenttest.ConformCalledOff(t, func(t *testing.T, dir string) paymenttest.Fixture { return fixture(t, "paygo", dir) })
}

// manager is the other side as the conformance suite sees it.
type manager struct {
	*shop
	t     *testing.T
	steps string // what lay on the disk at the last step that counted
}

func fixture(t *testing.T, profile, dir string) paymenttest.Fixture {
	m := &manager{t: t, shop: &shop{t: t, profile: profile}}
	m.config = tefsim.Config{Dir: dir, As: profile, Ledger: filepath.Join(dir, "manager.jsonl"), Lateness: paymenttest.Lateness, Poll: 400 * time.Millisecond}
	m.startManager()
	const (
		waits   = "the manager's own window waits for as long as it takes"
		network = "the network tells of it with the next operation only"
	)
	lost := paymenttest.End{Told: payment.Pending, Final: payment.Cancelled}
	kept := paymenttest.End{Told: payment.Pending, Final: payment.Approved}
	return paymenttest.Fixture{
		Methods: taken(profile),
		Start:   m.start, Play: m.play, Behave: func() {}, Person: m.person,
		Ends: map[paymenttest.Scene]paymenttest.End{
			{Kind: payment.Payment, Case: paymenttest.Silent}:     lost,
			{Kind: payment.Payment, Case: paymenttest.LostBefore}: {Told: payment.Refused, Final: payment.Refused},
			{Kind: payment.Payment, Case: paymenttest.LostAfter}:  lost,
			{Kind: payment.Payment, Case: paymenttest.Late}:       lost,
			{Kind: payment.Payment, Case: paymenttest.Duplicate}:  {Told: payment.Approved, Final: payment.Approved},
			{Kind: payment.Refund, Case: paymenttest.Silent}:      kept,
			{Kind: payment.Refund, Case: paymenttest.LostBefore}:  {Told: payment.Approved, Final: payment.Approved},
			{Kind: payment.Refund, Case: paymenttest.LostAfter}:   kept,
			{Kind: payment.Refund, Case: paymenttest.Late}:        kept,
			{Kind: payment.Refund, Case: paymenttest.Duplicate}:   {Told: payment.Reversed, Final: payment.Reversed},
		},
		Lacks: map[paymenttest.Scene]string{
			{Kind: payment.Refund, Case: paymenttest.OperatorCancels}: waits,
		},
		Lingers: map[paymenttest.Scene]string{
			{Kind: payment.Payment, Case: paymenttest.LostAfter}: network,
			{Kind: payment.Refund, Case: paymenttest.LostAfter}:  network,
		},
		WholeOnly: "the exchange cancels whole sales",
		Books:     m.books, Reached: m.reached, Confirmed: m.confirmed, Close: m.stop,
	}
}

// taken are the methods that a manager can be asked for.
func taken(profile string) (methods []payment.Method) {
	p, _ := tef.ProfileNamed(profile)
	for _, m := range []payment.Method{payment.Credit, payment.Debit, payment.Pix} {
		if p.Takes(m) {
			methods = append(methods, m)
		}
	}
	return methods
}

func (m *manager) start(p *paymenttest.Process, ledger payment.Ledger) (payment.Acquirer, func()) {
	profile, _ := tef.ProfileNamed(m.profile)
	a, err := tef.New(tef.Config{Profile: profile, Dir: m.config.Dir, Name: paymenttest.Name, Debts: ledger.(tef.Debts), Decided: tef.DecidedBy(ledger, paymenttest.Name), Awaited: tef.AwaitedBy(ledger)})
	if err != nil {
		m.t.Fatal(err)
	}
	a.SetGate(func() error { return m.step(p) })
	return a, func() {}
}

// step counts only where the disk has changed: being killed at two moments between which it has not is the same.
func (m *manager) step(p *paymenttest.Process) error {
	var now strings.Builder
	for _, dir := range []string{"Req", "Resp"} {
		entries, _ := os.ReadDir(filepath.Join(m.config.Dir, dir))
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				fmt.Fprintln(&now, dir, e.Name(), info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	if m.steps == now.String() {
		return p.Alive()
	}
	m.steps = now.String()
	return p.Step()
}

func (m *manager) play(s paymenttest.Scene) {
	order := map[paymenttest.Case]tefsim.Case{
		paymenttest.Refuse: tefsim.Refuse, paymenttest.CustomerCancels: tefsim.Cancel, paymenttest.Silent: tefsim.Silence,
		paymenttest.LostBefore: tefsim.NoStatus, paymenttest.LostAfter: tefsim.Lost, paymenttest.Late: tefsim.Late, paymenttest.Duplicate: tefsim.Duplicate,
	}[s.Case]
	orders := []tefsim.Order{{Command: intpos.Sale, Case: order}, {Command: intpos.Cancel, Case: order}}
	if order == "" {
		orders = nil
	}
	if err := tefsim.Steer(m.config.Dir, orders...); err != nil {
		m.t.Fatal(err)
	}
}

func (m *manager) person(s paymenttest.Scene, shown payment.Shown, act func(payment.Action)) {
	if s.Case == paymenttest.OperatorCancels && shown.Prompt.Step == payment.StepChoose {
		act(payment.Action{Kind: payment.ActCancel})
	}
}

func (m *manager) entries() []tefsim.Entry {
	entries, err := journal.Read[tefsim.Entry](m.config.Ledger)
	if err != nil {
		m.t.Fatal(err)
	}
	return entries
}

func field001(t payment.Transaction) string { return fmt.Sprint(t.OperationNumber()) }

// reached looks for the request in the folder too: from there the manager takes it whenever it likes.
func (m *manager) reached(t payment.Transaction) bool {
	r, _, _, err := intpos.Folder{Path: filepath.Join(m.config.Dir, "Req")}.Read(intpos.Usual.Request)
	if err != nil {
		m.t.Error(err)
	}
	if c := r.Get(intpos.Command); r.Get(intpos.ID) == field001(t) && (c == intpos.Sale || c == intpos.Cancel) {
		return true
	}
	return slices.ContainsFunc(m.entries(), func(e tefsim.Entry) bool { return e.ID == field001(t) })
}

func (m *manager) confirmed(t payment.Transaction) bool {
	return slices.ContainsFunc(m.entries(), func(e tefsim.Entry) bool {
		return e.ID == field001(t) && e.Event == tefsim.Confirmed && e.Note != "final" // as it is without us
	})
}

func (m *manager) books(all []payment.Transaction) paymenttest.Books {
	balance, err := tefsim.ReadBalance(m.config.Ledger)
	if err != nil {
		m.t.Fatal(err)
	}
	books := paymenttest.Books{Standing: map[int64]money.Decimal{}}
	for _, a := range balance.Accounts {
		if a.Open {
			books.Open = append(books.Open, fmt.Sprintf("%+v", a))
		}
		i := slices.IndexFunc(all, func(t payment.Transaction) bool { return fmt.Sprint(t.Number) == a.ID })
		switch {
		case !a.Standing():
		case i < 0:
			books.Foreign = append(books.Foreign, fmt.Sprintf("%+v", a))
		default:
			books.Standing[all[i].ID] = books.Standing[all[i].ID].Add(all[i].Request.Amount)
		}
	}
	books.Open = append(books.Open, balance.Waiting...)
	for _, p := range balance.Protests {
		books.Protests = append(books.Protests, fmt.Sprintf("%+v", p))
	}
	return books
}
