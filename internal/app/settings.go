package app

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/maquininha/maquininha/internal/credentials"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// The names that the operator's decisions are kept under.
const (
	settingUser     = "username"
	settingHash     = "password_hash"
	settingName     = "shop_name"
	settingLocale   = "locale"
	settingColour   = "screen_colour"
	settingTheme    = "screen_theme"
	settingPIN      = "operator_pin_hash"
	settingPrinter  = "printer"
	settingModel    = "printer_model"
	settingAcquirer = "acquirer"
	settingReceipt  = "card_receipt"
	settingLogo     = "coupon_logo" // a PNG in Base64
	settingSetUp    = "setup_done"

	settingTradeName = "coupon_trade_name"
	settingPhone     = "coupon_phone"
	settingItemNotes = "coupon_item_notes"

	settingOfHub = "hub_settings" // what was made of the hub's last set
)

// none is a terminal without a printer, or without an acquirer.
const none = "none"

// settings fills screenui.Settings: what the operator decided, under what the start of the service decided.
type settings struct {
	config Config
	effects

	changing sync.Mutex
	kept     atomic.Pointer[map[string]string] // never changed in place
	logo     atomic.Pointer[logo]
}

// effects is what a change does to the rest of the service.
type effects struct {
	keep      func(map[string]string) error // returns when it is on the disk
	keeper    *credentials.Keeper
	setLocale func(locale string)
	changed   func() // name, locale or the need for a first start
	busy      func() bool
	restart   func() // soon; it must not wait for the caller
	member    func() (tunnel.Membership, error)
	log       *slog.Logger
}

func openSettings(c Config, kept map[string]string) *settings {
	s := &settings{config: c}
	s.kept.Store(&kept)
	return s
}

func (s *settings) get(name string) string { return (*s.kept.Load())[name] }

// Setup tells what the first start still has to ask.
func (s *settings) Setup() screenui.Setup {
	return screenui.Setup{
		Needed: !s.config.SkipSetup && s.get(settingSetUp) == "", PIN: s.get(settingPIN) != "",
	}
}

// Name is the shop's.
func (s *settings) Name() string { return s.get(settingName) }

// Locale is the screen's language; Portuguese until somebody chooses.
func (s *settings) Locale() string { return cmp.Or(s.chosenLocale(), "pt-BR") }

func (s *settings) chosenLocale() string { return cmp.Or(s.config.Locale, s.get(settingLocale)) }

func (s *settings) User() string { return cmp.Or(s.config.Username, s.get(settingUser), defaultUser) }

// Unlocks reports whether this is the operator's PIN.
func (s *settings) Unlocks(pin string) bool { return credentials.Fits(s.get(settingPIN), pin) }

// Choices are what is set and what could be.
func (s *settings) Choices() screenui.Choices {
	return screenui.Choices{
		User: s.User(), Name: s.Name(), Locale: s.Locale(), Locales: locales, Colour: s.Look().Colour, Colours: colours, Theme: s.Look().Theme, Themes: themes,
		Printer: s.printer(), Printers: s.printers(), PrinterModel: s.modelName(), PrinterModels: printerModels(), Acquirer: s.acquirer(), Acquirers: s.acquirers(),
		CardReceipt: string(s.cardReceipt()), CardReceipts: cardReceipts,
		Logo: s.Logo() != nil, TradeName: s.tradeName(), Phone: s.phone(), ItemNotes: s.itemNotes(), Switches: switches,
		Fixed: append(s.fixed(), s.fromHub()...), FromHub: s.fromHub(),
	}
}

// fixed are the fields that flags or the environment decided.
func (s *settings) fixed() []string {
	var fields []string
	for _, f := range []struct {
		name string
		is   bool
	}{
		{"user", s.config.Username != ""},
		{"password", s.config.Password != ""},
		{"locale", s.config.Locale != ""},
		{"colour", s.config.Look.Colour != ""},
		{"theme", s.config.Look.Theme != ""},
		{"printer", s.fixedPrinter()},
		{"printerModel", s.config.Printer.Model != ""},
		{"acquirer", s.fixedAcquirer()},
		{"cardReceipt", s.config.CardReceipt != ""},
		{"logo", s.config.Coupon.Logo != ""},
		{"tradeName", s.config.Coupon.TradeName != nil},
		{"phone", s.config.Coupon.Phone != nil},
		{"itemNotes", s.config.Coupon.ItemNotes != nil},
	} {
		if f.is {
			fields = append(fields, f.name)
		}
	}
	return fields
}

