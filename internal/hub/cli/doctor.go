package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/checkup"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/cli/report"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Doctor is maquininha-hub doctor.
type Doctor struct {
	Output    string `short:"o" placeholder:"ARQUIVO" help:"Arquivo ZIP do resultado, ou - para a saída padrão; sem ele, maquininha-hub-doctor-DATA-HORA.zip na pasta atual."`
	Inspected `embed:""`
}

// keyVariable has a key to ask the hub with; a flag would be everybody's to read.
const keyVariable = "MAQUININHA_HUB_KEY"

// Help is the rest of the page.
func (Doctor) Help() string {
	return `Reúne em um arquivo, para mandar ao suporte: versão e sistema, configuração e de onde vem cada valor, o que maquininha-hub check
encontra, estado do hub e do serviço, arquivos da pasta de dados, rede. Senhas, segredos e chaves ficam de fora. Funciona com o hub no ar, parado
ou com os dados danificados, e não grava nada na pasta de dados. Com uma chave de API (ID:SEGREDO) em ` + keyVariable + `, pergunta também
ao hub pelos terminais e pelas métricas.`
}

// examination is one run of doctor.
type examination struct {
	Doctor
	version commandline.Version
	file    *settings.Configuration
	flags   *kong.Context
	at      time.Time
	data    string // empty: there is no folder
	inUse   bool
	bundle  *checkup.Bundle
	health  *console.Findings // what a support person reads first
	said    bytes.Buffer
}

// Run gathers everything, and writes it.
func (d Doctor) Run(ctx context.Context, file *settings.Configuration, flags *kong.Context, version commandline.Version) error {
	screen := io.Writer(os.Stdout)
	if d.Output == "-" {
		screen = os.Stderr
	}
	e := &examination{Doctor: d, version: version, file: file, flags: flags, at: time.Now()}
	e.health = &console.Findings{Out: &e.said}
	e.data, _ = d.Folder() // the parts that need it say that there is none
	path, err := report.Place(d.Output, e.data, Name, e.at)
	if err != nil {
		return err
	}
	e.bundle = &checkup.Bundle{Mask: checkup.NewMask(e.secrets()...), Patience: report.Patience}
	e.gather(ctx, screen)
	if ctx.Err() != nil {
		return errors.New("interrompido")
	}
	fmt.Fprintf(screen, "\nResumo\n%s", e.bundle.Mask.Text(e.summary()))
	if err := output.Put(path, func(w io.Writer) error { return e.bundle.Write(w, e.readMe(), e.at) }); err != nil {
		return fmt.Errorf("o arquivo %s não pôde ser gravado: %w", path, syserror.OfFile(err))
	}
	if path != "-" {
		fmt.Fprintf(screen, "\nGravado em %s\nMande este arquivo ao suporte; dentro dele, comece por LEIA-ME.txt.\n", kong.ExpandPath(path))
	}
	return nil
}

// secrets are what must not be shown, wherever it stands: the key, and what is in the database's address, also in one that was refused.
func (e *examination) secrets() (all []string) {
	_, secret, _ := strings.Cut(os.Getenv(keyVariable), ":")
	all = append(all, secret)
	addresses := []string{e.Database}
	for _, p := range e.file.Passed {
		addresses = append(addresses, p.Value)
	}
	if _, text, err := report.RawConfig(e.file.Of, e.Config, e.Data); err == nil {
		addresses = append(addresses, configfile.Parse(text, Settings()).Values["database"].Text)
	}
	for _, address := range addresses {
		_, query, _ := strings.Cut(address, "?")
		all = append(all, query)
		if u, err := url.Parse(address); err == nil && u.User != nil {
			password, _ := u.User.Password()
			all = append(all, password, u.User.String())
		}
		if _, rest, found := strings.Cut(address, "://"); found { // what is no address may have a password all the same
			if at := strings.LastIndexByte(rest, '@'); at > 0 {
				_, password, _ := strings.Cut(rest[:at], ":")
				all = append(all, password)
			}
		}
	}
	return all
}

// gather makes every part, and says which.
func (e *examination) gather(ctx context.Context, screen io.Writer) {
	var inUse bool
	if err := e.bundle.Within(ctx, func(context.Context) error { inUse = e.data != "" && datafolder.InUse(e.data); return nil }); err != nil {
		e.health.Wrong("Dados", "%s não responde: o disco, ou quem o serve, está parado?", e.data)
	} else {
		e.inUse = inUse
	}
	for _, part := range []struct {
		name, title string
		gather      func(context.Context, io.Writer, *console.Findings) error
	}{
		{"sistema.txt", "Versão, sistema e relógio", e.system},
		{"hub.txt", "Hub: no ar, e o que diz de si", e.hub},
		{"conferencia.txt", "O que maquininha-hub check encontra", e.inspection},
		{"configuracao.txt", "Configuração e de onde vem cada valor", e.configuration},
		{"maquininha-hub.toml", "Arquivo de configuração, sem segredos", e.configurationFile},
		{"terminais.txt", "Terminais, operações e lacunas", e.terminals},
		{"metricas.txt", "Métricas: guarda dos registros, vez entre os hubs, conexões", e.metrics},
		{"dados.txt", "Pasta de dados: arquivos e espaço", e.folder},
		{"rede.txt", "Endereços e portas", e.network},
	} {
		if ctx.Err() != nil {
			return
		}
		var said bytes.Buffer // of its own: one that hangs may still write
		found := &console.Findings{Out: &said, InKeys: e.file.InKeys}
		p := e.bundle.Gather(ctx, part.name, part.title, func(ctx context.Context, w io.Writer) error { return part.gather(ctx, w, found) })
		if p.Slow {
			e.health.Wrong("Demora", "%s (%s) não terminou em %s, e não foi esperado", part.title, part.name, report.Patience)
		} else {
			e.health.Errors, e.health.Doubts = e.health.Errors+found.Errors, e.health.Doubts+found.Doubts
			e.said.Write(said.Bytes())
		}
		if p.Err != nil {
			fmt.Fprintf(screen, "! %-20s %s: %v\n", p.Name, p.Title, p.Err)
		} else {
			fmt.Fprintf(screen, "✓ %-20s %s\n", p.Name, p.Title)
		}
	}
}

func (e *examination) summary() string { return report.Summary(e.health, e.said.String()) }

// readMe is what a support person reads first.
func (e *examination) readMe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "maquininha-hub doctor, %s\n%s\n\nRESUMO (✗ problema, ! merece atenção, ✓ em ordem, – não conferido)\n%s\nARQUIVOS\n",
		e.at.Format("02/01/2006 15:04:05 -07:00"), e.version, e.summary())
	for _, p := range e.bundle.Parts {
		fmt.Fprintf(&b, "%-21s%s\n", p.Name, p.Title)
		if p.Err != nil {
			fmt.Fprintf(&b, "%-21s  não reunido, ou não inteiro: %v\n", "", p.Err)
		}
	}
	b.WriteString(`
O QUE NÃO ESTÁ AQUI
Senhas, segredos de chaves, a chave do hub, as dos certificados, e o usuário e a senha do banco de dados. Dos registros dos terminais, nada.
O que o hub diz enquanto está no ar vai para a saída de erro dele: mande também o que o gerenciador de serviços guardou.
A configuração é a que este comando leu: opções dadas só na linha de comando do hub, e variáveis só do ambiente dele, não aparecem.
`)
	return b.String()
}
