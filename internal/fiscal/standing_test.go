package fiscal

import (
	"strings"
	"testing"
)

const anotherKey = "42261123145678000168650010000043221876543219"

// answered is a document with something put before its protocol, or after it.
func answered(xml, proof, with string, after bool) string {
	at := strings.Index(xml, "<"+proof)
	if after {
		at = strings.LastIndex(xml, "</")
	}
	return xml[:at] + with + xml[at:]
}

// event is the answer to an event, as the tax office writes it.
func event(name, keyTag, key, kind, status string) string {
	return "<" + name + ` versao="1.00"><infEvento Id="ID1"><tpAmb>1</tpAmb><cStat>` + status + "</cStat><xMotivo>Evento registrado</xMotivo><" +
		keyTag + ">" + key + "</" + keyTag + "><tpEvento>" + kind + "</tpEvento><nProt>142260000000001</nProt></infEvento></" + name + ">"
}

// asked is an event with its request, whose answer says no more than it must.
func asked(proc, request, reply, keyTag, key, kind, status string) string {
	return "<" + proc + "><" + request + "><infEvento><" + keyTag + ">" + key + "</" + keyTag + "><tpEvento>" + kind + "</tpEvento></infEvento></" + request + ">" +
		"<" + reply + "><infEvento><cStat>" + status + "</cStat></infEvento></" + reply + "></" + proc + ">"
}

func TestCancelledIsRefused(t *testing.T) {
	nfce, nfe, cte, cteos, ctesimp := sample(t, "nfce.xml"), sample(t, "nfe.xml"), sample(t, "cte.xml"), sample(t, "cteos.xml"), sample(t, "ctesimp.xml")
	ofNFCe, ofNFe, ofCTe := mustParse(t, nfce).Key, mustParse(t, nfe).Key, mustParse(t, cte).Key
	old := "<procCancNFe><cancNFe><infCanc><chNFe>" + ofNFe + "</chNFe></infCanc></cancNFe><retCancNFe><infCanc><cStat>101</cStat><xMotivo>Cancelamento homologado</xMotivo><chNFe>" + ofNFe + "</chNFe></infCanc></retCancNFe></procCancNFe>"
	for _, tt := range []struct{ name, xml, proof, beside, says string }{
		{"retEvento", nfce, "protNFe", event("retEvento", "chNFe", ofNFCe, "110111", "135"), "110111"},
		{"not tied to the note", nfce, "protNFe", event("retEvento", "chNFe", ofNFCe, "110111", "136"), "cStat 136"},
		{"late", nfce, "protNFe", event("retEvento", "chNFe", ofNFCe, "110111", "155"), "cStat 155"},
		{"by substitution", nfce, "protNFe", event("retEvento", "chNFe", ofNFCe, "110112", "135"), "110112"},
		{"asked for again", nfe, "protNFe", event("retEvento", "chNFe", ofNFe, "110111", "573"), "cStat 573"},
		{"procEventoNFe", nfe, "protNFe", asked("procEventoNFe", "evento", "retEvento", "chNFe", ofNFe, "110111", "135"), "110111"},
		{"in a batch's answer", nfe, "protNFe", "<retEnvEvento><cStat>128</cStat>" + event("retEvento", "chNFe", ofNFe, "110111", "135") + "</retEnvEvento>", "110111"},
		{"after an event of another", nfe, "protNFe", event("retEvento", "chNFe", anotherKey, "110111", "135") + event("retEvento", "chNFe", ofNFe, "110111", "135"), "110111"},
		{"with a prefix", nfe, "protNFe", strings.NewReplacer("</", "</n:", "<", "<n:").Replace(event("retEvento", "chNFe", ofNFe, "110111", "135")), "110111"},
		{"without a key", nfe, "protNFe", "<retEvento><infEvento><cStat>135</cStat><tpEvento>110111</tpEvento></infEvento></retEvento>", "110111"},
		{"the old way", nfe, "protNFe", old, `"101" ("Cancelamento homologado")`},
		{"a query's answer", nfe, "protNFe", "<retConsSitNFe><cStat>101</cStat><chNFe>" + ofNFe + "</chNFe></retConsSitNFe>", `"101"`},
		{"a second protocol", nfe, "protNFe", "<protNFe><infProt><chNFe>" + ofNFe + "</chNFe><cStat>151</cStat></infProt></protNFe>", `"151"`},
		{"CT-e", cte, "protCTe", event("retEventoCTe", "chCTe", ofCTe, "110111", "135"), "110111"},
		{"CT-e with an alert", cte, "protCTe", event("retEventoCTe", "chCTe", ofCTe, "110111", "134"), "110111"},
		{"procEventoCTe", cte, "protCTe", asked("procEventoCTe", "eventoCTe", "retEventoCTe", "chCTe", ofCTe, "110111", "135"), "110111"},
		{"CT-e the old way", cte, "protCTe", "<retCancCTe><infCanc><cStat>101</cStat><chCTe>" + ofCTe + "</chCTe></infCanc></retCancCTe>", `"101"`},
		{"CT-e OS", cteos, "protCTe", event("retEventoCTe", "chCTe", mustParse(t, cteos).Key, "110111", "135"), "110111"},
		{"simplified CT-e", ctesimp, "protCTe", event("retEventoCTe", "chCTe", mustParse(t, ctesimp).Key, "110111", "135"), "110111"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, after := range []bool{false, true} {
				_, err := Parse([]byte(answered(tt.xml, tt.proof, tt.beside, after)))
				checkRefusal(t, err, ErrCancelled, "documento cancelado: ")
				checkRefusal(t, err, ErrCancelled, tt.says)
			}
		})
	}
	for _, status := range []string{"101", "151", "155", "218"} {
		_, err := Parse([]byte(strings.Replace(nfce, "<cStat>100", "<cStat>"+status, 1)))
		checkRefusal(t, err, ErrCancelled, "documento cancelado: a Sefaz respondeu \""+status)
	}
}

