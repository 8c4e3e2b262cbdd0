package tef_test

import (
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/payment"
)

const (
	endToEnd = "E0000000020250331120300000000017"
	stone    = "16501555000157"
	rede     = "01425787000104"
)

// TestAnswers is what the driver makes of answers as the vendors' samples have them.
func TestAnswers(t *testing.T) {
	type want struct {
		word          string
		paid          payment.Method
		brand, cnpj   string
		authorization string
		message       string
	}
	for name, c := range map[string]struct {
		profile string
		asked   payment.Method
		answer  string
		want    want
	}{
		"paygo, standard name and network index": {
			"paygo", payment.Credit, "009-000 = 0|010-000 = DEMO|011-000 = 10|012-000 = 17|013-000 = A1|040-000 = X|729-000 = 2|739-000 = 060|748-000 = VISA ELECTRON|719-000 = 11222333000181",
			want{"confirm", payment.Credit, "01", stone, "A1", ""},
		},
		"paygo, two digits of 731":       {"paygo", payment.Credit, "009-000 = 00|012-000 = 17|729-000 = 1|731-000 = 02", want{"final", payment.Debit, "", "", "", ""}},
		"paygo, Pix":                     {"paygo", payment.Pix, "009-000 = 0|012-000 = " + endToEnd + "|729-000 = 2|749-000 = 8|750-000 = 4", want{"confirm", payment.Pix, "", "", endToEnd, ""}},
		"paygo, a card for a Pix":        {"paygo", payment.Pix, "009-000 = 0|011-000 = 10|012-000 = 17|013-000 = A1|040-000 = AMERICAN EXPRESS|729-000 = 2", want{"confirm", payment.Credit, "03", "", "A1", ""}},
		"paygo, a wallet that is no Pix": {"paygo", payment.Pix, "009-000 = 0|012-000 = 17|729-000 = 2|749-000 = 8|750-000 = 2", want{"confirm", payment.AnyMethod, "", "", "", ""}},
		"a Pix for a card":               {"tefdial", payment.Credit, "009-000 = 0|012-000 = " + endToEnd + "|028-000 = 1|029-001 = \"x\"", want{"confirm", payment.Pix, "", "", endToEnd, ""}},
		"a voucher":                      {"tefdial", payment.Credit, "009-000 = 0|011-000 = 60|012-000 = 17|040-000 = ALELO", want{"final", payment.AnyMethod, "10", "", "", ""}},
		"old manager":                    {"tefdial", payment.Credit, "009-000 = 0|010-000 = REDE|010-001 = 01.425.787/0001-04|010-002 = HIPERCARD|011-000 = 21|012-000 = 17|602-000 = Z9|029-001 = \"x\"", want{"confirm", payment.Debit, "07", rede, "Z9", ""}},
		"sitef, 040 is a date":           {"sitef", payment.Credit, "009-000 = 0|010-000 = AMERICAN EXPRESS|010-001 = 06|011-000 = 48|012-000 = 17|040-000 = 31122030|029-001 =   x", want{"confirm", payment.Credit, "03", "", "", ""}},
		"sitef, Pix on the slip":         {"sitef", payment.Pix, "009-000 = 0|010-000 = CARTEIRA|011-000 = 10|012-000 = 17|029-001 = PAGAMENTO VIA PIX", want{"confirm", payment.Pix, "", "", "", ""}},
		"sitef, a card for a Pix":        {"sitef", payment.Pix, "009-000 = 0|010-000 = AMERICAN EXPRESS|011-000 = 48|012-000 = 17|029-001 = VIA CLIENTE", want{"confirm", payment.AnyMethod, "03", "", "", ""}},
		"elgin, without 009 and 027":     {"elgin", payment.Debit, "010-000 = ELECTRON|010-001 = 103|011-000 = 12345678901|012-000 = 17|013-000 = A1|022-000 = 0326|047-000 = 00|600-000 = 01425787000104", want{"confirm", payment.Debit, "01", rede, "A1", ""}},
		"elgin, 375 says confirm":        {"elgin", payment.Credit, "012-000 = 17|375-028 = 0|047-000 = 99", want{"confirm", payment.Credit, "", "", "", ""}},
		"elgin, 375 says final":          {"elgin", payment.Credit, "012-000 = 17|375-028 = 1", want{"final", payment.Credit, "", "", "", ""}},
		"elgin, 375 says failed":         {"elgin", payment.Credit, "012-000 = 17|375-028 = 2|030-000 = NEGADA", want{"refused", "", "", "", "", "NEGADA"}},
		"elgin, 009 goes first":          {"elgin", payment.Credit, "009-000 = 1|012-000 = 17|375-028 = 0|030-000 = NEGADA", want{"refused", "", "", "", "", "NEGADA"}},
		"elgin, the host refused":        {"elgin", payment.Credit, "012-000 = 17|047-000 = 51", want{"refused", "", "", "", "", ""}},
		"elgin, nothing said":            {"elgin", payment.Credit, "012-000 = 17", want{"inconsistent", "", "", "", "", ""}},
		"elgin, Pix was asked for":       {"elgin", payment.Pix, "010-000 = PIX|012-000 = 17|047-000 = 00", want{"confirm", payment.Pix, "", "", "", ""}},
		"elgin, a card all the same":     {"elgin", payment.Pix, "010-000 = AMEX|012-000 = 17|047-000 = 00", want{"confirm", payment.AnyMethod, "03", "", "", ""}},
		"others, without 009":            {"tefdial", payment.Credit, "012-000 = 17|047-000 = 00|375-028 = 0", want{"inconsistent", "", "", "", "", ""}},
		"connecttef, no receipt":         {"connecttef", payment.Credit, "009-000 = 0|010-000 = STONE|011-000 = 10|012-000 = 17|040-000 = PAYWAVE/VISA|400-001 = 11222333000181|400-002 = ELO", want{"confirm", payment.Credit, "06", stone, "", ""}},
		"connecttef, 30 is Pix":          {"connecttef", payment.Pix, "009-000 = 0|011-000 = 30|012-000 = 17", want{"confirm", payment.Pix, "", "", "", ""}},
		"elsewhere 30 is another card":   {"multiplus", payment.Debit, "009-000 = 0|011-000 = 30|012-000 = 17", want{"final", payment.Debit, "", "", "", ""}},
		"multiplus, CNPJ of the card":    {"multiplus", payment.Credit, "009-000 = 0|010-000 = X|010-011 = 16501555000157|010-012 = 025|011-000 = 20|012-000 = 17|740-000 = 4***1111", want{"final", payment.Debit, "", stone, "", ""}},
		"multiplus, the operator's stop": {"multiplus", payment.Credit, "009-000 = 255|030-000 = Cancelado pelo operador", want{"refused", "", "", "", "", "Cancelado pelo operador"}},
	} {
		p, _ := tef.ProfileNamed(c.profile)
		amount := "1000"
		if p.Reais {
			amount = "10,00"
		}
		r, whole := intpos.Parse([]byte("000-000 = CRT\r001-000 = 100\r003-000 = " + amount + "\r" + strings.ReplaceAll(c.answer, "|", "\r") + "\r999-999 = 0\r"))
		if !whole {
			t.Fatal(name)
		}
		o, word := tef.Read(p, c.asked, attempt(1, "10", c.asked), r)
		if got := (want{word, o.PaidWith, o.Brand, o.AcquirerCNPJ, o.Authorization, o.Message}); got != c.want {
			t.Errorf("%s:\n%+v\nwant\n%+v", name, got, c.want)
		}
		if wantID := map[bool]string{true: endToEnd}[strings.Contains(c.answer, endToEnd)]; o.EndToEndID != wantID {
			t.Errorf("%s: end to end %q", name, o.EndToEndID)
		}
	}
}

