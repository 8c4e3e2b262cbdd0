package tef_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/payment"
)

var profiles = tefsim.Vendors

func TestSaleAndCancellationByEveryProfile(t *testing.T) {
	for _, profile := range profiles {
		for _, upper := range []bool{false, true} {
			atShop(t, profile, func(c *tefsim.Config) { c.Upper = upper }, func(t *testing.T, s *shop) {
				tx := attempt(17, "260.70", payment.Credit)
				tx.Request.Installments, tx.Request.Plan = 3, payment.Seller
				tx, o := s.sell(tx, time.Minute)
				is(t, o, payment.Accepted)
				if o.NSU != "000001" || o.Authorization != "500001" || o.Brand != "01" || o.PaidWith != payment.Credit {
					t.Errorf("%s: %+v", profile, o)
				}
				if p, _ := tef.ProfileNamed(profile); p.Count != "" && o.Installments != 3 {
					t.Errorf("%s was asked for 3 instalments: %+v", profile, o)
				}
				if o.AcquirerCNPJ != "16501555000157" {
					t.Errorf("%s: the acquirer is %q", profile, o.AcquirerCNPJ)
				}
				if o.Message != "TRANSAÇÃO AUTORIZADA" || !strings.HasPrefix(o.Receipt.Customer, "      LOJA DO SIMULADOR\nVIA ") || o.Receipt.Merchant == "" {
					t.Errorf("%s: %+v", profile, o)
				}
				s.balanced()
				_, o = s.sell(giving(tx), time.Minute)
				is(t, o, payment.Accepted)
				if o.NSU != "000002" {
					t.Errorf("%s: NSU %q", profile, o.NSU)
				}
				s.balanced()
				s.empty()
			})
		}
	}
}

// empty: nothing is left in the folders to be taken for an answer or a request.
func (s *shop) empty() {
	s.t.Helper()
	for _, dir := range []string{"Req", "Resp"} {
		entries, err := os.ReadDir(filepath.Join(s.config.Dir, dir))
		if err != nil || len(entries) > 0 {
			s.t.Errorf("%s: %v, %v", dir, entries, err)
		}
	}
}

// TestCases is how each way to end ends, and that both ledgers agree after the next sale at the latest.
func TestCases(t *testing.T) {
	for _, test := range []struct {
		order   tefsim.Order
		verdict payment.Verdict
		message string
	}{
		{tefsim.Order{Case: tefsim.Approve}, payment.Accepted, "TRANSAÇÃO AUTORIZADA"},
		{tefsim.Order{Case: tefsim.Refuse, Message: "Cartão vencido"}, payment.Declined, "Cartão vencido"},
		{tefsim.Order{Case: tefsim.Cancel}, payment.Abandoned, "OPERAÇÃO CANCELADA"},
		{tefsim.Order{Case: tefsim.NoStatus}, payment.Declined, "Gerenciador TEF não está ativo"},
		{tefsim.Order{Command: "ATV", Case: tefsim.NoStatus}, payment.Declined, "Gerenciador TEF não está ativo"},
		{tefsim.Order{Case: tefsim.Mute}, payment.Abandoned, ""},
		{tefsim.Order{Case: tefsim.Silence}, payment.Abandoned, ""},
		{tefsim.Order{Case: tefsim.Lost}, payment.Abandoned, ""},
		{tefsim.Order{Case: tefsim.Partial}, payment.Accepted, "TRANSAÇÃO AUTORIZADA"},
		{tefsim.Order{Case: tefsim.Locked}, payment.Accepted, "TRANSAÇÃO AUTORIZADA"},
		{tefsim.Order{Case: tefsim.WrongID}, payment.Abandoned, ""},
		{tefsim.Order{Case: tefsim.NoID}, payment.Abandoned, ""},
		{tefsim.Order{Case: tefsim.WrongAmount}, payment.Declined, "Valor divergente na resposta do TEF; operação desfeita"},
		{tefsim.Order{Case: tefsim.Final}, payment.Accepted, "TRANSAÇÃO AUTORIZADA"},
		{tefsim.Order{Case: tefsim.NoResult}, payment.Abandoned, "Resposta inconsistente do TEF"},
		{tefsim.Order{Case: tefsim.Pending}, payment.Declined, "TRANSAÇÃO PENDENTE"},
		{tefsim.Order{Case: tefsim.Late}, payment.Abandoned, ""},
		{tefsim.Order{Case: tefsim.Duplicate}, payment.Accepted, "TRANSAÇÃO AUTORIZADA"},
	} {
		for _, profile := range profiles {
			t.Run(string(test.order.Case)+"/"+profile, func(t *testing.T) {
				t.Parallel()
				atShop(t, profile, func(c *tefsim.Config) { c.Lateness = 20 * time.Second }, func(t *testing.T, s *shop) {
					if err := tefsim.Steer(s.config.Dir, test.order); err != nil {
						t.Fatal(err)
					}
					_, o := s.sell(attempt(1, "10", payment.Credit), 15*time.Second)
					if o.Verdict != test.verdict || o.Message != test.message {
						t.Errorf("%s, %s: %+v", test.order, profile, o)
					}
					time.Sleep(30 * time.Second) // the late answer, and the second one, are there
					ctx, cancel := within(time.Minute)
					defer cancel()
					if err := s.Sweep(ctx); err != nil {
						t.Error(err)
					}
					// The first may be refused because of what is still open at the network; that resolves it.
					if _, o := s.sell(attempt(2, "10", payment.Debit), time.Minute); o.Verdict != payment.Accepted {
						if _, o := s.sell(attempt(3, "10", payment.Debit), time.Minute); o.Verdict != payment.Accepted {
							t.Errorf("%s, %s: then %+v", test.order, profile, o)
						}
					}
					s.balanced()
					s.empty()
				})
			})
		}
	}
}

