package fiscal

// parseCTe reads one of the three forms of CT-e, whose element is tag, out of its proc element.
func parseCTe(kind Kind, root *element, tag string) (*Document, error) {
	if err := root.unambiguous(tag, "infCte", "ide"); err != nil {
		return nil, err
	}
	cte := root.at(tag)
	info := cte.at("infCte")
	if info == nil {
		return nil, refuse(ErrIncomplete, "documento incompleto: %s sem infCte", root.name)
	}
	if info.version != layoutVersion {
		return nil, refuse(ErrVersion, "CT-e na versão %s; só a %s é aceita", quote(info.version), layoutVersion)
	}
	key, protocol, err := authorisation(root, info, "CTe")
	if err != nil {
		return nil, err
	}
	d, err := readCTe(kind, info)
	if err != nil {
		return nil, err
	}
	d.Key, d.Protocol, d.QRCode = key, protocol, cte.get("infCTeSupl", "qrCodCTe")
	if err := d.checkEnvironment(info.get("ide", "tpAmb")); err != nil {
		return nil, err
	}
	if err := d.checkQR(false, "infCTeSupl/qrCodCTe"); err != nil {
		return nil, err
	}
	d.warnOfKey()
	return d, nil
}

func readCTe(kind Kind, info *element) (*Document, error) {
	ide := info.at("ide")
	d := &Document{
		Kind:           kind,
		Number:         ide.get("nCT"),
		Series:         ide.get("serie"),
		Operation:      ide.get("natOp"),
		IssuedAt:       ide.get("dhEmi"),
		Recipient:      readParty(info.at("dest")),
		TaxOfficeNotes: info.get("imp", "infAdFisco"),
		Notes:          info.get("compl", "xObs"),

		TaxOfficeRemarks: info.at("compl").remarks("ObsFisco"),
		Remarks:          info.at("compl").remarks("ObsCont"),
	}
	issuer := readParty(info.at("emit"))
	if err := checkIssuer(issuer); err != nil {
		return nil, err
	}
	d.Issuer = *issuer
	if d.Number == "" || d.Series == "" {
		return nil, refuse(ErrIncomplete, "documento incompleto: falta número ou série (nCT, serie)")
	}
	if err := checkMoment("a data de emissão", "ide/dhEmi", d.IssuedAt); err != nil {
		return nil, err
	}
	var n numbers
	d.Freight = readFreight(&n, info)
	if n.err != nil {
		return nil, n.err
	}
	return d, d.Freight.check()
}

// check refuses a freight without the parts that its slip must show.
func (f *Freight) check() error {
	if f.Total == "" {
		return refuse(ErrIncomplete, "documento incompleto: falta o valor total da prestação (vTPrest)")
	}
	for i, c := range f.Components {
		if c.Name == "" || c.Amount == "" {
			return refuse(ErrIncomplete, "documento incompleto: componente %d do valor sem nome ou valor (xNome, vComp)", i+1)
		}
	}
	for i, q := range f.Quantities {
		if q.Measure == "" || q.Amount == "" {
			return refuse(ErrIncomplete, "documento incompleto: quantidade %d da carga sem medida ou valor (tpMed, qCarga)", i+1)
		}
	}
	if f.Situation == "" && f.Held == nil && (f.ICMSBase == "" || f.ICMS == "") {
		return refuse(ErrIncomplete, "documento incompleto: falta a base ou o valor do ICMS (imp/ICMS)")
	}
	if f.Held != nil && (f.Held.Base == "" || f.Held.Amount == "") {
		return refuse(ErrIncomplete, "documento incompleto: falta a base ou o valor do ICMS retido (vBCSTRet, vICMSSTRet)")
	}
	return nil
}

