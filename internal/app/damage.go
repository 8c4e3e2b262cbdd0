package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/syserror"
)

// unreadable says in one line that the data is there but not usable, and what to do; the detail is for support.
func unreadable(dir string, err error) error {
	var bank *journal.DamagedError
	switch err = store.Explain(err); {
	case errors.As(err, &bank):
		return fmt.Errorf("o registro do banco emulado %s está danificado na linha %d; para guardá-lo como %s.damaged-AAAAMMDD-HHMMSS e começar um novo, rode: %s",
			bank.Path, bank.Line, filepath.Base(bank.Path), repairCommand(dir))
	case errors.Is(err, store.ErrNewer):
		return fmt.Errorf("os dados em %s são de uma versão mais nova do programa; atualize-o ou escolha outra pasta com --data", dir)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("sem permissão para usar os dados em %s", dir)
	case errors.Is(err, store.ErrMissing):
		return fmt.Errorf("o banco de dados %s sumiu ou está vazio; reponha-o ou, para começar um novo, rode: %s", filepath.Join(dir, store.MainFile), repairCommand(dir))
	case errors.Is(err, store.ErrLost):
		return fmt.Errorf("faltam os dados mais novos no banco de dados %s: o arquivo %s-wal sumiu ou foi cortado, ou o banco é de antes; reponha o que falta ou, para continuar sem esses dados, rode: %s",
			filepath.Join(dir, store.MainFile), store.MainFile, repairCommand(dir))
	case errors.Is(err, store.ErrUnreadable):
		return fmt.Errorf("o banco de dados %s está danificado ou não é da maquininha; para guardá-lo como %s.damaged-AAAAMMDD-HHMMSS e começar um novo, rode: %s (%w)",
			filepath.Join(dir, store.MainFile), store.MainFile, repairCommand(dir), WhyUnreadable(err))
	}
	// SQLite does not always tell that the disk is the reason.
	if disk := tryDisk(dir); disk != nil {
		return fmt.Errorf("não foi possível abrir os dados em %s: %w", dir, syserror.Reason(disk))
	}
	return fmt.Errorf("não foi possível abrir os dados em %s: %w; para verificar cada arquivo, rode: %s", dir, WhyUnreadable(err), repairCommand(dir))
}

// repairCommand is what to say on the telephone.
func repairCommand(dir string) string { return "maquininha repair --data " + shellWord(dir) }

// startRoom is what the files of a start take before anything is kept in them.
const startRoom = 256 << 10

// tryDisk tells whether the disk has room for a start and can be written.
func tryDisk(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, "room.tmp"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(make([]byte, startRoom))
	return errors.Join(err, f.Close())
}

// Repaired is what became of one file.
type Repaired struct {
	Path string
	Kept string // where it is kept now, if it was damaged
	Why  error  // nil: it is in order
	// Doubted is how many transactions are in doubt because data were lost, which was accepted.
	Doubted int
}

// Lost tells that data are missing from the file, which is used as it is.
func (r Repaired) Lost() bool { return r.Kept == "" && errors.Is(r.Why, store.ErrLost) }

// Missing tells that there was nothing to keep.
func (r Repaired) Missing() bool { return errors.Is(r.Why, store.ErrMissing) }

// Repair looks at every page of the data, puts what is damaged aside and begins it anew. What is in order is not
// touched, and a database of which only the newest data are missing is used as it is. No instance may be running.
func Repair(c Config) ([]Repaired, error) {
	unlock, err := datafolder.Open(c.Data)
	if err != nil {
		return nil, err
	}
	defer unlock() //nolint:errcheck // nothing was written through it
	if err := tryDisk(c.Data); err != nil {
		return nil, fmt.Errorf("a pasta de dados %s não pode ser usada: %w", c.Data, syserror.Reason(err))
	}
	var all []Repaired
	for _, check := range []func(dir string) (path string, err error){store.CheckMain, store.CheckLogs, checkBank} {
		path, err := check(c.Data)
		if errors.Is(err, store.ErrLost) {
			accepted, damage := acceptLoss(c.Data, Repaired{Path: path, Why: err})
			if damage == nil {
				all = append(all, accepted)
				continue
			}
			err = damage
		}
		switch {
		case path == "":
			continue
		case errors.Is(err, store.ErrNewer), err != nil && !errors.Is(err, store.ErrUnreadable):
			return all, unreadable(c.Data, err)
		case err == nil:
			all = append(all, Repaired{Path: path})
			continue
		}
		kept, failed := store.PutAside(path, time.Now())
		if failed != nil {
			return all, fmt.Errorf("%s não pôde ser guardado com outro nome: %w", path, syserror.Reason(failed))
		}
		all = append(all, Repaired{Path: path, Kept: kept, Why: err})
	}
	if all[0].Why == nil || all[0].Lost() {
		return all, nil
	}
	return all, store.Begin(c.Data, time.Now())
}

// acceptLoss has a database of which the newest data are missing used as it is, unless it is damaged besides.
func acceptLoss(dir string, r Repaired) (Repaired, error) {
	var err error
	if r.Doubted, err = store.AcceptLoss(dir); err != nil {
		return r, err
	}
	_, err = store.CheckMain(dir)
	return r, err
}

// checkBank is for the emulator's bank, where there is one.
func checkBank(dir string) (path string, err error) {
	path = filepath.Join(dir, "emulator-host.jsonl")
	if _, err := os.Stat(path); err != nil {
		return "", nil
	}
	bank, err := emulator.New(dir)
	if err != nil {
		return path, fmt.Errorf("%w: %w", store.ErrUnreadable, err)
	}
	return path, bank.Close()
}
