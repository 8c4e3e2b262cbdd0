// Package datafolder is the folder of everything durable: where it is unless somebody says otherwise, and how a program makes
// it its own. Only its user may read it, and only one program may use it at a time.
package datafolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/maquininha/maquininha/internal/syserror"
	"github.com/maquininha/maquininha/internal/wholefile"
)

// LockName is the file that tells that a folder is in use.
const LockName = "maquininha.lock"

// Default is the user's own folder for a program's data.
func Default(program string) (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, program), nil
		}
	case "darwin", "ios":
	default:
		if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, program), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		variable := map[bool]string{true: "USERPROFILE", false: "HOME"}[runtime.GOOS == "windows"]
		return "", fmt.Errorf("não se sabe qual é a pasta do usuário (a variável %s não está definida); diga a dos dados com --data", variable)
	}
	switch runtime.GOOS {
	case "windows":
		return filepath.Join(home, "AppData", "Local", program), nil
	case "darwin", "ios":
		return filepath.Join(home, "Library", "Application Support", program), nil
	}
	return filepath.Join(home, ".local", "share", program), nil
}

// Open makes the folder ours alone: only this user may read it, and only one instance may use it.
func Open(dir string) (unlock func() error, err error) {
	ignoreFileSizeSignal()
	if err := Prepare(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, LockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("a pasta de dados %s não pode ser usada: %w", dir, syserror.Reason(err))
	}
	unlockFolder, err := lockFolder(dir)
	if err == nil {
		err = LockFile(f)
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

// Prepare makes the folder where there is none, for this user alone.
func Prepare(dir string) error {
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

// InUse tells whether a program uses the folder now.
func InUse(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, LockName), os.O_RDWR, 0)
	if err != nil {
		return false // nobody has been here; or it is not ours to know
	}
	defer f.Close()
	unlock, err := lockFolder(dir)
	if err != nil {
		return true
	}
	defer unlock() //nolint:errcheck // it was only read
	return LockFile(f) != nil
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
	wholefile.SyncFolder(parent)
	return nil
}

// Missing are the folders of a path that are not there, the innermost first.
func Missing(dir string) (all []string) {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return all
		}
		all = append(all, dir)
	}
}

// RemoveEmpty takes away again what Missing told of, for work that failed after it had made its folder.
func RemoveEmpty(folders []string) {
	for _, folder := range folders {
		os.Remove(folder) //nolint:errcheck // one that something is in stays
	}
}

// closeToOthers takes back what a copy or a restored backup may have let others read. Where that is not ours to do, the
// program's first words say so.
func closeToOthers(dir string) {
	for _, pattern := range []string{"*.db", "*.db-wal", "*.db-shm", "*.db-mark*", "*.jsonl", "*.pem", "*.key", "hub.json", LockName} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are sound
		for _, file := range files {
			if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
				os.Chmod(file, 0o600) //nolint:errcheck // as above
			}
		}
	}
}

// fresh tells whether the folder is empty, so new or given to us; one that holds other things keeps its mode.
func fresh(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}

// OpenToOthers tells whether other users of this machine can read a file or a folder.
func OpenToOthers(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o004 != 0
}
