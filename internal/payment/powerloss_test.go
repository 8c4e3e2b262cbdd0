//go:build !race || everything

package payment_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/store/powerloss"
)

// counter is a terminal whose disk loses, when the power goes, what was not synced; its bank forgets nothing.
type counter struct {
	dir    string
	disk   *powerloss.Disk
	rng    *rand.Rand
	store  *store.Store
	ledger *store.Ledger
	bank   *emulator.Acquirer
	desk   *payment.Desk

	told     map[int64]payment.Status // by attempt, what callers were told
	toldBack map[int64]money.Decimal  // likewise, how much went back
	asked    map[string]bool          // references that somebody asked to reverse
}

// wiredBank is the bank at the end of a line that goes dead with the power, perhaps just after the bank has acted.
type wiredBank struct {
	*emulator.Acquirer
	disk *powerloss.Disk
	mu   sync.Mutex // an operation and the recovery may call at once
	rng  *rand.Rand
}

func (w *wiredBank) goesDead() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rng.IntN(8) == 0
}

func (w *wiredBank) call(do func() (payment.Outcome, error)) (payment.Outcome, error) {
	if w.disk.Dead() {
		return payment.Outcome{}, errNoPower
	}
	o, err := do()
	if w.goesDead() {
		w.disk.Cut()
	}
	if w.disk.Dead() {
		return payment.Outcome{}, errNoPower
	}
	return o, err
}

var errNoPower = errors.New("no power")

func (w *wiredBank) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	return w.call(func() (payment.Outcome, error) { return w.Acquirer.Pay(ctx, c) })
}

func (w *wiredBank) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	return w.call(func() (payment.Outcome, error) { return w.Acquirer.Reverse(ctx, c) })
}

func (w *wiredBank) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	return w.call(func() (payment.Outcome, error) { return w.Acquirer.Settle(ctx, t) })
}

func (c *counter) open() (err error) {
	if c.bank, err = emulator.New(c.dir); err != nil {
		return err
	}
	if c.store, err = store.Open(c.dir); err != nil {
		return err
	}
	if c.ledger, err = c.store.Ledger(); err != nil {
		return err
	}
	c.desk = payment.NewDesk(payment.Config{
		Ways:   []payment.Way{{Name: "bank", Methods: []payment.Method{payment.Credit, payment.Debit, payment.Pix}, Acquirer: &wiredBank{Acquirer: c.bank, disk: c.disk, rng: rand.New(rand.NewPCG(c.rng.Uint64(), 0))}}},
		Ledger: c.ledger, Gate: &operation.Gate{}, Foreground: alwaysInFront{}, Changed: func() {},
	})
	return nil
}

func (c *counter) close() {
	if c.desk != nil {
		c.desk.Close()
	}
	if c.store != nil {
		c.store.Close() // its errors are those of a disk without power
	}
	if c.bank != nil {
		c.bank.Close()
	}
	c.desk, c.store, c.bank = nil, nil, nil
}

// restart brings the power back until the terminal is up and has had the time to settle what was open.
func (c *counter) restart(tally *powerloss.Tally) error {
	for {
		c.close()
		if c.disk.Dead() {
			if err := tally.Restore(c.disk, c.rng.Uint64()); err != nil {
				return err
			}
		}
		if c.rng.IntN(4) == 0 {
			c.disk.CutIn(1 + c.rng.IntN(40)) // it goes again while the terminal recovers
		}
		err := c.open()
		if err == nil {
			time.Sleep(settled)
			synctest.Wait()
		}
		if !c.disk.Dead() {
			c.disk.CutIn(0)
			return err
		}
	}
}

// operate pays or reverses something, with a person at the terminal.
func (c *counter) operate() {
	reference := fmt.Sprint("r", c.rng.IntN(5))
	reverse := c.rng.IntN(3) == 0
	back := whole(reference)
	if c.rng.IntN(2) == 0 {
		back = part(reference, "3.00", []string{"", "x", "y"}[c.rng.IntN(3)])
	}
	amount := money.MustParse([]string{"10.00", "10.00", "10.00", "0.51", "0.98"}[c.rng.IntN(5)])
	var got payment.Transaction
	var err error
	done := make(chan struct{})
	desk := c.desk
	go func() {
		defer close(done)
		if reverse {
			c.asked[reference] = true
			var o payment.ReversalOutcome
			o, err = desk.Reverse(context.Background(), back)
			got = o.Transaction
			return
		}
		got, err = desk.Pay(context.Background(), payment.Request{
			Method: payment.Credit, Amount: amount, Reference: reference, Installments: 1, Plan: payment.Single,
		})
	}()
	synctest.Wait()
	if _, waiting := c.bank.Waiting(); waiting {
		_ = c.bank.Decide(emulator.Decision{}) // pays; nobody there any more is all right too
	}
	synctest.Wait()
	if c.disk.Dead() {
		desk.Close()
	}
	<-done
	if err == nil {
		c.told[got.ID], c.toldBack[got.ID] = got.Status(), got.GivenBack()
	}
}

