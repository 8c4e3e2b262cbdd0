package fiscal

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
)

func TestParseNFCe(t *testing.T) {
	const key = "42261123145678000168650010000043211876543211"
	want := &Document{
		Kind: NFCe, Key: key, Number: "4321", Series: "1", Operation: "VENDA", IssuedAt: "2026-11-14T10:32:05-03:00",
		Issuer: Party{
			ID: TaxID{CNPJ: "23145678000168"}, StateRegistration: "251234567",
			Name: "Padaria e Confeitaria São João Ltda", TradeName: "Padaria São João",
			Address: Address{Street: "Rua das Acácias", Number: "100", Complement: "Loja 2", District: "Centro", City: "Florianópolis", State: "SC", PostalCode: "88010000", Country: "BRASIL"},
		},
		Recipient: &Party{ID: TaxID{CPF: "12345678909"}, Name: "Maria da Conceição"},
		Items: []Item{
			{Code: "101", Description: "Pão francês", Unit: "KG", Quantity: "0.4500", UnitPrice: "19.9000000000", Amount: "8.96"},
			{Code: "7891000100103", Description: "Café torrado e moído extra forte, embalagem a vácuo de 500 g, edição comemorativa", Unit: "UN", Quantity: "2.0000", UnitPrice: "24.9900", Amount: "49.98"},
			{Code: "330", Description: "Bolo de cenoura & chocolate", Unit: "UN", Quantity: "1.0000", UnitPrice: "1200.0000", Amount: "1200.00"},
		},
		Totals: Totals{
			Products: "1258.94", Discount: "5.00", Freight: "0.00", Insurance: "0.00", Other: "2.50",
			ICMSBase: "1253.94", ICMS: "213.17", ICMSST: "0.00", IPI: "0.00", Invoice: "1256.44", Taxes: "188.47",
		},
		Payments: []Payment{{Type: "03", Amount: "1200.00"}, {Type: "01", Amount: "60.00"}},
		Change:   "3.56",
		QRCode:   "https://sat.sef.sc.gov.br/nfce/consulta?p=" + key + "|3|1",
		QueryURL: "https://sat.sef.sc.gov.br/nfce/consulta",
		Protocol: Protocol{Number: "342260000123456", At: "2026-11-14T10:32:07-03:00", Status: "100", Key: key, TpAmb: "1"},

		TaxOfficeNotes: "Regime especial 123",
		Notes:          "Caixa 2|Operador: João; Obrigado pela preferência!",
	}
	if diff := cmp.Diff(want, mustParse(t, sample(t, "nfce.xml"))); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}

