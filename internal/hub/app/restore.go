package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/hub/archive"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/syserror"
	"github.com/maquininha/maquininha/internal/wholefile"
)

// restoring is the folder, in that of the data, where a backup is unpacked: files take their places only when all of them are on the disk.
const restoring = "restoring"

// Restore puts a backup into an empty data folder and, where one is given, an empty PostgreSQL. The whole backup is read, and PostgreSQL
// looked at, before anything is written; what fails later leaves nothing behind.
func Restore(ctx context.Context, c Config, from io.ReadSeeker) (done Contents, err error) {
	if err := c.Check(); err != nil {
		return done, err
	}
	var files map[string][]byte
	if done.About, files, err = readBackup(from); err != nil {
		return done, inRestoreWords(err)
	}
	if c.Database != "" {
		if err := store.CheckEmpty(ctx, c.Database); err != nil {
			return done, inRestoreWords(err)
		}
	}
	leave, err := borrowFolder(c.Data)
	if err != nil {
		return done, err
	}
	defer func() { leave(err != nil) }()
	if done.KeyKept, err = vacant(c, files[KeyFile]); err != nil {
		return done, err
	}
	unsure := false
	defer func() {
		// Records that may be there need their key: a hub that starts with them must not make another.
		if err != nil && !done.KeyKept && !unsure {
			unsettle(c.Data)
		}
	}()
	unpacked := filepath.Join(c.Data, restoring)
	if err := errors.Join(os.RemoveAll(unpacked), os.Mkdir(unpacked, 0o700)); err != nil {
		return done, fmt.Errorf("a pasta de dados %s não pode ser usada: %w", c.Data, syserror.Reason(err))
	}
	defer os.RemoveAll(unpacked) //nolint:errcheck // the next one begins with it
	if done.KeyKept {
		files = nil
	}
	for name, content := range files {
		if err := wholefile.Create(filepath.Join(unpacked, name), content); err != nil {
			return done, fmt.Errorf("não foi possível gravar %s: %w", filepath.Join(unpacked, name), syserror.Reason(err))
		}
	}
	// In PostgreSQL the records are in place as soon as they are whole: the key must be there before. Whoever begins again finds the same.
	if c.Database != "" {
		if err := settle(unpacked, c.Data); err != nil {
			return done, err
		}
	}
	rows, err := store.Import(ctx, unpacked, c.Database, func(take store.Take) error { return recordsOf(from, take) })
	if done.count(rows); err != nil {
		unsure = errors.Is(err, store.ErrUnsure)
		return done, inRestoreWords(err)
	}
	if c.Database != "" {
		return done, nil
	}
	return done, settle(unpacked, c.Data)
}

// recordsOf passes on the records of a backup.
func recordsOf(from io.ReadSeeker, take store.Take) error {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return archive.Read(from, func(name string, content []byte) error {
		if piece, is := strings.CutPrefix(name, recordsPart); is {
			return take(piece, content)
		}
		return nil
	})
}

// vacant refuses a folder that has anything of a hub in it. Where no records are, the hub's own key may be there: its PostgreSQL was lost, or a
// restore was ended between two files. Then the folder stays as it is, with a certificate that may be newer than the backup's.
func vacant(c Config, key []byte) (keyKept bool, err error) {
	entries, err := os.ReadDir(c.Data)
	if err != nil {
		return false, fmt.Errorf("a pasta de dados %s não pode ser usada: %w", c.Data, syserror.Reason(err))
	}
	var there []string
	for _, e := range entries {
		if name := e.Name(); !slices.Contains([]string{datafolder.LockName, restoring, "lost+found"}, name) && filepath.Ext(name) != ".toml" {
			there = append(there, name)
		}
	}
	if len(there) == 0 {
		return false, nil
	}
	recorded := func(name string) bool { return strings.HasPrefix(name, store.File) } // what SQLite keeps beside its file as well
	if !slices.ContainsFunc(there, recorded) {
		if have, err := os.ReadFile(filepath.Join(c.Data, KeyFile)); err == nil && bytes.Equal(have, key) {
			return true, nil
		}
	}
	return false, fmt.Errorf("a pasta de dados %s não está vazia (tem %s); restaure em uma pasta vazia, com --data, ou mova antes para outro lugar o que há nela", c.Data, strings.Join(there, ", "))
}

// settle gives files their places: the key first, the records last. A hub that starts with the records must never make a key of its own.
func settle(unpacked, data string) error {
	for _, name := range append(slices.Clone(keptFiles), store.File) {
		err := os.Rename(filepath.Join(unpacked, name), filepath.Join(data, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("não foi possível gravar %s: %w", filepath.Join(data, name), syserror.Reason(err))
		}
	}
	wholefile.SyncFolder(data)
	return nil
}

// unsettle takes the files of a restore that failed from a folder that had none of them.
func unsettle(data string) {
	for _, name := range append(slices.Clone(keptFiles), store.File) {
		os.Remove(filepath.Join(data, name)) //nolint:errcheck // what made the restore fail is said
	}
}

func inRestoreWords(err error) error {
	switch {
	case errors.Is(err, archive.ErrForeign):
		return errors.New("o arquivo não é uma cópia feita por maquininha-hub backup desta versão ou de uma anterior")
	case errors.Is(err, archive.ErrDamaged):
		return errors.New("a cópia está danificada ou cortada, e nada foi gravado; traga-a de novo de onde foi guardada, ou use outra")
	case errors.Is(err, store.ErrNewer):
		return errors.New("a cópia é de uma versão mais nova deste programa, e nada foi gravado; atualize-o")
	case errors.Is(err, store.ErrUnsure):
		return errors.New("o PostgreSQL não confirmou a gravação, e não se sabe se ela ficou; a chave do hub ficou na pasta de dados. Tente de novo: se o banco já não estiver vazio, a cópia está inteira nele")
	case errors.Is(err, store.ErrNotEmpty):
		return errors.New("o banco de dados de --database não está vazio, e nada foi gravado; crie outro, vazio, e diga o endereço dele")
	}
	return fmt.Errorf("a cópia não pôde ser restaurada, e nada ficou gravado: %s", words(err))
}
