package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/rig"
)

// The acquirers of the campaign.
const (
	tefAcquirer      = "tef"
	pixAcquirer      = "pix"
	emulatorAcquirer = "emulator"
)

// station is a shop's counter: the terminal, the other sides of its payments, each a process of its own, and the people.
type station struct {
	Config
	number    int
	dir       string
	acquirers []string
	dice      *rand.Rand // for the station's own goroutine
	figures   *Figures
	caller    *caller
	client    *http.Client
	cents     int // of the next sale, so that no two have the same amount

	manager *process // TEF
	psp     *process
	pspAt   string
	service *service
	others  sync.WaitGroup // what goes on whatever becomes of the terminal

	mu    sync.Mutex
	wants ending // how the operation under way is to end
	leaks []string
}

// service is the terminal while it runs.
type service struct {
	*process
	point       string // where it is to die; empty: nowhere
	api, screen string
	leave       func() // the person
}

func (s *station) folder(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// data is the terminal's folder; the other sides' are elsewhere.
func (s *station) data() string { return s.folder("dados") }

func (s *station) has(acquirer string) bool {
	for _, a := range s.acquirers {
		if a == acquirer {
			return true
		}
	}
	return false
}

// open makes the folders and starts the other sides.
func (s *station) open(ctx context.Context) error {
	for _, dir := range []string{s.data(), s.folder("tef"), s.folder("pix")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	s.pspAt = rig.FreeAddress()
	return errors.Join(s.startManager(ctx), s.startPSP(ctx))
}

// chaos is how the other side behaves in the life that begins.
func (s *station) chaos() []string {
	if s.Chaos && s.dice.IntN(3) == 0 {
		return []string{"--chaos", "15%", "--seed", fmt.Sprint(s.dice.Uint32())}
	}
	return nil
}

func (s *station) startManager(ctx context.Context) error {
	if !s.has(tefAcquirer) {
		return nil
	}
	arguments := append([]string{"simulate", "tef", s.folder("tef"), "--poll", "1ms", "--late", "1s"}, s.chaos()...)
	if s.dice.IntN(2) == 0 {
		arguments = append(arguments, "--answer", "always "+string(tefsim.Careless))
	}
	var err error
	if s.manager, err = launch(ctx, s.folder("tef.log"), nil, s.Binary, arguments...); err != nil {
		return err
	}
	return s.manager.hear(func(line string) bool { return strings.Contains(line, "O serviço usa-o com") })
}

func (s *station) startPSP(ctx context.Context) error {
	if !s.has(pixAcquirer) {
		return nil
	}
	arguments := append([]string{"simulate", "pix", "--listen", s.pspAt, "--ledger", s.pixLedger()}, s.chaos()...)
	for limit := time.Now().Add(startPatience); ; {
		var err error
		if s.psp, err = launch(ctx, s.folder("pix.log"), nil, s.Binary, arguments...); err != nil {
			return err
		}
		err = s.psp.hear(func(line string) bool {
			at, found := strings.CutPrefix(strings.TrimSpace(line), "API        http://")
			if found {
				s.pspAt = at
			}
			return strings.Contains(line, "O serviço usa-o com")
		})
		if !errors.Is(err, errDied) || time.Now().After(limit) || ctx.Err() != nil {
			return err
		}
		// Somebody's outgoing connection has the address for the moment.
		time.Sleep(50 * time.Millisecond)
	}
}

func (s *station) tefLedger() string { return s.folder("tef", "simulador.jsonl") }
func (s *station) pixLedger() string { return s.folder("pix", "simulador-pix.jsonl") }

// restartOther kills the other side of an acquirer and starts it again, in another mood.
func (s *station) restartOther(ctx context.Context, acquirer string) error {
	s.figures.count(func(f *Figures) { f.OtherKills++ })
	switch acquirer {
	case tefAcquirer:
		return errors.Join(s.manager.kill(), s.startManager(ctx))
	case pixAcquirer:
		return errors.Join(s.psp.kill(), s.startPSP(ctx))
	}
	return nil
}

// startService runs the terminal, to die at the point, if there is one. errDied: it did so before it was ready.
func (s *station) startService(ctx context.Context, point string) error {
	environment := []string{
		"MAQUININHA_USERNAME=" + user, "MAQUININHA_PASSWORD=" + password, "MAQUININHA_PIX_CLIENT_SECRET=segredo-do-simulador",
		"MAQUININHA_CRASH_AT=" + point, "MAQUININHA_LEDGER_LOSES=" + s.Loses,
	}
	arguments := []string{
		"--data", s.data(), "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--operator", "human", "--no-setup", "--no-desktop-notifications",
	}
	if s.has(tefAcquirer) {
		arguments = append(arguments, "--acquirer-card", "tef", "--tef-dir", s.folder("tef"))
	}
	if s.has(pixAcquirer) {
		arguments = append(arguments, "--acquirer-pix", "pix", "--pix-url", "http://"+s.pspAt, "--pix-token-url", "http://"+s.pspAt+"/oauth/token",
			"--pix-client-id", "simulador", "--pix-key", "123e4567-e12b-12d1-a456-426655440000")
	}
	p, err := launch(ctx, s.folder("service.log"), environment, s.Binary, arguments...)
	if err != nil {
		return err
	}
	now := &service{process: p, point: point, leave: func() {}}
	s.service = now
	err = p.hear(func(line string) bool {
		name, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		at = strings.TrimPrefix(strings.TrimSpace(at), "http://")
		switch name {
		case "API":
			now.api = at
		case "Tela":
			now.screen = at
		}
		return now.screen != ""
	})
	if err != nil {
		return err
	}
	s.attend(ctx, now)
	return nil
}

// attend puts a person in front of the terminal, for as long as it runs.
func (s *station) attend(ctx context.Context, now *service) {
	ctx, stop := context.WithCancel(ctx)
	now.leave = stop
	fast := rand.New(rand.NewPCG(s.dice.Uint64(), 0))
	p := &person{
		screen: now.screen, pix: s.pspAt, client: s.client, emulate: s.has(emulatorAcquirer),
		wishes: s.wished, later: func(do func()) { s.others.Go(do) },
		hurry: func() time.Duration { return moment(fast, 400*time.Millisecond) }, heard: s.shown,
	}
	s.others.Go(func() { p.watch(ctx) })
}

func (s *station) wish(e ending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wants = e
}

func (s *station) wished() ending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wants
}

// shown looks for card numbers in what a page is told.
func (s *station) shown(text string) {
	if found := cardNumbers(text); len(found) > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.leaks = append(s.leaks, "the screen's feed: "+found[0])
	}
}

// moment is a length of time up to the longest, as often short as long.
func moment(dice *rand.Rand, longest time.Duration) time.Duration {
	const shortest = float64(500 * time.Microsecond)
	return time.Duration(shortest * math.Exp(dice.Float64()*math.Log(float64(longest)/shortest)))
}

// close ends every process of the station.
func (s *station) close() error {
	var err error
	for _, p := range []*process{s.manager, s.psp} {
		if p != nil {
			err = errors.Join(err, p.stop())
		}
	}
	if s.service != nil {
		s.service.leave()
		err = errors.Join(err, s.service.stop())
	}
	s.others.Wait()
	return err
}
