package simulate

import (
	"fmt"
	"net"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/cli/console"
)

func (s PIX) welcome(at net.Addr, ledger string) string {
	book, _ := pixsim.ReadBalance(ledger) // unreadable: it says so when it is opened
	bank, _ := pixsim.BankNamed(s.As)     // checked already
	own := papersBeside(ledger)
	origin := map[bool]string{false: "http://", true: "https://"}[s.TLSCert != "" || s.makesPapers()] + reachable(at)
	return fmt.Sprintf(`Simulador PIX no ar; Ctrl-C encerra
  Banco      %[1]s
  API        %[2]s
  Token      %[3]s
  Client id  %[4]s
  Segredo    %[5]s
  Chave PIX  %[6]s
  Livro      %[7]s%[8]s

O serviço usa-o com:
  %[9]s

%[10]s Para pagar a cobrança mais antiga, ver as que esperam, pagar uma, provocar uma falha (GET /sim lista todas):
  %[11]s -X POST %[12]s/sim/pay
  %[11]s %[12]s/sim/charges
  %[11]s -X POST %[12]s/sim/pay/TXID
  %[11]s -X POST %[12]s/sim/next -d '{"misbehaviour":"drop-after","on":"create"}'

`, s.As, origin+bank.Base, origin+bank.Token, s.ClientID, s.ClientSecret, s.Key, ledger, already(len(book.Accounts)),
		s.service(bank, origin, own), paying(s.AutoPay), s.curl(own), origin)
}

// service is the command line with which the service uses the simulator.
func (s PIX) service(bank pixsim.Manner, origin string, own papers) string {
	words := []string{pixSecretVariable + "=" + console.ShellWord(s.ClientSecret)}
	if s.makesPapers() && bank.PKCS12 {
		words = append(words, pixPasswordVariable+"="+bundlePassword)
	}
	words = append(words, "maquininha", "--acquirer-pix", "pix")
	if s.As != "bacen" {
		words = append(words, "--pix-profile", s.As)
	}
	words = append(words, "--pix-url", origin+bank.Base, "--pix-token-url", origin+bank.Token,
		"--pix-client-id", console.ShellWord(s.ClientID), "--pix-key", console.ShellWord(s.Key))
	if len(bank.Query) > 0 {
		words = append(words, "--pix-app-key", console.ShellWord(s.AppKey))
	}
	if s.Account != "" {
		words = append(words, "--pix-account", console.ShellWord(s.Account))
	}
	if s.makesPapers() {
		cert := own.shop()
		if bank.PKCS12 {
			cert = own.bundle()
		}
		words = append(words, "--pix-ca", console.ShellWord(own.authority()), "--pix-cert", console.ShellWord(cert))
	}
	if bank.Code.Absent && bank.Code.Call == "" {
		words = append(words, "--pix-shop", "Loja", "--pix-city", "Recife") // the code is made of them
	}
	return strings.Join(words, " ")
}

// curl is how the simulator is reached by hand.
func (s PIX) curl(own papers) string {
	switch {
	case s.makesPapers():
		return "curl --cacert " + console.ShellWord(own.authority())
	case s.TLSCert == "":
		return "curl"
	case s.ClientCA != "" && s.As == "bacen":
		return "curl --cacert " + console.ShellWord(s.TLSCert) + " --cert CERTIFICADO --key CHAVE"
	}
	return "curl --cacert " + console.ShellWord(s.TLSCert)
}

// pixEvent is what happened, as people read it.
func pixEvent(e pixsim.Event) string {
	amount := reais(strings.Replace(e.Amount, ".", "", 1))
	switch e.Kind {
	case pixsim.Charged:
		return fmt.Sprintf("cobrança de %s criada, vale %d s", amount, e.Expiry)
	case pixsim.Paid:
		return fmt.Sprintf("pagamento de %s da cobrança %s (%s)", amount, e.TxID, e.E2EID)
	case pixsim.Removed:
		return fmt.Sprintf("cobrança %s: %s", e.TxID, e.Status)
	case pixsim.Refunded:
		return fmt.Sprintf("devolução %s de %s: %s", e.ID, amount, e.Status)
	}
	return ""
}
