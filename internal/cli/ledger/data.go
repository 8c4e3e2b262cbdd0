// Package ledger has the commands that read what was paid, beside a service that runs or without one: transactions and closing.
package ledger

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/store"
)

// read opens the data and its ledger for a report, and ends when the person interrupts it.
func read(place options.Place, report func(context.Context, *store.Reader, *store.Ledger) error) error {
	folder, err := place.Folder()
	if err != nil {
		return err
	}
	reader, err := app.OpenReader(folder)
	if err != nil {
		return err
	}
	defer reader.Close()
	ledger, err := reader.Ledger()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = report(ctx, reader, ledger)
	var wordy interface{ Words() string }
	switch {
	case ctx.Err() != nil:
		return errors.New("interrompido")
	case errors.As(err, &wordy):
		return errors.New(wordy.Words())
	}
	return err
}

// write puts a report on the standard output or into a file, but not over the data itself.
func write(place options.Place, path string, report func(io.Writer) error) error {
	path = cmp.Or(path, "-")
	folder, err := place.Folder()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if path != "-" && strings.Contains(e.Name(), ".db") && output.Same(path, filepath.Join(folder, e.Name())) {
			return errors.New("o resultado não pode tomar o lugar dos dados; escolha outro arquivo")
		}
	}
	return output.Put(path, report)
}