func TestLateAnswerIsUndoneWithoutAnotherSale(t *testing.T) {
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		for id, c := range []tefsim.Case{tefsim.Late, tefsim.Duplicate} {
			if err := tefsim.Steer(s.config.Dir, tefsim.Order{Case: c}); err != nil {
				t.Fatal(err)
			}
			s.sell(attempt(int64(id+1), "10", payment.Credit), 10*time.Second)
			time.Sleep(time.Minute)
			ctx, cancel := within(time.Minute)
			if err := s.Sweep(ctx); err != nil {
				t.Error(err)
			}
			cancel()
			s.balanced()
			s.empty()
		}
	})
}

func TestSweepLeavesWhatIsOnItsWayToTheLedger(t *testing.T) {
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		tx := attempt(1, "10", payment.Credit)
		ctx, cancel := within(time.Minute)
		defer cancel()
		o, err := s.Pay(ctx, s.charge(tx))
		if err != nil || s.Sweep(ctx) != nil {
			t.Fatal(o, err)
		}
		s.confirms(s.keep(tx, o))
		s.balanced()
	})
}

func TestConfirmationIsRepeatedUntilAcknowledged(t *testing.T) {
	for _, forget := range []string{"nothing", "driver", "file"} {
		atShop(t, "elgin", nil, func(t *testing.T, s *shop) {
			if err := tefsim.Steer(s.config.Dir, tefsim.Order{Command: "CNF", Case: tefsim.NoStatus}); err != nil {
				t.Fatal(err)
			}
			tx := attempt(1, "10", payment.Credit)
			ctx, cancel := within(5 * time.Minute)
			defer cancel()
			o, err := s.Pay(ctx, s.charge(tx))
			if err != nil {
				t.Fatal(err)
			}
			tx = s.keep(tx, o)
			if err := s.Confirm(ctx, tx); err == nil {
				t.Fatal("nobody acknowledged it")
			}
			// Whatever is forgotten, the next sale does not undo what was decided.
			if forget != "nothing" {
				s.startDriver()
			}
			if forget == "file" {
				if err := os.Remove(filepath.Join(s.config.Dir, "Resp", "IntPos.001")); err != nil {
					t.Fatal(err)
				}
			}
			_, o = s.sell(attempt(2, "10", payment.Credit), time.Minute)
			if want := forget != "file"; want != (o.Verdict == payment.Accepted) {
				t.Errorf("%s: %+v", forget, o)
			}
			s.balanced()
			s.confirms(tx)
			s.confirms(tx)
			s.balanced()
		})
	}
}

func TestManagerThatIsNotThere(t *testing.T) {
	atShop(t, "sitef", nil, func(t *testing.T, s *shop) {
		s.stop()
		began := time.Now()
		_, o := s.sell(attempt(1, "10", payment.Credit), time.Minute)
		is(t, o, payment.Declined)
		if took := time.Since(began); took < 7*time.Second || took > 9*time.Second {
			t.Errorf("took %v", took)
		}
		s.empty()
		s.startManager()
		time.Sleep(time.Minute)
		s.balanced()
	})
}

// A payment that is called off while the manager is looked for ends at once, and leaves nothing for a manager that comes later.
func TestCalledOffBeforeTheManagerIsFound(t *testing.T) {
	atShop(t, "sitef", nil, func(t *testing.T, s *shop) {
		s.stop()
		off := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(off) })
		c := s.charge(attempt(1, "10", payment.Credit))
		c.CalledOff = off
		began := time.Now()
		o, err := s.Pay(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		is(t, o, payment.Abandoned)
		if took := time.Since(began); took > 4*time.Second { // of the test's own clock
			t.Errorf("took %v", took)
		}
		s.empty()
		s.startManager()
		s.balanced()
	})
}

