package main

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
	hubstore "github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// history is what a terminal's data say in one epoch.
type history struct {
	Terminals []string // the ids that the terminal had: it may have left and joined again
	Epoch     string
	Origins   []records.Origin
	Lines     []records.Step
	Entries   []records.Entry
	Attempts  []counter.Attempt
	Current   bool  // the data are there; of others the hub may lack what it had not read when they were lost
	Log       int64 // the hub had time to read the log up to there
}

// readHistory reads the data of a terminal that does not run.
func readHistory(terminals []string, dir string) (h history, err error) {
	h.Terminals = terminals
	r, err := store.OpenReader(dir)
	if err != nil {
		return h, err
	}
	defer r.Close()
	epochs, err := r.Epochs()
	if err != nil {
		return h, err
	}
	h.Epoch = epochs[0].ID
	for i := 1; i < len(epochs) && epochs[i-1].Same; i++ {
		h.Origins = append(h.Origins, records.Origin{Epoch: epochs[i].ID, Ledger: epochs[i-1].Ledger, Log: epochs[i-1].Log})
	}
	ledger, err := r.Ledger()
	if err != nil {
		return h, err
	}
	lines, err := ledger.Lines(context.Background(), 0, math.MaxInt32, math.MaxInt)
	if err != nil {
		return h, err
	}
	for _, l := range lines {
		kind := payment.Payment
		if strings.Contains(l.Operation, "-r") {
			kind = payment.Refund
		}
		h.Lines = append(h.Lines, records.Step{
			Number: l.Number, Attempt: l.Transaction.ID, At: micro(l.At), Operation: string(kind), State: string(l.State), Note: l.Note,
		})
	}
	var e counter.Evidence
	if err := counter.ReadLedger(dir, &e); err != nil {
		return h, err
	}
	h.Attempts = e.Attempts
	logs, err := store.PeekLogs(dir)
	if err != nil {
		return h, err
	}
	defer logs.Close()
	entries, err := logs.After(context.Background(), 0, math.MaxInt32)
	for _, e := range entries {
		h.Entries = append(h.Entries, entryOf(e))
	}
	return h, err
}

func micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func entryOf(e logbook.Entry) records.Entry {
	return records.Entry{ID: e.ID, At: micro(e.At), Level: string(e.Level), Source: string(e.Source), Message: e.Message, Details: e.Details}
}

// kept is what the hub has of an epoch, under all ids of its terminal.
type kept struct {
	Begun       bool // anything was read in it
	Ledger, Log int64
	Steps       map[int64][]records.Step // by attempt
	Attempts    []int64                  // that are listed
	Entries     []records.Entry
	Gaps        []records.Gap // of the log
	FalseGaps   []records.Gap // of the ledger, which has none
}

// hubBooks reads the hub's database, as the hub's own store does.
type hubBooks struct {
	files *hubstore.Store
	desk  *records.Desk
	scope fleet.Scope
}

func openBooks(ctx context.Context, h *hub) (*hubBooks, error) {
	files, err := hubstore.Open(ctx, h.data(), h.database)
	if err != nil {
		return nil, err
	}
	accounts, err := fleet.NewDesk(files.Fleet(), nil).Accounts(ctx)
	if err != nil || len(accounts) != 1 {
		return nil, errors.Join(err, errors.New("the hub has not one account"), files.Close())
	}
	return &hubBooks{files, records.NewDesk(files.Records()), fleet.Scope{Place: fleet.Place{Account: accounts[0].ID}, Role: fleet.Administers}}, nil
}

// reached is how far the hub has read an epoch, under whatever id.
func (b *hubBooks) reached(ctx context.Context, h history) (begun bool, ledger, log int64, err error) {
	for _, id := range h.Terminals {
		at, err := b.desk.Resume(ctx, b.scope.Account, id, h.Epoch, h.Origins)
		if err != nil {
			return false, 0, 0, err
		}
		begun = begun || !at[records.Ledger].At.IsZero()
		ledger, log = max(ledger, at[records.Ledger].Number), max(log, at[records.Log].Number)
	}
	return begun, ledger, log, nil
}

// read is what the hub has of a history's epoch.
func (b *hubBooks) read(ctx context.Context, h history) (k kept, err error) {
	if k.Begun, k.Ledger, k.Log, err = b.reached(ctx, h); err != nil {
		return k, err
	}
	k.Steps = map[int64][]records.Step{}
	for _, id := range h.Terminals {
		if err := b.readAs(ctx, id, h, &k); err != nil {
			return k, err
		}
	}
	for _, steps := range k.Steps {
		slices.SortStableFunc(steps, func(a, b records.Step) int { return cmp.Compare(a.Number, b.Number) })
	}
	return k, nil
}

// readAs adds what the hub has under one id.
func (b *hubBooks) readAs(ctx context.Context, id string, h history, k *kept) error {
	for _, a := range h.Attempts {
		steps, err := b.desk.History(ctx, b.scope, id, h.Epoch, a.ID)
		if err != nil {
			return err
		}
		k.Steps[a.ID] = append(k.Steps[a.ID], steps...)
	}
	if err := b.desk.EachTransaction(ctx, b.scope, records.TransactionFilter{Terminal: id}, func(t records.Transaction) error {
		if t.Epoch == h.Epoch {
			k.Attempts = append(k.Attempts, t.Attempt)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := b.desk.EachEntry(ctx, b.scope, records.EntryFilter{Terminal: id}, func(e records.Entry) error {
		if e.Epoch == h.Epoch {
			k.Entries = append(k.Entries, records.Entry{ID: e.ID, At: e.At, Level: e.Level, Source: e.Source, Message: e.Message, Details: e.Details})
		}
		return nil
	}); err != nil {
		return err
	}
	for after := (records.Mark{}); ; {
		gaps, next, err := b.desk.Gaps(ctx, b.scope, id, after, 0)
		if err != nil {
			return err
		}
		for _, g := range gaps {
			switch {
			case g.Epoch != h.Epoch:
			case g.Kind == records.Log:
				k.Gaps = append(k.Gaps, g)
			default:
				k.FalseGaps = append(k.FalseGaps, g)
			}
		}
		if after = next; next.IsZero() {
			return nil
		}
	}
}