// bankBook is what the bank has noted of each operation, in order.
func bankBook(dir string) (map[string][]bankLine, error) {
	data, err := os.ReadFile(filepath.Join(dir, "emulator-host.jsonl"))
	if err != nil {
		return nil, err
	}
	book := map[string][]bankLine{}
	for lines := bufio.NewScanner(strings.NewReader(string(data))); lines.Scan(); {
		var l bankLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, err
		}
		book[l.Operation] = append(book[l.Operation], l)
	}
	return book, nil
}

// audit holds the ledger against the bank's book and against what callers were told.
func (c *counter) audit() error {
	book, err := bankBook(c.dir)
	if err != nil {
		return err
	}
	found := map[int64]bool{}
	standing := map[string]int64{}
	err = c.ledger.List(context.Background(), payment.Filter{}, func(t payment.Transaction) error {
		found[t.ID] = true
		charges, state, repaid := 0, "", money.Zero
		for operation, lines := range book {
			if operation != fmt.Sprint(t.ID) && !strings.HasPrefix(operation, fmt.Sprint(t.ID, "-r")) {
				continue
			}
			for _, l := range lines {
				switch l.State {
				case "charged":
					charges, state = charges+1, l.State
				case "undone":
					state = l.State
				case "repaid":
					repaid = repaid.Add(money.MustParse(l.Amount))
				}
			}
			delete(book, operation)
		}
		stands := t.Status() == payment.Approved || t.Status() == payment.Reversed
		told, wasTold := c.told[t.ID]
		switch {
		case t.Status() == payment.Pending:
			return fmt.Errorf("attempt %d is still pending", t.ID)
		case charges > 1:
			return fmt.Errorf("attempt %d was charged %d times", t.ID, charges)
		case (state == "charged") != stands || repaid.Cmp(t.GivenBack()) != 0 || stands && (t.Left().Sign() == 0) != (t.Status() == payment.Reversed):
			return fmt.Errorf("attempt %d is %s with %s given back; at the bank it is %q with %s", t.ID, t.Status(), t.GivenBack(), state, repaid)
		case t.GivenBack().Cmp(c.toldBack[t.ID]) < 0:
			return fmt.Errorf("attempt %d has %s given back, the caller was told %s", t.ID, t.GivenBack(), c.toldBack[t.ID])
		case wasTold && told != t.Status() && (told != payment.Approved || t.Status() != payment.Reversed || !c.asked[t.Request.Reference]):
			return fmt.Errorf("attempt %d is %s, the caller was told %s", t.ID, t.Status(), told)
		case stands && standing[t.Request.Reference] != 0:
			return fmt.Errorf("%s was charged twice: %d and %d", t.Request.Reference, standing[t.Request.Reference], t.ID)
		case stands:
			standing[t.Request.Reference] = t.ID
		}
		return nil
	})
	if err != nil {
		return err
	}
	for id, status := range c.told {
		if !found[id] {
			return fmt.Errorf("attempt %d is gone, the caller was told %s", id, status)
		}
	}
	if len(book) > 0 {
		return fmt.Errorf("the bank knows what the ledger does not: %v", book)
	}
	return nil
}

// day is a day with some power cuts; the error is what is wrong with the books at the end of one.
func day(dir string, kind powerloss.Kind, seed uint64, tally *powerloss.Tally) error {
	disk, err := powerloss.New(dir, kind)
	if err != nil {
		return err
	}
	defer disk.Close()
	c := &counter{dir: dir, disk: disk, rng: rand.New(rand.NewPCG(seed, 2)), told: map[int64]payment.Status{}, toldBack: map[int64]money.Decimal{}, asked: map[string]bool{}}
	defer c.close()
	if err := c.restart(tally); err != nil {
		return err
	}
	for range 4 {
		disk.CutIn(1 + c.rng.IntN(60)) // in the first operation, or some later one
		for range 4 {
			if c.operate(); disk.Dead() {
				break
			}
		}
		disk.Cut()
		if err := c.restart(tally); err != nil {
			return err
		}
		if err := c.audit(); err != nil {
			return err
		}
	}
	return nil
}

// Whenever the power goes, the bank's book and the ledger agree once it is back, and what callers were told holds.
func TestPowerLossLosesNoPayment(t *testing.T) {
	powerloss.Trials(t, 12, func(t *testing.T, seed uint64, tally *powerloss.Tally) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			if err := day(dir, powerloss.Honest, seed, tally); err != nil {
				t.Error(err)
			}
		})
	})
}

// On a disk that lies about its syncs the books can't agree, and the test above must see that.
func TestPowerLossOfALyingDiskShows(t *testing.T) {
	for seed := range uint64(20) {
		dir := t.TempDir()
		var err error
		synctest.Test(t, func(t *testing.T) { err = day(dir, powerloss.Lying, seed, new(powerloss.Tally)) })
		if err != nil {
			t.Logf("seed %d: %v", seed, err)
			return
		}
	}
	t.Error("nobody noticed")
}
