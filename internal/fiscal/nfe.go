package fiscal

import (
	"encoding/xml"
	"strings"
)

type xmlNFeProc struct {
	NFe *struct {
		Info *xmlInfNFe `xml:"infNFe"`
		Supl struct {
			QRCode   text `xml:"qrCode"`
			QueryURL text `xml:"urlChave"`
		} `xml:"infNFeSupl"`
	} `xml:"NFe"`
	Protocol *xmlProtocol `xml:"protNFe>infProt"`
}

type xmlInfNFe struct {
	ID      string    `xml:"Id,attr"`
	Version string    `xml:"versao,attr"`
	Ide     xmlNFeIde `xml:"ide"`
	Emit    *xmlParty `xml:"emit"`
	Dest    *xmlParty `xml:"dest"`
	Items   []xmlProd `xml:"det>prod"`
	Totals  *struct {
		ICMS *xmlICMSTot `xml:"ICMSTot"`
		IBS  Decimal     `xml:"IBSCBSTot>gIBS>vIBS"`
		CBS  Decimal     `xml:"IBSCBSTot>gCBS>vCBS"`
		IS   Decimal     `xml:"ISTot>vIS"`
	} `xml:"total"`
	Payments []struct {
		Type        text    `xml:"tPag"`
		Description text    `xml:"xPag"`
		Amount      Decimal `xml:"vPag"`
	} `xml:"pag>detPag"`
	Change Decimal `xml:"pag>vTroco"`
	Notes  struct {
		TaxOffice text `xml:"infAdFisco"`
		Issuer    text `xml:"infCpl"`
	} `xml:"infAdic"`
}

type xmlNFeIde struct {
	Operation   text `xml:"natOp"`
	Model       text `xml:"mod"`
	Series      text `xml:"serie"`
	Number      text `xml:"nNF"`
	IssuedAt    text `xml:"dhEmi"`
	Direction   text `xml:"tpNF"`
	Format      text `xml:"tpImp"`
	Emission    text `xml:"tpEmis"`
	Environment text `xml:"tpAmb"`
}

type xmlProd struct {
	Code        text    `xml:"cProd"`
	Description text    `xml:"xProd"`
	Unit        text    `xml:"uCom"`
	Quantity    Decimal `xml:"qCom"`
	UnitPrice   Decimal `xml:"vUnCom"`
	Amount      Decimal `xml:"vProd"`
}

type xmlICMSTot struct {
	Base      Decimal `xml:"vBC"`
	ICMS      Decimal `xml:"vICMS"`
	ST        Decimal `xml:"vST"`
	Products  Decimal `xml:"vProd"`
	Freight   Decimal `xml:"vFrete"`
	Insurance Decimal `xml:"vSeg"`
	Discount  Decimal `xml:"vDesc"`
	IPI       Decimal `xml:"vIPI"`
	Other     Decimal `xml:"vOutro"`
	Invoice   Decimal `xml:"vNF"`
	Taxes     Decimal `xml:"vTotTrib"`
}

func parseNFe(src *source, dec *xml.Decoder, root xml.StartElement) (*Document, error) {
	var x xmlNFeProc
	if err := decodeRoot(src, dec, root, &x); err != nil {
		return nil, err
	}
	if x.NFe == nil || x.NFe.Info == nil {
		return nil, refuse(ErrIncomplete, "documento incompleto: nfeProc sem infNFe")
	}
	info := x.NFe.Info
	if info.Version != layoutVersion {
		return nil, refuse(ErrVersion, "NF-e na versão %s; só a %s é aceita", quote(info.Version), layoutVersion)
	}
	protocol, err := x.Protocol.protocol("protNFe")
	if err != nil {
		return nil, err
	}
	if err := info.check(); err != nil {
		return nil, err
	}
	d := info.document()
	d.Protocol = protocol
	d.QRCode, d.QueryURL = string(x.NFe.Supl.QRCode), string(x.NFe.Supl.QueryURL)
	if d.Warnings, err = checkKey(d.Key); err != nil {
		return nil, err
	}
	if key := string(x.Protocol.KeyNFe); key != "" && key != d.Key {
		d.Warnings = append(d.Warnings, "o protocolo é de outra chave de acesso, "+quote(key))
	}
	return d, nil
}

