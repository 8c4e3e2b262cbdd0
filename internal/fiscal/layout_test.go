package fiscal

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/receipt"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestLayout(t *testing.T) {
	for name, xml := range documents(t) {
		t.Run(name, func(t *testing.T) {
			d := mustParse(t, xml)
			if len(d.Warnings) > 0 {
				t.Errorf("warnings: %q", d.Warnings)
			}
			checkText(t, name, Layout(d).Plain())
			for roll, paper := range rolls {
				dots := rasterised(t, d, paper)
				checkPicture(t, name+"-"+roll, dots)
				checkCodes(t, d, dots)
			}
			for _, paper := range []receipt.Paper{{Width: 512, DPI: 180}, {Width: 832}} {
				checkCodes(t, d, rasterised(t, d, paper))
			}
		})
	}
}

func checkText(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("layout (-want +got):\n%s", diff)
	}
}

// checkPicture compares dots with dots: how a picture is packed is no matter.
func checkPicture(t *testing.T, name string, got *receipt.Bitmap) {
	t.Helper()
	golden := filepath.Join("testdata", "golden", name+".png")
	if *update {
		writePNG(t, golden, got)
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	differ := want.Bounds() != got.Image().Bounds()
	for y := 0; y < got.Height && !differ; y++ {
		for x := range got.Width {
			r, _, _, _ := want.At(x, y).RGBA()
			if (r == 0) != got.Black(x, y) {
				differ = true
				break
			}
		}
	}
	if differ {
		actual := filepath.Join(os.TempDir(), name+"-got.png")
		writePNG(t, actual, got)
		t.Errorf("%s is not what was drawn; see %s", golden, actual)
	}
}

// The divisions of an NFC-e follow each other as the manual says for a centred QR code.
func TestDivisionsInOrder(t *testing.T) {
	plain := Layout(mustParse(t, strings.Replace(sample(t, "nfce.xml"), "<tpAmb>1", "<tpAmb>2", 1))).Plain()
	at := 0
	for _, mark := range []string{
		"CNPJ 23.145.678/0001-68", "Documento Auxiliar", // I
		"Vl Unit", "Pão francês", // II
		"Qtde. total de itens", "Valor a Pagar R$", "FORMA PAGAMENTO", "Troco R$", // III
		"Consulte pela Chave de Acesso em", "4226 1123", // IV
		"CONSUMIDOR", "Maria", // VI
		"NFC-e nº 000004321 Série 001", "Protocolo de Autorização", // VII
		"HOMOLOGAÇÃO", "Regime especial", // VIII
		"[QR: ",               // V
		"Caixa 2", "Tributos", // IX
	} {
		found := strings.Index(plain[at:], mark)
		if found < 0 {
			t.Fatalf("no %q after\n%s\nin\n%s", mark, plain[:at], plain)
		}
		at += found
	}
}

func TestCouponsShow(t *testing.T) {
	nfce, nfe := sample(t, "nfce.xml"), sample(t, "nfe.xml")
	put := func(xml, name, value string) string { return replaced(t, xml, name, "<"+name+">"+value+"</"+name+">") }
	tests := []struct {
		name, xml  string
		want, miss []string
	}{
		{"change that is not given", without(nfce, "vTroco"), []string{"Troco R$ 0,00"}, nil},
		{"no discount, no surcharge", put(strings.Replace(nfce, "<vOutro>2.50", "<vOutro>0.00", 1), "vDesc", "0.00"), nil, []string{"Acréscimos"}},
		{"surcharges added up", strings.Replace(strings.Replace(nfce, "<vFrete>0.00", "<vFrete>10.00", 1), "<vSeg>0.00", "<vSeg>0.50", 1), []string{"Acréscimos R$ 13,00"}, nil},
		{"no consumer", without(nfce, "dest"), []string{"CONSUMIDOR NÃO IDENTIFICADO"}, []string{"CPF"}},
		{"a company", strings.Replace(nfce, "<dest><CPF>12345678909</CPF>", "<dest><CNPJ>12ABC34501DE35</CNPJ>", 1), []string{"CONSUMIDOR CNPJ: 12.ABC.345/01DE-35"}, nil},
		{"a foreigner", delivered(t, nfce), []string{"CONSUMIDOR Id. Estrangeiro: AB123456", "EXTERIOR, ARGENTINA", "Entrega: Portaria do Hotel Beira-Mar", "Av. Beira-Mar Norte, 500"}, nil},
		{"a natural person as issuer", nfe, []string{"CPF 987.654.321-00"}, nil},
		{"no taxes of Lei 12.741", put(nfce, "vTotTrib", "0.00"), nil, []string{"12.741"}},
		{"contingency", put(nfce, "tpEmis", "9"), []string{"EMITIDA EM CONTINGÊNCIA"}, []string{"Pendente", "HOMOLOGAÇÃO"}},
		{"alerts", sample(t, "nfce-homologation.xml"), []string{"172 - Primeiro alerta da Sefaz", "173 - Segundo alerta da Sefaz"}, nil},
		{"the reform on an NFC-e", strings.Replace(nfce, "<total>", "<total><IBSCBSTot><gCBS><vCBS>9.00</vCBS></gCBS></IBSCBSTot><vNFTot>9999.99</vNFTot>", 1), []string{"Valor a Pagar R$ 1.256,44"}, []string{"CBS", "9.999,99"}},
		{"the reform on a Tipo 2", ofType2(t, nfe), []string{"DANFE Simplificado Tipo 2", "(+) CBS R$ 691,88", "(+) IBS R$ 76,88", "(+) IS R$ 0,30", "Valor a Pagar R$ 77.805,30"}, []string{"Code 128", "Base do ICMS"}},
		{"an NF-e", nfe, []string{"DANFE Simplificado", "1 - Saída", "IE 0012345678901", "IE 7021234567890", "Base do ICMS R$ 76.875,00", "Valor do ICMS R$ 9.225,00", "Sem Pagamento 0,00", "[Code 128: 31261100098765432100559200000000151334455666]"}, []string{"Tipo 2"}},
		{"an NF-e of entry", imported(t, nfe), []string{"0 - Entrada", "EXTERIOR, Alemanha"}, []string{"Saída"}},
		{"a CT-e", sample(t, "cte.xml"), []string{"DACTE - Resumo", "TOMADOR: DESTINATÁRIO", "REMETENTE", "Origem: Curitiba - PR", "Destino: Londrina - PR", "PEDAGIO 50,90", "Total da prestação R$ 350,90", "Valor a receber R$ 350,90", "Base do ICMS R$ 350,90", "PESO BRUTO 1.520,5 kg", "4126 1145 6789", "[QR: "}, nil},
		{"item notes on an NF-e", mixed(t, nfe), []string{"Lote 4711 garantia de 5 anos DOT 3226, conforme", "(não compõe o total) Sem valor comercial"}, nil},
		{"unit prices of ten decimals", mixed(t, nfe), []string{"3 UN 333,3333 1.000,00", "1 UN 0,000012 0,01"}, nil},
		{"item notes on an NFC-e", serviced(t, nfce), nil, []string{"Assado", "glúten"}},
		{"services and waived ICMS", serviced(t, nfce), []string{"Valor total R$ 58,94 Serviços R$ 1.200,00 ICMS desonerado R$ 6,44 Desconto R$ 5,00", "Valor a Pagar R$ 1.250,00"}, nil},
		{"waived ICMS that the total does not deduct", strings.Replace(nfce, "<vICMS>213.17</vICMS>", "<vICMS>213.17</vICMS><vICMSDeson>6.44</vICMSDeson>", 1), nil, []string{"desonerado"}},
		{"goods taxed once", mixed(t, nfe), []string{"CBS monofásica R$ 2,02", "IBS monofásico R$ 1,01", "CBS monofásica com retenção R$ 4,04", "IBS monofásico retido antes R$ 5,05"}, []string{"(+)"}},
		{"goods taxed once on a Tipo 2", ofType2(t, mixed(t, nfe)), []string{"(+) CBS R$ 11,25", "(+) CBS monofásica R$ 2,02", "(+) IBS monofásico com retenção R$ 3,03", " CBS monofásica retida antes R$ 6,06", "Lote 4711"}, []string{"(+) CBS monofásica retida antes"}},
		{"remarks on an NF-e", mixed(t, nfe), []string{"Substituto tributário Regime: TARE 12/2026", "Pedido 815 Vendedor: Ana Paula Rota: Sul terça"}, nil},
		{"remarks on an NFC-e", strings.Replace(nfce, "</infAdic>", `<obsCont xCampo="idPedido"><xTexto>9f3c</xTexto></obsCont></infAdic>`, 1), nil, []string{"9f3c"}},
		{"ICMS of a CT-e that another has paid", heldBefore(t, sample(t, "cte.xml")), []string{"Base ICMS ST retido R$ 350,90", "ICMS ST retido R$ 42,11", "Crédito presumido R$ 8,42", "Ato: Decreto 123", "Motorista: José"}, []string{" 0,00"}},
		{"a CT-e without ICMS", replaced(t, sample(t, "cte.xml"), "ICMS", "<ICMS><ICMS45><CST>40</CST></ICMS45></ICMS>"), []string{"ICMS isento"}, []string{" 0,00"}},
		{"a CT-e of homologation", sample(t, "cteos.xml"), []string{"EMITIDO EM AMBIENTE DE HOMOLOGAÇÃO"}, []string{"EMITIDA"}},
		{"a text escaped twice", replaced(t, nfce, "infCpl", "<infCpl>Frete &amp;lt; R$ 10;Tom &amp;amp;amp; Jerry&amp;#33;fim;R&amp;B;P&amp;amp;D</infCpl>"), []string{"Frete &lt; R$ 10 Tom &amp;amp; Jerry&#33;fim R&B P&amp;D"}, nil},
		{"a CT-e taken by another", takenByAnother(t, sample(t, "cte.xml")), []string{"TOMADOR Distribuidora Pinheiro Ltda CNPJ 11.222.333/0001-81"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plain := Layout(mustParse(t, tt.xml)).Plain()
			words := strings.Join(strings.Fields(plain), " ")
			for _, want := range tt.want {
				if !strings.Contains(words, want) {
					t.Errorf("no %q in\n%s", want, plain)
				}
			}
			for _, miss := range tt.miss {
				if strings.Contains(words, miss) {
					t.Errorf("%q in\n%s", miss, plain)
				}
			}
		})
	}
}

// A reference in a text that was escaped twice stays on its line.
func TestReferencesSplitNoLine(t *testing.T) {
	for text, want := range map[string]string{
		"a;b|c\r\nd":           "a\nb\nc\nd",
		"a &lt; b;c":           "a &lt; b\nc",
		"&amp;lt;x;y":          "&amp;lt;x\ny",
		"&ccedil;a;&#231;&xE;": "&ccedil;a\n&#231;&xE",
		"R&B;S&A;":             "R&B\nS&A",
		";;":                   "",
	} {
		if got := paragraphs(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whoever adds up what stands above the amount to pay comes to that amount.
func TestTotalsAddUp(t *testing.T) {
	nfce, nfe := sample(t, "nfce.xml"), sample(t, "nfe.xml")
	deducted := func(part string) string { // of two items, one of which the total deducts
		return strings.Replace(strings.Replace(nfce, "<vICMS>213.17</vICMS>", "<vICMS>213.17</vICMS><vICMSDeson>10.00</vICMSDeson>", 1), "<vNF>1256.44", "<vNF>"+part, 1)
	}
	for name, xml := range map[string]string{
		"NFC-e": nfce, "services": serviced(t, nfce), "NF-e": nfe, "mixed": mixed(t, nfe), "Tipo 2": ofType2(t, mixed(t, nfe)),
		"all deducted": deducted("1246.44"), "some deducted": deducted("1252.44"),
	} {
		_, rest, _ := strings.Cut(Layout(mustParse(t, xml)).Plain(), "Qtde. total de itens")
		lines := strings.Split(rest, "\n")
		total := Decimal("0")
		for _, line := range lines[1:] {
			at := strings.LastIndexByte(line, ' ')
			amount := Decimal(strings.NewReplacer(".", "", ",", ".").Replace(line[at+1:]))
			switch {
			case strings.HasPrefix(line, "Valor a Pagar"):
				if total != amount {
					t.Errorf("%s: %s, and %s is to be paid:\n%s", name, total, amount, rest)
				}
			case strings.HasPrefix(line, "Desconto"), strings.HasPrefix(line, "ICMS desonerado"):
				total = difference(total, amount)
				continue
			default:
				total = sum(total, amount)
				continue
			}
			break
		}
	}
}

// The notice of homologation stands apart from what follows it.
func TestNoticeStandsApart(t *testing.T) {
	xml := strings.ReplaceAll(sample(t, "nfce.xml"), "<tpAmb>1", "<tpAmb>2")
	page := Layout(mustParse(t, xml))
	for i, e := range page.Elements {
		if text, ok := e.(receipt.Text); ok && strings.Contains(text.Value, "Regime especial") {
			if _, apart := page.Elements[i-1].(receipt.Blank); !apart {
				t.Errorf("after %+v", page.Elements[i-1])
			}
			return
		}
	}
	t.Error("no notes of the tax office")
}

func TestLongTextsAreWrappedNotCut(t *testing.T) {
	xml := talkative(t, sample(t, "nfce.xml"))
	sentence := "Obrigado pela preferência, volte sempre! "
	notes := strings.Repeat(sentence, 5000/len(sentence))
	d := mustParse(t, replaced(t, xml, "infCpl", "<infCpl>"+notes+"|última linha</infCpl>"))
	words := strings.Join(strings.Fields(Layout(d).Plain()), " ")
	for _, want := range []string{strings.TrimSpace(notes) + " última linha", longProduct} {
		if !strings.Contains(words, want) {
			t.Errorf("not whole: %q", want)
		}
	}
	for _, paper := range rolls {
		rasterised(t, d, paper)
	}
}

func TestACouponOf500ItemsPrints(t *testing.T) {
	d := mustParse(t, couponOf(t, 500))
	if len(d.Items) != 500 {
		t.Fatalf("read %d items", len(d.Items))
	}
	for _, paper := range rolls {
		checkCodes(t, d, rasterised(t, d, paper))
	}
}
