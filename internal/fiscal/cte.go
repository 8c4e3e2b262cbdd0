package fiscal

import (
	"encoding/xml"
	"strings"
)

// xmlCTeProc is cteProc, cteOSProc and cteSimpProc: one of the three documents
// and the protocol.
type xmlCTeProc struct {
	CTe      *xmlCTe      `xml:"CTe"`
	OS       *xmlCTe      `xml:"CTeOS"`
	Simp     *xmlCTe      `xml:"CTeSimp"`
	Protocol *xmlProtocol `xml:"protCTe>infProt"`
}

type xmlCTe struct {
	Info *xmlInfCte `xml:"infCte"`
	QR   text       `xml:"infCTeSupl>qrCodCTe"`
}

// xmlInfCte has the fields of all three forms; each fills its own.
type xmlInfCte struct {
	ID      string    `xml:"Id,attr"`
	Version string    `xml:"versao,attr"`
	Ide     xmlCTeIde `xml:"ide"`
	Notes   text      `xml:"compl>xObs"`
	Emit    *xmlParty `xml:"emit"`
	Rem     *xmlParty `xml:"rem"`
	Exped   *xmlParty `xml:"exped"`
	Receb   *xmlParty `xml:"receb"`
	Dest    *xmlParty `xml:"dest"`
	Toma    *xmlParty `xml:"toma"`
	Price   struct {
		Total      Decimal        `xml:"vTPrest"`
		Receivable Decimal        `xml:"vRec"`
		Components []xmlComponent `xml:"Comp"`
	} `xml:"vPrest"`
	Taxes struct {
		ICMS []xmlCTeICMS `xml:",any"`
	} `xml:"imp>ICMS"`
	TaxOffice text       `xml:"imp>infAdFisco"`
	Cargo     *xmlCargo  `xml:"infCTeNorm>infCarga"`
	Keys      []text     `xml:"infCTeNorm>infDoc>infNFe>chave"`
	Service   text       `xml:"infCTeNorm>infServico>xDescServ"`
	SimpCargo *xmlCargo  `xml:"infCarga"`
	Stretches []struct { // det of the simplified form
		From       text           `xml:"xMunIni"`
		To         text           `xml:"xMunFim"`
		Components []xmlComponent `xml:"Comp"`
		Keys       []text         `xml:"infNFe>chNFe"`
	} `xml:"det"`
	SimpTotal struct {
		Total      Decimal `xml:"vTPrest"`
		Receivable Decimal `xml:"vTRec"`
	} `xml:"total"`
}

type xmlCTeIde struct {
	Operation   text      `xml:"natOp"`
	Series      text      `xml:"serie"`
	Number      text      `xml:"nCT"`
	IssuedAt    text      `xml:"dhEmi"`
	Environment text      `xml:"tpAmb"`
	FromCity    text      `xml:"xMunIni"`
	FromState   text      `xml:"UFIni"`
	ToCity      text      `xml:"xMunFim"`
	ToState     text      `xml:"UFFim"`
	Toma3       text      `xml:"toma3>toma"`
	Toma4       *xmlParty `xml:"toma4"`
}

type xmlComponent struct {
	Name   text    `xml:"xNome"`
	Amount Decimal `xml:"vComp"`
}

// xmlCTeICMS is whichever group of ICMS the document has: they differ in name
// and share these.
type xmlCTeICMS struct {
	Base      Decimal `xml:"vBC"`
	ICMS      Decimal `xml:"vICMS"`
	OtherBase Decimal `xml:"vBCOutraUF"`
	OtherICMS Decimal `xml:"vICMSOutraUF"`
}

type xmlCargo struct {
	Value      Decimal `xml:"vCarga"`
	Product    text    `xml:"proPred"`
	Quantities []struct {
		Unit    text    `xml:"cUnid"`
		Measure text    `xml:"tpMed"`
		Amount  Decimal `xml:"qCarga"`
	} `xml:"infQ"`
}

