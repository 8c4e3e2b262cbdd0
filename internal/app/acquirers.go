package app

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
)

// The ways to be paid, by the names that the ledger keeps.
const (
	emulatedAcquirer = "emulator" // the emulator's own bank
	tefAcquirer      = "tef"
	pixAcquirer      = "pix"

	mercadoPagoAcquirer = "mercadopago"
	connectTEFAcquirer  = "connecttef" // its local API; by file exchange it is a profile of tef
	cieloAcquirer       = "cielo"
)

// Acquirers says which acquirer takes cards and which takes Pix, and how they are reached.
type Acquirers struct {
	Card string // emulator, tef, none or a device; empty: as kept
	Pix  string // emulator, tef, pix, none or a device that takes it; empty: as Card
	TEF  TEF
	PSP  PSP

	MercadoPago MercadoPago
	ConnectTEF  ConnectTEF
	Cielo       Cielo
	ControlPay  ControlPay
}

// PSP is the bank that serves the Central Bank's Pix API.
type PSP struct {
	Profile                                          string // of pix.Profiles; empty: bacen
	URL, TokenURL, ClientID, ClientSecret            string // addresses may be the profile's
	AppKey, Account                                  string
	Certificate, PrivateKey, CertificatePassword, CA string // files, and what opens the first
	Key, Shop, City, Note                            string
	Expiry                                           time.Duration
	Settings                                         pix.Settings // where they are not the profile's
}

// at is the bank with the addresses that its profile knows.
func (p PSP) at() PSP {
	if profile, ok := pix.ProfileNamed(p.Profile); ok {
		p.URL, p.TokenURL = profile.Addresses(p.URL, p.TokenURL)
	}
	return p
}

// Check refuses what this terminal can't be paid with.
func (a Acquirers) Check(mode Mode) error {
	for _, route := range []struct {
		flag, value string
		known       []string
	}{
		{"acquirer-card", a.Card, slices.Concat([]string{emulatedAcquirer, tefAcquirer}, a.deviceNames(false), []string{none})},
		{"acquirer-pix", a.Pix, slices.Concat([]string{emulatedAcquirer, tefAcquirer, pixAcquirer}, a.deviceNames(true), []string{none})},
	} {
		switch {
		case route.value == "":
		case !slices.Contains(route.known, route.value):
			return configfile.Refuse(route.flag, "deve ser um de %s", strings.Join(route.known, ", "))
		case route.value == emulatedAcquirer && mode != Emulator:
			return configfile.Refuse(route.flag, "emulator só existe no modo emulator")
		}
	}
	if a.uses(tefAcquirer) {
		if err := a.TEF.check(a.Pix == tefAcquirer); err != nil {
			return err
		}
	}
	if err := a.checkDevices(); err != nil {
		return err
	}
	if a.uses(pixAcquirer) {
		return a.PSP.Check()
	}
	return nil
}

// Check names everything that is missing at once.
func (p PSP) Check() error {
	profile, ok := pix.ProfileNamed(p.Profile)
	if !ok {
		return configfile.Refuse("pix-profile", "deve ser um de %s", strings.Join(pix.ProfileNames(), ", "))
	}
	var wrong *pix.SettingError
	if err := p.Settings.Check(); errors.As(err, &wrong) {
		if wrong.Words == nil {
			return configfile.Refuse("pix-"+wrong.Setting, "não está escrito como deve")
		}
		return configfile.Refuse("pix-"+wrong.Setting, "deve ser um de %s", strings.Join(wrong.Words, ", "))
	}
	p = p.at()
	auth := cmp.Or(p.Settings.TokenAuth, profile.TokenAuth)
	var missing []string
	for _, must := range []struct {
		name, value string
		needed      bool
	}{
		{"--pix-url", p.URL, true},
		{"--pix-token-url", p.TokenURL, auth != "none"},
		{"--pix-client-id", p.ClientID, true},
		{"MAQUININHA_PIX_CLIENT_SECRET", p.ClientSecret, pix.Settings{TokenAuth: auth}.Secret()},
		{"--pix-app-key", p.AppKey, profile.NeedsAppKey},
		{"--pix-city", p.City, profile.NeedsPlace},
		{"--pix-key", p.Key, true},
	} {
		if must.needed && must.value == "" {
			missing = append(missing, must.name)
		}
	}
	if missing != nil {
		return fmt.Errorf("o adquirente pix precisa de %s", strings.Join(missing, ", "))
	}
	return nil
}

func (a Acquirers) uses(name string) bool { return a.Card == name || a.Pix == name }

