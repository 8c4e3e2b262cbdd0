package main

import (
	"bufio"
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
	"github.com/maquininha/maquininha/internal/store"
)

// read opens the data and its ledger for a report, and ends when the person interrupts it.
func (d dataFlag) read(report func(context.Context, *store.Reader, *store.Ledger) error) error {
	folder, err := d.folder()
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
	var wordy interface{ words() string }
	switch {
	case ctx.Err() != nil:
		return errors.New("interrompido")
	case errors.As(err, &wordy):
		return errors.New(wordy.words())
	}
	return err
}

// write puts a report on the standard output or into a file, which takes its place only when it is whole: half an export
// looks like one of a slow day.
func (d dataFlag) write(path string, report func(io.Writer) error) error {
	if path == "" || path == "-" {
		return buffered(os.Stdout, report)
	}
	if err := d.spare(path); err != nil {
		return err
	}
	return putWhole(path, report)
}

// putWhole is write for what can't be in the data's way.
func putWhole(path string, report func(io.Writer) error) error {
	if path == "-" {
		return buffered(os.Stdout, report)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0) // a pipe, a terminal
		if err != nil {
			return &outError{path, err}
		}
		return errors.Join(buffered(f, report), f.Close())
	}
	// Sales are nobody else's to read, so the mode is that of a temporary file.
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return &outError{path, err}
	}
	defer os.Remove(f.Name())
	if err := errors.Join(buffered(f, report), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return &outError{path, err}
	}
	return nil
}

// spare refuses to write over the data itself.
func (d dataFlag) spare(path string) error {
	folder, err := d.folder()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if strings.Contains(e.Name(), ".db") && same(path, filepath.Join(folder, e.Name())) {
			return errors.New("o resultado não pode tomar o lugar dos dados; escolha outro arquivo")
		}
	}
	return nil
}

func buffered(out io.Writer, report func(io.Writer) error) error {
	w := bufio.NewWriterSize(out, 64<<10)
	return errors.Join(report(w), w.Flush())
}
