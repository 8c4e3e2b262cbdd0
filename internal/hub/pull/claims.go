package pull

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// errNotItsEpoch is a terminal that names an epoch of which it lacks what was read. Nothing of it is kept.
var errNotItsEpoch = errors.New("the terminal names an epoch that is another's")

// prove has a terminal show a line of each epoch that was read under another id, or that it says its data are a copy of, before it is
// believed: a stolen one may name another's, and must neither take that one's place nor change its payments. An origin that it has not
// is none. A terminal that has other lines than were read under its epoch was set back, and is told so: it begins a new one.
func (f *follower) prove(ctx context.Context, pos tunnel.Position) error {
	claims, err := f.Records.Claims(ctx, f.place.Account, f.link.Terminal(), pos.Epoch, f.origins)
	if err != nil {
		return err
	}
	for _, c := range claims {
		shown, err := f.shows(ctx, pos, c.Step)
		switch {
		case err != nil:
			return err
		case shown:
		case c.Epoch == pos.Epoch:
			// It is not told what it should have: that would help one that pretends.
			at := records.Cursor{Terminal: f.link.Terminal(), Epoch: pos.Epoch, Kind: records.Ledger, Number: c.Number, Recorded: time.Unix(0, 0)}
			if _, err := f.page(ctx, at, 1); err != nil {
				return err
			}
			return errNotItsEpoch
		default:
			f.origins = slices.DeleteFunc(f.origins, func(o records.Origin) bool { return o.Epoch == c.Epoch })
		}
	}
	return nil
}

// shows tells whether the terminal has a line.
func (f *follower) shows(ctx context.Context, pos tunnel.Position, line records.Step) (bool, error) {
	if line.Number == 0 || line.Number > pos.Ledger {
		return false, nil
	}
	b, err := f.page(ctx, records.Cursor{Terminal: f.link.Terminal(), Epoch: pos.Epoch, Kind: records.Ledger, Number: line.Number - 1}, 1)
	if err != nil || len(b.Steps) == 0 {
		return false, err
	}
	got := b.Steps[0]
	got.At = got.At.UTC().Truncate(time.Microsecond)
	return got == line, nil
}
