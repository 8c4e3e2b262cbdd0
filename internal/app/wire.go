package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/autopilot"
	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/hubfeed"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/moment"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/story"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// place is what a service needs of the process, which stays while services come and go.
type place struct {
	screen net.Addr
	apiURL string // as other machines reach it
	// screenURL is for this machine.
	screenURL string
	// restart replaces this service by the next, for a caller or for the settings.
	restart func(byCaller bool) (device.Status, error)
	// connections are those let in now.
	connections func() (callers, screen int)
	hub         *hubLink
}

// service is every part of the terminal, from one start to the next.
type service struct {
	httpapi.Desks
	api      *httpapi.API
	login    login
	screen   *screenui.UI
	feed     *hubfeed.Feed
	settings *settings
	meter    *meter
	token    string // a device needs it to reach the screen from elsewhere
	local    string // the key of commands of this machine

	closers []func() error // in the order of opening
}

// newService opens every part and fits them together. What it opened before an error it closes again.
func newService(c Config, at place) (s *service, err error) {
	s = &service{meter: newMeter()}
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
	if err := s.openLogs(c, files.NewEpoch()); err != nil {
		return s, unreadable(c.Data, err)
	}
	log := slog.New(s.Logs.Handler(logbook.App))
	s.Story = story.New(s.Logs, httpapi.WhyNotPrinted)
	if err := s.openTerminal(c, at, files, log); err != nil {
		return s, err
	}
	h, err := s.openHardware(c, files, log)
	if err != nil {
		return s, err
	}
	if err := s.openDesks(c, h, files, log); err != nil {
		return s, err
	}
	s.api = httpapi.New(s.Desks, httpapi.Config{
		Restart: func() (device.Status, error) { return at.restart(true) }, Authenticator: authenticator{s.login.keeper}, Limits: c.Limits, Timeouts: c.Timeouts.API, CORSMethods: c.CORSMethods, Compat: c.Compat,
		Emulator: h.emulator(), Metrics: s.meter.Meter, CouponStyle: s.settings.style, ESCPOS: s.settings.escpos, Paper: s.settings.paper(),
		ScreenURL: at.screenURL,
	})
	if s.feed, err = s.newFeed(h, files); err != nil {
		return s, unreadable(c.Data, err)
	}
	// Last: a start that fails for what is in the data writes nothing to them.
	if s.local, err = openLocal(at.screen, files); err != nil {
		return s, err
	}
	s.gauge(c, at)
	s.screen = s.newScreen(h, at, log)
	s.watchData(c, files)
	log.Info("serviço iniciado", "versão", c.Version, "build", c.Build, "modo", c.Mode)
	return s, nil
}

// openTerminal opens the credentials, the settings, the device and its screen.
func (s *service) openTerminal(c Config, at place, files *store.Store, log *slog.Logger) (err error) {
	if s.login, err = openLogin(c, files); err != nil {
		return err
	}
	kept, err := files.Settings()
	if err != nil {
		return unreadable(c.Data, err)
	}
	s.settings = openSettings(c, kept)
	s.settings.loadLogo(log)
	if s.token, err = openToken(at.screen, files); err != nil {
		return err
	}
	s.Device = device.New(identity(c, s.settings.chosenLocale()))
	s.Screen = screen.New(c.Mode == Emulator && c.Autopilot)
	s.onClose(func() error { s.Screen.Close(); return nil })
	if c.MemoryLimit > 0 {
		// Pictures come on top: within the limit they would leave requests no room, and each would pay for a collection.
		s.Screen.Holds = func(bytes int) { debug.SetMemoryLimit(c.MemoryLimit + int64(bytes+bytes/4)) }
		s.Screen.Holds(0)
	}
	s.Device.Gate.Changed = func() {
		s.meter.busy.changed(s.Device.Gate.Busy)
		s.Story.GateChanged(s.Device.Gate.Busy)
		s.Screen.Changed()
	}
	s.Screen.Foreground.Moved, s.Screen.Closed = s.Story.Foreground, s.Story.DisplayClosed
	if c.DesktopNotices {
		s.notifyDesktop(log)
	}
	s.settings.effects = effects{
		keep: files.SetSettings, keeper: s.login.keeper, setLocale: s.Device.SetLocale, changed: s.Screen.Changed, busy: s.Device.Gate.Busy, log: log,
		restart: func() { go at.restart(false) }, //nolint:errcheck // one that fails ends the process
		member:  func() (tunnel.Membership, error) { return tunnel.Load(c.Data) },
	}
	return nil
}

// hardware is what the terminal pays and prints with; without an acquirer it says so to each caller.
type hardware struct {
	ledger   *store.Ledger
	ways     []payment.Way
	printer  printing.Printer
	emulated *emulated // nil: this is no emulator
}

