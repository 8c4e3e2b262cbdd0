package hubfeed

import (
	"context"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// beginIfOther begins a new epoch where the records contradict what a hub has read in the one of now: an older state was put back, so
// numbers that the hub knows are, or will be, those of other records. A hub that does not take note of it begins one a
// record at most.
func (f *Feed) beginIfOther(ctx context.Context, a ask, contradicts func(context.Context, ask, tunnel.Origin) (bool, error)) error {
	if a.after == 0 {
		return nil
	}
	f.epoch.Lock()
	defer f.epoch.Unlock()
	now := f.Epochs.Current()
	if a.epoch != "" && a.epoch != now.Epoch {
		return nil
	}
	other, err := contradicts(ctx, a, now)
	if err != nil || !other {
		return err
	}
	log, _ := f.Log.Stored()
	return f.Epochs.Begin(log)
}

// ledgerContradicts tells whether the line that the hub has is not the one of that number here.
func (f *Feed) ledgerContradicts(ctx context.Context, a ask, began tunnel.Origin) (bool, error) {
	last, err := f.Ledger.LastLine(ctx)
	if err != nil || last <= began.Ledger {
		return false, err // nothing is in this epoch alone that could be missed
	}
	if a.after > last || a.at.IsZero() {
		return a.after > last, nil
	}
	at, err := f.Ledger.LineAt(ctx, a.after)
	return a.differs(at), err
}

// logContradicts tells whether the entry that the hub has is not the one of that id here. One that was trimmed away can't be compared.
func (f *Feed) logContradicts(ctx context.Context, a ask, began tunnel.Origin) (bool, error) {
	last, _ := f.Log.Stored()
	if last <= began.Log {
		return false, nil
	}
	if a.after > last || a.at.IsZero() {
		return a.after > last, nil
	}
	found, err := f.Log.After(ctx, a.after-1, 1)
	if err != nil || len(found) == 0 || found[0].ID != a.after {
		return false, err
	}
	return a.differs(found[0].At), nil
}
