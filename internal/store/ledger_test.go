package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

func openLedger(t *testing.T) (*Store, *Ledger) {
	t.Helper()
	s := openAt(t, t.TempDir())
	l, err := s.Ledger()
	must(t, err)
	return s, l
}

var genMoment = rapid.Custom(func(t *rapid.T) time.Time {
	return time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
})

// genTransaction makes a transaction as any acquirer could leave it; the verdict is not kept, the status is.
var genTransaction = rapid.Custom(func(t *rapid.T) payment.Transaction {
	text := rapid.StringN(0, 20, -1)
	tx := payment.Transaction{
		Request: payment.Request{
			Method:       rapid.SampledFrom([]payment.Method{payment.Credit, payment.Debit, payment.Pix, payment.AnyMethod}).Draw(t, "method"),
			Amount:       money.MustParse(fmt.Sprintf("%d.%02d", rapid.IntRange(0, 9999999).Draw(t, "reais"), rapid.IntRange(0, 99).Draw(t, "cents"))),
			Reference:    rapid.SampledFrom([]string{"", "a", "b", "A", "ação/1", "a ", "\x00"}).Draw(t, "reference"),
			Installments: rapid.IntRange(1, 99).Draw(t, "installments"),
			Plan:         rapid.SampledFrom([]payment.Plan{payment.Single, payment.Seller, payment.Buyer}).Draw(t, "plan"),
			Extra:        rapid.SampledFrom([][]byte{nil, []byte(`{}`), []byte(`{"a":"ção\u0000"}`)}).Draw(t, "extra"),
		},
		Acquirer:       rapid.SampledFrom([]string{"", "tef", "pix"}).Draw(t, "acquirer"),
		State:          rapid.SampledFrom(payment.States).Draw(t, "state"),
		Unacknowledged: rapid.Bool().Draw(t, "unacknowledged"),
		Outcome: payment.Outcome{
			Message: text.Draw(t, "message"), NSU: text.Draw(t, "nsu"), Authorization: text.Draw(t, "authorization"), Brand: text.Draw(t, "brand"),
			AcquirerCNPJ: text.Draw(t, "cnpj"), TxID: text.Draw(t, "txid"), EndToEndID: text.Draw(t, "e2e"), PaidWith: payment.Method(text.Draw(t, "paid with")),
			Installments: rapid.IntRange(0, 12).Draw(t, "agreed installments"), Token: text.Draw(t, "token"), Receipt: payment.Receipt{Customer: text.Draw(t, "customer"), Merchant: text.Draw(t, "merchant")},
		},
		CreatedAt: genMoment.Draw(t, "created"), UpdatedAt: genMoment.Draw(t, "updated"),
	}
	if rapid.Bool().Draw(t, "late") {
		tx.Late = payment.Late{EndToEndID: rapid.StringMatching(`[A-Z0-9]{0,32}`).Draw(t, "late e2e"), Amount: money.MustParse("9.90"), At: genMoment.Draw(t, "late at")}
		if rapid.Bool().Draw(t, "returned") {
			tx.Late.ReturnedAt = genMoment.Draw(t, "returned at")
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "reversals") {
		tx.Reversals = append(tx.Reversals, genReversal.Draw(t, "reversal"))
	}
	return tx
})

var genReversal = rapid.Custom(func(t *rapid.T) payment.Reversal {
	text := rapid.StringN(0, 20, -1)
	r := payment.Reversal{
		ID: text.Draw(t, "id"), Amount: money.MustParse(fmt.Sprintf("%d.%02d", rapid.IntRange(0, 9999999).Draw(t, "reais"), rapid.IntRange(0, 99).Draw(t, "cents"))),
		Number: rapid.Int64Range(0, math.MaxInt64).Draw(t, "number"),
	}
	if rapid.Bool().Draw(t, "made") {
		r.NSU, r.Token, r.At = text.Draw(t, "nsu"), text.Draw(t, "token"), genMoment.Draw(t, "reversed at")
	}
	return r
})

var asKept = cmp.Options{exactly, cmpopts.IgnoreFields(payment.Outcome{}, "Verdict")}

// The ledger against a slice.
func TestLedgerModel(t *testing.T) {
	fewer(t, 40)
	s, l := openLedger(t)
	rapid.Check(t, func(t *rapid.T) {
		var model []payment.Transaction
		history := map[int64][]payment.Event{}
		noted := func(tx payment.Transaction, why string) {
			history[tx.ID] = append(history[tx.ID], payment.Event{At: tx.UpdatedAt, Operation: tx.Operation(), State: tx.State, Note: why})
		}
		empty(t, s, "ledger", "ledger_reversal") // the history of earlier runs stays, under ids of its own
		t.Repeat(map[string]func(*rapid.T){
			"begin": func(t *rapid.T) {
				tx := genTransaction.Draw(t, "transaction")
				id, err := l.Begin(tx)
				if err != nil {
					t.Fatal(err)
				}
				if len(model) > 0 && id <= model[len(model)-1].ID {
					t.Fatalf("id %d after %d", id, model[len(model)-1].ID)
				}
				tx.ID = id
				model = append(model, tx)
				noted(tx, "")
			},
			"append": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("nothing kept")
				}
				at := rapid.IntRange(0, len(model)-1).Draw(t, "which")
				tx := genTransaction.Draw(t, "transaction")
				tx.ID = model[at].ID
				// Reversals come to their end, and are followed by others; none is taken back.
				tx.Reversals = slices.Clone(model[at].Reversals)
				if n := len(tx.Reversals); n > 0 && rapid.Bool().Draw(t, "ends") {
					tx.Reversals[n-1] = genReversal.Draw(t, "reversal")
				} else {
					tx.Reversals = append(tx.Reversals, genReversal.Draw(t, "reversal"))
				}
				why := rapid.StringN(0, 20, -1).Draw(t, "note")
				if err := l.Append(tx, why); err != nil {
					t.Fatal(err)
				}
				model[at] = tx
				noted(tx, why)
				steps, err := l.History(tx.ID)
				if diff := cmp.Diff(history[tx.ID], steps, asKept); diff != "" || err != nil {
					t.Fatal(diff, err)
				}
				got, err := l.Get(tx.ID)
				if diff := cmp.Diff(tx, got, asKept); diff != "" || err != nil {
					t.Fatal(diff, err)
				}
			},
			"newest": func(t *rapid.T) {
				reference := rapid.SampledFrom([]string{"", "a", "b", "A", "ação/1", "a ", "\x00", "zz"}).Draw(t, "reference")
				got, err := l.Newest(reference)
				for _, tx := range slices.Backward(model) {
					if reference != "" && tx.Request.Reference == reference {
						if diff := cmp.Diff(tx, got, asKept); diff != "" || err != nil {
							t.Fatal(diff, err)
						}
						return
					}
				}
				if !errors.Is(err, payment.ErrNotFound) {
					t.Fatalf("%q: %v, %v", reference, got, err)
				}
			},
			"unresolved": func(t *rapid.T) {
				got, err := l.Unresolved()
				if err != nil {
					t.Fatal(err)
				}
				same(t, model, got, func(tx payment.Transaction) bool { return !tx.Resolved() })
			},
			"list": func(t *rapid.T) {
				var f payment.Filter
				if rapid.Bool().Draw(t, "by status") {
					f.Status = rapid.SampledFrom(payment.Statuses).Draw(t, "status")
				}
				if len(model) > 0 && rapid.Bool().Draw(t, "by time") {
					// Of one that is kept, so that the bound itself is asked for.
					f.Since = rapid.SampledFrom(model).Draw(t, "since").CreatedAt
				}
				f.Limit = rapid.IntRange(0, 6).Draw(t, "limit")
				var got []payment.Transaction
				if err := l.List(context.Background(), f, func(tx payment.Transaction) error { got = append(got, tx); return nil }); err != nil {
					t.Fatal(err)
				}
				var want []payment.Transaction
				for _, tx := range model {
					if (f.Status == "" || tx.Status() == f.Status) && (f.Since.IsZero() || !tx.CreatedAt.Before(f.Since)) {
						want = append(want, tx)
					}
				}
				if f.Limit > 0 && len(want) > f.Limit {
					want = want[len(want)-f.Limit:]
				}
				same(t, want, got, func(payment.Transaction) bool { return true })
			},
		})
	})
}

