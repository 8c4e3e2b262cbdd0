package simulate

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// The service reads the secret from there too, so that a shell which has it needs to say it once.
const (
	pixSecretVariable   = "MAQUININHA_PIX_CLIENT_SECRET"
	pixPasswordVariable = "MAQUININHA_PIX_CERT_PASSWORD"
)

// PIX is maquininha simulate pix.
type PIX struct {
	options.Place `embed:""`
	As            string        `default:"bacen" placeholder:"PERFIL" help:"O banco a imitar: itau, bradesco, bb, santander, inter, sicoob, sicredi, c6, banrisul, ailos, efi, cielo, pagseguro ou bacen, o texto do Banco Central."`
	Listen        string        `default:"127.0.0.1:9060" placeholder:"ENDEREÇO" help:"Endereço da API."`
	Ledger        string        `placeholder:"ARQUIVO" help:"Livro do simulador; sem ele, simulador-pix.jsonl na pasta dos dados."`
	Key           string        `default:"123e4567-e12b-12d1-a456-426655440000" placeholder:"CHAVE" help:"Chave PIX da loja."`
	ClientID      string        `default:"simulador" placeholder:"ID" help:"Client id da loja."`
	ClientSecret  string        `default:"segredo-do-simulador" env:"MAQUININHA_PIX_CLIENT_SECRET" placeholder:"SEGREDO" help:"Client secret da loja."`
	AppKey        string        `default:"chave-do-simulador" placeholder:"CHAVE" help:"Chave da aplicação da loja, para o banco que a pede."`
	Account       string        `placeholder:"CONTA" help:"Conta corrente que toda chamada deve nomear, como no Inter quando a aplicação tem várias."`
	AutoPay       time.Duration `placeholder:"TEMPO" help:"Cada cobrança é paga sozinha depois deste tempo, como 3s; sem ele, alguém tem de pagar."`
	Repeats       bool          `help:"Repetir um PUT é respondido como da primeira vez; sem isto, o id conta como já usado. A API permite os dois."`
	TokenLife     time.Duration `placeholder:"TEMPO" help:"Quanto vale um token; sem ele, como no banco, ou 10 minutos."`
	PerMinute     int           `placeholder:"N" help:"Chamadas que passam em um minuto; as demais são recusadas com 429. Sem ele, todas passam."`
	NoWithdrawal  bool          `help:"O banco não retira cobranças: PATCH é recusado com 405, e elas vencem sozinhas."`
	Failures      `embed:""`
	NoTLS         bool   `name:"no-tls" help:"Serve por HTTP, sem certificados; só bacen é assim por si."`
	TLSCert       string `name:"tls-cert" placeholder:"ARQUIVO" help:"Certificado do servidor, em PEM: serve por HTTPS."`
	TLSKey        string `name:"tls-key" placeholder:"ARQUIVO" help:"Chave do certificado, em PEM."`
	ClientCA      string `name:"client-ca" placeholder:"ARQUIVO" help:"Exige um certificado de cliente assinado por este, em PEM (TLS mútuo)."`
}

// Help is the rest of the page.
func (PIX) Help() string {
	var b strings.Builder
	b.WriteString(`Cada banco pede o token do seu jeito, com os seus cabeçalhos, e responde e recusa do seu; nada além disso é aceito. Os certificados
dos dois lados são feitos na primeira vez e ficam ao lado do livro. Por HTTPS, acrescente ao curl a opção que o simulador mostra.

Fora da API, sob /sim, estão os clientes e as manias do PSP (GET /sim lista tudo):
  curl -X POST http://127.0.0.1:9060/sim/pay                       um cliente paga a cobrança mais antiga
  curl -X POST http://127.0.0.1:9060/sim/pay/TXID                  ou esta
  curl -X POST http://127.0.0.1:9060/sim/pay/TXID -d '{"valor":"9.99"}'  com outro valor; {"times":2} paga duas vezes,
                                                                   {"late":true} paga mesmo expirada ou retirada
  curl -X POST http://127.0.0.1:9060/sim/remove/TXID               o PSP remove a cobrança
  curl -X POST http://127.0.0.1:9060/sim/next -d '{"misbehaviour":"drop-after","on":"create"}'
  curl -X POST http://127.0.0.1:9060/sim/behave                    esquece o que daria errado
  curl http://127.0.0.1:9060/sim/charges                           as cobranças que podem ser pagas agora
  curl http://127.0.0.1:9060/sim/violations                        os pedidos que violaram uma regra da API

O que /sim/next faz dar errado; "times" diz quantas vezes, "on" em que chamada (token, create, see, withdraw, refund,
see-refund, code; sem ele, em qualquer uma menos token):
`)
	b.WriteString(listed(pixsim.Repertoire))
	b.WriteString(`
--chaos sorteia todas menos paid-late, dinheiro que chega depois do fim e volta mais tarde, e não toca em quem pede um token.

O livro tem uma linha de JSON por evento: charge (cobrança), payment, removal, refund, violation. Sobrevive a quedas e pode
ser lido enquanto o simulador trabalha.`)
	return b.String()
}

