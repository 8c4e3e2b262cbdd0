package tef_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/payment"
)

// TestMenuRequests is what opens each manager's menu: as its vendor has it, and nothing else.
func TestMenuRequests(t *testing.T) {
	for _, profile := range tef.Profiles {
		want := ""
		if profile.Name == "paygo" {
			want = "706-000 = 156|716-000 = Loja|733-000 = 210|735-000 = maquininha|"
		}
		want = strings.ReplaceAll("000-000 = ADM|001-000 = 17827|"+want+"999-999 = 0|", "|", "\r\n")
		if got := tef.MenuFile(tef.Config{Profile: profile, Company: "Loja", Application: "maquininha"}, "17827"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", profile.Name, got, want)
		}
	}
}

// A receipt that is printed again may come with the key of its sale. Left in the folder by a terminal that was switched off, it must not
// have the sale undone; what was done anew in the menu must be.
func TestMenuAnswerThatNobodyTook(t *testing.T) {
	for _, c := range []struct {
		key  func(sold payment.Transaction) string
		undo bool
	}{
		{func(sold payment.Transaction) string { return tef.KeyOf(sold.Outcome.Token) }, false},
		{func(payment.Transaction) string { return "999" }, true},
	} {
		atShop(t, "tefdial", nil, func(t *testing.T, s *shop) {
			sold, _ := s.sell(attempt(1, "10", payment.Credit), time.Minute)
			s.stop()
			left := "000-000 = ADM|001-000 = 555555|009-000 = 0|010-000 = DEMO|027-000 = " + c.key(sold) + "|028-000 = 1|029-001 = \"VIA\"|999-999 = 0|"
			path := filepath.Join(s.config.Dir, "Resp", "IntPos.001")
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(left, "|", "\r\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			s.startDriver()
			_ = s.Sweep(context.Background()) // nobody is there to be told
			if owes := len(s.owed) == 1 && strings.Contains(s.owed[0], "NCN"); owes != c.undo {
				t.Errorf("owed: %q", s.owed)
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("the answer still lies there")
			}
		})
	}
}

// The words of the menu's answer, with what a careless manager prints in it hidden.
func TestMenuReceipts(t *testing.T) {
	atShop(t, "sitef", nil, func(t *testing.T, s *shop) {
		s.sell(attempt(1, "10", payment.Credit), time.Minute)
		if err := tefsim.Steer(s.config.Dir, tefsim.Order{Command: "ADM", Case: tefsim.Careless}); err != nil {
			t.Fatal(err)
		}
		w, err := s.Administer(context.Background(), s.charge(payment.Transaction{Number: 777}))
		if err != nil || w.Verdict != payment.Accepted || w.Reverses != nil {
			t.Fatalf("%+v, %v", w, err)
		}
		if all := w.Receipt.Customer + w.Receipt.Merchant + w.Message; !strings.Contains(all, "4111 11** **** 1111") || strings.Contains(all, "1111 1111 1111") {
			t.Errorf("%q", all)
		}
		if got := s.shown[len(s.shown)-2]; got.Step != payment.StepMenu || !got.Committed {
			t.Errorf("shown: %+v", s.shown)
		}
	})
}

// What was cancelled in the menu is the sale of its day: the number of a network comes again.
func TestMenuCancellationsAreOfTheirDay(t *testing.T) {
	profile, _ := tef.ProfileNamed("tefdial")
	sold := `{"id":"1","network":"DEMO","nsu":"000123","date":"17112026","time":"101500"}`
	for told, want := range map[string]payment.Likeness{
		"": payment.Alike, "1711101559": payment.Exact, "17112026101500": payment.Exact, "1711174000": payment.Different, "1711112000": payment.Alike, "1811101500": payment.Different, "ontem": payment.Alike,
	} {
		answer := intpos.Of(intpos.Command, intpos.Admin, intpos.ID, "9", intpos.Status, "0", intpos.Network, "DEMO", intpos.OriginalNSU, "123", intpos.OriginalTime, told)
		if got := tef.AdministeredBy(profile, answer).Reverses(sold); got != want {
			t.Errorf("%q: %v, want %v", told, got, want)
		}
	}
	atElgin := intpos.Of(intpos.Command, intpos.Admin, intpos.ID, "9", intpos.Status, "0", intpos.OriginalNSU, "123", intpos.OriginalTime, "2603101500")
	if got := tef.AdministeredBy(profile, atElgin).Reverses(`{"nsu":"123","date":"0326","time":"1015"}`); got != payment.Exact {
		t.Errorf("month and day: %v", got)
	}
}