func same(t *rapid.T, model, got []payment.Transaction, match func(payment.Transaction) bool) {
	t.Helper()
	var want []payment.Transaction
	for _, tx := range model {
		if match(tx) {
			want = append(want, tx)
		}
	}
	if diff := cmp.Diff(want, got, asKept); diff != "" {
		t.Fatal(diff)
	}
}

func TestLedgerOverRestart(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	l, err := s.Ledger()
	must(t, err)
	tx := payment.Transaction{
		Request: payment.Request{Reference: "r", Amount: money.MustParse("10.50")}, State: payment.StateBegun,
		CreatedAt: time.Now().Round(0), UpdatedAt: time.Now().Round(0),
	}
	tx.ID, err = l.Begin(tx)
	must(t, err, s.Close())
	s = openAt(t, dir)
	l, err = s.Ledger()
	must(t, err)
	got, err := l.Newest("r")
	must(t, err)
	if diff := cmp.Diff(tx, got, asKept); diff != "" {
		t.Error(diff)
	}
	if got.CreatedAt.Location() != time.Local {
		t.Errorf("times come back in %v", got.CreatedAt.Location())
	}
	if id, err := l.Begin(tx); id != tx.ID+1 || err != nil {
		t.Errorf("the next attempt is %d (%v)", id, err)
	}
	if _, err := l.Get(99); !errors.Is(err, payment.ErrNotFound) {
		t.Errorf("an attempt nobody made: %v", err)
	}
}

