// Package hub is the commands by which a terminal joins a hub and leaves it. A service that runs on the same data folder notices by itself.
package hub

import (
	"context"
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/syserror"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Join is maquininha join.
type Join struct {
	Address       string `arg:"" name:"endereço" missing:"informe o endereço do hub" help:"Endereço do hub, como https://hub.exemplo.com.br."`
	Code          string `arg:"" name:"código" missing:"informe o código que o hub mostra" help:"Código que alguém gerou no hub; vale por 10 minutos, uma vez."`
	Pin           string `name:"pin" placeholder:"SHA256" help:"Chave do certificado do hub, quando ele mesmo o fez: sha256/…, como na linha que o hub mostra."`
	Proxy         string `placeholder:"ENDEREÇO" help:"Proxy HTTP por onde se sai da rede, como http://proxy:3128; sem ele, o do ambiente (HTTPS_PROXY)."`
	Name          string `placeholder:"NOME" help:"Nome do terminal no hub, como Caixa 1; sem ele, o que o hub der."`
	options.Place `embed:""`
	DNS           options.NameServer `name:"dns" env:"MAQUININHA_DNS" toml:"dns" placeholder:"ENDEREÇO" help:"Servidor de nomes, onde o sistema não diz o seu (Android)."`
}

// Help is the rest of the page.
func (Join) Help() string {
	return `O terminal faz uma chave, que não sai dele, e guarda a do hub em hub.json, na pasta dos dados. Depois mantém, de dentro para fora, uma conexão
com o hub: nada precisa ser aberto na rede da loja. Pode ser usado com o serviço no ar. Sem o hub a loja funciona como antes.`
}

// Run joins the hub.
func (j Join) Run(ctx context.Context, version commandline.Version) error {
	data, err := j.Folder()
	if err != nil {
		return err
	}
	j.DNS.Use()
	m, err := app.JoinHub(ctx, data, tunnel.Invitation{Address: j.Address, Code: j.Code, Pin: j.Pin, Proxy: j.Proxy, Name: j.Name, Version: version.Number})
	if err != nil {
		return j.why(err)
	}
	fmt.Printf("Terminal  %s\n", named(m.Name, m.Terminal))
	if m.Account != "" {
		fmt.Printf("Conta     %s\n", m.Account)
	}
	fmt.Printf("Hub       %s\nDados     %s\n", m.Address, data)
	if datafolder.InUse(data) {
		fmt.Println("\nO serviço que está no ar liga-se ao hub em alguns segundos.")
	} else {
		fmt.Println("\nQuando iniciar, o serviço liga-se ao hub.")
	}
	return nil
}

func named(name, id string) string {
	if name == "" {
		return id
	}
	return name + " (" + id + ")"
}

// why says what went wrong, and what to do.
func (j Join) why(err error) error {
	var refused tunnel.Refused
	switch {
	case errors.As(err, &refused):
		return errors.New("o hub recusou: " + refused.Message)
	case errors.Is(err, tunnel.ErrUntrusted):
		return fmt.Errorf("%w; se o hub fez o seu próprio certificado, copie a linha inteira que ele mostra, com --pin sha256/…", err)
	case errors.Is(err, tunnel.ErrPin):
		return errors.New("o certificado do hub não é o do --pin: o endereço está certo? alguém pode estar no meio do caminho")
	case errors.Is(err, app.ErrJoined):
		return err
	}
	return fmt.Errorf("não foi possível entrar no hub %s: %s", j.Address, portuguese.Error(syserror.Reason(err)))
}

// Leave is maquininha leave.
type Leave struct {
	options.Place `embed:""`
}

// Help is the rest of the page.
func (Leave) Help() string {
	return `Apaga hub.json da pasta dos dados. O que o hub já sabe do terminal continua lá; para voltar, use maquininha join com um código novo.
Com o serviço no ar, o hub ainda lê por até 5 segundos os pagamentos que lhe faltam; os que não lê ficam só no terminal.`
}

// Run forgets the hub.
func (l Leave) Run() error {
	data, err := l.Folder()
	if err != nil {
		return err
	}
	m, known := tunnel.Load(data)
	switch err := tunnel.Remove(data); {
	case errors.Is(err, tunnel.ErrNotJoined):
		return err
	case err != nil:
		return fmt.Errorf("%s não pode ser apagado: %w", tunnel.File, syserror.OfFile(err))
	case known != nil: // damaged, and gone now
		fmt.Println("O terminal saiu do hub.")
	default:
		fmt.Printf("O terminal saiu do hub %s.\n", m.Address)
	}
	if datafolder.InUse(data) {
		fmt.Println("O hub ainda lê por alguns segundos o que lhe falta; se não conseguir, o log do terminal diz.")
	} else {
		fmt.Println("O serviço não está no ar: os últimos pagamentos, se o hub não os leu, ficam só neste terminal.")
	}
	return nil
}
