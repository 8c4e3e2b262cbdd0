package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

// The goals of a terminal that has joined: those of one that has not.
const (
	idleGoal      = 30 // MiB
	sizeGoal      = 25 // MiB
	unchangedGoal = 0.95
)

var (
	openSale   = rig.Request("POST", "/sale", `{"customerName":"Maria da Conceição"}`)
	cancelSale = rig.Request("POST", "/sale/cancel", `{"showMessage":false}`)
	addItem    = rig.Request("POST", "/sale/item", `{"code":"7891910000197","description":"Açúcar refinado União 1 kg","quantity":2,"unitPrice":5.49,"total":10.98}`)
)

// measureTerminal holds a terminal that has joined against one that has not: while its hub is there, and when it has gone. Both are
// the real program.
func (b *bench) measureTerminal() (rows []figures.Row, err error) {
	folders := map[string]string{}
	for _, name := range []string{"hub-of-one", "joined", "alone"} {
		folders[name] = filepath.Join(b.dir, name)
		if err := os.Mkdir(folders[name], 0o700); err != nil {
			return nil, err
		}
	}
	h, err := b.startHub(folders["hub-of-one"])
	if err != nil {
		return nil, err
	}
	defer h.Kill() //nolint:errcheck // it is dead by then
	if err := b.joinProgram(h, folders["joined"]); err != nil {
		return nil, err
	}
	joined, err := rig.Service(b.ctx, b.shop, folders["joined"])
	if err != nil {
		return nil, err
	}
	defer joined.Stop() //nolint:errcheck // what it answered is counted already
	if _, err := b.online(h, 1); err != nil {
		return nil, err
	}
	if rows, err = b.footprint(joined); err != nil {
		return rows, err
	}
	alone, err := rig.Service(b.ctx, b.shop, folders["alone"])
	if err != nil {
		return rows, err
	}
	defer alone.Stop()                                           //nolint:errcheck // as above
	if _, err := rig.Send(alone.Address, openSale); err != nil { // the other has one
		return rows, err
	}
	with, err := b.unchanged("joined", joined, alone)
	if rows = append(rows, with...); err != nil {
		return rows, err
	}
	if err := h.Kill(); err != nil {
		return rows, err
	}
	without, err := b.unchanged("hub gone", joined, alone)
	return append(rows, without...), err
}

// joinProgram joins as a person does.
func (b *bench) joinProgram(h *hub, data string) error {
	var made struct{ Code string }
	if _, err := h.ask(http.DefaultClient, "POST", "/api/v1/codes", map[string]string{"name": "Caixa 1"}, &made); err != nil {
		return err
	}
	out, err := exec.CommandContext(b.ctx, b.shop, "join", "https://"+h.tls, made.Code, "--pin", h.pin, "--data", data).CombinedOutput()
	if err != nil {
		return fmt.Errorf("joining: %w\n%s", err, out)
	}
	return nil
}

// footprint is what a joined terminal takes: it has sold something, and rests.
func (b *bench) footprint(s *rig.Server) ([]figures.Row, error) {
	if _, err := rig.Send(s.Address, openSale, addItem, addItem, rig.GetStatus); err != nil {
		return nil, err
	}
	if err := b.wait(b.rest); err != nil {
		return nil, err
	}
	resident, err := rig.ResidentMiB(s.Process.Pid)
	binary, missing := os.Stat(b.shop)
	if err := errors.Join(err, missing); err != nil {
		return nil, err
	}
	size := float64(binary.Size()) / (1 << 20)
	return []figures.Row{
		{Measure: "joined terminal, resident, idle", Value: fmt.Sprintf("%.1f MiB", resident), Goal: fmt.Sprintf("≤ %d MiB", idleGoal), OK: resident <= idleGoal},
		{Measure: "terminal's binary", Value: fmt.Sprintf("%.1f MiB", size), Goal: fmt.Sprintf("≤ %d MiB", sizeGoal), OK: size <= sizeGoal},
	}, nil
}

// unchanged measures both in turns. An item is logged, and a hub that is there reads the log on the same processors.
func (b *bench) unchanged(how string, joined, alone *rig.Server) (rows []figures.Row, err error) {
	for _, what := range []struct {
		name    string
		clients int
		request []byte
	}{{"GET /status", manyClients, rig.GetStatus}, {"POST /sale/item", 1, addItem}} {
		side := func(s *rig.Server) func() (float64, error) {
			return func() (float64, error) {
				if _, err := rig.Send(s.Address, cancelSale, openSale); err != nil { // rounds are to be alike
					return 0, err
				}
				return rig.Drive(s.Address, what.clients, rig.Always(what.request), rig.During(b.round))
			}
		}
		s, err := figures.Duel(b.ctx, b.rounds, side(joined), side(alone))
		if err != nil {
			return rows, err
		}
		rows = append(rows, figures.Row{
			Measure: fmt.Sprintf("%s at a terminal, %s", what.name, how), Value: figures.PerSecond(s.First), Against: "not joined: " + figures.PerSecond(s.Second),
			Ratio: s.Ratio, Goal: figures.AtLeast(unchangedGoal), OK: s.Ratio >= unchangedGoal,
		})
	}
	return rows, nil
}