func TestParseReadsWhatSystemsWrite(t *testing.T) {
	xml := sample(t, "nfce.xml")
	want := mustParse(t, xml)
	latin := func(label string) string {
		s, err := charmap.Windows1252.NewEncoder().String(strings.Replace(xml, "UTF-8", label, 1))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for name, variant := range map[string]string{
		"byte order mark":             "\ufeff" + xml,
		"blank lines":                 "\n\r\n  " + xml + "\n\n",
		"blank lines and mark":        "\n\ufeff\n" + xml,
		"ISO-8859-1":                  latin("ISO-8859-1"),
		"iso-8859-1 in small letters": latin("iso-8859-1"),
		"Windows-1252":                latin("windows-1252"),
		"mark against declaration":    "\ufeff" + strings.Replace(xml, "UTF-8", "ISO-8859-1", 1),
		"no declaration":              strings.SplitN(xml, "\n", 2)[1],
		"no namespace":                strings.ReplaceAll(xml, ` xmlns="http://www.portalfiscal.inf.br/nfe"`, ""),
		"comments":                    strings.Replace(xml, "<ide>", "<!-- oi --><ide><?oi?><?xml-stylesheet href='x'?>", 1),
		"CDATA in pieces":             strings.Replace(xml, "Pão francês", "Pão<!-- x --><![CDATA[ fran]]>c&#xEA;s", 1),
		"prefixes":                    strings.NewReplacer("<?", "<?", "<!", "<!", "</", "</n:", "<", "<n:").Replace(xml),
		"new elements":                strings.Replace(xml, "<ide>", "<novo><emit/><a><b/></a></novo><ide>", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, mustParse(t, variant)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An encoding that came with the document counts only where the document is silent.
func TestEncodingThatCameWithIt(t *testing.T) {
	xml := sample(t, "nfce.xml")
	_, bare, _ := strings.Cut(xml, "?>")
	latin := func(text string) []byte {
		data, err := charmap.Windows1252.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, tt := range []struct {
		name, charset string
		data          []byte
	}{
		{"Latin", "ISO-8859-1", latin(bare)},
		{"Windows", "windows-1252", latin(bare)},
		{"UTF-8", "UTF-8", []byte(bare)},
		{"none", "", []byte(bare)},
		{"a declaration without an encoding", "iso-8859-1", latin(`<?xml version="1.0"?>` + bare)},
		{"a declaration against it", "iso-8859-1", []byte(xml)},
		{"a byte order mark against it", "iso-8859-1", []byte("\ufeff" + bare)},
		{"an unknown one and a declaration", "koi8-r", []byte(xml)},
	} {
		d, err := ParseAs(tt.data, tt.charset)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if d.Items[0].Description != "Pão francês" {
			t.Errorf("%s: %q", tt.name, d.Items[0].Description)
		}
	}
	_, err := ParseAs([]byte(bare), "koi8-r")
	checkRefusal(t, err, ErrEncoding, `a codificação "koi8-r" não é aceita`)
	_, err = Parse(latin(bare))
	checkRefusal(t, err, ErrNotXML, "não são UTF-8")
}

func TestParseRefuses(t *testing.T) {
	nfce, nfe, cte := sample(t, "nfce.xml"), sample(t, "nfe.xml"), sample(t, "cte.xml")
	tests := []struct {
		name, xml string
		want      error
		says      string
	}{
		{"nothing", "", ErrNotXML, "termina antes"},
		{"text", "bom dia", ErrNotXML, ""},
		{"JSON", `{"a":1}`, ErrOtherFormat, "JSON"},
		{"JSON of a list", ` [1]`, ErrOtherFormat, "JSON"},
		{"zip", "PK\x03\x04\x14\x00", ErrOtherFormat, "um arquivo zip; mande o XML que está nele"},
		{"gzip", "\x1f\x8b\x08\x00", ErrOtherFormat, "gzip"},
		{"PNG", "\x89PNG\r\n\x1a\n\x00", ErrOtherFormat, "uma imagem PNG"},
		{"JPEG", "\xff\xd8\xff\xe0", ErrOtherFormat, "uma imagem JPEG"},
		{"GIF", "GIF89a", ErrOtherFormat, "uma imagem GIF"},
		{"BMP", "BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00", ErrOtherFormat, "uma imagem BMP"},
		{"WebP", "RIFF\x24\x00\x00\x00WEBPVP8 ", ErrOtherFormat, "uma imagem WebP"},
		{"PDF", "%PDF-1.7", ErrOtherFormat, "um PDF"},
		{"Base64", base64.StdEncoding.EncodeToString([]byte(nfce)), ErrOtherFormat, "Base64"},
		{"a form", "--b\r\nContent-Disposition: form-data; name=\"xml\"\r\n\r\n" + nfce, ErrOtherFormat, "formulário"},
		{"a page", "<!DOCTYPE html><html></html>", ErrOtherFormat, "página HTML"},
		{"UTF-16 with a mark", "\xff\xfe<\x00?\x00", ErrEncoding, `a codificação "UTF-16" não é aceita`},
		{"UTF-16 the other way round", "\xfe\xff\x00<\x00?", ErrEncoding, `a codificação "UTF-16" não é aceita`},
		{"UTF-16 without a mark", "<\x00?\x00x\x00m\x00l\x00", ErrEncoding, `a codificação "UTF-16" não é aceita`},
		{"UTF-32", "\xff\xfe\x00\x00<\x00\x00\x00", ErrEncoding, `"UTF-32"`},
		{"cut short", nfce[:len(nfce)/2], ErrNotXML, ""},
		{"two roots", nfce + "<a/>", ErrNotXML, "depois do elemento raiz"},
		{"text before the root", strings.Replace(nfce, "<nfeProc", "oi<nfeProc", 1), ErrNotXML, "linha 2: há texto antes do elemento raiz"},
		{"wrong end tag", strings.Replace(nfce, "</ide>", "</edi>", 1), ErrNotXML, "edi"},
		{"bad UTF-8", strings.Replace(nfce, "João", "Jo\xe3o", 1), ErrNotXML, "UTF-8"},
		{"UTF-16", strings.Replace(nfce, "UTF-8", "UTF-16", 1), ErrEncoding, `"UTF-16"`},
		{"document type", strings.Replace(nfce, "<nfeProc", `<!DOCTYPE nfeProc SYSTEM "http://example.com/x.dtd"><nfeProc`, 1), ErrDTD, "DTD"},
		{"entity bomb", `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>` + strings.SplitN(nfce, "\n", 2)[1], ErrDTD, ""},
		{"entity never declared", strings.Replace(nfce, "Pão", "P&atilde;o", 1), ErrDTD, "entidade"},
		{"too deep", strings.Replace(nfce, "<ide>", strings.Repeat("<a>", 100)+strings.Repeat("</a>", 100)+"<ide>", 1), ErrUnsupported, "aninhados"},
		{"another root", "<nota/>", ErrUnsupported, `"nota"`},
		{"root that is not ASCII", "<ção/>", ErrUnsupported, `"\u00e7\u00e3o"`},
		{"bare NFe", nfce[strings.Index(nfce, "<NFe"):strings.Index(nfce, "<protNFe")], ErrNoProtocol, "protNFe"},
		{"batch", "<enviNFe/>", ErrNoProtocol, "enviNFe"},
		{"bare CTe", "<CTe/>", ErrNoProtocol, "protCTe"},
		{"CF-e SAT", "<CFe/>", ErrUnsupported, "CF-e SAT"},
		{"cancelled CF-e SAT", "<CFeCanc/>", ErrUnsupported, "CF-e SAT cancelado"},
		{"an event alone", "<procEventoNFe/>", ErrUnsupported, "evento ou cancelamento"},
		{"NFS-e", "<CompNfse/>", ErrUnsupported, "NFS-e"},
		{"key too short", strings.Replace(nfce, `Id="NFe42`, `Id="NFe`, 1), ErrIncomplete, "chave de acesso"},
		{"no protocol", without(nfce, "protNFe"), ErrNoProtocol, "protNFe"},
		{"no protocol number", without(nfce, "nProt"), ErrNoProtocol, "nProt"},
		{"rejected", strings.Replace(nfce, "<cStat>100", "<cStat>539", 1), ErrNotAuthorized, `"539"`},
		{"no NFe", without(nfce, "NFe"), ErrIncomplete, "infNFe"},
		{"no issuer", without(nfce, "emit"), ErrIncomplete, "emitente"},
		{"issuer without CNPJ", strings.Replace(nfce, "<CNPJ>23145678000168</CNPJ>", "", 1), ErrIncomplete, "CNPJ"},
		{"no items", without(nfce, "det"), ErrIncomplete, "itens"},
		{"item without code", strings.Replace(nfce, "<cProd>330</cProd>", "", 1), ErrIncomplete, "item 3 sem código (cProd)"},
		{"item without unit", strings.Replace(nfce, "<uCom>KG</uCom>", "", 1), ErrIncomplete, "item 1 sem unidade (uCom)"},
		{"item without unit price", strings.Replace(nfce, "<vUnCom>24.9900</vUnCom>", "", 1), ErrIncomplete, "item 2 sem valor unitário (vUnCom)"},
		{"item with an empty unit price", strings.Replace(nfce, "<vUnCom>24.9900</vUnCom>", "<vUnCom/>", 1), ErrIncomplete, "item 2 sem valor unitário (vUnCom)"},
		{"item without amount", strings.Replace(nfce, "<vProd>49.98</vProd>", "", 1), ErrIncomplete, "item 2"},
		{"no totals", without(nfce, "total"), ErrIncomplete, "ICMSTot"},
		{"no invoice total", without(nfce, "vNF"), ErrIncomplete, "vNF"},
		{"no payments", without(nfce, "pag"), ErrIncomplete, "detPag"},
		{"payment without amount", strings.Replace(nfce, "<vPag>60.00</vPag>", "", 1), ErrIncomplete, "pagamento 2 sem forma ou valor (tPag, vPag)"},
		{"payment without type", strings.Replace(nfce, "<tPag>03</tPag>", "", 1), ErrIncomplete, "pagamento 1 sem forma ou valor (tPag, vPag)"},
		{"NF-e without ICMS", without(nfe, "vICMS"), ErrIncomplete, "falta a base ou o valor do ICMS (vBC, vICMS)"},
		{"no environment", replaced(t, nfce, "tpAmb", ""), ErrIncomplete, "incompleto: o ambiente (ide/tpAmb)"},
		{"an environment there is not", strings.Replace(nfce, "<tpAmb>1", "<tpAmb>3", 1), ErrIncomplete, `"3"`},
		{"no way of issue", without(nfce, "tpEmis"), ErrIncomplete, "incompleto: falta a forma de emissão (ide/tpEmis)"},
		{"issuer without address", without(nfce, "enderEmit"), ErrIncomplete, "incompleto: falta o endereço do emitente"},
		{"NFC-e without a place to look it up", without(nfce, "urlChave"), ErrIncomplete, "urlChave"},
		{"no date", without(nfce, "dhEmi"), ErrIncomplete, "incompleto: falta a data de emissão (ide/dhEmi)"},
		{"a date that is none", strings.Replace(nfce, "<dhEmi>2026-11-14T10:32:05-03:00", "<dhEmi>ontem", 1), ErrIncomplete, `não é data e hora: "ontem"`},
		{"a day that is none", strings.Replace(nfce, "<dhEmi>2026-11-14", "<dhEmi>2026-02-30", 1), ErrIncomplete, "dhEmi"},
		{"no date of authorisation", without(nfce, "dhRecbto"), ErrIncomplete, "incompleto: falta a data de autorização (protNFe/infProt/dhRecbto)"},
		{"a date of authorisation without time", strings.Replace(nfce, "<dhRecbto>2026-11-14T10:32:07-03:00", "<dhRecbto>2026-11-14", 1), ErrIncomplete, "dhRecbto"},
		{"protocol number of letters", strings.Replace(nfce, "<nProt>3422", "<nProt>34A2", 1), ErrNoProtocol, "dígitos"},
		{"attribute given twice", strings.Replace(nfce, `nItem="1"`, `nItem="1" nItem="2"`, 1), ErrNotXML, "atributo nItem repetido"},
		{"attribute given twice in what is passed over", strings.Replace(nfce, "<ide>", "<Signature><a b='1' c='2' b='1'/></Signature><ide>", 1), ErrNotXML, "atributo b repetido"},
		{"too many attributes", "<a" + manyAttributes(maxAttributes+1) + "/>", ErrUnsupported, "atributos"},
		{"second declaration", strings.Replace(nfce, "<NFe", `<?xml version="1.0"?><NFe`, 1), ErrNotXML, "declaração XML fora do início"},
		{"declaration after the root", nfce + "<?XML?>", ErrNotXML, "declaração XML fora do início"},
		{"two invoices", strings.Replace(nfce, "<protNFe", nfce[strings.Index(nfce, "<NFe"):strings.Index(nfce, "<protNFe")]+"<protNFe", 1), ErrUnsupported, "mais de um NFe"},
		{"two protocols", strings.Replace(nfce, "<protNFe", "<protNFe><infProt><cStat>100</cStat></infProt></protNFe><protNFe", 1), ErrUnsupported, "mais de um protNFe"},
		{"two protocols of a CT-e", strings.Replace(cte, "<protCTe", "<protCTe/><protCTe", 1), ErrUnsupported, "mais de um protCTe"},
		{"CT-e without environment", without(cte, "tpAmb"), ErrIncomplete, "tpAmb"},
		{"CT-e without date", without(cte, "dhEmi"), ErrIncomplete, "dhEmi"},
		{"CT-e whose issuer has no address", without(cte, "enderEmit"), ErrIncomplete, "enderEmit"},
		{"no number", without(nfce, "nNF"), ErrIncomplete, "nNF"},
		{"amount in words", strings.Replace(nfce, "<vNF>1256.44", "<vNF>doze", 1), ErrIncomplete, `"vNF" não é um número decimal: "doze"`},
		{"amount with exponent", strings.Replace(nfce, "<vNF>1256.44", "<vNF>1e999999999", 1), ErrIncomplete, "vNF"},
		{"another model", strings.Replace(nfce, "<mod>65", "<mod>59", 1), ErrUnsupported, `"59"`},
		{"NFC-e without QR code", without(nfce, "infNFeSupl"), ErrIncomplete, "infNFeSupl/qrCode"},
		{"QR code that no roll holds", strings.Replace(nfce, "|3|1 ]]>", strings.Repeat("A", 2000)+"]]>", 1), ErrIncomplete, "QR Code"},
		{"pending in contingency", strings.Replace(nfce[strings.Index(nfce, "<NFe"):strings.Index(nfce, "<protNFe")], "<tpEmis>1", "<tpEmis>9", 1), ErrNoProtocol, "pendente de autorização"},
		{"bare ampersand", strings.Replace(nfce, "&amp;", "&", 1), ErrNotXML, "linha 10: & que"},
		{"external entity", `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><nfeProc>&x;</nfeProc>`, ErrDTD, "DTD"},
		{"unknown entity in an attribute", strings.Replace(nfce, `nItem="1"`, `nItem="&x;"`, 1), ErrDTD, "entidade"},
		{"control sign", strings.Replace(nfce, "Pão", "P\x01o", 1), ErrNotXML, "controle"},
		{"reference to a control sign", strings.Replace(nfce, "Pão", "P&#1;o", 1), ErrNotXML, "&#1;"},
		{"closed twice", nfce + "</nfeProc>", ErrNotXML, "não foi aberto"},
		{"CT-e without protocol", without(cte, "protCTe"), ErrNoProtocol, "protCTe"},
		{"CT-e without ICMS", without(cte, "imp"), ErrIncomplete, "falta a base ou o valor do ICMS"},
		{"CT-e with an ICMS that says nothing", strings.Replace(cte, "<vICMS>42.11</vICMS>", "", 1), ErrIncomplete, "falta a base ou o valor do ICMS"},
		{"CT-e with a component without value", strings.Replace(cte, "<vComp>50.90</vComp>", "", 1), ErrIncomplete, "componente 2 do valor sem nome ou valor (xNome, vComp)"},
		{"CT-e with cargo of no quantity", strings.Replace(cte, "<qCarga>84.0000</qCarga>", "", 1), ErrIncomplete, "quantidade 2 da carga sem medida ou valor (tpMed, qCarga)"},
		{"CT-e without price", without(cte, "vPrest"), ErrIncomplete, "vTPrest"},
		{"CT-e without issuer", without(cte, "emit"), ErrIncomplete, "emitente"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.xml))
			checkRefusal(t, err, tt.want, tt.says)
		})
	}
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " a%d=''", i)
	}
	return b.String()
}

