// Package probe tries what the check and the doctor of both programs try in the same way: folders, ports, certificates.
package probe

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Less than little is too little for a day; less than scarce will not do for long.
const (
	little = 100 << 20
	scarce = 1 << 30
)

// Folder is where a program has its data, or will have.
type Folder struct {
	Path     string
	User     string // what uses it: serviço or hub
	InUse    bool   // by one that runs
	ReadOnly bool   // nothing is written, not even to try it
}

// Look says whether the data can be there.
func (f Folder) Look(found *console.Findings) {
	folder, state := f.Path, ""
	for info, err := os.Stat(folder); ; info, err = os.Stat(folder) {
		if err == nil && !info.IsDir() {
			found.Wrong("Dados", "%s não é uma pasta", folder)
			return
		}
		if err == nil || filepath.Dir(folder) == folder {
			break
		}
		folder, state = filepath.Dir(folder), ", será criada"
	}
	if f.InUse {
		state = ", em uso pelo " + f.User + " que está no ar"
	} else if f.ReadOnly {
		state += ", gravação não experimentada"
	} else if err := TryFolder(folder); errors.Is(err, fs.ErrNotExist) {
		found.Wrong("Dados", "não é possível gravar em %s: o sistema não aceita arquivos ali", folder)
		return
	} else if err != nil {
		found.Wrong("Dados", "não é possível gravar em %s: %v", folder, syserror.OfFile(err))
		return
	}
	free, known := FreeSpace(folder)
	switch text := f.Path + state + ", " + Size(free) + " livres"; {
	case !known:
		found.Good("Dados", "%s%s", f.Path, state)
	case free < little:
		found.Wrong("Dados", "%s: é pouco", text)
	case free < scarce:
		found.Doubtful("Dados", "%s", text)
	default:
		found.Good("Dados", "%s", text)
	}
}

// TryFolder puts a file into a folder and takes it away.
func TryFolder(dir string) error {
	f, err := os.CreateTemp(dir, ".maquininha-*")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte("maquininha"))
	return cmp.Or(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// Size is a number of bytes as people read it.
func Size(n uint64) string {
	if n < scarce {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d GiB", n>>30)
}

// renewal is how long before its end a certificate should be thought of.
const renewal = 30 * 24 * time.Hour

// Dates say whether a certificate is valid now, and for how long.
func Dates(found *console.Findings, what, path string, leaf *x509.Certificate) bool {
	switch now := time.Now(); {
	case now.After(leaf.NotAfter):
		found.Wrong(what, "%s venceu em %s", path, Day(leaf.NotAfter))
		return false
	case now.Before(leaf.NotBefore):
		found.Wrong(what, "%s só vale a partir de %s", path, Day(leaf.NotBefore))
		return false
	case leaf.NotAfter.Sub(now) < renewal:
		found.Doubtful(what, "%s vence em %s", path, Day(leaf.NotAfter))
	default:
		found.Good(what, "%s vale até %s", path, Day(leaf.NotAfter))
	}
	return true
}

// Day is a date as people write it.
func Day(t time.Time) string { return t.Local().Format("02/01/2006") }
