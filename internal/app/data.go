package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/syserror"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// openData makes the data folder ours alone: only this user may read it, and only one instance may use it.
func openData(dir string) (unlock func() error, err error) {
	ignoreFileSizeSignal()
	if err := prepareFolder(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("a pasta de dados %s não pode ser usada: %w", dir, syserror.Reason(err))
	}
	unlockFolder, err := lockFolder(dir)
	if err == nil {
		err = lockFile(f)
	}
	if err != nil {
		f.Close()
		if unlockFolder != nil {
			unlockFolder() //nolint:errcheck // it was only read
		}
		return nil, fmt.Errorf("a pasta de dados %s está em uso por outra instância; encerre-a ou escolha outra com --data", dir)
	}
	closeToOthers(dir)
	return func() error { return errors.Join(unlockFile(f), unlockFolder()) }, nil
}

// prepareFolder makes the data folder where there is none, for this user alone.
func prepareFolder(dir string) error {
	if err := makeFolder(dir); err != nil {
		return fmt.Errorf("não foi possível criar a pasta de dados %s: %w", dir, syserror.Reason(err))
	}
	if fresh(dir) {
		if err := os.Chmod(dir, 0o700); err != nil {
			return fmt.Errorf("a pasta de dados %s não pode ser protegida: %w", dir, syserror.Reason(err))
		}
	}
	return nil
}

// makeFolder makes the folder and those above it, and keeps the name of each new one on the disk: the files in it are
// synced, but are gone all the same if their folder is.
func makeFolder(dir string) error {
	parent := filepath.Dir(dir)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || parent == dir {
		return os.MkdirAll(dir, 0o700)
	}
	if err := makeFolder(parent); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if above, err := os.Open(parent); err == nil {
		_ = above.Sync() // where folders can be synced; Windows keeps names by itself
		_ = above.Close()
	}
	return nil
}

// closeToOthers takes back what a copy or a restored backup may have let others read. Where that is not ours to do, the
// welcome says so.
func closeToOthers(dir string) {
	for _, pattern := range []string{"*.db", "*.db-wal", "*.db-shm", "*.db-mark", "*.jsonl", "*.pem", tunnel.File, lockName} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are sound
		for _, file := range files {
			if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
				os.Chmod(file, 0o600) //nolint:errcheck // as above
			}
		}
	}
}

const lockName = "maquininha.lock"

// fresh tells whether the folder is empty, so new or given to us; one that holds other things keeps its mode.
func fresh(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}

// openLogs opens the log, in place of a damaged one if need be, and says so in the new one.
func (s *service) openLogs(c Config) error {
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
	told := c.Echo
	if told == nil {
		told = echo
	}
	if s.Logs, err = logbook.Open(storage, logbook.Options{Keep: c.LogKeep, MaxAge: c.LogMaxAge, Echo: s.meter.log(told)}); err != nil {
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