func checkRefusal(t *testing.T, err, want error, says string) {
	t.Helper()
	var refusal *Refusal
	if !errors.As(err, &refusal) || !errors.Is(err, want) {
		t.Fatalf("got %v, want a refusal of kind %q", err, want)
	}
	if !strings.Contains(err.Error(), says) {
		t.Errorf("the reason %q does not say %q", err, says)
	}
	if len(err.Error()) > 300 {
		t.Errorf("the reason has %d characters", len(err.Error()))
	}
	if strings.ContainsAny(err.Error(), "\r\n") {
		t.Errorf("the reason %q is more than one line", err)
	}
}

func TestParseRefusesOtherVersions(t *testing.T) {
	for _, name := range []string{"nfce.xml", "cte.xml", "cteos.xml", "ctesimp.xml"} {
		for _, version := range []string{"3.10", "2.00", ""} {
			xml := strings.ReplaceAll(sample(t, name), `versao="4.00"`, fmt.Sprintf(`versao="%s"`, version))
			_, err := Parse([]byte(xml))
			checkRefusal(t, err, ErrVersion, fmt.Sprintf("%q", version))
		}
	}
}

func TestParseRefusesWhatIsTooLarge(t *testing.T) {
	_, err := Parse(make([]byte, maxBytes+1))
	checkRefusal(t, err, ErrUnsupported, "bytes")
	many := "<nfeProc>" + strings.Repeat("<a/>", maxElements) + "</nfeProc>"
	_, err = Parse([]byte(many))
	checkRefusal(t, err, ErrUnsupported, "demais")
}

