package tef_test

import (
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// TestRequests holds the bytes of every profile to the example of the facts page.
func TestRequests(t *testing.T) {
	seller := payment.Request{Method: payment.Credit, Amount: money.MustParse("150"), Installments: 3, Plan: payment.Seller}
	buyer := seller
	buyer.Plan = payment.Buyer
	plain := payment.Request{Method: payment.Credit, Amount: money.MustParse("260.7"), Installments: 1, Plan: payment.Single}
	debit, pix := plain, plain
	debit.Method, pix.Method, pix.Amount = payment.Debit, payment.Pix, money.MustParse("0.05")
	for _, c := range []struct {
		profile string
		request payment.Request
		open    bool
		want    string
	}{
		{"paygo", seller, false, "003-000 = 15000|004-000 = 0|018-000 = 3|706-000 = 156|731-000 = 1|732-000 = 3|733-000 = 210|749-000 = 1"},
		{"paygo", buyer, false, "003-000 = 15000|004-000 = 0|018-000 = 3|706-000 = 156|731-000 = 1|732-000 = 2|733-000 = 210|749-000 = 1"},
		{"paygo", plain, false, "003-000 = 26070|004-000 = 0|706-000 = 156|731-000 = 1|732-000 = 1|733-000 = 210|749-000 = 1"},
		{"paygo", plain, true, "003-000 = 26070|004-000 = 0|706-000 = 156|731-000 = 1|733-000 = 210|749-000 = 1"},
		{"paygo", debit, false, "003-000 = 26070|004-000 = 0|706-000 = 156|731-000 = 2|732-000 = 1|733-000 = 210|749-000 = 1"},
		{"paygo", pix, false, "003-000 = 5|004-000 = 0|706-000 = 156|733-000 = 210|749-000 = 8|750-000 = 4"},
		{"tefdial", seller, false, "002-000 = 17827|003-000 = 15000|004-000 = 0"},
		{"auttar", debit, false, "002-000 = 17827|003-000 = 26070|004-000 = 0"},
		{"sitef", seller, false, "002-000 = 17827|003-000 = 150,00|004-000 = 0|017-000 = 0|018-000 = 3"},
		{"sitef", buyer, false, "002-000 = 17827|003-000 = 150,00|004-000 = 0|017-000 = 1|018-000 = 3"},
		{"sitef", plain, false, "002-000 = 17827|003-000 = 260,70|004-000 = 0"},
		{"elgin", debit, false, "002-000 = 17827|003-000 = 26070|011-000 = 20|731-000 = 2"},
		{"elgin", seller, false, "002-000 = 17827|003-000 = 15000|011-000 = 11|017-000 = 0|018-000 = 3|731-000 = 1"},
		{"elgin", pix, false, "PIX|002-000 = 17827|003-000 = 5"},
		{"connecttef", plain, false, "003-000 = 26070|004-000 = 0|011-000 = 10"},
		{"connecttef", seller, false, "003-000 = 15000|004-000 = 0|011-000 = 11|018-000 = 3"},
		{"connecttef", buyer, false, "003-000 = 15000|004-000 = 0|011-000 = 12|018-000 = 3"},
		{"connecttef", debit, false, "003-000 = 26070|004-000 = 0|011-000 = 20"},
		{"connecttef", pix, false, "003-000 = 5|004-000 = 0|011-000 = 30"},
		{"multiplus", plain, false, "003-000 = 26070|800-001 = 0|800-002 = 0"},
		{"multiplus", seller, false, "003-000 = 15000|800-001 = 0|800-002 = 1|800-003 = 1|800-004 = 3"},
		{"multiplus", buyer, false, "003-000 = 15000|800-001 = 0|800-002 = 1|800-003 = 0|800-004 = 3"},
		{"multiplus", pix, false, "003-000 = 5|800-001 = 5"},
	} {
		profile, _ := tef.ProfileNamed(c.profile)
		command := "CRT"
		if fields, own := strings.CutPrefix(c.want, "PIX|"); own {
			command, c.want = "PIX", fields
		}
		want := strings.ReplaceAll("000-000 = "+command+"|001-000 = 17827|"+c.want+"|999-999 = 0|", "|", "\r\n")
		if got := tef.SaleFile(tef.Config{Profile: profile}, "17827", c.request, c.open); got != want {
			t.Errorf("%s, %s:\n%s\nwant\n%s", c.profile, c.request.Method, got, want)
		}
	}
}

func TestRequestsThatFollow(t *testing.T) {
	const kept = `{"id":"17827","network":"DEMO","nsu":"721554","authorization":"543733","date":"31032025","time":"120343","key":"310320251203721554"}`
	lines := func(s string) string { return strings.ReplaceAll(s+"|999-999 = 0|", "|", "\r\n") }
	const (
		all     = "010-000 = DEMO|012-000 = 721554|027-000 = 310320251203721554"
		sale    = "010-000 = DEMO|012-000 = 721554|013-000 = 543733|022-000 = 31032025|023-000 = 120343|027-000 = 310320251203721554"
		without = "010-000 = DEMO|012-000 = 721554|022-000 = 31032025|023-000 = 120343"
		who     = "733-000 = 210|735-000 = Maquininha|736-000 = 1.0|738-000 = K"
	)
	for profile, want := range map[string]struct{ confirmation, undoing, cancellation string }{
		"paygo":      {all + "|" + who, all + "|" + who, "003-000 = 15000|004-000 = 0|" + sale + "|706-000 = 156|716-000 = Acai Ltda|" + who},
		"tefdial":    {all, all, "003-000 = 15000|004-000 = 0|" + sale},
		"auttar":     {all, all, "003-000 = 15000|004-000 = 0|" + sale},
		"sitef":      {all, all, "003-000 = 150,00|004-000 = 0|" + sale},
		"elgin":      {"027-000 = 310320251203721554", "027-000 = 310320251203721554", "003-000 = 15000|" + sale},
		"connecttef": {all, "", "003-000 = 15000|004-000 = 0|" + without},
		"multiplus":  {all, all, "003-000 = 15000|" + without},
	} {
		p, _ := tef.ProfileNamed(profile)
		c := tef.Config{Profile: p, Company: "Açaí Ltda", Application: "Maquininha", Version: "1.0", Certification: "K"}
		for _, file := range []struct{ command, id, got, want string }{
			{"CNF", "17827", tef.FinishFile(c, "CNF", kept), want.confirmation},
			{"NCN", "17827", tef.FinishFile(c, "NCN", kept), want.undoing},
			{"CNC", "1701", tef.CancelFile(c, "1701", money.MustParse("150"), kept), want.cancellation},
		} {
			whole := lines("000-000 = " + file.command + "|001-000 = " + file.id + strings.TrimSuffix("|"+file.want, "|"))
			if file.got != whole {
				t.Errorf("%s:\n%s\nwant\n%s", profile, file.got, whole)
			}
		}
		if got, want := tef.FinishFile(c, "NCN", strings.Replace(kept, "{", `{"reported":true,`, 1)), all; !strings.Contains(got, strings.ReplaceAll(want, "|", "\r\n")) {
			t.Errorf("%s can't tell which sale of another's answer it means:\n%s", profile, got)
		}
	}
}
