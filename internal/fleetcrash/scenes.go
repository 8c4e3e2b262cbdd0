package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// scene is something that happens to a terminal's data, when so much of the campaign is over.
type scene struct {
	at   float64
	what string
}

// The scenes.
const (
	copying     = "a copy of the data"
	restoring   = "data restored from an older copy"
	wiping      = "a wiped terminal that joins again"
	away        = "a week away"
	settingBack = "a disk set back after leaving and joining"
)

// allScenes are those of the shops, by turns.
var allScenes = [][]scene{
	{{.1, copying}, {.3, restoring}, {.4, settingBack}, {.5, copying}, {.65, restoring}, {.85, restoring}},
	{{.15, settingBack}, {.3, wiping}, {.5, settingBack}, {.6, settingBack}, {.7, wiping}},
	{{.25, away}, {.5, settingBack}, {.75, away}, {.9, settingBack}},
	{{.1, copying}, {.25, away}, {.4, restoring}, {.6, wiping}, {.7, copying}, {.85, restoring}},
}

// copied is a copy of the data, and what callers knew when it was made.
type copied struct {
	folder string
	known  map[*order]counter.Sale
}

// play plays a scene, while nothing else is done to the shop.
func (s *shop) play(ctx context.Context, what scene) error {
	s.harm.Lock()
	defer s.harm.Unlock()
	defer func() { s.Chaos = s.config.Chaos }()
	if err := s.calm(ctx); err != nil {
		return err
	}
	var err error
	if s.dice.IntN(2) == 0 {
		err = s.KillService()
	} else {
		s.Service.Leave()
		err = s.Service.Stop()
	}
	if err != nil {
		return err
	}
	s.figures.count(func(f *Figures) { f.Scenes[what.what]++ })
	switch what.what {
	case copying:
		err = s.copy()
	case restoring:
		err = s.restore(ctx)
	case wiping:
		err = s.wipe(ctx)
	case away:
		err = s.beAway(ctx)
	case settingBack:
		err = s.setBack(ctx)
	}
	if err != nil {
		return err
	}
	return s.StartService(ctx)
}

func (s *shop) copy() error {
	s.copied = &copied{folder: s.Folder(fmt.Sprintf("copia-%d", len(s.past)+s.figures.faults())), known: map[*order]counter.Sale{}}
	for _, o := range s.those(func(*order) bool { return true }) {
		s.copied.known[o] = *o.Sale
	}
	return os.CopyFS(s.copied.folder, os.DirFS(s.Data()))
}

// retire keeps what a folder's data say before it is gone. Payments are numbered by the clock, in moments of two seconds: nobody
// sells, puts other data in place and sells again in one.
func (s *shop) retire(ctx context.Context) error {
	h, err := readHistory(s.ids(), s.Data())
	if err != nil {
		return err
	}
	s.past = append(s.past, h)
	return wait(ctx, 2*time.Second)
}

// restore puts the copy back: in the folder's place, or over its files.
func (s *shop) restore(ctx context.Context) error {
	if err := s.retire(ctx); err != nil {
		return err
	}
	for _, o := range s.orders {
		if was, known := s.copied.known[o]; !known || was.Approved != o.Approved || was.Reversed != o.Reversed || was.Back.Cmp(o.Back) != 0 {
			o.gone = true
		}
	}
	if s.dice.IntN(2) == 0 {
		if err := os.RemoveAll(s.Data()); err != nil {
			return err
		}
		if err := os.CopyFS(s.Data(), os.DirFS(s.copied.folder)); err != nil {
			return err
		}
	} else if err := copyOver(s.Data(), s.copied.folder); err != nil {
		return err
	}
	m, err := tunnel.Load(s.Data())
	s.known(m.Terminal) // as it was when the copy was made
	return err
}

// copyOver writes the files of one folder over those of another, which keeps what the one lacks; but no write-ahead log, which would
// be of another database.
func copyOver(to, from string) error {
	logs, err := filepath.Glob(filepath.Join(to, "*.db-*"))
	if err != nil {
		return err
	}
	for _, path := range logs {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, f.Name()), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// wipe loses all data; the terminal joins again, and is another one to the hub.
func (s *shop) wipe(ctx context.Context) error {
	if err := s.retire(ctx); err != nil {
		return err
	}
	for _, o := range s.orders {
		o.gone = true
	}
	s.copied = nil
	if err := os.RemoveAll(s.Data()); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Data(), 0o700); err != nil {
		return err
	}
	return s.join(ctx)
}

// putPayment writes a payment of so many reais and a half into a ledger.
func putPayment(ledger *store.Ledger, reference string, amount int, at time.Time) (err error) {
	t := payment.Transaction{
		Acquirer: "semana", State: payment.StateBegun, CreatedAt: at, UpdatedAt: at, Number: 0,
		Request: payment.Request{
			Method: payment.Credit, Amount: money.MustParse(fmt.Sprintf("%d.50", amount)), Reference: reference, Installments: 1, Plan: payment.Single,
		},
	}
	if t.ID, err = ledger.Begin(t); err != nil {
		return err
	}
	for _, state := range []payment.State{payment.StateSent, payment.StateApproved, payment.StateConfirmed} {
		t.State, t.UpdatedAt = state, t.UpdatedAt.Add(time.Second)
		if err := ledger.Append(t, ""); err != nil {
			return err
		}
	}
	return nil
}

// beAway lets a week pass in which the shop works without the hub: its payments stand in the ledger with the times of that week, and
// most of the log is trimmed before anybody has read it.
func (s *shop) beAway(ctx context.Context) error {
	const days, paymentsADay, entriesADay = 7, 40, 400
	end := time.Now()
	files, err := store.Open(s.Data())
	if err != nil {
		return err
	}
	defer files.Close()
	ledger, err := files.Ledger()
	if err != nil {
		return err
	}
	for n := range days * paymentsADay {
		at := end.Add(time.Duration(n-days*paymentsADay) * 24 * time.Hour / paymentsADay)
		if err := putPayment(ledger, fmt.Sprintf("semana-%d-%d-%d", s.number, end.Unix(), n), n+1, at); err != nil {
			return err
		}
	}
	logs, err := store.OpenLogs(filepath.Join(s.Data(), store.LogsFile))
	if err != nil {
		return err
	}
	defer logs.Close()
	last, err := logs.Last()
	if err != nil {
		return err
	}
	var entries []logbook.Entry
	for n := range int64(days * entriesADay) {
		entries = append(entries, logbook.Entry{
			ID: last + 1 + n, At: end.Add(time.Duration(n-days*entriesADay) * 24 * time.Hour / entriesADay), Level: logbook.Info, Source: logbook.App,
			Message: fmt.Sprintf("Uma semana sem o hub, %d", n),
		})
	}
	if err := logs.Append(entries); err != nil {
		return err
	}
	return logs.Trim(ctx, time.Time{}, entriesADay)
}