func TestDeniedIsRefused(t *testing.T) {
	nfce, cte := sample(t, "nfce.xml"), sample(t, "cte.xml")
	for _, status := range []string{"110", "205", "301", "302", "303"} {
		_, err := Parse([]byte(strings.Replace(nfce, "<cStat>100", "<cStat>"+status, 1)))
		checkRefusal(t, err, ErrNotAuthorized, "documento denegado: a Sefaz respondeu \""+status)
	}
	_, err := Parse([]byte(strings.Replace(cte, "<cStat>100", "<cStat>306", 1)))
	checkRefusal(t, err, ErrNotAuthorized, "documento denegado")
}

// What is beside a document and does not end it keeps nobody from its coupon.
func TestOtherEventsPrint(t *testing.T) {
	nfe, cte := sample(t, "nfe.xml"), sample(t, "cte.xml")
	key := mustParse(t, nfe).Key
	for name, beside := range map[string]string{
		"cancellation of another":      event("retEvento", "chNFe", anotherKey, "110111", "135"),
		"whole, of another":            asked("procEventoNFe", "evento", "retEvento", "chNFe", anotherKey, "110111", "135"),
		"cancellation that was denied": event("retEvento", "chNFe", key, "110111", "501"),
		"cancellation only asked for":  "<evento><infEvento><chNFe>" + key + "</chNFe><tpEvento>110111</tpEvento></infEvento></evento>",
		"correction":                   event("retEvento", "chNFe", key, "110110", "135"),
		"an event taken back":          event("retEvento", "chNFe", key, "110001", "135"),
		"the receiver's word":          event("retEvento", "chNFe", key, "210200", "135"),
	} {
		for _, after := range []bool{false, true} {
			if _, err := Parse([]byte(answered(nfe, "protNFe", beside, after))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	mustParse(t, answered(cte, "protCTe", event("retEventoCTe", "chCTe", mustParse(t, cte).Key, "110180", "135"), true)) // delivered
}

func TestProtocolOfAnotherDocument(t *testing.T) {
	for name, tags := range map[string][2]string{"nfce.xml": {"chNFe", "protNFe"}, "nfe.xml": {"chNFe", "protNFe"}, "cte.xml": {"chCTe", "protCTe"}, "cteos.xml": {"chCTe", "protCTe"}} {
		xml, keyTag := sample(t, name), tags[0]
		at := strings.Index(xml, "<"+tags[1])
		document, proof := xml[:at], xml[at:]
		for other, says := range map[string]string{
			"<" + keyTag + ">" + anotherKey + "</" + keyTag + ">": "de outro documento, o de chave \"" + anotherKey + "\"",
			"<" + keyTag + ">123</" + keyTag + ">":                "de outro documento",
			"<" + keyTag + "/>":                                   "sem a chave do documento (" + keyTag + ")",
			"":                                                    "sem a chave do documento (" + keyTag + ")",
		} {
			_, err := Parse([]byte(document + replaced(t, proof, keyTag, other)))
			checkRefusal(t, err, ErrNoProtocol, "protocolo de autorização ("+tags[1]+") "+says)
		}
	}
}
