package app

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"image"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Coupon is what the start of the service decided on for fiscal coupons. What is empty or nil is as kept.
type Coupon struct {
	Logo                        string // a PNG file
	TradeName, Phone, ItemNotes *bool
}

// Style is that of coupons printed without the service, which knows what people chose at the screen.
func (c Coupon) Style() (style fiscal.Style, err error) {
	is := func(b *bool) bool { return b != nil && *b }
	style = fiscal.Style{TradeName: is(c.TradeName), Phone: is(c.Phone), ItemNotes: is(c.ItemNotes)}
	if c.Logo != "" {
		_, style.Logo, err = OpenLogo(c.Logo)
	}
	return style, err
}

// OpenLogo reads a logo from its file, as it is and as it is printed.
func OpenLogo(path string) (png []byte, picture image.Image, err error) {
	png, err = readLogo(path)
	if err != nil {
		return nil, nil, configfile.Refuse("print-logo", "%s não pode ser lido: %v", path, syserror.OfFile(err))
	}
	picture, err = fiscal.ReadLogo(png)
	if err != nil {
		return nil, nil, configfile.Refuse("print-logo", "%s não serve: %v", path, err)
	}
	return png, picture, nil
}

// readLogo reads no further than a logo can go: the path may be that of anything.
func readLogo(path string) ([]byte, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("não é um arquivo comum")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, fiscal.MaxLogoBytes+1))
}

// logo is the shop's, as it was given and as it is printed.
type logo struct {
	png     []byte
	picture image.Image
	version string // of the bytes; "" where there are none
}

// loadLogo puts the logo to use that is set. One that can't be used leaves coupons without: a shop must be able to
// sell whatever became of a picture.
func (s *settings) loadLogo(log *slog.Logger) {
	var l logo
	var err error
	if path := s.config.Coupon.Logo; path != "" {
		l.png, l.picture, err = OpenLogo(path)
	} else if kept := s.get(settingLogo); kept != "" {
		if l.png, err = base64.StdEncoding.DecodeString(kept); err == nil {
			l.picture, err = fiscal.ReadLogo(l.png)
		}
	}
	if err != nil {
		log.Warn("cupons sem logotipo: " + err.Error())
		l = logo{}
	}
	if l.png != nil {
		sum := sha256.Sum256(l.png)
		l.version = hex.EncodeToString(sum[:6])
	}
	s.logo.Store(&l)
}

// Logo is the picture as it was given, nil where there is none.
func (s *settings) Logo() []byte {
	if l := s.logo.Load(); l != nil {
		return l.png
	}
	return nil
}

func whyNotLogo(png string) string {
	if png == "" {
		return "" // it is taken away
	}
	if _, err := fiscal.ReadLogo([]byte(png)); err != nil {
		return "O" + strings.TrimPrefix(err.Error(), "o") // it begins a line here
	}
	return ""
}

// switches are whether something is printed, the usual one first.
var switches = []screenui.Choice{{ID: "off", Label: "Não imprimir"}, {ID: "on", Label: "Imprimir"}}

// switched is how a switch stands: as the start of the service decided, or as kept.
func (s *settings) switched(fixed *bool, name string) string {
	switch {
	case fixed == nil:
		return chosen(switches, s.get(name))
	case *fixed:
		return "on"
	}
	return "off"
}

func (s *settings) tradeName() string { return s.switched(s.config.Coupon.TradeName, settingTradeName) }

func (s *settings) phone() string { return s.switched(s.config.Coupon.Phone, settingPhone) }

func (s *settings) itemNotes() string { return s.switched(s.config.Coupon.ItemNotes, settingItemNotes) }

// style is what the next coupon shows besides what it must.
func (s *settings) style() fiscal.Style {
	style := fiscal.Style{TradeName: s.tradeName() == "on", Phone: s.phone() == "on", ItemNotes: s.itemNotes() == "on"}
	if l := s.logo.Load(); l != nil {
		style.Logo = l.picture
	}
	return style
}