func TestLedgerRefusesWhatItDoesNotKnow(t *testing.T) {
	_, l := openLedger(t)
	if _, err := l.Begin(payment.Transaction{State: "dreaming"}); err == nil {
		t.Error("an unknown state was kept")
	}
	if all, err := l.Unresolved(); len(all) != 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
}

func TestListStops(t *testing.T) {
	_, l := openLedger(t)
	for range 5 {
		_, err := l.Begin(payment.Transaction{State: payment.StateConfirmed})
		must(t, err)
	}
	enough := errors.New("enough")
	seen := 0
	if err := l.List(context.Background(), payment.Filter{}, func(payment.Transaction) error {
		if seen++; seen == 2 {
			return enough
		}
		return nil
	}); !errors.Is(err, enough) || seen != 2 {
		t.Errorf("%v after %d", err, seen)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.List(gone, payment.Filter{}, func(payment.Transaction) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("for a caller that has gone: %v", err)
	}
	// The connections must have come back: there are few.
	var all sync.WaitGroup
	for range 3 * readers {
		all.Go(func() {
			n := 0
			if err := l.List(context.Background(), payment.Filter{}, func(payment.Transaction) error { n++; return nil }); err != nil || n != 5 {
				t.Errorf("%d listed, %v", n, err)
			}
		})
	}
	all.Wait()
}

// A lost write tells so, and the attempt stays as it was.
func TestLedgerSaveInALostBatch(t *testing.T) {
	s, l := openLedger(t)
	tx := payment.Transaction{State: payment.StateBegun}
	var err error
	tx.ID, err = l.Begin(tx)
	must(t, err)
	release := hold(t, s.commit)
	bad := s.commit.submit(poison)
	saved := make(chan error)
	go func() {
		approved := tx
		approved.State = payment.StateConfirmed
		saved <- l.Append(approved, "")
	}()
	awaitQueued(t, s.commit, 2)
	release()
	if err := bad(); err == nil {
		t.Fatal("poison was kept")
	}
	if err := <-saved; err == nil {
		t.Error("a lost outcome was reported as kept")
	}
	if got, err := l.Get(tx.ID); err != nil || got.State != payment.StateBegun {
		t.Errorf("kept as %v (%v)", got.State, err)
	}
}

// What is in the history stays there, whoever holds the file.
func TestHistoryIsNeverChanged(t *testing.T) {
	s, l := openLedger(t)
	id, err := l.Begin(payment.Transaction{State: payment.StateBegun})
	must(t, err)
	for _, statement := range []string{
		`UPDATE ledger_history SET state = 'confirmed'`, `DELETE FROM ledger_history`, `REPLACE INTO ledger_history SELECT * FROM ledger_history`,
	} {
		if err := s.commit.do(func(b *batch) error { return b.exec(statement) }); err == nil {
			t.Errorf("%s was done", statement)
		}
	}
	if steps, err := l.History(id); err != nil || len(steps) != 1 || steps[0].State != payment.StateBegun {
		t.Errorf("%+v, %v", steps, err)
	}
}
