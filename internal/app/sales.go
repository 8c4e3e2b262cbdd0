package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
)

// forgetEvery is how often sales that have become too old are looked for.
const forgetEvery = time.Hour

// keepSales opens the archive of sales that ended, and forgets those that ended too long ago.
func (s *service) keepSales(maxAge time.Duration, archive *store.Archive, log *slog.Logger) {
	s.Archive = archive
	if maxAge == 0 {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	var forgetting sync.WaitGroup
	forgetting.Go(func() {
		for {
			switch n, err := archive.Forget(ctx, time.Now().Add(-maxAge)); {
			case ctx.Err() != nil:
				return
			case err != nil:
				log.Warn("vendas antigas não foram apagadas: " + portuguese.Error(err))
			case n > 0:
				log.Info("vendas antigas apagadas", "vendas", n, "dias", int(maxAge.Hours()/24))
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(forgetEvery):
			}
		}
	})
	s.onClose(func() error {
		stop()
		forgetting.Wait()
		return nil
	})
}