// routed is the configuration, with what the operator chose at the screen where it says nothing.
func (s *settings) routed() Acquirers {
	a := s.config.Acquirers
	a.Card = cmp.Or(a.Card, s.acquirerKept())
	a.Pix = cmp.Or(a.Pix, a.Card)
	return a
}

// methods are what the acquirer of that name takes.
func (a Acquirers) methods(name string) (taken []payment.Method) {
	if a.Card == name {
		taken = append(taken, payment.Credit, payment.Debit)
	}
	d := a.deviceNamed(name)
	if a.Pix == name && (d == nil || d.pix()) && (name != tefAcquirer || a.TEF.profile().Takes(payment.Pix)) {
		taken = append(taken, payment.Pix)
	}
	return taken
}

// party is who is behind the driver, as the ledger names it: another bank, account or folder is another acquirer, and is
// not asked about operations of this one.
func (p PSP) party() string {
	host := p.at().URL
	if u, err := url.Parse(host); err == nil {
		host = u.Host
	}
	sum := sha256.Sum256([]byte(p.ClientID + "\x00" + p.Key))
	return fmt.Sprintf("%s %s %x", pixAcquirer, host, sum[:4])
}

// openAcquirers makes the ways to be paid. A driver that takes nothing now, but is configured, still settles and gives
// back what once went its way.
func (s *service) openAcquirers(c Config, a Acquirers, bank *emulator.Acquirer, ledger *store.Ledger, files *store.Store) ([]payment.Way, error) {
	if a.Card == none && a.Pix == none {
		return nil, nil
	}
	var ways []payment.Way
	if bank != nil {
		ways = append(ways, payment.Way{Name: emulatedAcquirer, Acquirer: bank, Methods: a.methods(emulatedAcquirer)})
	}
	if a.uses(tefAcquirer) || a.TEF.Dir != "" {
		unlock, err := a.TEF.lock()
		if err != nil {
			return nil, err
		}
		s.onClose(unlock)
		manager, err := openTEF(c, a.TEF, ledger)
		if err != nil {
			return nil, err
		}
		way := payment.Way{Name: a.TEF.party(), Acquirer: manager, Methods: a.methods(tefAcquirer)}
		if a.TEF.profile().OwnWindow {
			way.Elsewhere = []payment.Kind{payment.Payment, payment.Refund}
		}
		ways = append(ways, way)
	}
	devices, err := s.openDevices(c, a, ledger, files)
	if err != nil {
		return nil, err
	}
	ways = append(ways, devices...)
	if a.uses(pixAcquirer) || a.PSP.URL != "" || a.PSP.Check() == nil {
		psp, err := openPSP(a.PSP, s.settings.Name(), ledger, files)
		if err != nil {
			return nil, err
		}
		s.onClose(psp.Close)
		ways = append(ways, payment.Way{Name: a.PSP.party(), Acquirer: psp, Methods: a.methods(pixAcquirer)})
	}
	return ways, nil
}

func openPSP(p PSP, shop string, ledger *store.Ledger, files *store.Store) (*pix.Acquirer, error) {
	terminal, err := terminalID(files)
	if err != nil {
		return nil, err
	}
	c := p.Driver()
	c.Terminal, c.Shop, c.Name, c.Book = terminal, cmp.Or(p.Shop, shop), p.party(), ledger
	a, err := pix.New(c)
	if err != nil {
		return nil, fmt.Errorf("a configuração do PIX não serve: %s", portuguese.Text(err.Error()))
	}
	return a, nil
}

const settingTerminal = "terminal_id"

// terminalID tells this terminal from all others that share a PIX key. It is made once, and goes with the ledger.
func terminalID(files *store.Store) (string, error) {
	id, err := files.Setting(settingTerminal)
	if id != "" || err != nil {
		return id, err
	}
	b := make([]byte, 8)
	rand.Read(b)
	id = hex.EncodeToString(b)
	return id, files.SetSettings(map[string]string{settingTerminal: id})
}

// Words says who takes what, for the person who starts the terminal and for the settings.
func (a Acquirers) Words() string {
	name := func(way string) string {
		if d := a.deviceNamed(way); d != nil {
			return d.words()
		}
		switch way {
		case tefAcquirer:
			return "TEF " + a.TEF.Profile
		case pixAcquirer:
			if u, err := url.Parse(a.PSP.at().URL); err == nil {
				return "PSP " + u.Host
			}
		case emulatedAcquirer:
			return "emulador"
		}
		return "nenhum"
	}
	if a.Card == a.Pix {
		return name(a.Card)
	}
	return "cartão: " + name(a.Card) + "; PIX: " + name(a.Pix)
}
