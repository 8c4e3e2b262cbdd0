package fiscal

// offline is the tpEmis of a coupon issued without reaching the tax office.
const offline = "9"

func parseNFe(root *element) (*Document, error) {
	for _, path := range [][]string{{"NFe", "infNFe", "ide"}, {"NFe", "infNFe", "total", "ICMSTot"}} {
		if err := root.unambiguous(path...); err != nil {
			return nil, err
		}
	}
	info := root.at("NFe", "infNFe")
	if info == nil {
		return nil, refuse(ErrIncomplete, "documento incompleto: nfeProc sem infNFe")
	}
	if info.version != layoutVersion {
		return nil, refuse(ErrVersion, "NF-e na versão %s; só a %s é aceita", quote(info.version), layoutVersion)
	}
	key, protocol, err := authorisation(root, info, "NFe")
	if err != nil {
		return nil, err
	}
	d, err := readNFe(info)
	if err != nil {
		return nil, err
	}
	d.Key, d.Protocol = key, protocol
	d.QRCode = root.get("NFe", "infNFeSupl", "qrCode")
	d.QueryURL = root.get("NFe", "infNFeSupl", "urlChave")
	if err := d.checkEnvironment(info.get("ide", "tpAmb")); err != nil {
		return nil, err
	}
	if err := d.checkQR(d.Kind == NFCe || d.Type2, "infNFeSupl/qrCode"); err != nil {
		return nil, err
	}
	if d.Kind == NFCe && d.QueryURL == "" {
		return nil, refuse(ErrIncomplete, "documento incompleto: falta o endereço de consulta (infNFeSupl/urlChave)")
	}
	d.warnOfKey()
	return d, nil
}

func readNFe(info *element) (*Document, error) {
	ide := info.at("ide")
	d := &Document{
		Kind:           NFe,
		Number:         ide.get("nNF"),
		Series:         ide.get("serie"),
		Operation:      ide.get("natOp"),
		IssuedAt:       ide.get("dhEmi"),
		Incoming:       ide.get("tpNF") == "0",
		Contingency:    ide.get("tpEmis") == offline,
		Recipient:      readParty(info.at("dest")),
		Delivery:       readParty(info.at("entrega")),
		TaxOfficeNotes: info.get("infAdic", "infAdFisco"),
		Notes:          info.get("infAdic", "infCpl"),

		TaxOfficeRemarks: info.at("infAdic").remarks("obsFisco"),
		Remarks:          info.at("infAdic").remarks("obsCont"),
	}
	switch model := ide.get("mod"); model {
	case "55":
		d.Type2 = ide.get("tpImp") == "6"
	case "65":
		d.Kind = NFCe
	default:
		return nil, refuse(ErrUnsupported, "o modelo %s não é NF-e (55) nem NFC-e (65)", quote(model))
	}
	issuer := readParty(info.at("emit"))
	if err := checkIssuer(issuer); err != nil {
		return nil, err
	}
	d.Issuer = *issuer
	var n numbers
	for det := range info.each("det") {
		d.Items = append(d.Items, readItem(&n, det))
	}
	d.Totals = readTotals(&n, info.at("total"))
	for pag := range info.at("pag").each("detPag") {
		d.Payments = append(d.Payments, Payment{Type: pag.get("tPag"), Description: pag.get("xPag"), Amount: n.get(pag, "vPag")})
	}
	d.Change = n.get(info, "pag", "vTroco")
	if n.err != nil {
		return nil, n.err
	}
	return d, d.checkSale(info)
}

func readItem(n *numbers, det *element) Item {
	prod := det.at("prod")
	return Item{
		Code: prod.get("cProd"), Description: prod.get("xProd"), Unit: prod.get("uCom"),
		Quantity: n.get(prod, "qCom"), UnitPrice: n.get(prod, "vUnCom"), Amount: n.get(prod, "vProd"),
		Notes: det.get("infAdProd"), Apart: prod.get("indTot") == "0",
	}
}

