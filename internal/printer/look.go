package printer

import (
	"context"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/printing"
)

// Look reaches for the printer and asks how it is, without printing. One that can't tell is well, as far as anybody
// knows.
func (t *Thermal) Look(ctx context.Context) (reports bool, err error) {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	started := time.Now()
	line, err := t.open(ctx)
	if err != nil {
		return false, fmt.Errorf("%w: %w", printing.ErrOffline, err)
	}
	s := t.begin(ctx, line, started)
	if err := s.ready(); err != nil {
		line.drop()
		return s.reports, err
	}
	return s.reports, line.close()
}