func parseCTe(src *source, dec *xml.Decoder, root xml.StartElement) (*Document, error) {
	var x xmlCTeProc
	if err := decodeRoot(src, dec, root, &x); err != nil {
		return nil, err
	}
	kind, cte := CTe, x.CTe
	switch root.Name.Local {
	case "cteOSProc":
		kind, cte = CTeOS, x.OS
	case "cteSimpProc":
		kind, cte = CTeSimp, x.Simp
	}
	if cte == nil || cte.Info == nil {
		return nil, refuse(ErrIncomplete, "documento incompleto: %s sem infCte", root.Name.Local)
	}
	info := cte.Info
	if info.Version != layoutVersion {
		return nil, refuse(ErrVersion, "CT-e na versão %s; só a %s é aceita", quote(info.Version), layoutVersion)
	}
	protocol, err := x.Protocol.protocol("protCTe")
	if err != nil {
		return nil, err
	}
	if err := info.Emit.checkIssuer(); err != nil {
		return nil, err
	}
	if info.Ide.Number == "" || info.Ide.Series == "" || info.Ide.IssuedAt == "" {
		return nil, refuse(ErrIncomplete, "documento incompleto: falta número, série ou data de emissão (nCT, serie, dhEmi)")
	}
	d := info.document(kind)
	if d.Freight.Total == "" {
		return nil, refuse(ErrIncomplete, "documento incompleto: falta o valor total da prestação (vTPrest)")
	}
	d.Protocol, d.QRCode = protocol, string(cte.QR)
	if d.Warnings, err = checkKey(d.Key); err != nil {
		return nil, err
	}
	if key := string(x.Protocol.KeyCTe); key != "" && key != d.Key {
		d.Warnings = append(d.Warnings, "o protocolo é de outra chave de acesso, "+quote(key))
	}
	return d, nil
}

func (x *xmlInfCte) document(kind Kind) *Document {
	return &Document{
		Kind:           kind,
		Key:            strings.TrimPrefix(strings.TrimSpace(x.ID), "CTe"),
		Number:         string(x.Ide.Number),
		Series:         string(x.Ide.Series),
		Operation:      string(x.Ide.Operation),
		IssuedAt:       string(x.Ide.IssuedAt),
		Homologation:   x.Ide.Environment == "2",
		Issuer:         *x.Emit.party(),
		Recipient:      x.Dest.party(),
		Freight:        x.freight(),
		TaxOfficeNotes: string(x.TaxOffice),
		Notes:          string(x.Notes),
	}
}

func (x *xmlInfCte) freight() *Freight {
	f := &Freight{
		Taker:       x.taker().party(),
		Sender:      x.Rem.party(),
		Receiver:    x.Dest.party(),
		Origin:      joined(" - ", string(x.Ide.FromCity), string(x.Ide.FromState)),
		Destination: joined(" - ", string(x.Ide.ToCity), string(x.Ide.ToState)),
		Total:       x.Price.Total,
		Receivable:  x.Price.Receivable,
		Cargo:       string(x.Service),
	}
	f.addComponents(x.Price.Components)
	for _, icms := range x.Taxes.ICMS {
		f.ICMSBase, f.ICMS = icms.Base, icms.ICMS
		if icms.OtherICMS != "" {
			f.ICMSBase, f.ICMS = icms.OtherBase, icms.OtherICMS
		}
	}
	f.addKeys(x.Keys)
	x.simplified(f)
	cargo := x.Cargo
	if cargo == nil {
		cargo = x.SimpCargo
	}
	if cargo != nil {
		f.Cargo, f.CargoValue = string(cargo.Product), cargo.Value
		for _, q := range cargo.Quantities {
			f.Quantities = append(f.Quantities, Quantity{Measure: string(q.Measure), Unit: cargoUnit(string(q.Unit)), Amount: q.Amount})
		}
	}
	return f
}

// simplified takes what the simplified form has elsewhere: its totals, and a
// stretch of road for every delivery.
func (x *xmlInfCte) simplified(f *Freight) {
	if f.Total == "" {
		f.Total, f.Receivable = x.SimpTotal.Total, x.SimpTotal.Receivable
	}
	for i, stretch := range x.Stretches {
		if i == 0 && x.Ide.FromCity == "" {
			f.Origin = joined(" - ", string(stretch.From), string(x.Ide.FromState))
		}
		if i == len(x.Stretches)-1 && x.Ide.ToCity == "" {
			f.Destination = joined(" - ", string(stretch.To), string(x.Ide.ToState))
		}
		f.addComponents(stretch.Components)
		f.addKeys(stretch.Keys)
	}
}

func (f *Freight) addComponents(components []xmlComponent) {
	for _, c := range components {
		f.Components = append(f.Components, Component{Name: string(c.Name), Amount: c.Amount})
	}
}

func (f *Freight) addKeys(keys []text) {
	for _, k := range keys {
		f.LinkedKeys = append(f.LinkedKeys, string(k))
	}
}

// taker is who pays for the transport: named by role (toma3), in full (toma4), or
// in an element of its own (CT-e OS and the simplified form).
func (x *xmlInfCte) taker() *xmlParty {
	switch {
	case x.Toma != nil:
		return x.Toma
	case x.Ide.Toma4 != nil:
		return x.Ide.Toma4
	}
	switch x.Ide.Toma3 {
	case "0":
		return x.Rem
	case "1":
		return x.Exped
	case "2":
		return x.Receb
	case "3":
		return x.Dest
	}
	return nil
}

func cargoUnit(code string) string {
	names := map[string]string{"00": "m³", "01": "kg", "02": "t", "03": "un", "04": "l", "05": "MMBTU"}
	if name, known := names[code]; known {
		return name
	}
	return code
}