// Change keeps what the operator wants otherwise and puts it to use.
func (s *settings) Change(c screenui.Change) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	if err := s.check(c); err != nil {
		return err
	}
	altered, err := s.altered(c)
	if err != nil {
		return err
	}
	return s.apply(c, altered, "na tela")
}

// errBusy is a change that needs a restart, which would end what is under way.
var errBusy = screenui.Refusal{Field: "", Message: "Há uma operação em andamento; tente de novo em instantes"}

// apply keeps a change that was checked, all or nothing, and puts it to use.
func (s *settings) apply(c screenui.Change, altered map[string]string, where string) error {
	after := openSettings(s.config, merged(*s.kept.Load(), altered))
	changes := s.changesTo(after, c)
	hardware := s.printer() != after.printer() || s.modelName() != after.modelName() || s.acquirer() != after.acquirer()
	if hardware && s.busy() {
		return errBusy
	}
	keeper, err := after.login(c)
	if err != nil {
		return err
	}
	if err := s.keep(altered); err != nil {
		s.log.Error("configurações não guardadas: " + portuguese.Error(err))
		return fmt.Errorf("keeping the settings: %w", err)
	}
	s.kept.Store(after.kept.Load())
	if c.Logo != nil {
		s.loadLogo(s.log)
	}
	if keeper != nil {
		s.keeper.Become(keeper)
	}
	s.setLocale(s.chosenLocale())
	if len(changes) > 0 {
		s.log.Info("configurações alteradas "+where, changes...)
	}
	s.changed()
	if hardware {
		s.restart()
	}
	return nil
}

// changesTo are the settings that are others after a change, as the log tells them: secrets only by their names.
func (s *settings) changesTo(after *settings, c screenui.Change) (changes []any) {
	was, is := s.Choices(), after.Choices()
	for _, f := range []struct{ name, before, after string }{
		{"usuário", was.User, is.User},
		{"nome da loja", was.Name, is.Name},
		{"idioma", labelOf(was.Locales, was.Locale), labelOf(is.Locales, is.Locale)},
		{"cor da tela", labelOf(was.Colours, was.Colour), labelOf(is.Colours, is.Colour)},
		{"tema da tela", labelOf(was.Themes, was.Theme), labelOf(is.Themes, is.Theme)},
		{"impressora", labelOf(was.Printers, was.Printer), labelOf(is.Printers, is.Printer)},
		{"modelo da impressora", labelOf(was.PrinterModels, was.PrinterModel), labelOf(is.PrinterModels, is.PrinterModel)},
		{"adquirente", labelOf(was.Acquirers, was.Acquirer), labelOf(is.Acquirers, is.Acquirer)},
		{"comprovante", labelOf(was.CardReceipts, was.CardReceipt), labelOf(is.CardReceipts, is.CardReceipt)},
	} {
		if f.before != f.after {
			changes = append(changes, f.name, fmt.Sprintf("%s (antes: %s)", f.after, cmp.Or(f.before, "nada")))
		}
	}
	for _, secret := range []struct {
		name, kept string
		value      *string
	}{{"senha dos PDVs", settingHash, c.Password}, {"PIN", settingPIN, c.PIN}} {
		if secret.value != nil && !credentials.Fits(s.get(secret.kept), *secret.value) {
			changes = append(changes, secret.name, "alterado")
		}
	}
	if s.Setup().Needed && !after.Setup().Needed {
		changes = append(changes, "primeira configuração", "feita")
	}
	return changes
}

func labelOf(choices []screenui.Choice, id string) string {
	if i := slices.IndexFunc(choices, func(c screenui.Choice) bool { return c.ID == id }); i >= 0 {
		return choices[i].Label
	}
	return id
}

// login is how callers get in after a change, nil when it changes nothing for them.
func (s *settings) login(c screenui.Change) (*credentials.Keeper, error) {
	switch {
	case c.Password != nil:
		return credentials.FromPassword(s.User(), *c.Password), nil
	case c.User != nil && s.config.Password != "":
		return credentials.FromPassword(s.User(), s.config.Password), nil
	case c.User != nil:
		return credentials.FromHash(s.User(), s.get(settingHash))
	}
	return nil, nil
}

func merged(kept, altered map[string]string) map[string]string {
	all := maps.Clone(kept)
	maps.Copy(all, altered)
	return all
}