func TestAccessKeys(t *testing.T) {
	xml := sample(t, "nfce.xml")
	key := mustParse(t, xml).Key

	wrongDigit := key[:43] + string('0'+(key[43]-'0'+1)%10)
	d := mustParse(t, strings.ReplaceAll(xml, key, wrongDigit))
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "dígito verificador") {
		t.Errorf("wrong check digit: warnings %q", d.Warnings)
	}
	if digit := checkDigit("12ABC34501DE"); digit != '3' {
		t.Errorf("check digit of 12ABC34501DE: %c, want 3", digit)
	}
}

// What the protocol calls a test is none of the customer's money, whatever the document says.
func TestProtocolOfAnotherEnvironment(t *testing.T) {
	xml := sample(t, "nfce.xml")
	ofProtocol := func(xml, tpAmb string) string {
		document, protocol, _ := strings.Cut(xml, "<protNFe")
		return document + "<protNFe" + strings.Replace(protocol, "<tpAmb>1</tpAmb>", tpAmb, 1)
	}
	inTest := strings.Replace(xml, "<tpAmb>1", "<tpAmb>2", 1)
	for _, tt := range []struct {
		name, xml      string
		notice, warned bool
	}{
		{"production", xml, false, false},
		{"protocol that does not say", ofProtocol(xml, ""), false, false},
		{"protocol of a test", ofProtocol(xml, "<tpAmb>2</tpAmb>"), true, true},
		{"test with a protocol of production", inTest, true, true},
		{"test", ofProtocol(inTest, "<tpAmb>2</tpAmb>"), true, false},
	} {
		d := mustParse(t, tt.xml)
		if notice := strings.Contains(Layout(d).Plain(), "HOMOLOGAÇÃO"); notice != tt.notice {
			t.Errorf("%s: notice %v", tt.name, notice)
		}
		if warned := len(d.Warnings) == 1 && strings.Contains(d.Warnings[0], "tpAmb"); warned != tt.warned {
			t.Errorf("%s: warnings %q", tt.name, d.Warnings)
		}
	}
}

// Some write the time without its offset.
func TestMomentWithoutOffset(t *testing.T) {
	d := mustParse(t, strings.Replace(sample(t, "nfce.xml"), "<dhEmi>2026-11-14T10:32:05-03:00", "<dhEmi>2026-11-14T10:32:05", 1))
	if plain := strings.ReplaceAll(Layout(d).Plain(), nbsp, " "); !strings.Contains(plain, "14/11/2026 10:32:05") {
		t.Errorf("no date in\n%s", plain)
	}
}

func TestTaxIDs(t *testing.T) {
	for id, want := range map[TaxID]string{
		{CNPJ: "12ABC34501DE35"}: "CNPJ 12.ABC.345/01DE-35",
		{CPF: "12345678909"}:     "CPF 123.456.789-09",
		{Foreign: "AB123456"}:    "Id. Estrangeiro AB123456",
		{CNPJ: "123"}:            "CNPJ 123",
		{}:                       "",
	} {
		if got := strings.ReplaceAll(id.String(), nbsp, " "); got != want {
			t.Errorf("%+v: %q, want %q", id, got, want)
		}
	}
}