func readTotals(n *numbers, total *element) Totals {
	icms, reform := total.at("ICMSTot"), total.at("IBSCBSTot")
	mono := reform.at("gMono")
	return Totals{
		Products: n.get(icms, "vProd"), Services: n.get(total, "ISSQNtot", "vServ"), Discount: n.get(icms, "vDesc"),
		Freight: n.get(icms, "vFrete"), Insurance: n.get(icms, "vSeg"), Other: n.get(icms, "vOutro"),
		ICMSBase: n.get(icms, "vBC"), ICMS: n.get(icms, "vICMS"), Waived: n.get(icms, "vICMSDeson"),
		ICMSST: n.get(icms, "vST"), FCPST: n.get(icms, "vFCPST"), ICMSHeld: n.get(icms, "vICMSMonoReten"),
		Import: n.get(icms, "vII"), IPI: n.get(icms, "vIPI"), IPIReturned: n.get(icms, "vIPIDevol"),
		IBS: n.get(reform, "gIBS", "vIBS"), CBS: n.get(reform, "gCBS", "vCBS"), IS: n.get(total, "ISTot", "vIS"),
		IBSMono: n.get(mono, "vIBSMono"), CBSMono: n.get(mono, "vCBSMono"),
		IBSMonoHeld: n.get(mono, "vIBSMonoReten"), CBSMonoHeld: n.get(mono, "vCBSMonoReten"),
		IBSMonoHeldBefore: n.get(mono, "vIBSMonoRet"), CBSMonoHeldBefore: n.get(mono, "vCBSMonoRet"),
		Invoice: n.get(icms, "vNF"), Taxes: n.get(icms, "vTotTrib"),
	}
}

// checkSale refuses a document without the parts that a coupon must show.
func (d *Document) checkSale(info *element) error {
	if d.Number == "" || d.Series == "" {
		return refuse(ErrIncomplete, "documento incompleto: falta número ou série (nNF, serie)")
	}
	if info.get("ide", "tpEmis") == "" {
		return refuse(ErrIncomplete, "documento incompleto: falta a forma de emissão (ide/tpEmis)")
	}
	if err := checkMoment("a data de emissão", "ide/dhEmi", d.IssuedAt); err != nil {
		return err
	}
	if len(d.Items) == 0 {
		return refuse(ErrIncomplete, "documento incompleto: sem itens (det/prod)")
	}
	for i, item := range d.Items {
		if missing := item.missing(); missing != "" {
			return refuse(ErrIncomplete, "documento incompleto: item %d sem %s", i+1, missing)
		}
	}
	if info.at("total", "ICMSTot") == nil {
		return refuse(ErrIncomplete, "documento incompleto: faltam os totais (total/ICMSTot)")
	}
	if d.Totals.Products == "" || d.Totals.Invoice == "" {
		return refuse(ErrIncomplete, "documento incompleto: falta o total dos produtos ou da nota (vProd, vNF)")
	}
	if d.Kind == NFe && !d.Type2 && (d.Totals.ICMSBase == "" || d.Totals.ICMS == "") {
		return refuse(ErrIncomplete, "documento incompleto: falta a base ou o valor do ICMS (vBC, vICMS)")
	}
	if len(d.Payments) == 0 {
		return refuse(ErrIncomplete, "documento incompleto: faltam os pagamentos (pag/detPag)")
	}
	for i, p := range d.Payments {
		if p.Type == "" || p.Amount == "" {
			return refuse(ErrIncomplete, "documento incompleto: pagamento %d sem forma ou valor (tPag, vPag)", i+1)
		}
	}
	return nil
}

// missing is what a coupon must show of an item and the document does not say.
func (i Item) missing() string {
	for _, field := range []struct{ value, name string }{
		{i.Code, "código (cProd)"},
		{i.Description, "descrição (xProd)"},
		{i.Unit, "unidade (uCom)"},
		{string(i.Quantity), "quantidade (qCom)"},
		{string(i.UnitPrice), "valor unitário (vUnCom)"},
		{string(i.Amount), "valor (vProd)"},
	} {
		if field.value == "" {
			return field.name
		}
	}
	return ""
}