// check refuses a document without the parts that a coupon must show.
func (x *xmlInfNFe) check() error {
	if x.Ide.Model != "55" && x.Ide.Model != "65" {
		return refuse(ErrUnsupported, "o modelo %s não é NF-e (55) nem NFC-e (65)", quote(string(x.Ide.Model)))
	}
	if x.Ide.Number == "" || x.Ide.Series == "" || x.Ide.IssuedAt == "" {
		return refuse(ErrIncomplete, "documento incompleto: falta número, série ou data de emissão (nNF, serie, dhEmi)")
	}
	if err := x.Emit.checkIssuer(); err != nil {
		return err
	}
	if len(x.Items) == 0 {
		return refuse(ErrIncomplete, "documento incompleto: sem itens (det/prod)")
	}
	for i, item := range x.Items {
		if item.Description == "" || item.Quantity == "" || item.Amount == "" {
			return refuse(ErrIncomplete, "documento incompleto: item %d sem descrição, quantidade ou valor (xProd, qCom, vProd)", i+1)
		}
	}
	if x.Totals == nil || x.Totals.ICMS == nil {
		return refuse(ErrIncomplete, "documento incompleto: faltam os totais (total/ICMSTot)")
	}
	if x.Totals.ICMS.Products == "" || x.Totals.ICMS.Invoice == "" {
		return refuse(ErrIncomplete, "documento incompleto: falta o total dos produtos ou da nota (vProd, vNF)")
	}
	if len(x.Payments) == 0 {
		return refuse(ErrIncomplete, "documento incompleto: faltam os pagamentos (pag/detPag)")
	}
	return nil
}

func (x *xmlInfNFe) document() *Document {
	d := &Document{
		Kind:           NFe,
		Key:            strings.TrimPrefix(strings.TrimSpace(x.ID), "NFe"),
		Number:         string(x.Ide.Number),
		Series:         string(x.Ide.Series),
		Operation:      string(x.Ide.Operation),
		IssuedAt:       string(x.Ide.IssuedAt),
		Incoming:       x.Ide.Direction == "0",
		Type2:          x.Ide.Model == "55" && x.Ide.Format == "6",
		Homologation:   x.Ide.Environment == "2",
		Contingency:    x.Ide.Emission == "9",
		Issuer:         *x.Emit.party(),
		Recipient:      x.Dest.party(),
		Change:         x.Change,
		TaxOfficeNotes: string(x.Notes.TaxOffice),
		Notes:          string(x.Notes.Issuer),
	}
	if x.Ide.Model == "65" {
		d.Kind = NFCe
	}
	for _, i := range x.Items {
		d.Items = append(d.Items, Item{
			Code: string(i.Code), Description: string(i.Description), Unit: string(i.Unit),
			Quantity: i.Quantity, UnitPrice: i.UnitPrice, Amount: i.Amount,
		})
	}
	t := x.Totals.ICMS
	d.Totals = Totals{
		Products: t.Products, Discount: t.Discount, Freight: t.Freight, Insurance: t.Insurance, Other: t.Other,
		ICMSBase: t.Base, ICMS: t.ICMS, ICMSST: t.ST, IPI: t.IPI,
		IBS: x.Totals.IBS, CBS: x.Totals.CBS, IS: x.Totals.IS,
		Invoice: t.Invoice, Taxes: t.Taxes,
	}
	for _, p := range x.Payments {
		d.Payments = append(d.Payments, Payment{Type: string(p.Type), Description: string(p.Description), Amount: p.Amount})
	}
	return d
}
