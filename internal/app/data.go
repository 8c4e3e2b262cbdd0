package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/store"
)

// openData makes the data folder ours alone: only this user may read it, and only one instance may use it.
func openData(dir string) (unlock func() error, err error) {
	if err := makeFolder(dir); err != nil {
		return nil, fmt.Errorf("não foi possível criar a pasta de dados %s: %w", dir, reason(err))
	}
	if fresh(dir) {
		if err := os.Chmod(dir, 0o700); err != nil {
			return nil, fmt.Errorf("a pasta de dados %s não pode ser protegida: %w", dir, reason(err))
		}
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("a pasta de dados %s não pode ser usada: %w", dir, reason(err))
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("a pasta de dados %s está em uso por outra instância; encerre-a ou escolha outra com --data", dir)
	}
	closeToOthers(dir)
	return f.Close, nil
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
	for _, pattern := range []string{"*.db", "*.db-wal", "*.db-shm", "*.jsonl", "*.pem", lockName} {
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

// reason takes the path off a file error: the message names it already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// unreadable says in one line that the data is there but not usable, and what to do; the detail is for support.
func unreadable(dir string, err error) error {
	switch {
	case errors.Is(err, store.ErrNewer):
		return fmt.Errorf("os dados em %s são de uma versão mais nova do programa; atualize-o ou escolha outra pasta com --data", dir)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("sem permissão para usar os dados em %s", dir)
	case errors.Is(err, store.ErrUnreadable):
		return fmt.Errorf("os dados em %s não podem ser lidos: estão danificados ou não são da maquininha; guarde a pasta e escolha outra com --data (%w)", dir, err)
	}
	return fmt.Errorf("não foi possível abrir os dados em %s (%w)", dir, err)
}
