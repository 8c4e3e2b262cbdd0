package simulate

import (
	"fmt"
	"net"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/cli/console"
)

func (s PIX) welcome(at net.Addr, ledger string) string {
	scheme, curl := "http", "curl"
	if s.TLSCert != "" {
		scheme, curl = "https", "curl --cacert "+console.ShellWord(s.TLSCert)
	}
	if s.ClientCA != "" {
		curl += " --cert CERTIFICADO --key CHAVE"
	}
	base := scheme + "://" + reachable(at)
	book, _ := pixsim.ReadBalance(ledger) // unreadable: it says so when it is opened
	return fmt.Sprintf(`Simulador PIX no ar; Ctrl-C encerra
  API        %[1]s
  Token      %[1]s/oauth/token
  Client id  %[2]s
  Segredo    %[3]s
  Chave PIX  %[4]s
  Livro      %[5]s%[6]s

O serviço usa-o com:
  %[7]s=%[8]s maquininha --acquirer-pix pix --pix-url %[1]s --pix-token-url %[1]s/oauth/token --pix-client-id %[9]s --pix-key %[10]s

%[11]s Para pagar a cobrança mais antiga, ver as que esperam, pagar uma, provocar uma falha (GET /sim lista todas):
  %[12]s -X POST %[1]s/sim/pay
  %[12]s %[1]s/sim/charges
  %[12]s -X POST %[1]s/sim/pay/TXID
  %[12]s -X POST %[1]s/sim/next -d '{"misbehaviour":"drop-after","on":"create"}'

`, base, s.ClientID, s.ClientSecret, s.Key, ledger, already(len(book.Accounts)),
		pixSecretVariable, console.ShellWord(s.ClientSecret), console.ShellWord(s.ClientID), console.ShellWord(s.Key), paying(s.AutoPay), curl)
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