// A request left behind is withdrawn before a manager started later can charge.
func TestRequestLeftBehindIsWithdrawn(t *testing.T) {
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		s.stop()
		request := filepath.Join(s.config.Dir, "Req", "INTPOS.001")
		leave := func() {
			if err := os.WriteFile(request, []byte("000-000 = CRT\n001-000 = 100\n003-000 = 1000\n999-999 = 0\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		leave()
		tx := attempt(1, "10", payment.Credit)
		is(t, s.settles(tx), payment.Abandoned)
		s.empty()
		leave()
		s.startDriver()
		s.empty()
		ctx, cancel := within(5 * time.Second)
		defer cancel()
		if o, err := s.Settle(ctx, tx); err == nil {
			t.Errorf("nobody can know, yet %+v", o)
		}
		s.startManager()
		is(t, s.settles(tx), payment.Abandoned)
		s.balanced()
	})
}

func TestPrompts(t *testing.T) {
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		s.sell(attempt(1, "10", payment.Credit), time.Minute)
		card, taken := payment.Prompt{Step: payment.StepCard, Method: payment.Credit, Agreed: 1}, payment.Prompt{Step: payment.StepCard, Method: payment.Credit, Agreed: 1, Committed: true}
		processing := payment.Prompt{Step: payment.StepProcessing, Method: payment.Credit, Agreed: 1}
		preparing := processing
		preparing.Preparing = true // whether the manager is there
		if !reflect.DeepEqual(s.shown, []payment.Prompt{preparing, card, taken, processing}) {
			t.Errorf("%+v", s.shown)
		}
		s.shown = nil
		_, o := s.sell(attempt(2, "10", payment.AnyMethod), time.Minute)
		if len(s.shown) != 5 || s.shown[0].Step != payment.StepChoose || !s.shown[0].Cancellable || s.shown[1].Method != payment.Debit || o.PaidWith != payment.Debit {
			t.Errorf("%+v, %+v", s.shown, o)
		}
		s.action = payment.Action{Kind: payment.ActChoose, Method: payment.Pix}
		if _, o = s.sell(attempt(3, "10", payment.AnyMethod), time.Minute); o.PaidWith != payment.Pix || o.Brand != "" {
			t.Errorf("%+v", o)
		}
		s.action = payment.Action{Kind: payment.ActCancel}
		_, o = s.sell(attempt(4, "10", payment.AnyMethod), time.Minute)
		is(t, o, payment.Abandoned)
		s.balanced()
	})
}

func TestMagicAmounts(t *testing.T) {
	atShop(t, "sitef", nil, func(t *testing.T, s *shop) {
		for id, want := range []struct {
			amount  string
			verdict payment.Verdict
		}{{"0.51", payment.Declined}, {"0.57", payment.Abandoned}, {"0.98", payment.Abandoned}, {"51", payment.Accepted}} {
			_, o := s.sell(attempt(int64(id+1), want.amount, payment.Credit), time.Minute)
			is(t, o, want.verdict)
		}
		s.balanced()
	})
}

func TestReversalNeedsItsSale(t *testing.T) {
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		_, o := s.sell(giving(attempt(1, "10", payment.Credit)), time.Minute)
		is(t, o, payment.Declined)
		tx, _ := s.sell(attempt(2, "10", payment.Credit), time.Minute)
		first, o := s.sell(giving(tx), time.Minute)
		is(t, o, payment.Accepted)
		if _, o = s.sell(giving(first), time.Minute); o.Verdict != payment.Declined || o.Message != "TRANSAÇÃO JÁ CANCELADA" {
			t.Errorf("%+v", o)
		}
	})
}

// The answer to a sale that was given up comes while the next one is under way.
func TestAnswerOfAnotherMeanwhile(t *testing.T) {
	atShop(t, "paygo", func(c *tefsim.Config) { c.Lateness = 30 * time.Second }, func(t *testing.T, s *shop) {
		if err := tefsim.Steer(s.config.Dir, tefsim.Order{Case: tefsim.Late}, tefsim.Order{Case: tefsim.Late}); err != nil {
			t.Fatal(err)
		}
		_, o := s.sell(attempt(1, "10", payment.Credit), 10*time.Second)
		is(t, o, payment.Abandoned)
		_, o = s.sell(attempt(2, "20", payment.Credit), time.Minute)
		is(t, o, payment.Accepted)
		s.balanced()
		s.empty()
	})
}