// openHardware opens the acquirers and the printer, real or emulated.
func (s *service) openHardware(c Config, files *store.Store, log *slog.Logger) (h hardware, err error) {
	if c.Mode == Emulator {
		if h.emulated, err = newEmulated(c.Data, s.settings.paper()); err != nil {
			return h, unreadable(c.Data, err)
		}
		h.emulated.printer.Drawer = c.Printer.Drawer
		s.onClose(h.emulated.acquirer.Close)
		c.Play.direct(h.emulated)
	}
	if h.printer, err = s.openPrinter(h.emulated); err != nil {
		return h, err
	}
	if h.emulated != nil {
		h.emulated.changed = func() {
			s.Story.Printer(h.printer.State())
			s.Screen.Changed()
		}
	}
	if h.ledger, err = files.Ledger(); err != nil {
		return h, unreadable(c.Data, err)
	}
	if h.ways, err = s.openAcquirers(c, s.settings.routed(), h.bank(), h.ledger, files); err != nil {
		return h, err
	}
	if len(h.ways) == 0 {
		log.Warn("nenhum adquirente configurado: pagamentos serão recusados com 503")
	}
	return h, nil
}

// bank is the emulator's, nil without one.
func (h hardware) bank() *emulator.Acquirer {
	if h.emulated == nil {
		return nil
	}
	return h.emulated.acquirer
}

// emulator is what scripts play the people and break the hardware with, nil without one.
func (h hardware) emulator() httpapi.Emulator {
	if h.emulated == nil {
		return nil
	}
	return h.emulated
}

// warnOfOrphans tells of pending transactions whose acquirer nobody can ask: they wait for it, or for a person.
func (h hardware) warnOfOrphans(tell func(payment.Transaction)) {
	pending, err := h.ledger.Unresolved()
	if err != nil {
		return // the desk meets it too, and says so
	}
	for _, t := range pending {
		if t.Acquirer != "" && !slices.ContainsFunc(h.ways, func(w payment.Way) bool { return w.Name == t.Acquirer }) {
			tell(t)
		}
	}
}

// openDesks opens the desks that callers and people come to.
func (s *service) openDesks(c Config, h hardware, files *store.Store, log *slog.Logger) (err error) {
	if s.Sales, err = sale.NewDesk(files.Sales(), saleScreen{s.Screen, s.chargedSince(log)}); err != nil {
		return unreadable(c.Data, err)
	}
	s.keepSales(c.SaleMaxAge, files.Archive(), log)
	if open, err := s.Sales.Current(); err == nil {
		s.Story.Resumed(open)
	}
	s.Sales.Told = s.Story.Sale
	s.Questions = question.NewDesk(s.Screen.Prompted)
	slips := receipts{h.printer, s.settings}
	slips.remark(log)
	s.Payments = payment.NewDesk(payment.Config{
		Ways: h.ways, Ledger: faulty(h.ledger), Gate: &s.Device.Gate, Foreground: s.Screen.Foreground, Changed: s.Screen.Prompted,
		Began: s.Story.Began, Left: s.Story.Left, Repeated: s.Story.Repeated, Recovered: s.Story.Recovered, Heard: s.Story.Acquirer,
		Moved: func(ctx context.Context, m payment.Move) {
			s.meter.pay(m.Before, m.After, m.Word)
			s.Story.Moved(ctx, m)
			s.tellOfLate(m)
		},
		LateKept: s.Story.LateKept, MenuLeft: s.Story.MenuLeft, MenuUnmatched: s.tellOfUnmatched, Strayed: s.tellOfStray,
		Receipts: slips, Unprinted: s.Story.Unprinted, Pace: c.Play.pace(),
	})
	h.warnOfOrphans(s.Story.Orphan)
	if bank := h.bank(); bank != nil && c.Autopilot {
		s.onClose(s.startAutopilot(c, bank))
	}
	s.Printing = printing.NewDesk(&s.Device.Gate, h.printer)
	s.Printing.Changed, s.Printing.Again, s.Printing.Dropped = s.Screen.Changed, s.Story.PrintsAgain, s.Story.PrintDropped
	s.Screen.Covered = s.coversClosing
	return nil
}

func identity(c Config, chosenLocale string) device.Identity {
	return device.Identity{
		AppName: "maquininha", Version: c.Version, Build: c.Build, Platform: strings.ToLower(cmp.Or(c.Platform, runtime.GOOS)),
		Locale: cmp.Or(chosenLocale, locale()), TimeZone: moment.LocalZone(), Mode: string(c.Mode),
	}
}

func (s *service) onClose(fn func() error) { s.closers = append(s.closers, fn) }

// startAutopilot starts the autopilot and returns how to stop it.
func (s *service) startAutopilot(c Config, acquirer *emulator.Acquirer) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var flying sync.WaitGroup
	pilot := autopilot.Pilot{Questions: &autopilotQuestions{desk: s.Questions, delay: c.AutopilotDelay, play: c.Play}, Payments: autopilotPayments{acquirer, s.Payments, c.AutopilotDelay}, Screen: autopilotScreen{s.Screen}}
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
	s.feed.Close()
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
