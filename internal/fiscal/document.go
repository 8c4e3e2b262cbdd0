// Package fiscal reads electronic fiscal documents and lays them out as receipts.
//
// Parse takes the distribution form of an NF-e, NFC-e or CT-e of version 4.00:
// the signed document together with the protocol of its authorisation. What it
// returns is authorised and complete enough to print; anything else is refused
// with a *Refusal that says why. Layout makes the page.
//
// Amounts stay the decimals of the document, digit by digit. Elements that this
// package does not know are passed over: the tax offices add some every month.
// Signatures are not verified; that is the issuing system's business.
package fiscal

// Kind is the sort of document, which decides its layout.
type Kind int

// The kinds that can be printed.
const (
	NFCe    Kind = iota + 1 // model 65, the consumer's coupon
	NFe                     // model 55
	CTe                     // model 57, freight
	CTeOS                   // model 67, transport services
	CTeSimp                 // model 57 in its simplified form
)

// Document is an authorised document. Freight is set for the CT-e kinds; Items,
// Totals and Payments for the others.
type Document struct {
	Kind      Kind
	Key       string // the access key, 44 characters
	Number    string
	Series    string
	Operation string // natOp, what the issuer calls the transaction
	IssuedAt  string // ISO 8601 with the issuer's offset
	Incoming  bool   // an NF-e of entry rather than exit
	Type2     bool   // an NF-e that asks for the DANFE Simplificado Tipo 2

	Homologation bool // issued for testing, without value
	Contingency  bool // issued off-line, authorised later

	Issuer    Party
	Recipient *Party // nil when the consumer is not identified
	Delivery  *Party // where the goods go, if not to the recipient's address

	Items    []Item
	Totals   Totals
	Payments []Payment
	Change   Decimal

	Freight *Freight

	QRCode   string // what the QR code must say, literally
	QueryURL string // where the key can be looked up
	Protocol Protocol

	TaxOfficeNotes   string // infAdFisco
	TaxOfficeRemarks []Remark
	Notes            string // infCpl; | and ; stand for line breaks
	Remarks          []Remark

	// Warnings are oddities that do not keep the document from being printed,
	// each a sentence for the log.
	Warnings []string
}

// Party is who issues, buys, sends or receives.
type Party struct {
	ID                TaxID
	StateRegistration string
	Name              string
	TradeName         string
	Phone             string
	Address           Address
}

// TaxID is how a party is known to the tax office: at most one field is set. A
// CNPJ may have letters.
type TaxID struct {
	CNPJ, CPF, Foreign string
}

// Address is where a party is; any field may be empty.
type Address struct {
	Street, Number, Complement, District, City, State, PostalCode, Country string
}

// Item is a line of an NF-e or NFC-e.
type Item struct {
	Code, Description, Unit     string
	Quantity, UnitPrice, Amount Decimal
	Notes                       string // infAdProd
	Apart                       bool   // its amount is no part of the total
}

// Remark is one of the fields that issuer and tax office name themselves (obsCont, obsFisco).
type Remark struct{ Field, Text string }

// Totals of an NF-e or NFC-e. Amounts the document does not give are empty.
type Totals struct {
	Products, Services, Discount, Freight, Insurance, Other Decimal

	ICMSBase, ICMS                       Decimal
	Waived                               Decimal // ICMS desonerado, which the total may deduct
	ICMSST, FCPST, ICMSHeld              Decimal // these three and the next are added to the total; held is of fuels
	Import, IPI, IPIReturned             Decimal
	IBS, CBS, IS                         Decimal // of the tax reform
	IBSMono, CBSMono                     Decimal // of goods taxed once
	IBSMonoHeld, CBSMonoHeld             Decimal // the same, to be held back for those who sell on
	IBSMonoHeldBefore, CBSMonoHeldBefore Decimal // the same, held back by who sold before

	Invoice Decimal
	Taxes   Decimal // approximate, by Lei 12.741
}

// deducted is how much of the waived ICMS the total deducts. Whether it does is said
// item by item, and documents of before 2024 say nothing: the total itself tells.
func (t Totals) deducted() Decimal {
	added := sum(t.Products, t.Services, t.Freight, t.Insurance, t.Other, t.ICMSST, t.FCPST, t.ICMSHeld, t.Import, t.IPI, t.IPIReturned)
	missing := difference(added, sum(t.Invoice, t.Discount))
	switch {
	case !missing.Positive():
		return ""
	case difference(missing, t.Waived).Positive():
		return t.Waived
	}
	return missing
}

// Payment is one way the document was paid.
type Payment struct {
	Type        string // tPag
	Description string // xPag, the issuer's words for type 99
	Amount      Decimal
}

// Freight is what a CT-e has in place of items.
type Freight struct {
	Taker, Sender, Receiver *Party
	TakerRole               string // what the taker is besides, if named by that
	Origin, Destination     string
	Components              []Component
	Total, Receivable       Decimal
	ICMSBase, ICMS          Decimal
	Held                    *Held   // the ICMS of a service whose tax another has paid
	Waived                  Decimal // ICMS desonerado
	Situation               string  // why there is no ICMS, in words
	IBS, CBS                Decimal // of the tax reform
	Taxes                   Decimal // approximate, by Lei 12.741
	Cargo                   string
	CargoValue              Decimal
	Quantities              []Quantity
	LinkedKeys              []string // access keys of the NF-e carried
}

// Held is ICMS that was held back earlier (CST 60).
type Held struct{ Base, Amount, Credit Decimal }

// Component is a part of a freight's price.
type Component struct {
	Name   string
	Amount Decimal
}

// Quantity is a measure of the cargo.
type Quantity struct {
	Measure string
	Unit    string
	Amount  Decimal
}

// Protocol is the tax office's authorisation.
type Protocol struct {
	Number string
	At     string // ISO 8601
	Status string // cStat
	Key    string // of the document it authorises
	TpAmb  string // of the system that authorised it; empty when it does not say
	Alerts []Alert
}

// Alert is a message of the tax office on a document it authorises all the same.
type Alert struct{ Code, Text string }
