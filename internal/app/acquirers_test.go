//go:build unix

package app_test

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/app"
)

func TestAcquirersAreChecked(t *testing.T) {
	t.Parallel()
	psp := app.PSP{URL: "https://pix.example.com", TokenURL: "https://pix.example.com/token", ClientID: "id", ClientSecret: "secret", Key: "key"}
	half := psp
	half.ClientSecret, half.Key = "", ""
	paygo := app.TEF{Profile: "paygo"}
	for _, c := range []struct {
		given app.Acquirers
		mode  app.Mode
		want  string // part of the complaint
	}{
		{app.Acquirers{}, app.Production, ""},
		{app.Acquirers{Card: "none", Pix: "none"}, app.Production, ""},
		{app.Acquirers{Card: "tef", Pix: "pix", TEF: paygo, PSP: psp}, app.Production, ""},
		{app.Acquirers{Card: "emulator"}, app.Emulator, ""},
		{app.Acquirers{Card: "emulator"}, app.Production, "--acquirer-card emulator"},
		{app.Acquirers{Pix: "emulator"}, app.Production, "--acquirer-pix emulator"},
		{app.Acquirers{Card: "pix", PSP: psp}, app.Production, "--acquirer-card deve ser um de"},
		{app.Acquirers{Pix: "boleto"}, app.Production, "--acquirer-pix deve ser um de"},
		{app.Acquirers{Card: "tef", TEF: app.TEF{Profile: "stone"}}, app.Production, "--tef-profile deve ser um de paygo"},
		{app.Acquirers{Card: "tef", Pix: "tef", TEF: app.TEF{Profile: "elgin"}}, app.Production, ""},
		{app.Acquirers{Card: "tef", TEF: app.TEF{Profile: "tefdial"}}, app.Production, ""},
		{app.Acquirers{Card: "tef", Pix: "tef", TEF: app.TEF{Profile: "tefdial"}}, app.Production, "--acquirer-pix não pode ser tef"},
		{app.Acquirers{Card: "tef", Pix: "tef", TEF: app.TEF{Profile: "sitef"}}, app.Production, "--tef-pix-menu"},
		{app.Acquirers{Card: "tef", Pix: "tef", TEF: app.TEF{Profile: "sitef", PixMenu: true}}, app.Production, ""},
		{app.Acquirers{Card: "tef", TEF: app.TEF{Profile: "auttar", PixMenu: true}}, app.Production, "--tef-pix-menu só vale"},
		{app.Acquirers{Card: "tef", TEF: app.TEF{Profile: "tefdial", Files: "gettemp.dat,getreq.dat, getresp.dat,getstat.dat"}}, app.Production, ""},
		{app.Acquirers{Card: "tef", TEF: app.TEF{Profile: "tefdial", Files: "getreq.dat,getresp.dat"}}, app.Production, "--tef-files pede quatro"},
		{app.Acquirers{Pix: "pix", PSP: app.PSP{Profile: "sicoob", ClientID: "id", Key: "key"}}, app.Production, ""},
		{app.Acquirers{Pix: "pix", PSP: app.PSP{Profile: "bb", ClientID: "id", ClientSecret: "secret", Key: "key"}}, app.Production, "precisa de --pix-app-key"},
		{app.Acquirers{Pix: "pix", PSP: app.PSP{Profile: "santander", ClientID: "id", ClientSecret: "secret", Key: "key"}}, app.Production, "precisa de --pix-city"},
		{app.Acquirers{Pix: "pix", PSP: app.PSP{Profile: "nubank"}}, app.Production, "--pix-profile deve ser um de bacen, itau"},
		{app.Acquirers{Pix: "pix", PSP: app.PSP{Profile: "itau", Settings: pix.Settings{TokenAuth: "digest"}}}, app.Production, "--pix-token-auth deve ser um de basic"},
		{app.Acquirers{Pix: "pix", PSP: half}, app.Production, "MAQUININHA_PIX_CLIENT_SECRET, --pix-key"},
	} {
		err := c.given.Check(c.mode)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v in %s: %v", c.given, c.mode, err)
		}
	}
}

// shopWithBoth is a terminal that takes cards by TEF and PIX at a PSP, both simulated.
func shopWithBoth(t *testing.T) (term *terminal, manager, psp string) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 2)
	manager, psp = filepath.Join(dir, "tef.jsonl"), filepath.Join(dir, "pix.jsonl")
	go func() {
		done <- tefsim.Run(ctx, tefsim.Config{Dir: filepath.Join(dir, "tef"), Ledger: manager})
	}()
	ready := make(chan string, 1)
	go func() {
		done <- pixsim.Run(ctx, pixsim.Config{
			Listen: "127.0.0.1:0", ClientID: "loja", ClientSecret: "s", Key: "chave", Ledger: psp, AutoPay: time.Millisecond,
			Ready: func(a net.Addr) { ready <- "http://" + a.String() },
		})
	}()
	t.Cleanup(func() {
		stop()
		must(t, <-done, <-done)
	})
	base := <-ready
	c := config(filepath.Join(dir, "data"))
	c.AutopilotDelay = 0
	c.Acquirers = app.Acquirers{
		Card: "tef", Pix: "pix", TEF: app.TEF{Profile: "paygo", Dir: filepath.Join(dir, "tef")},
		PSP: app.PSP{URL: base, TokenURL: base + "/oauth/token", ClientID: "loja", ClientSecret: "s", Key: "chave"},
	}
	return start(t, c), manager, psp
}

func TestPaidByTEFAndPIX(t *testing.T) {
	t.Parallel()
	term, manager, psp := shopWithBoth(t)
	pay := func(tPag, reference string) string {
		return term.ok(t, "POST", "/transaction", fmt.Sprintf(`{"tPag":%q,"amount":10.00,"referenceId":%q}`, tPag, reference))
	}
	if got := pay("03", "cartão"); !strings.Contains(got, `"tBand":"01"`) {
		t.Error(got)
	}
	if got := pay("17", "pix"); !strings.Contains(got, `"endToEndId":"E`) {
		t.Error(got)
	}
	if got := pay("99", "aberto"); !strings.Contains(got, `"tPag":"03"`) { // the autopilot takes the first that is offered
		t.Error(got)
	}
	term.ok(t, "POST", "/transaction/cart%C3%A3o/reversal", "")
	term.ok(t, "POST", "/transaction/aberto/reversal", "")
	pay("17", "devolvido")
	term.ok(t, "POST", "/transaction/devolvido/reversal", "") // it confirms on the screen
	if got := get[stored](t, term.caller, "/transaction/cart%C3%A3o"); got.Details.Status != "reversed" {
		t.Errorf("%+v", got)
	}
	cards, err := tefsim.ReadBalance(manager)
	must(t, err)
	charges, err := pixsim.ReadBalance(psp)
	must(t, err)
	if len(cards.Protests) != 0 || len(charges.Violations) != 0 {
		t.Errorf("%+v, %+v", cards.Protests, charges.Violations)
	}
	for _, a := range cards.Accounts {
		if a.Open || a.Standing() {
			t.Errorf("after its cancellation: %+v", a)
		}
	}
	if len(charges.Accounts) != 2 || charges.Accounts[0].Standing().String() != "10.00" || charges.Accounts[1].Standing().Sign() != 0 {
		t.Errorf("%+v", charges.Accounts)
	}
}
