package app

import (
	"crypto/x509"
	"errors"
	"os"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/store"
)

// Certificate is what HTTPS is served with: nil when it will be made at the first start.
func (t TLS) Certificate(data string) (*x509.Certificate, error) {
	return certificate.Peek(t.Cert, t.Key, data)
}

// Standing is what holds when the service runs: the configuration, with what was decided at the screen under it.
type Standing struct {
	Printer   string       // none, virtual-DOTS or an address
	Model     escpos.Model // what the printer is taken for; zero: as it says itself
	Paper     receipt.Paper
	AnyPaper  bool // nobody said which: prints follow a printer that is known
	Acquirers Acquirers
	User      string
	Password  bool // one is known
	Begun     bool // the service has run on this data
}

// Stands reads what was kept, whether the service runs or not. Beside an error it is what would hold without what was kept.
func Stands(c Config) (Standing, error) {
	kept := map[string]string{}
	_, err := os.Stat(c.Data)
	begun := err == nil
	unread := func(err error) (Standing, error) {
		s := openSettings(c, kept)
		return Standing{Printer: s.printer(), Model: s.model(), Paper: s.paper(), AnyPaper: s.anyPaper(), Acquirers: s.routed(), User: s.User()}, err
	}
	if begun {
		if err := checkVersions(c.Data); err != nil {
			return unread(err) // the service would not start for the log alone
		}
		r, err := store.Peek(c.Data)
		switch {
		case errors.Is(err, store.ErrNoData):
			begun = false
		case err != nil:
			_, err = Peek(c.Data) // says it in words
			return unread(err)
		default:
			defer r.Close()
			for _, name := range []string{settingUser, settingHash, settingPrinter, settingModel, settingAcquirer} {
				if kept[name], err = r.Setting(name); err != nil {
					return Standing{}, err
				}
			}
		}
	}
	s := openSettings(c, kept)
	return Standing{
		Printer: s.printer(), Model: s.model(), Paper: s.paper(), AnyPaper: s.anyPaper(), Acquirers: s.routed(), User: s.User(), Password: c.Password != "" || kept[settingHash] != "", Begun: begun,
	}, nil
}

// Driver is the manager as its driver is told of it.
func (t TEF) Driver() tef.Config {
	files, _ := parseTEFFiles(t.Files) // checked before
	return tef.Config{Profile: t.profile(), Dir: t.Dir, Req: t.Req, Resp: t.Resp, Files: files, Leave: t.Leave}
}

// Driver is the bank as its driver is told of it.
func (p PSP) Driver() pix.Config {
	return pix.Config{
		Profile: p.Profile, Settings: p.Settings, BaseURL: p.URL, TokenURL: p.TokenURL, ClientID: p.ClientID, ClientSecret: p.ClientSecret,
		AppKey: p.AppKey, Account: p.Account, Certificate: p.Certificate, PrivateKey: p.PrivateKey, CertificatePassword: p.CertificatePassword, CA: p.CA,
		Key: p.Key, Shop: p.Shop, City: p.City, Note: p.Note, Expiry: p.Expiry,
	}
}

// UsesTEF, UsesPSP, UsesMercadoPago, UsesConnectTEF and UsesCielo tell whom the terminal is paid through.
func (a Acquirers) UsesTEF() bool { return a.uses(tefAcquirer) }

// UsesPSP: see UsesTEF.
func (a Acquirers) UsesPSP() bool { return a.uses(pixAcquirer) }

// UsesMercadoPago: see UsesTEF.
func (a Acquirers) UsesMercadoPago() bool { return a.uses(mercadoPagoAcquirer) }

// UsesConnectTEF: see UsesTEF.
func (a Acquirers) UsesConnectTEF() bool { return a.uses(connectTEFAcquirer) }

// UsesCielo: see UsesTEF.
func (a Acquirers) UsesCielo() bool { return a.uses(cieloAcquirer) }
