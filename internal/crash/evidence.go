package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// recoveryPatience is how long the terminal may take to settle all that the kills have left.
const recoveryPatience = 3 * time.Minute

// settle lets the terminal recover with everybody well behaved, and gathers what each side says.
func (s *station) settle(ctx context.Context) (evidence, error) {
	s.Chaos = false
	for _, acquirer := range s.acquirers {
		if err := s.restartOther(ctx, acquirer); err != nil {
			return evidence{}, err
		}
	}
	s.wish(approve)
	if err := s.startService(ctx, ""); err != nil {
		return evidence{}, err
	}
	if err := s.recovered(ctx); err != nil {
		return evidence{}, err
	}
	var e evidence
	if !s.sellOnce(ctx) {
		e.complaints = append(e.complaints, "no sale by TEF goes through after the recovery")
	}
	if err := s.recovered(ctx); err != nil {
		return evidence{}, err
	}
	e.sales, e.answers = s.caller.sales, map[string]answer{}
	for _, o := range s.caller.sales {
		e.answers[o.Reference] = s.caller.look(ctx, s.service.api, o)
	}
	s.searchAnswers(ctx)
	if err := s.close(); err != nil {
		return evidence{}, err
	}
	return e, errors.Join(s.read(&e), s.other(&e))
}

// sellOnce is the shop's next sale by TEF. What the manager charged without ever saying so in an answer is neither
// confirmed nor undone by the recovery, which can't name it; the network reports it as pending at the next sale, which it
// refuses, and has it undone then.
func (s *station) sellOnce(ctx context.Context) (sold bool) {
	const tries = 5
	sold = !s.has(tefAcquirer)
	for n := 0; !sold && n < tries; n++ {
		s.cents++
		sold = s.caller.pay(ctx, s.service.api, s.caller.sell(s.number, tefAcquirer, "03", s.cents)).status == http.StatusOK
	}
	return sold
}

// recovered waits until the ledger has nothing open; what still is then is a finding.
func (s *station) recovered(ctx context.Context) error {
	r, err := store.OpenReader(s.data())
	if err != nil {
		return err
	}
	defer r.Close()
	ledger, err := r.Ledger()
	if err != nil {
		return err
	}
	for limit := time.Now().Add(recoveryPatience); time.Now().Before(limit) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		open, err := ledger.Unresolved()
		if err != nil || len(open) == 0 {
			return err
		}
	}
	return ctx.Err()
}

// read is the terminal's ledger.
func (s *station) read(e *evidence) error {
	r, err := store.OpenReader(s.data())
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Check(); err != nil {
		e.complaints = append(e.complaints, err.Error())
	}
	ledger, err := r.Ledger()
	if err != nil {
		return err
	}
	if err := ledger.List(context.Background(), payment.Filter{}, func(t payment.Transaction) error {
		e.attempts = append(e.attempts, attempt{Transaction: t})
		return nil
	}); err != nil {
		return err
	}
	for i, a := range e.attempts {
		if e.attempts[i].history, err = ledger.History(a.ID); err != nil {
			return err
		}
	}
	return nil
}

// other is what the other sides have charged.
func (s *station) other(e *evidence) error {
	var err error
	if s.has(tefAcquirer) {
		err = errors.Join(err, s.tefCharges(e))
	}
	if s.has(pixAcquirer) {
		err = errors.Join(err, s.pixCharges(e))
	}
	if s.has(emulatorAcquirer) {
		err = errors.Join(err, s.emulatorCharges(e))
	}
	return err
}

func (s *station) tefCharges(e *evidence) error {
	b, err := tefsim.ReadBalance(s.tefLedger())
	if err != nil {
		return err
	}
	attempts := map[string]int64{} // by the number of the payment, which is field 001
	for _, a := range e.attempts {
		attempts[strconv.FormatInt(a.Number, 10)] = a.ID
	}
	for _, a := range b.Accounts {
		e.charges = append(e.charges, charge{
			acquirer: tefAcquirer, attempt: attempts[a.ID], name: a.ID, amount: reais(a.Amount), standing: a.Standing(), open: a.Open,
		})
	}
	for _, p := range b.Protests {
		e.complaints = append(e.complaints, fmt.Sprintf("the TEF manager protests at %s: %s", p.ID, p.Note))
	}
	return nil
}

// reais writes cents as the terminal's ledger does.
func reais(cents string) string {
	n, err := strconv.Atoi(cents)
	if err != nil {
		return cents
	}
	return fmt.Sprintf("%d.%02d", n/100, n%100)
}

func (s *station) pixCharges(e *evidence) error {
	b, err := pixsim.ReadBalance(s.pixLedger())
	if err != nil {
		return err
	}
	attempts := map[string]int64{}
	for _, a := range e.attempts {
		if a.Outcome.TxID != "" {
			attempts[a.Outcome.TxID] = a.ID
		}
	}
	for _, a := range b.Accounts {
		sum := a.Standing()
		e.charges = append(e.charges, charge{
			acquirer: pixAcquirer, name: a.TxID, attempt: attempts[a.TxID], amount: sum.Cents(), standing: sum.Cmp(money.Zero) != 0, open: a.Open(),
		})
	}
	for _, txid := range b.Double() {
		e.complaints = append(e.complaints, "PIX "+txid+" was paid twice and kept")
	}
	for _, v := range b.Violations {
		e.complaints = append(e.complaints, fmt.Sprintf("the PSP was asked against the rules: %+v", v))
	}
	return nil
}

// emulatorCharges reads the emulator's bank: the newest line of an operation counts, and a reversal's is "17-r1".
func (s *station) emulatorCharges(e *evidence) error {
	text, err := os.ReadFile(s.folder("dados", "emulator-host.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	standing := map[int64]money.Decimal{}
	last := map[string]hostEntry{}
	for line := range strings.Lines(string(text)) {
		var entry hostEntry
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			return err
		}
		last[entry.Operation] = entry
	}
	for operation, entry := range last {
		id, reversal, _ := strings.Cut(operation, "-r")
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return err
		}
		switch {
		case reversal == "" && entry.State == "charged":
			standing[n] = standing[n].Add(money.MustParse(entry.Amount))
		case entry.State == "repaid":
			standing[n] = standing[n].Sub(money.MustParse(entry.Amount))
		}
	}
	for n, sum := range standing {
		e.charges = append(e.charges, charge{acquirer: emulatorAcquirer, name: strconv.FormatInt(n, 10), attempt: n, amount: sum.Cents(), standing: sum.Sign() != 0})
	}
	return nil
}

// hostEntry is a line of the emulator's bank.
type hostEntry struct{ Operation, State, Amount string }
