package tef

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// Fields are values by field number.
type Fields map[string]string

// Profile is how one vendor's manager differs from another's.
type Profile struct {
	Name string
	Dir  string // where its folders are on Windows
	Req  string
	Resp string
	// Reais writes amounts as 260,70; else they are cents.
	Reais bool
	// Always go with a sale and with its cancellation.
	Always Fields
	// Identified managers are told whose program asks: company, application, version, certification.
	Identified bool
	// What goes with a sale so that the manager does not ask again.
	Methods                      map[payment.Method]Fields
	InFull, ByIssuer, ByMerchant Fields
	// AlwaysConfirm is for managers that want every approval confirmed, whatever it says.
	AlwaysConfirm bool
}

// Profiles are the managers known. What their vendors leave unconfirmed is a value here.
var Profiles = []Profile{
	{
		Name: "paygo", Dir: `C:\PAYGO`, Req: "Req", Resp: "Resp",
		Always:     Fields{intpos.Capabilities: "156", intpos.InterfaceVersion: "210"},
		Identified: true,
		Methods: map[payment.Method]Fields{
			payment.Credit: {intpos.CardKind: "1", intpos.Means: "1"},
			payment.Debit:  {intpos.CardKind: "2", intpos.Financing: "1", intpos.Means: "1"},
			payment.Pix:    {intpos.Means: "8", intpos.Wallet: "4"},
		},
		InFull:     Fields{intpos.Financing: "1"},
		ByIssuer:   Fields{intpos.Financing: "2"},
		ByMerchant: Fields{intpos.Financing: "3"},
	},
	{Name: "tefdial", Dir: `C:\TEF_DIAL`, Req: "REQ", Resp: "RESP"},
	{Name: "sitef", Dir: `C:\Cliente`, Req: "Req", Resp: "Resp", Reais: true},
	{Name: "elgin", Dir: `C:\Cliente`, Req: "Req", Resp: "Resp"},
}

// ProfileNamed finds a profile.
func ProfileNamed(name string) (Profile, bool) {
	i := slices.IndexFunc(Profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return Profiles[i], true
}

// deal is what was agreed on before the manager is asked.
type deal struct {
	method       payment.Method
	installments int
	plan         payment.Plan
	open         bool // the person may still choose instalments at the pinpad
}

func (c Config) sale(id string, amount money.Decimal, d deal) intpos.Message {
	p := c.Profile
	f := Fields{intpos.Amount: p.amount(amount), intpos.Currency: "0"}
	maps.Copy(f, p.Methods[d.method])
	if d.method == payment.Credit {
		switch {
		case d.installments > 1 && d.plan == payment.Buyer:
			maps.Copy(f, p.ByIssuer)
		case d.installments > 1:
			maps.Copy(f, p.ByMerchant)
		case !d.open:
			maps.Copy(f, p.InFull)
		}
		if d.installments > 1 {
			f[intpos.Installments] = strconv.Itoa(d.installments)
		}
	}
	c.addIdentity(f)
	return f.message(intpos.Sale, id)
}

func (c Config) cancellation(id string, amount money.Decimal, original token) intpos.Message {
	f := Fields{
		intpos.Amount: c.Profile.amount(amount), intpos.Network: original.Network, intpos.NSU: original.NSU,
		intpos.Authorization: original.Authorization, intpos.Date: original.Date, intpos.Time: original.Time, intpos.Key: original.Key,
	}
	c.addIdentity(f)
	return f.message(intpos.Cancel, id)
}

func (c Config) addIdentity(f Fields) {
	maps.Copy(f, c.Profile.Always)
	if c.Profile.Identified {
		f[intpos.Company], f[intpos.Application], f[intpos.Version], f[intpos.Certification] = c.Company, c.Application, c.Version, c.Certification
	}
}

// message puts the fields in the order of their numbers; empty ones are left out.
func (f Fields) message(command, id string) intpos.Message {
	m := intpos.Of(intpos.Command, command, intpos.ID, id)
	for _, number := range slices.Sorted(maps.Keys(f)) {
		m = append(m, intpos.Of(number, f[number])...)
	}
	return m
}

// amount is the text of field 003.
func (p Profile) amount(d money.Decimal) string {
	if p.Reais {
		return d.Reais()
	}
	return cmp.Or(strings.TrimLeft(strings.Replace(d.Cents(), ".", "", 1), "0"), "0")
}

// isAmount tells whether the manager wrote this amount. A text with a comma is reais whatever the profile.
func (p Profile) isAmount(text string, d money.Decimal) bool {
	whole, fraction, reais := strings.Cut(text, ",")
	if reais {
		got, err := money.Parse(strings.ReplaceAll(whole, ".", "") + "." + fraction)
		return err == nil && got.Cmp(d) == 0
	}
	return !p.Reais && strings.TrimLeft(text, "0") == p.amount(d)
}

// mustConfirm tells whether an approval waits for the second phase; else it is final as it is.
func (p Profile) mustConfirm(r intpos.Message) bool {
	if told, ok := r.Lookup(intpos.MustConfirm); ok && told != "" {
		return told == "2" || p.AlwaysConfirm
	}
	return p.AlwaysConfirm || len(receiptLines(r)) > 0
}

func receiptLines(r intpos.Message) []string {
	return slices.Concat(r.Lines(intpos.Line), r.Lines(intpos.CustomerLine), r.Lines(intpos.MerchantLine))
}