// Validate refuses what no PSP could run with; kong calls it.
func (s PIX) Validate() error {
	_, err := s.of(pixsim.Repertoire)
	switch {
	case err != nil:
		return err
	case !slices.Contains(pixsim.Names(), s.As):
		return fmt.Errorf("--as: %q não é um banco; há %s", s.As, strings.Join(pixsim.Names(), ", "))
	case s.NoTLS && s.TLSCert != "":
		return errors.New("--no-tls e --tls-cert se excluem")
	case (s.TLSCert == "") != (s.TLSKey == ""):
		return errors.New("--tls-cert e --tls-key andam juntas")
	case s.ClientCA != "" && s.TLSCert == "":
		return errors.New("--client-ca pede --tls-cert e --tls-key")
	case s.Key == "" || len(s.Key) > 77:
		return errors.New("--key deve ter de 1 a 77 caracteres")
	case s.ClientID == "":
		return errors.New("--client-id não pode ser vazio")
	case s.AutoPay < 0 || s.PerMinute < 0:
		return errors.New("--auto-pay e --per-minute não podem ser negativos")
	case s.TokenLife != 0 && s.TokenLife < time.Second:
		return errors.New("--token-life deve ser de ao menos 1s")
	}
	return nil
}

// Run plays the bank until it is interrupted.
func (s PIX) Run(ctx context.Context) error {
	s.ClientSecret = cmp.Or(s.ClientSecret, "segredo-do-simulador") // set but empty, as deployment files like to do
	ledger, err := bookOf(s.Place, s.Ledger, "simulador-pix.jsonl")
	if err != nil {
		return err
	}
	secure, err := s.tls(papersBeside(ledger))
	if err != nil {
		return err
	}
	chaos, err := s.of(pixsim.Repertoire)
	if err != nil {
		return err
	}
	events := &eventLog{out: os.Stdout}
	config := pixsim.Config{
		As: s.As, Listen: s.Listen, TLS: secure, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Key: s.Key, Ledger: ledger,
		AppKey: s.AppKey, Account: s.Account, TokenLife: s.TokenLife, PerMinute: s.PerMinute, KeepsCharges: s.NoWithdrawal, Repeats: s.Repeats, AutoPay: s.AutoPay, Chaos: chaos,
		Ready: func(a net.Addr) { fmt.Print(s.welcome(a, ledger)) },
		Log:   func(e pixsim.Exchange) { events.say(webLine(e, pixEvent)) },
	}
	return whyNot(pixsim.Run(ctx, config), s.Listen, ledger)
}

// makesPapers tells of a bank with certificates that nobody has named.
func (s PIX) makesPapers() bool { return s.TLSCert == "" && s.As != "bacen" && !s.NoTLS }

func (s PIX) tls(own papers) (*tls.Config, error) {
	switch {
	case s.makesPapers():
		return own.server(s.Listen)
	case s.TLSCert == "":
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("lendo o certificado: %w", err)
	}
	secure := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if s.ClientCA != "" {
		if secure.ClientCAs, err = poolOf(s.ClientCA); err != nil {
			return nil, err
		}
		secure.ClientAuth = tls.RequireAndVerifyClientCert
		if s.As != "bacen" {
			secure.ClientAuth = tls.VerifyClientCertIfGiven // which calls need one is the bank's to say
		}
	}
	return secure, nil
}