func readFreight(n *numbers, info *element) *Freight {
	ide, price, taxes := info.at("ide"), info.at("vPrest"), info.at("imp")
	f := &Freight{
		Sender:      readParty(info.at("rem")),
		Receiver:    readParty(info.at("dest")),
		Origin:      joined(" - ", ide.get("xMunIni"), ide.get("UFIni")),
		Destination: joined(" - ", ide.get("xMunFim"), ide.get("UFFim")),
		Total:       n.get(price, "vTPrest"),
		Receivable:  n.get(price, "vRec"),
		IBS:         n.get(taxes, "IBSCBS", "gIBSCBS", "vIBS"),
		CBS:         n.get(taxes, "IBSCBS", "gIBSCBS", "gCBS", "vCBS"),
		Taxes:       n.get(taxes, "vTotTrib"),
		Cargo:       info.get("infCTeNorm", "infServico", "xDescServ"),
	}
	f.readTaker(info)
	f.addComponents(n, price)
	f.readICMS(n, taxes.at("ICMS"))
	for nfe := range info.at("infCTeNorm", "infDoc").each("infNFe") {
		f.LinkedKeys = append(f.LinkedKeys, nfe.get("chave"))
	}
	f.readSimplified(n, info)
	cargo := info.at("infCTeNorm", "infCarga")
	if cargo == nil {
		cargo = info.at("infCarga")
	}
	if cargo != nil {
		f.Cargo, f.CargoValue = cargo.get("proPred"), n.get(cargo, "vCarga")
		for q := range cargo.each("infQ") {
			f.Quantities = append(f.Quantities, Quantity{Measure: q.get("tpMed"), Unit: cargoUnit(q.get("cUnid")), Amount: n.get(q, "qCarga")})
		}
	}
	return f
}

// readICMS reads whichever group of ICMS the document has: they differ in name and in
// what they say.
func (f *Freight) readICMS(n *numbers, icms *element) {
	if icms == nil || icms.first == nil {
		return
	}
	group := icms.first
	f.Waived = n.get(group, "vICMSDeson")
	switch group.name {
	case "ICMS60":
		f.Held = &Held{Base: n.get(group, "vBCSTRet"), Amount: n.get(group, "vICMSSTRet"), Credit: n.get(group, "vCred")}
	case "ICMSOutraUF":
		f.ICMSBase, f.ICMS = n.get(group, "vBCOutraUF"), n.get(group, "vICMSOutraUF")
	default:
		f.ICMSBase, f.ICMS = n.get(group, "vBC"), n.get(group, "vICMS")
	}
	if group.name == "ICMSSN" {
		f.Situation = "Simples Nacional"
	} else if f.ICMSBase == "" && f.ICMS == "" {
		f.Situation = situations[group.get("CST")]
	}
}

// situations are why a service bears no ICMS, by CST.
var situations = map[string]string{"40": "isento", "41": "não tributado", "51": "diferido"}

// readSimplified takes what the simplified form has elsewhere: its totals, and a
// stretch of road for every delivery.
func (f *Freight) readSimplified(n *numbers, info *element) {
	ide := info.at("ide")
	if f.Total == "" {
		f.Total, f.Receivable = n.get(info, "total", "vTPrest"), n.get(info, "total", "vTRec")
	}
	var last *element
	for stretch := range info.each("det") {
		if last == nil && ide.get("xMunIni") == "" {
			f.Origin = joined(" - ", stretch.get("xMunIni"), ide.get("UFIni"))
		}
		f.addComponents(n, stretch)
		for nfe := range stretch.each("infNFe") {
			f.LinkedKeys = append(f.LinkedKeys, nfe.get("chNFe"))
		}
		last = stretch
	}
	if last != nil && ide.get("xMunFim") == "" {
		f.Destination = joined(" - ", last.get("xMunFim"), ide.get("UFFim"))
	}
}

func (f *Freight) addComponents(n *numbers, of *element) {
	for c := range of.each("Comp") {
		f.Components = append(f.Components, Component{Name: c.get("xNome"), Amount: n.get(c, "vComp")})
	}
}

// readTaker finds who pays for the transport: named by role (toma3), in full
// (toma4), or in an element of its own (CT-e OS and the simplified form).
func (f *Freight) readTaker(info *element) {
	if own := info.at("toma"); own != nil {
		f.Taker = readParty(own)
		return
	}
	if full := info.at("ide", "toma4"); full != nil {
		f.Taker = readParty(full)
		return
	}
	switch info.get("ide", "toma3", "toma") {
	case "0":
		f.Taker, f.TakerRole = f.Sender, "REMETENTE"
	case "1":
		f.Taker, f.TakerRole = readParty(info.at("exped")), "EXPEDIDOR"
	case "2":
		f.Taker, f.TakerRole = readParty(info.at("receb")), "RECEBEDOR"
	case "3":
		f.Taker, f.TakerRole = f.Receiver, "DESTINATÁRIO"
	}
}

func cargoUnit(code string) string {
	names := map[string]string{"00": "m³", "01": "kg", "02": "t", "03": "un", "04": "l", "05": "MMBTU"}
	if name, known := names[code]; known {
		return name
	}
	return code
}
