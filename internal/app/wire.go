package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/autopilot"
	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/store"
)

// place is where a service stands: what stays while services come and go.
type place struct {
	screen  net.Addr
	apiURL  string // as other machines reach it
	restart func(context.Context) (device.Status, error)
}

// service is every part of the terminal, from one start to the next.
type service struct {
	httpapi.Desks
	api      *httpapi.API
	login    login
	screen   *screenui.UI
	settings *settings
	token    string // a device needs it to reach the screen from elsewhere

	closers []func() error // in the order of opening
}

// newService opens every part and fits them together. What it opened before an error it closes again.
func newService(c Config, at place) (s *service, err error) {
	s = &service{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	files, err := store.Open(c.Data)
	if err != nil {
		return s, unreadable(c.Data, err)
	}
	s.onClose(files.Close)
	if err := s.openLogs(c); err != nil {
		return s, unreadable(c.Data, err)
	}
	log := slog.New(s.Logs.Handler(logbook.App))
	if s.login, err = openLogin(c, files); err != nil {
		return s, err
	}
	kept, err := files.Settings()
	if err != nil {
		return s, unreadable(c.Data, err)
	}
	s.settings = openSettings(c, kept)
	if s.token, err = openToken(at.screen, files); err != nil {
		return s, err
	}

	s.Device = device.New(identity(c, s.settings.chosenLocale()))
	s.Screen = screen.New(c.Mode == Emulator && c.Autopilot)
	s.onClose(func() error { s.Screen.Close(); return nil })
	s.Device.Gate.Changed = s.Screen.Changed
	if c.DesktopNotices {
		s.notifyDesktop(log)
	}
	s.settings.effects = effects{
		keep: files.SetSettings, keeper: s.login.keeper, speak: s.Device.Speak, changed: s.Screen.Changed, busy: s.Device.Gate.Busy, log: log,
		restart: func() { go at.restart(context.Background()) }, //nolint:errcheck // one that fails ends the process
	}
	if s.Sales, err = sale.NewDesk(files.Sales(), saleScreen{s.Screen}); err != nil {
		return s, unreadable(c.Data, err)
	}
	s.Questions = question.NewDesk(s.Screen.Prompted)
	ledger, err := files.Ledger()
	if err != nil {
		return s, unreadable(c.Data, err)
	}

	config := httpapi.Config{Restart: at.restart, Gatekeeper: gatekeeper{s.login.keeper}, Limits: c.Limits, CORSMethods: c.CORSMethods}
	hardware := hardware{printer: printer.None{}}
	var bank *emulator.Acquirer // nil: there is no emulator
	if real, err := s.settings.realPrinter(); err != nil {
		return s, err
	} else if real != nil {
		hardware.printer = watched{real, s.Screen.Changed}
	}
	if c.Mode == Emulator {
		stand, err := newEmulator(c.Data, s.settings.paper(), s.Screen.Changed)
		if err != nil {
			return s, unreadable(c.Data, err)
		}
		s.onClose(stand.acquirer.Close)
		config.Emulator = stand
		if strings.HasPrefix(s.settings.printer(), virtualPrinter) {
			hardware.printer = stand.printer
		}
		bank = stand.acquirer
	}
	if hardware.ways, err = s.openAcquirers(c, s.settings.routed(), bank, ledger, files); err != nil {
		return s, err
	}
	if len(hardware.ways) == 0 {
		log.Warn("nenhum adquirente configurado: pagamentos serão recusados com 503")
	}
	slips := receipts{hardware.printer, s.settings}
	slips.remark(log)
	s.Payments = payment.NewDesk(payment.Config{
		Ways: hardware.ways, Ledger: ledger, Gate: &s.Device.Gate, Foreground: s.Screen.Foreground, Changed: s.Screen.Prompted,
		Recovered: func(t payment.Transaction) {
			log.Warn("transação sem resposta resolvida com o adquirente", "referenceId", t.Request.Reference, "situação", t.Status(), "estado", t.State, "valor", t.Request.Amount)
		},
		Receipts: slips, Unprinted: unprinted(log),
	})
	if bank != nil && c.Autopilot {
		s.onClose(s.fly(c, bank))
	}
	s.Printing = printing.NewDesk(&s.Device.Gate, hardware.printer)
	s.api = httpapi.New(s.Desks, config)
	s.screen = s.newScreen(hardware, at.apiURL)
	s.watchData(c, files)
	log.Info("serviço iniciado", "versão", c.Version, "build", c.Build, "modo", c.Mode)
	return s, nil
}

// hardware is what the terminal pays and prints with; without an acquirer it says so to each caller.
type hardware struct {
	ways    []payment.Way
	printer printing.Printer
}

func identity(c Config, chosenLocale string) device.Identity {
	return device.Identity{
		AppName: "maquininha", Version: c.Version, Build: c.Build, Platform: strings.ToLower(cmp.Or(c.Platform, runtime.GOOS)),
		Locale: cmp.Or(chosenLocale, locale()), TimeZone: timeZone(), Mode: string(c.Mode),
	}
}

func (s *service) onClose(fn func() error) { s.closers = append(s.closers, fn) }

// fly starts the autopilot and returns how to stop it.
func (s *service) fly(c Config, acquirer *emulator.Acquirer) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var flying sync.WaitGroup
	pilot := autopilot.Pilot{Questions: askedPerson{s.Questions}, Payments: customer{acquirer, s.Payments}, Screen: cockpit{s.Screen}, Delay: c.AutopilotDelay}
	flying.Go(func() { pilot.Run(ctx) })
	return func() error {
		cancel()
		flying.Wait()
		return nil
	}
}

// release answers every held request: what waits for a person will not be waited for any more.
func (s *service) release() {
	s.api.Close()
	s.screen.Close()
	s.Questions.Close()
	s.Payments.Close()
	s.Printing.Close()
}

// close puts everything on disk and closes it, last opened first.
func (s *service) close() error {
	var err error
	for i := len(s.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, s.closers[i]())
	}
	s.closers = nil
	return err
}