// A person's stop and an issuer's no are both called "cancelled".
func TestRefusals(t *testing.T) {
	p, _ := tef.ProfileNamed("tefdial")
	for text, want := range map[string]payment.Verdict{
		"OPERAÇÃO CANCELADA": payment.Abandoned, "Operacao cancelada": payment.Abandoned, "Cancelado pelo operador": payment.Abandoned,
		"TRANSACAO CANCELADA PELO CLIENTE": payment.Abandoned, "CARTAO CANCELADO": payment.Declined, "CARTÃO CANCELADO": payment.Declined,
		"CONTA CANCELADA": payment.Declined, "TRANSACAO CANCELADA: CARTAO VENCIDO": payment.Declined, "CANCELADO": payment.Declined,
		"NEGADA 01": payment.Declined, "": payment.Declined,
	} {
		o, _ := tef.Read(p, payment.Credit, attempt(1, "10", payment.Credit), intpos.Of(intpos.Status, "1", intpos.Text, text))
		if o.Verdict != want {
			t.Errorf("%q: %s, want %s", text, o.Verdict, want)
		}
	}
}

// TestReceipts is where managers put the copies.
func TestReceipts(t *testing.T) {
	p, _ := tef.ProfileNamed("sitef")
	for name, c := range map[string]struct{ lines, customer, merchant string }{
		"quoted":            {"029-001 = \"  a  \"|029-002 = \"b\"", "  a  \nb", "  a  \nb"},
		"bare":              {"029-001 =    a|029-002 =|029-003 = b  ", "   a\n\nb", "   a\n\nb"},
		"typographic":       {"029-001 = \x93 a\x94", " a", " a"},
		"two in one, 041":   {"029-001 = a|029-002 = b|029-003 = c|041-000 = 1", "a", "b\nc"},
		"two in one, 028":   {"028-000 = 2|028-001 = 1|029-001 = a|029-002 = b", "a", "b"},
		"apart":             {"713-001 = \"c\"|715-001 = \"m\"|711-001 = \"r\"", "c", "m"},
		"reduced":           {"711-001 = \"r\"|715-001 = \"m\"", "r", "m"},
		"the customer's":    {"713-001 = \"c\"|715-001 = \"m\"|737-000 = 1", "c", ""},
		"the merchant's":    {"713-001 = \"c\"|715-001 = \"m\"|737-000 = 2", "", "m"},
		"a whole number":    {"029-001 = CARTAO 4111111111111111", "CARTAO 411111******1111", "CARTAO 411111******1111"},
		"the track, hidden": {"210-004 = 4111111111111111=3012|029-001 = a", "a", "a"},
	} {
		r, _ := intpos.Parse([]byte("003-000 = 10,00\n009-000 = 0\n" + strings.ReplaceAll(c.lines, "|", "\n") + "\n999-999 = 0\n"))
		if strings.Contains(string(r.Encode()), "3012") {
			t.Errorf("%s: the track is there: %+v", name, r)
		}
		o, _ := tef.Read(p, payment.Credit, attempt(1, "10", payment.Credit), r)
		if o.Receipt != (payment.Receipt{Customer: c.customer, Merchant: c.merchant}) {
			t.Errorf("%s: %q", name, o.Receipt)
		}
	}
}

