package tef

import (
	"slices"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// Fields are values by field: "018", or "800-001" for a line of another index than 0.
type Fields map[string]string

// Profile is how one vendor's manager differs from another's.
type Profile struct {
	Name, Title string
	// Dirs are where its folders are on Windows; the first that is there counts.
	Dirs      []string
	Req, Resp string
	Files     intpos.Names // zero: the usual

	// Reais writes amounts as 260,70; else they are cents.
	Reais bool
	// Document sends field 002, which is the operation's id again: there is no fiscal document before it is paid.
	Document bool
	// Always goes with a sale, its cancellation and what confirms or undoes them.
	Always Fields
	// Offer goes with a sale and its cancellation; Menu with what opens the manager's own menu.
	Offer, Menu Fields
	// OwnWindow managers talk to people in a window of their own: nobody has to have the terminal's page open. Of the others it is not
	// known.
	OwnWindow bool
	// Identified managers are told whose program asks: company, application, version, certification.
	Identified bool

	// Methods are what a sale can ask for, and how; what is not in here can't be asked for.
	Methods map[payment.Method]Selection
	// PixInMenu managers can't be asked for Pix, but the person may choose it in their own menu: a sale without any preselection
	// is all that can be sent, where the shop wants that.
	PixInMenu                    bool
	InFull, ByIssuer, ByMerchant Fields
	Count                        string // the field for the number of instalments; empty: none

	// Cancellation, Confirmation and Undoing are the fields of the sale that go with each, besides 001.
	Cancellation, Confirmation, Undoing []string

	// Confirm is when an approval has to be confirmed.
	Confirm Rule
	// Results are also read in 375-028 and 047, for a manager that leaves 009 out.
	Results bool
	// OwnKey managers that give no 027 mean the document number by it.
	OwnKey bool
	// CommonTypes managers use the list of field 011 that most share.
	CommonTypes bool
	// PixType is what field 011 says of Pix; empty: nothing.
	PixType string
	// PixAsAsked managers say nothing of Pix in an answer: that it was asked for is the sign, unless the answer names a card.
	PixAsAsked bool
	// PixInWords managers say it in the name of the product or on the receipt.
	PixInWords bool
	// BrandFields are where the card's brand is looked for, in that order.
	BrandFields []place
}

// Selection is how a sale asks for a method.
type Selection struct {
	Command string // empty: a sale
	Fields  Fields
}

// Rule is when an approval waits for the second phase; else it is final as it is.
type Rule int

// ByReceipt goes by field 729 or, without it, by whether there is a receipt. ByResult goes by 375-028 and 729, else always.
const (
	ByReceipt Rule = iota
	ByResult
	Always
)

// place is where in a message something stands.
type place struct {
	number string
	index  int
}

// The fields that link what follows on a sale to it.
var (
	link      = []string{intpos.Network, intpos.NSU, intpos.Key}
	sale      = []string{intpos.Network, intpos.NSU, intpos.Authorization, intpos.Date, intpos.Time, intpos.Key}
	saleNoKey = []string{intpos.Network, intpos.NSU, intpos.Date, intpos.Time}
)

// Where brands stand: the standard card name, Connect TEF's, the older managers' and, at last, what a manager calls it.
var (
	brandFields   = []place{{intpos.CardName, 0}, {intpos.ConnectData, 2}, {intpos.Network, 2}, {intpos.BrandName, 0}, {intpos.Brand, 0}}
	productBrands = []place{{intpos.CardName, 0}, {intpos.Network, 2}, {intpos.BrandName, 0}, {intpos.Network, 0}} // 040 is something else there
)

// anyCard is a sale that leaves everything to the pinpad and the manager's window.
var anyCard = map[payment.Method]Selection{payment.Credit: {}, payment.Debit: {}}

// Profiles are the managers known, by what their vendors publish. What they leave open is a value here.
var Profiles = []Profile{
	{
		Name: "paygo", Title: "PayGo", Dirs: []string{`C:\PAYGO`, `C:\TEF_DIAL`}, Req: "Req", Resp: "Resp", OwnWindow: true,
		Always: Fields{intpos.InterfaceVersion: "210"}, Offer: Fields{intpos.Currency: "0", intpos.Capabilities: "156"}, Menu: Fields{intpos.Capabilities: "156"}, Identified: true,
		Methods: map[payment.Method]Selection{
			payment.Credit: {Fields: Fields{intpos.CardKind: "1", intpos.Means: "1"}},
			payment.Debit:  {Fields: Fields{intpos.CardKind: "2", intpos.Financing: "1", intpos.Means: "1"}},
			payment.Pix:    {Fields: Fields{intpos.Means: "8", intpos.Wallet: "4"}},
		},
		InFull: Fields{intpos.Financing: "1"}, ByIssuer: Fields{intpos.Financing: "2"}, ByMerchant: Fields{intpos.Financing: "3"}, Count: intpos.Installments,
		Cancellation: sale, Confirmation: link, Undoing: link,
		CommonTypes: true, BrandFields: brandFields,
	},
	{
		Name: "tefdial", Title: "TEF Dial", Dirs: []string{`C:\TEF_DIAL`}, Req: "REQ", Resp: "RESP",
		Document: true, Offer: Fields{intpos.Currency: "0"}, Methods: anyCard,
		Cancellation: sale, Confirmation: link, Undoing: link,
		CommonTypes: true, BrandFields: brandFields,
	},
	{
		Name: "sitef", Title: "SiTef", Dirs: []string{`C:\Cliente`, `C:\Client`}, Req: "Req", Resp: "Resp", Reais: true,
		Document: true, Offer: Fields{intpos.Currency: "0"}, Methods: anyCard, PixInMenu: true,
		ByIssuer: Fields{intpos.Financier: "1"}, ByMerchant: Fields{intpos.Financier: "0"}, Count: intpos.Installments,
		Cancellation: sale, Confirmation: link, Undoing: link,
		PixInWords: true, BrandFields: productBrands,
	},
	{
		Name: "elgin", Title: "Elgin TEF", Dirs: []string{`C:\Cliente`}, Req: "Req", Resp: "Resp", OwnWindow: true,
		Document: true, Methods: map[payment.Method]Selection{
			payment.Credit: {Fields: Fields{intpos.Type: "10", intpos.CardKind: "1"}},
			payment.Debit:  {Fields: Fields{intpos.Type: "20", intpos.CardKind: "2"}},
			payment.Pix:    {Command: intpos.Pix},
		},
		ByIssuer:   Fields{intpos.Type: "12", intpos.Financier: "1"},
		ByMerchant: Fields{intpos.Type: "11", intpos.Financier: "0"}, Count: intpos.Installments,
		Cancellation: sale, Confirmation: []string{intpos.Key}, Undoing: []string{intpos.Key},
		Confirm: ByResult, Results: true, OwnKey: true, PixAsAsked: true,
		BrandFields: append(slices.Clip(brandFields), place{intpos.Network, 0}),
	},
	{
		Name: "connecttef", Title: "Connect TEF (PDVPOS)", Dirs: []string{`C:\TEF_DIAL`}, Req: "REQ", Resp: "RESP",
		Offer: Fields{intpos.Currency: "0"}, Methods: map[payment.Method]Selection{
			payment.Credit: {Fields: Fields{intpos.Type: "10"}},
			payment.Debit:  {Fields: Fields{intpos.Type: "20"}},
			payment.Pix:    {Fields: Fields{intpos.Type: "30"}},
		},
		ByIssuer: Fields{intpos.Type: "12"}, ByMerchant: Fields{intpos.Type: "11"}, Count: intpos.Installments,
		Cancellation: saleNoKey, Confirmation: link,
		Confirm: Always, CommonTypes: true, PixType: "30", BrandFields: brandFields,
	},
	{
		Name: "multiplus", Title: "Multiplus", Dirs: []string{`C:\TEF_DIAL`}, Req: "REQ", Resp: "RESP",
		Methods: map[payment.Method]Selection{
			payment.Credit: {Fields: Fields{"800-001": "0"}},
			payment.Debit:  {Fields: Fields{"800-001": "1"}},
			payment.Pix:    {Fields: Fields{"800-001": "5"}},
		},
		InFull: Fields{"800-002": "0"}, ByIssuer: Fields{"800-002": "1", "800-003": "0"}, ByMerchant: Fields{"800-002": "1", "800-003": "1"}, Count: "800-004",
		Cancellation: saleNoKey, Confirmation: link, Undoing: link,
		CommonTypes: true, PixAsAsked: true, BrandFields: brandFields,
	},
	{
		Name: "auttar", Title: "Auttar", Dirs: []string{`C:\Auttar_TefIP`}, Req: "req", Resp: "resp",
		Document: true, Offer: Fields{intpos.Currency: "0"}, Methods: anyCard,
		Cancellation: sale, Confirmation: link, Undoing: link,
		CommonTypes: true, BrandFields: brandFields,
	},
}

// ProfileNamed finds a profile.
func ProfileNamed(name string) (Profile, bool) {
	i := slices.IndexFunc(Profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return Profiles[i], true
}

// Takes tells whether a sale can ask the manager for a method.
func (p Profile) Takes(m payment.Method) bool {
	_, ok := p.Methods[m]
	return ok
}

// WithPixMenu is the profile for a shop whose people choose Pix in the manager's own menu.
func (p Profile) WithPixMenu() Profile {
	methods := map[payment.Method]Selection{payment.Pix: {}}
	for m, s := range p.Methods {
		methods[m] = s
	}
	p.Methods = methods
	return p
}

// methods are what a person can choose from, in the order of the screen.
func (p Profile) methods() []payment.Method {
	return slices.DeleteFunc([]payment.Method{payment.Credit, payment.Debit, payment.Pix}, func(m payment.Method) bool { return !p.Takes(m) })
}
