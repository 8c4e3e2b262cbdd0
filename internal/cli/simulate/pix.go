package simulate

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// The service reads the secret from there too, so that a shell which has it needs to say it once.
const pixSecretVariable = "MAQUININHA_PIX_CLIENT_SECRET"

// PIX is maquininha simulate pix.
type PIX struct {
	options.Place `embed:""`
	Listen        string        `default:"127.0.0.1:9060" placeholder:"ENDEREÇO" help:"Endereço da API."`
	Ledger        string        `placeholder:"ARQUIVO" help:"Livro do simulador; sem ele, simulador-pix.jsonl na pasta dos dados."`
	Key           string        `default:"123e4567-e12b-12d1-a456-426655440000" placeholder:"CHAVE" help:"Chave PIX da loja."`
	ClientID      string        `default:"simulador" placeholder:"ID" help:"Client id da loja."`
	ClientSecret  string        `default:"segredo-do-simulador" env:"MAQUININHA_PIX_CLIENT_SECRET" placeholder:"SEGREDO" help:"Client secret da loja."`
	AutoPay       time.Duration `placeholder:"TEMPO" help:"Cada cobrança é paga sozinha depois deste tempo, como 3s; sem ele, alguém tem de pagar."`
	Repeats       bool          `help:"Repetir um PUT é respondido como da primeira vez; sem isto, o id conta como já usado. A API permite os dois."`
	TokenLife     time.Duration `default:"10m" placeholder:"TEMPO" help:"Quanto vale um token."`
	Failures      `embed:""`
	TLSCert       string `name:"tls-cert" placeholder:"ARQUIVO" help:"Certificado do servidor, em PEM: serve por HTTPS."`
	TLSKey        string `name:"tls-key" placeholder:"ARQUIVO" help:"Chave do certificado, em PEM."`
	ClientCA      string `name:"client-ca" placeholder:"ARQUIVO" help:"Exige um certificado de cliente assinado por este, em PEM (TLS mútuo)."`
}

// Help is the rest of the page.
func (PIX) Help() string {
	var b strings.Builder
	b.WriteString(`Fora da API, sob /sim, estão os clientes e as manias do PSP (GET /sim lista tudo):
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
see-refund; sem ele, em qualquer uma menos token):
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
	case (s.TLSCert == "") != (s.TLSKey == ""):
		return errors.New("--tls-cert e --tls-key andam juntas")
	case s.ClientCA != "" && s.TLSCert == "":
		return errors.New("--client-ca pede --tls-cert e --tls-key")
	case s.Key == "" || len(s.Key) > 77:
		return errors.New("--key deve ter de 1 a 77 caracteres")
	case s.ClientID == "":
		return errors.New("--client-id não pode ser vazio")
	case s.AutoPay < 0 || s.TokenLife < time.Second:
		return errors.New("--auto-pay não pode ser negativo, e --token-life deve ser de ao menos 1s")
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
	secure, err := s.tls()
	if err != nil {
		return err
	}
	chaos, err := s.of(pixsim.Repertoire)
	if err != nil {
		return err
	}
	events := &eventLog{out: os.Stdout}
	config := pixsim.Config{
		Listen: s.Listen, TLS: secure, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Key: s.Key, Ledger: ledger,
		TokenLife: s.TokenLife, Repeats: s.Repeats, AutoPay: s.AutoPay, Chaos: chaos,
		Ready: func(a net.Addr) { fmt.Print(s.welcome(a, ledger)) },
		Log:   func(e pixsim.Exchange) { events.say(webLine(e, pixEvent)) },
	}
	return whyNot(pixsim.Run(ctx, config), s.Listen, ledger)
}

func (s PIX) tls() (*tls.Config, error) {
	if s.TLSCert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("lendo o certificado: %w", err)
	}
	secure := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if s.ClientCA != "" {
		pem, err := os.ReadFile(s.ClientCA)
		if err != nil {
			return nil, err
		}
		secure.ClientCAs, secure.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !secure.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s não tem nenhum certificado", s.ClientCA)
		}
	}
	return secure, nil
}