// TestPix asks each manager as its vendor documents, and keeps what was really paid with.
func TestPix(t *testing.T) {
	for _, profile := range profiles {
		p, _ := tef.ProfileNamed(profile)
		atShop(t, profile, nil, func(t *testing.T, s *shop) {
			sold, o := s.sell(attempt(1, "10", payment.Pix), time.Minute)
			if !p.Takes(payment.Pix) {
				is(t, o, payment.Declined)
				if b, err := tefsim.ReadBalance(s.config.Ledger); err != nil || len(b.Accounts) > 0 {
					t.Errorf("%s: a sale went out: %+v, %v", profile, b, err)
				}
				return
			}
			if o.Verdict != payment.Accepted || o.PaidWith != payment.Pix || o.Brand != "" || len(o.EndToEndID) != 32 || o.Authorization != o.EndToEndID {
				t.Errorf("%s: %+v", profile, o)
			}
			if err := tefsim.Steer(s.config.Dir, tefsim.Order{Command: "CRT", Case: tefsim.OtherMethod}); err != nil {
				t.Fatal(err)
			}
			if _, o = s.sell(attempt(2, "10", payment.Pix), time.Minute); o.PaidWith == payment.Pix || o.Brand != "03" {
				t.Errorf("%s: a card counts as Pix: %+v", profile, o)
			}
			_, o = s.sell(giving(sold), time.Minute)
			is(t, o, payment.Accepted)
			s.balanced()
		})
	}
}

// A shop may have its people choose Pix in the manager's menu: then the answer alone says whether they did.
func TestPixInTheMenu(t *testing.T) {
	p, _ := tef.ProfileNamed("sitef")
	if got := tef.SaleFile(tef.Config{Profile: p.WithPixMenu()}, "17", payment.Request{Method: payment.Pix, Amount: attempt(1, "10", payment.Pix).Request.Amount}, false); strings.Contains(got, "017") || !strings.HasPrefix(got, "000-000 = CRT") {
		t.Error(got)
	}
	if p.Takes(payment.Pix) || !p.WithPixMenu().Takes(payment.Pix) || !p.WithPixMenu().Takes(payment.Debit) {
		t.Error("the table was changed, or the menu takes nothing")
	}
}
