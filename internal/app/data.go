package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/syserror"
)

// checkVersions refuses data of a newer version of the program, the log's too, before anything is written beside them.
func checkVersions(dir string) error {
	if err := store.CheckVersions(dir); err != nil {
		return unreadable(dir, err)
	}
	return nil
}

// openLogs opens the log, in place of a damaged one if need be, and says so in the new one. fresh: the data beside it are new.
func (s *service) openLogs(c Config, fresh bool) error {
	opened := make(chan struct{})
	defer close(opened)
	storage, err := store.OpenReplaceableLogs(filepath.Join(c.Data, store.LogsFile), func(kept string, why error) {
		go func() { // the log's own writer may be the one who tells
			if <-opened; s.Logs != nil {
				s.Logs.Add(logbook.Error, logbook.App, "Logs danificados; os antigos foram guardados em "+kept, portuguese.Error(why))
			}
		}()
	})
	if err != nil {
		return err
	}
	s.onClose(storage.Close)
	first, err := storage.First(fresh, firstEntry(time.Now()))
	if err != nil {
		return err
	}
	told := c.Echo
	if told == nil {
		told = echo
	}
	if s.Logs, err = logbook.Open(storage, logbook.Options{Keep: c.LogKeep, MaxAge: c.LogMaxAge, First: first, Echo: s.meter.log(told)}); err != nil {
		return err
	}
	s.onClose(func() error {
		if err := s.Logs.Close(); err != nil {
			return fmt.Errorf("os últimos logs não puderam ser gravados: %w", syserror.Reason(err))
		}
		return nil
	})
	return nil
}

// watchData tells of damage that the start had no time to look for, or that comes later. The service goes on: much
// of the file may still be good, and each request that meets the damage fails by itself.
func (s *service) watchData(c Config, files *store.Store) {
	report := func(err error) {
		s.Logs.Add(logbook.Fatal, logbook.App, "Banco de dados danificado; encerre o serviço e rode: "+repairCommand(c.Data), portuguese.Error(err))
	}
	files.OnDamage(report)
	if files.Checked() {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := files.Check(ctx); errors.Is(err, store.ErrUnreadable) && ctx.Err() == nil {
			report(err)
		}
	}()
	s.onClose(func() error {
		cancel()
		<-done
		return nil
	})
}
