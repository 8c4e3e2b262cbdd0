package hubfeed

import (
	"context"
	"strings"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// ledgerPage are the lines of the ledger's history after the one that the hub has.
func (f *Feed) ledgerPage(ctx context.Context, a ask) (any, error) {
	if err := f.beginIfOther(ctx, a, f.ledgerContradicts); err != nil {
		return nil, err
	}
	f.epoch.RLock()
	defer f.epoch.RUnlock()
	now := f.Epochs.Current()
	page := tunnel.LedgerPage{Epoch: now.Epoch, Steps: []tunnel.Step{}}
	var err error
	if a.epoch == "" || a.epoch == now.Epoch {
		if page.Steps, err = f.steps(ctx, a); err != nil {
			return nil, err
		}
	}
	page.Last, err = f.Ledger.LastLine(ctx) // after the lines: it is never below one of them
	return page, err
}

func (f *Feed) steps(ctx context.Context, a ask) ([]tunnel.Step, error) {
	standing := f.Standing()
	lines, err := f.Ledger.Lines(ctx, a.after, a.limit, pageBytes)
	if err != nil {
		return nil, err
	}
	steps := make([]tunnel.Step, len(lines))
	for i, line := range lines {
		if steps[i], err = f.step(line, standing(line.Transaction)); err != nil {
			return nil, err
		}
	}
	return steps, nil
}

func (f *Feed) step(line payment.Line, t payment.Found) (tunnel.Step, error) {
	answer, err := f.Answer(t)
	if err != nil {
		return tunnel.Step{}, err
	}
	kind := payment.Payment
	if strings.Contains(line.Operation, "-r") { // 17 is a payment, 17-r1 the first reversal of it
		kind = payment.Refund
	}
	return tunnel.Step{
		Number: line.Number, Attempt: t.ID, At: line.At, Operation: string(kind), State: string(line.State), Note: line.Note,
		Reference: t.Request.Reference, Method: string(t.Method()), Amount: t.Request.Amount.String(), Status: string(t.Status()),
		NSU: t.Outcome.NSU, Answer: answer,
	}, nil
}

// entriesAtOnce is how many are read together: large ones must not exceed a page by much.
const entriesAtOnce = 32

// logPage are the entries after the one that the hub has.
func (f *Feed) logPage(ctx context.Context, a ask) (any, error) {
	if err := f.beginIfOther(ctx, a, f.logContradicts); err != nil {
		return nil, err
	}
	f.epoch.RLock()
	defer f.epoch.RUnlock()
	now := f.Epochs.Current()
	page := tunnel.LogPage{Epoch: now.Epoch, Entries: []tunnel.LogEntry{}}
	if a.epoch == "" || a.epoch == now.Epoch {
		var err error
		if page.Entries, err = f.entries(ctx, a); err != nil {
			return nil, err
		}
	}
	// After the entries: what is trimmed meanwhile must not look as if it had been given, nor as if it were still to come. The last before
	// the oldest: what is written meanwhile must not look as if it had been trimmed.
	page.Last, _ = f.Log.Stored()
	oldest, err := f.Log.After(ctx, 0, 1)
	if err != nil {
		return nil, err
	}
	page.First = page.Last + 1 // there is none
	if len(oldest) > 0 {
		page.First = oldest[0].ID
	}
	if len(page.Entries) > 0 {
		page.First = min(page.First, page.Entries[0].ID)
		page.Last = max(page.Last, page.Entries[len(page.Entries)-1].ID)
	}
	page.Last = max(page.Last, page.First-1)
	return page, nil
}

func (f *Feed) entries(ctx context.Context, a ask) ([]tunnel.LogEntry, error) {
	entries, room := []tunnel.LogEntry{}, pageBytes
	for after := a.after; room > 0 && len(entries) < a.limit; {
		found, err := f.Log.After(ctx, after, min(entriesAtOnce, a.limit-len(entries)))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			break
		}
		for _, e := range found {
			entries = append(entries, entryOf(e))
			room -= 128 + len(e.Message) + len(e.Details)
		}
		after = found[len(found)-1].ID
	}
	return entries, nil
}

func entryOf(e logbook.Entry) tunnel.LogEntry {
	return tunnel.LogEntry{ID: e.ID, At: e.At, Level: string(e.Level), Source: string(e.Source), Message: e.Message, Details: e.Details}
}
