package counter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

// Recovered waits until the ledger has nothing open; what still is then is a finding.
func (c *Counter) Recovered(ctx context.Context) error {
	r, err := store.OpenReader(c.Data())
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

// Read adds the terminal's ledger.
func (c *Counter) Read(e *Evidence) error { return ReadLedger(c.Data(), e) }

// ReadLedger adds the ledger of a data folder.
func ReadLedger(dir string, e *Evidence) error {
	r, err := store.OpenReader(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Check(); err != nil {
		e.Complaints = append(e.Complaints, err.Error())
	}
	ledger, err := r.Ledger()
	if err != nil {
		return err
	}
	if err := ledger.List(context.Background(), payment.Filter{}, func(t payment.Transaction) error {
		e.Attempts = append(e.Attempts, Attempt{Transaction: t})
		return nil
	}); err != nil {
		return err
	}
	for i, a := range e.Attempts {
		if e.Attempts[i].History, err = ledger.History(a.ID); err != nil {
			return err
		}
	}
	return nil
}

// Charged adds what the other sides have charged, of the attempts that are known.
func (c *Counter) Charged(e *Evidence) error {
	var err error
	if c.Has(TEF) {
		err = errors.Join(err, c.tefCharges(e))
	}
	if c.Has(PIX) {
		err = errors.Join(err, c.pixCharges(e))
	}
	if c.Device() != "" {
		err = errors.Join(err, c.deviceCharges(e))
	}
	if c.Has(Emulator) {
		err = errors.Join(err, c.emulatorCharges(e))
	}
	return err
}

func (c *Counter) tefCharges(e *Evidence) error {
	b, err := tefsim.ReadBalance(c.TEFLedger())
	if err != nil {
		return err
	}
	attempts := map[string]int64{} // by the number of the payment, which is field 001
	for _, a := range e.Attempts {
		attempts[strconv.FormatInt(a.Number, 10)] = a.ID
	}
	for _, a := range b.Accounts {
		e.Charges = append(e.Charges, Charge{
			Acquirer: TEF, Attempt: attempts[a.ID], Name: a.ID, Amount: reais(a.Amount), Standing: a.Standing(), Open: a.Open,
		})
	}
	for _, p := range b.Protests {
		e.Complaints = append(e.Complaints, fmt.Sprintf("the TEF manager protests at %s: %s", p.ID, p.Note))
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

func (c *Counter) pixCharges(e *Evidence) error {
	b, err := pixsim.ReadBalance(c.PIXLedger())
	if err != nil {
		return err
	}
	attempts := map[string]int64{}
	for _, a := range e.Attempts {
		if a.Outcome.TxID != "" {
			attempts[a.Outcome.TxID] = a.ID
		}
	}
	for _, a := range b.Accounts {
		sum := a.Standing()
		e.Charges = append(e.Charges, Charge{
			Acquirer: PIX, Name: a.TxID, Attempt: attempts[a.TxID], Amount: sum.Cents(), Standing: sum.Cmp(money.Zero) != 0, Open: a.Open(),
		})
	}
	for _, txid := range b.Double() {
		e.Complaints = append(e.Complaints, "PIX "+txid+" was paid twice and kept")
	}
	for _, v := range b.Violations {
		e.Complaints = append(e.Complaints, fmt.Sprintf("the PSP was asked against the rules: %+v", v))
	}
	return nil
}

// emulatorCharges reads the emulator's bank: the newest line of an operation counts, and a reversal's is "17-r1".
func (c *Counter) emulatorCharges(e *Evidence) error {
	text, err := os.ReadFile(c.Folder("dados", "emulator-host.jsonl"))
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
		e.Charges = append(e.Charges, Charge{Acquirer: Emulator, Name: strconv.FormatInt(n, 10), Attempt: n, Amount: sum.Cents(), Standing: sum.Sign() != 0})
	}
	return nil
}

// hostEntry is a line of the emulator's bank.
type hostEntry struct{ Operation, State, Amount string }
