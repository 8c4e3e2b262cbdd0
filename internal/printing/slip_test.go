package printing_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

const acquirerText = "\r\n             BANCO LEAL\r\n           VIA DO CLIENTE\r\n\r\nCRÉDITO À VISTA\r\nVALOR                        R$ 10,00\r\n" +
	"NSU 000000012   AUTORIZAÇÃO 4F5A2B\r\n--------------------------------------\r\nAPROVADO MEDIANTE SENHA  \r\n\r\n\f"

func TestSlipPage(t *testing.T) {
	want := strings.Join([]string{
		"                Padaria São João", "",
		"                   BANCO LEAL", "                 VIA DO CLIENTE", "",
		"CRÉDITO À VISTA", "VALOR                                   R$ 10,00", "NSU 000000012                 AUTORIZAÇÃO 4F5A2B",
		strings.TrimRight(strings.Repeat("- ", 24), " "), "APROVADO MEDIANTE SENHA", "",
		strings.TrimRight(strings.Repeat("- ", 24), " "), "", "",
	}, "\n")
	page := printing.SlipPage(" Padaria São João ", acquirerText)
	if diff := cmp.Diff(want, page.Plain()); diff != "" {
		t.Error(diff)
	}
	nameless := printing.SlipPage("", "só isto")
	if text := nameless.Plain(); !strings.HasPrefix(text, "só isto\n\n- -") {
		t.Errorf("without a name:\n%s", text)
	}
	for _, paper := range []receipt.Paper{receipt.Paper58, receipt.Paper80} {
		if err := page.Check(paper); err != nil {
			t.Error(err)
		}
	}
}
