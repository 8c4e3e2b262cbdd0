package httpapi

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

// mergeContexts ends when either does.
func mergeContexts(a, b context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(a)
	stop := context.AfterFunc(b, cancel)
	return ctx, func() { stop(); cancel() }
}

// nextEntries waits for entries; none and no error means it is time to keep the connection awake.
func nextEntries(ctx context.Context, f *logbook.Follower, quiet time.Duration) ([]logbook.Entry, error) {
	waiting, cancel := context.WithTimeout(ctx, quiet)
	defer cancel()
	entries, err := f.Next(waiting)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, nil
	}
	return entries, err
}
