package fiscal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample is one of the project's own documents.
func sample(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mustParse(t testing.TB, xml string) *Document {
	t.Helper()
	d, err := Parse([]byte(xml))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// replaced is a document with the first of an element's occurrences, from <name to
// </name>, replaced by another text.
func replaced(t testing.TB, xml, name, with string) string {
	t.Helper()
	end := "</" + name + ">"
	start := strings.Index(xml, "<"+name+">")
	if start < 0 {
		start = strings.Index(xml, "<"+name+" ")
	}
	if start < 0 || !strings.Contains(xml[start:], end) {
		t.Fatalf("the document has no %s", name)
	}
	return xml[:start] + with + xml[start+strings.Index(xml[start:], end)+len(end):]
}

// without cuts an element out, from its first occurrence to the end of its last.
func without(xml, name string) string {
	start := strings.Index(xml, "<"+name+">")
	if start < 0 {
		start = strings.Index(xml, "<"+name+" ")
	}
	end := strings.LastIndex(xml, "</"+name+">") + len("</"+name+">")
	return xml[:start] + xml[end:]
}

// ofType2 is an NF-e that asks for the DANFE Simplificado Tipo 2.
func ofType2(t testing.TB, nfe string) string {
	t.Helper()
	key := mustParse(t, nfe).Key
	nfe = replaced(t, nfe, "tpImp", "<tpImp>6</tpImp>")
	return strings.Replace(nfe, "</infNFe>", "</infNFe><infNFeSupl><qrCode>https://www.fazenda.mg.gov.br/nfe/qrcode?p="+
		key+"|3|1</qrCode><urlChave>www.fazenda.mg.gov.br/nfe</urlChave></infNFeSupl>", 1)
}

// paidEveryWay has each of the payments there are, one with the issuer's own words
// and one that is newer than this program.
func paidEveryWay(t testing.TB, nfce string) string {
	t.Helper()
	var pag strings.Builder
	for _, code := range []string{
		"01", "02", "03", "04", "05", "10", "11", "12", "13", "14", "15", "16", "17", "18",
		"19", "20", "21", "22", "23", "24", "90", "91", "77",
	} {
		fmt.Fprintf(&pag, "<detPag><tPag>%s</tPag><vPag>%s.00</vPag></detPag>", code, strings.TrimLeft(code, "0"))
	}
	pag.WriteString("<detPag><tPag>99</tPag><xPag>Vale da empresa</xPag><vPag>99.00</vPag></detPag>")
	return replaced(t, nfce, "pag", "<pag>"+pag.String()+"</pag>")
}

// longProduct is a name of 120 characters, the most there may be.
const longProduct = "Kit de ferramentas com chaves combinadas, alicates, martelo de unha e trena de cinco metros em maleta de aço reforçada X"

// talkative has the longest texts there may be.
func talkative(t testing.TB, nfce string) string {
	t.Helper()
	nfce = replaced(t, nfce, "xProd", "<xProd>"+longProduct+"</xProd>")
	nfce = replaced(t, nfce, "cProd", "<cProd>FERRAMENTAS-E-UTILIDADES-PARA-O-LAR-E-A-OFICINA-0001-MALETA</cProd>")
	nfce = strings.Replace(nfce, "<xNome>Padaria e", "<xNome>Panificadora, Confeitaria, Lanchonete e", 1)
	return replaced(t, nfce, "infCpl", "<infCpl>"+strings.Repeat("Troca em 7 dias com este cupom; ", 3)+
		"SAC 0800|PROCON: Rua da Mooca, 1 - Centro|Trib aprox R$ 10,00 Fed</infCpl>")
}

// delivered goes to a foreigner's door.
func delivered(t testing.TB, nfce string) string {
	t.Helper()
	return replaced(t, nfce, "dest", `<dest><idEstrangeiro>AB123456</idEstrangeiro><xNome>Juan Pérez Ñuñez</xNome>
<enderDest><xLgr>Calle Florida</xLgr><nro>1005</nro><xBairro>Centro</xBairro><xMun>EXTERIOR</xMun><UF>EX</UF><xPais>ARGENTINA</xPais></enderDest></dest>
<entrega><CPF>52998224725</CPF><xNome>Portaria do Hotel Beira-Mar</xNome><xLgr>Av. Beira-Mar Norte</xLgr><nro>500</nro><xBairro>Centro</xBairro><xMun>Florianópolis</xMun><UF>SC</UF><CEP>88015700</CEP></entrega>`)
}

// imported is an NF-e of entry, its sender abroad.
func imported(t testing.TB, nfe string) string {
	t.Helper()
	nfe = replaced(t, nfe, "tpNF", "<tpNF>0</tpNF>")
	return replaced(t, nfe, "dest", `<dest><idEstrangeiro/><xNome>Elektro-Gerätebau GmbH</xNome><enderDest><xLgr>Fischerplatz</xLgr><nro>1</nro><xBairro>Mitte</xBairro><xMun>EXTERIOR</xMun><UF>EX</UF><xPais>Alemanha</xPais></enderDest></dest>`)
}

// mixed is an NF-e of goods and services, with each amount that a total can be made of.
func mixed(t testing.TB, nfe string) string {
	t.Helper()
	nfe = replaced(t, nfe, "det", `<det nItem="1"><prod><cProd>PNEU</cProd><xProd>Pneu 175/70 R13</xProd><uCom>UN</uCom><qCom>3.0000</qCom><vUnCom>333.3333333333</vUnCom><vProd>1000.00</vProd><indTot>1</indTot></prod><infAdProd>Lote 4711; garantia de 5 anos | DOT 3226, conforme pedido do cliente número 2026/00815</infAdProd></det>`+
		`<det nItem="2"><prod><cProd>BAL</cProd><xProd>Balanceamento</xProd><uCom>UN</uCom><qCom>1.0000</qCom><vUnCom>250.0000</vUnCom><vProd>250.00</vProd><indTot>1</indTot></prod></det>`+
		`<det nItem="3"><prod><cProd>BRINDE</cProd><xProd>Chaveiro, brinde da campanha de aniversário da loja</xProd><uCom>UN</uCom><qCom>1.0000</qCom><vUnCom>0.0000120000</vUnCom><vProd>0.01</vProd><indTot>0</indTot></prod><infAdProd>Sem valor comercial</infAdProd></det>`)
	nfe = replaced(t, nfe, "total", "<total><ICMSTot><vBC>1000.00</vBC><vICMS>120.00</vICMS><vICMSDeson>70.00</vICMSDeson><vST>30.00</vST><vFCPST>4.00</vFCPST><vICMSMonoReten>3.00</vICMSMonoReten><vProd>1000.00</vProd><vFrete>10.00</vFrete><vSeg>5.00</vSeg><vDesc>20.00</vDesc><vII>11.00</vII><vIPI>12.00</vIPI><vIPIDevol>13.00</vIPIDevol><vOutro>1.00</vOutro><vNF>1249.00</vNF></ICMSTot>"+
		"<ISSQNtot><vServ>250.00</vServ><vISS>12.50</vISS></ISSQNtot><IBSCBSTot><gIBS><vIBS>1.25</vIBS></gIBS><gCBS><vCBS>11.25</vCBS></gCBS><gMono><vIBSMono>1.01</vIBSMono><vCBSMono>2.02</vCBSMono><vIBSMonoReten>3.03</vIBSMonoReten><vCBSMonoReten>4.04</vCBSMonoReten><vIBSMonoRet>5.05</vIBSMonoRet><vCBSMonoRet>6.06</vCBSMonoRet></gMono></IBSCBSTot></total>")
	return strings.Replace(nfe, "</infNFe>", `<infAdic><infAdFisco>Substituto tributário</infAdFisco><infCpl>Pedido 815</infCpl><obsCont xCampo="Vendedor"><xTexto>Ana Paula</xTexto></obsCont><obsCont xCampo="Rota"><xTexto>Sul; terça</xTexto></obsCont><obsFisco xCampo="Regime"><xTexto>TARE 12/2026</xTexto></obsFisco></infAdic></infNFe>`, 1)
}

// serviced is an NFC-e of goods and a service, with ICMS that the total deducts.
func serviced(t testing.TB, nfce string) string {
	t.Helper()
	nfce = strings.Replace(nfce, "</prod></det>", "</prod><infAdProd>Assado na hora;sem glúten</infAdProd></det>", 1)
	nfce = strings.Replace(nfce, "<vICMS>213.17</vICMS>", "<vICMS>213.17</vICMS><vICMSDeson>6.44</vICMSDeson>", 1)
	nfce = strings.Replace(nfce, "</ICMSTot>", "</ICMSTot><ISSQNtot><vServ>1200.00</vServ></ISSQNtot>", 1)
	nfce = strings.Replace(nfce, "<vProd>1258.94</vProd>", "<vProd>58.94</vProd>", 1)
	return strings.Replace(nfce, "<vNF>1256.44</vNF>", "<vNF>1250.00</vNF>", 1)
}

// heldBefore is a CT-e whose ICMS another has paid.
func heldBefore(t testing.TB, cte string) string {
	t.Helper()
	cte = replaced(t, cte, "ICMS", "<ICMS><ICMS60><CST>60</CST><vBCSTRet>350.90</vBCSTRet><vICMSSTRet>42.11</vICMSSTRet><pICMSSTRet>12.00</pICMSSTRet><vCred>8.42</vCred></ICMS60></ICMS>")
	return strings.Replace(cte, "</compl>", `<ObsCont xCampo="Motorista"><xTexto>José</xTexto></ObsCont><ObsFisco xCampo="Ato"><xTexto>Decreto 123</xTexto></ObsFisco></compl>`, 1)
}

// takenByAnother is a CT-e paid for by who is neither sender nor receiver.
func takenByAnother(t testing.TB, cte string) string {
	t.Helper()
	return replaced(t, cte, "toma3", "<toma4><toma>4</toma><CNPJ>11222333000181</CNPJ><IE>ISENTO</IE><xNome>Distribuidora Pinheiro Ltda</xNome><enderToma><xLgr>Rua XV</xLgr><nro>9</nro><xMun>Ponta Grossa</xMun><UF>PR</UF></enderToma></toma4>")
}

// documents are those whose pictures are kept.
func documents(t testing.TB) map[string]string {
	t.Helper()
	nfce, nfe, cte := sample(t, "nfce.xml"), sample(t, "nfe.xml"), sample(t, "cte.xml")
	return map[string]string{
		"nfce":              nfce,
		"nfce-homologation": sample(t, "nfce-homologation.xml"),
		"nfce-payments":     paidEveryWay(t, nfce),
		"nfce-texts":        talkative(t, nfce),
		"nfce-delivery":     delivered(t, nfce),
		"nfce-services":     serviced(t, nfce),
		"nfe":               nfe,
		"nfe-mixed":         mixed(t, nfe),
		"nfe-type2-mixed":   ofType2(t, mixed(t, nfe)),
		"nfe-entry":         imported(t, nfe),
		"nfe-type2":         ofType2(t, nfe),
		"cte":               cte,
		"cte-toma4":         takenByAnother(t, cte),
		"cte-held":          heldBefore(t, cte),
		"cteos":             sample(t, "cteos.xml"),
		"ctesimp":           sample(t, "ctesimp.xml"),
	}
}

// couponOf is an NFC-e of so many items, each with the taxes that real ones have.
func couponOf(t testing.TB, items int) string {
	t.Helper()
	xml := sample(t, "nfce.xml")
	start, end := strings.Index(xml, "<det "), strings.LastIndex(xml, "</det>")+len("</det>")
	var dets strings.Builder
	for i := range items {
		fmt.Fprintf(&dets, `<det nItem="%d"><prod><cProd>%d</cProd><cEAN>SEM GTIN</cEAN><xProd>Produto de demonstração número %d</xProd><NCM>19059090</NCM><CEST>1706000</CEST><CFOP>5102</CFOP><uCom>UN</uCom><qCom>2.0000</qCom><vUnCom>4.5000000000</vUnCom><vProd>9.00</vProd><cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib><qTrib>2.0000</qTrib><vUnTrib>4.5000000000</vUnTrib><indTot>1</indTot></prod><imposto><vTotTrib>1.35</vTotTrib><ICMS><ICMSSN102><orig>0</orig><CSOSN>102</CSOSN></ICMSSN102></ICMS><PIS><PISOutr><CST>49</CST><vBC>0.00</vBC><pPIS>0.0000</pPIS><vPIS>0.00</vPIS></PISOutr></PIS><COFINS><COFINSOutr><CST>49</CST><vBC>0.00</vBC><pCOFINS>0.0000</pCOFINS><vCOFINS>0.00</vCOFINS></COFINSOutr></COFINS><IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>9.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.01</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.01</vIBS><gCBS><pCBS>0.9000</pCBS><vCBS>0.08</vCBS></gCBS></gIBSCBS></IBSCBS></imposto></det>`,
			i+1, 1000+i, i+1)
	}
	return xml[:start] + dets.String() + xml[end:]
}
