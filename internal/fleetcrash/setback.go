package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// setBack has the terminal leave and join, and its whole disk set back to a moment before that or after it. The terminal can't notice: the hub
// has read more than is there, and says so.
func (s *shop) setBack(ctx context.Context) error {
	joins := func() error {
		if err := s.leave(ctx); err != nil {
			return err
		}
		return s.join(ctx)
	}
	before := s.dice.IntN(2) == 0
	if !before {
		if err := joins(); err != nil {
			return err
		}
	}
	image := s.Folder(fmt.Sprintf("disco-%d", time.Now().UnixNano()))
	mark := filepath.Join(s.Data(), store.MainFile+"-mark")
	if err := os.CopyFS(image, os.DirFS(s.Data())); err != nil {
		return err
	}
	// A disk that is set back has the very file that the data know: a copy is another one.
	if err := os.Link(mark, image+"-mark"); err != nil {
		return err
	}
	if before {
		if err := joins(); err != nil {
			return err
		}
	}
	if err := s.sellMore(ctx); err != nil {
		return err
	}
	epoch := s.past[len(s.past)-1].Epoch
	if err := os.RemoveAll(s.Data()); err != nil {
		return err
	}
	if err := os.CopyFS(s.Data(), os.DirFS(image)); err != nil {
		return err
	}
	text, err := os.ReadFile(mark)
	if err != nil {
		return err
	}
	if err := os.Rename(image+"-mark", mark); err != nil {
		return err
	}
	if err := os.WriteFile(mark, text, 0o600); err != nil {
		return err
	}
	m, err := tunnel.Load(s.Data())
	if err != nil {
		return err
	}
	s.known(m.Terminal)
	if err := s.StartService(ctx); err != nil {
		return err
	}
	if err := until(ctx, "the terminal is told that it was set back", func() (bool, error) {
		now, err := s.epoch()
		return now != epoch, err
	}); err != nil {
		return err
	}
	return s.KillService()
}

// sellMore has a payment in the ledger, which the hub reads, and keeps what the data say then.
func (s *shop) sellMore(ctx context.Context) error {
	files, err := store.Open(s.Data())
	if err != nil {
		return err
	}
	ledger, err := files.Ledger()
	if err == nil {
		err = putPayment(ledger, fmt.Sprintf("perdida-%d-%d", s.number, time.Now().UnixNano()), 1, time.Now())
	}
	files.Close()
	if err != nil {
		return err
	}
	if err := s.StartService(ctx); err != nil {
		return err
	}
	var books *hubBooks
	if err := until(ctx, "the hub's records can be read", func() (bool, error) {
		books, err = openBooks(ctx, s.hubs.all[0])
		return err == nil, nil
	}); err != nil {
		return err
	}
	_, err = s.allRead(ctx, books)
	books.files.Close()
	if err != nil {
		return err
	}
	if err := s.KillService(); err != nil {
		return err
	}
	return s.retire(ctx)
}

// epoch is the one of the terminal's data.
func (s *shop) epoch() (string, error) {
	r, err := store.OpenReader(s.Data())
	if err != nil {
		return "", err
	}
	defer r.Close()
	all, err := r.Epochs()
	if err != nil {
		return "", err
	}
	return all[0].ID, nil
}
