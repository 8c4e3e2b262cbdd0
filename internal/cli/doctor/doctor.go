// Package doctor is the command that gathers what support asks for into one archive, without secrets. Whatever is broken, the rest is
// gathered; nothing is written to the data folder.
package doctor

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/checkup"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/inspection"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/cli/report"
	"github.com/maquininha/maquininha/internal/cli/terminal"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Command is maquininha doctor.
type Command struct {
	Output           string `short:"o" placeholder:"ARQUIVO" help:"Arquivo ZIP do resultado, ou - para a saída padrão; sem ele, maquininha-doctor-DATA-HORA.zip na pasta atual."`
	inspection.Flags `embed:""`
}

// Help is the rest of the page.
func (Command) Help() string {
	return `Reúne em um arquivo, para mandar ao suporte: versão e sistema, configuração e de onde vem cada valor, o que maquininha check
encontra, estado do serviço, transações por resolver, erros e avisos recentes, arquivos da pasta de dados, rede. Senhas,
segredos, chaves, números de cartão, CPFs e telefones ficam de fora. Funciona com o serviço no ar, parado ou com os dados
danificados, não grava nada na pasta de dados e não imprime nem move dinheiro. Com a senha dos chamadores, em MAQUININHA_PASSWORD ou
em --password-file, pergunta também ao serviço como está.`
}

// visit is one run of doctor.
type visit struct {
	Command
	version commandline.Version
	config  *options.Configuration
	flags   *kong.Context
	ctx     context.Context
	bundle  *checkup.Bundle
	at      time.Time
	data    string // empty: there is no folder
	inUse   bool
	another string               // a service that runs, but not to be seen on this folder
	denied  bool                 // the folder is not this user's to look into
	begun   bool                 // there is something in it
	health  *inspection.Findings // what a support person reads first
	said    *bytes.Buffer

	secrets []string
	noFiles map[string]string // settings that should name a secret's file and name none, and what is shown of them
	kept    map[string]string // of settings in the data folder
	keptErr error
	service terminal.Terminal
	api     *client.Client // nil: it can't be asked
	apiErr  error          // why
}

// Run gathers everything, and writes it.
func (d Command) Run(ctx context.Context, config *options.Configuration, flags *kong.Context, version commandline.Version) error {
	screen := io.Writer(os.Stdout)
	if d.Output == "-" {
		screen = os.Stderr
	}
	v := &visit{Command: d, version: version, config: config, flags: flags, ctx: ctx, at: time.Now(), said: &bytes.Buffer{}}
	v.health = &inspection.Findings{Out: v.said, InKeys: config.InKeys}
	v.data, _ = d.Folder() // the parts that need it say that there is none
	path, err := report.Place(d.Output, v.data, "maquininha", v.at)
	if err != nil {
		return err
	}
	v.open()
	v.gather(screen)
	if ctx.Err() != nil {
		return errors.New("interrompido")
	}
	fmt.Fprintf(screen, "\nResumo\n%s", v.bundle.Mask.Text(v.summary()))
	if err := output.Put(path, func(w io.Writer) error { return v.bundle.Write(w, v.readMe(), v.at) }); err != nil {
		return fmt.Errorf("o arquivo %s não pôde ser gravado: %w", path, syserror.OfFile(err))
	}
	if path != "-" {
		fmt.Fprintf(screen, "\nGravado em %s\nMande este arquivo ao suporte; dentro dele, comece por LEIA-ME.txt.\n", kong.ExpandPath(path))
	}
	return nil
}

// open finds out what there is to be asked, and what must not be shown.
func (v *visit) open() {
	v.secrets = append(v.secrets, v.Secret(), v.ClientSecret(), v.TEFCertification, v.PasswordFile.Content, v.PixClientSecretFile.Content, v.AccessToken())
	v.secrets = append(v.secrets, v.misplaced()...)
	v.bundle = &checkup.Bundle{Mask: checkup.NewMask(v.secrets...), Patience: report.Patience}
	if v.keptErr = v.within((*visit).look); errors.Is(v.keptErr, checkup.ErrSlow) {
		v.denied, v.begun = true, true
		v.health.Wrong("Dados", "%s não responde: o disco, ou quem o serve, está parado?", v.data)
	}
	v.bundle.Mask = checkup.NewMask(v.secrets...)
	v.apiErr = v.within((*visit).find)
	if v.Username == "" {
		v.service.User = cmp.Or(v.kept["username"], v.service.User)
	}
	if v.apiErr == nil && v.service.Password == "" {
		v.apiErr = terminal.ErrPasswordUnknown
	}
	if v.apiErr == nil {
		v.api, v.apiErr = v.service.Client(client.WithTimeout(15*time.Second), client.WithBusyPatience(0))
	}
}

// alone is a copy for a goroutine that may hang: until it ends, nothing of the visit is touched.
func (v *visit) alone() *visit {
	other := *v
	other.said = bytes.NewBuffer(bytes.Clone(v.said.Bytes()))
	other.health = &inspection.Findings{Out: other.said, InKeys: v.health.InKeys, Errors: v.health.Errors, Doubts: v.health.Doubts}
	return &other
}

// back takes over what the copy found out.
func (v *visit) back(other *visit) {
	ctx := v.ctx
	*v = *other
	v.ctx = ctx
}

// within looks at something that may never answer.
func (v *visit) within(look func(*visit) error) error {
	other := v.alone()
	err := v.bundle.Within(v.ctx, func(ctx context.Context) error { other.ctx = ctx; return look(other) })
	if !errors.Is(err, checkup.ErrSlow) {
		v.back(other)
	}
	return err
}

// find is who is to be asked.
func (v *visit) find() (err error) {
	v.service, err = terminal.Here(v.Service, v.data)
	return err
}

// look is a first look at the data.
func (v *visit) look() error {
	if v.data == "" {
		return errors.New("não há pasta de dados")
	}
	if _, err := os.ReadDir(v.data); errors.Is(err, fs.ErrPermission) {
		v.denied = true
	}
	v.inUse = datafolder.InUse(v.data)
	_, missing := os.Stat(filepath.Join(v.data, store.MainFile))
	v.begun = !errors.Is(missing, fs.ErrNotExist)
	r, err := app.Peek(v.data)
	if err != nil {
		return err
	}
	defer r.Close()
	var more []string
	v.kept, more, err = app.Kept(r)
	v.secrets = append(v.secrets, more...)
	return err
}

// gather makes every part, and says which.
func (v *visit) gather(screen io.Writer) {
	for _, part := range []struct {
		name, title string
		gather      func(*visit, io.Writer) error
	}{
		{"sistema.txt", "Versão, sistema e relógio", func(v *visit, w io.Writer) error { report.System(w, v.version, v.at); return nil }},
		{"servico.txt", "Serviço: no ar, e o que diz de si", (*visit).serviceState},
		{"conferencia.txt", "O que maquininha check encontra", (*visit).inspection},
		{"configuracao.txt", "Configuração e de onde vem cada valor", (*visit).configurationTable},
		{"maquininha.toml", "Arquivo de configuração, sem segredos", (*visit).configurationFile},
		{"transacoes.txt", "Transações por situação, e as não resolvidas", (*visit).transactions},
		{"erros.log", "Erros e avisos recentes", (*visit).troubles},
		{"log.log", "Log recente, de todos os níveis", (*visit).recent},
		{"dados.txt", "Pasta de dados: arquivos, danos e espaço", (*visit).folder},
		{"rede.txt", "Endereços e portas", (*visit).network},
		{"gerenciador.txt", "Gerenciador de serviços do sistema", (*visit).manager},
	} {
		if v.ctx.Err() != nil {
			return
		}
		other := v.alone()
		p := v.bundle.Gather(v.ctx, part.name, part.title, func(ctx context.Context, w io.Writer) error {
			other.ctx = ctx
			return part.gather(other, w)
		})
		if p.Slow {
			v.health.Wrong("Demora", "%s (%s) não terminou em %s, e não foi esperado", part.title, part.name, report.Patience)
		} else {
			v.back(other)
		}
		if p.Err != nil {
			fmt.Fprintf(screen, "! %-17s %s: %v\n", p.Name, p.Title, p.Err)
		} else {
			fmt.Fprintf(screen, "✓ %-17s %s\n", p.Name, p.Title)
		}
	}
}

// summary is how the terminal is, in a few lines.
func (v *visit) summary() string { return report.Summary(v.health, v.said.String()) }

// readMe is what a support person reads first.
func (v *visit) readMe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "maquininha doctor, %s\n%s\n\nRESUMO (✗ problema, ! merece atenção, ✓ em ordem, – não conferido)\n%s\nARQUIVOS\n",
		v.at.Format("02/01/2006 15:04:05 -07:00"), v.version, v.summary())
	for _, p := range v.bundle.Parts {
		fmt.Fprintf(&b, "%-18s%s\n", p.Name, p.Title)
		if p.Err != nil {
			fmt.Fprintf(&b, "%-18s  não reunido, ou não inteiro: %v\n", "", p.Err)
		}
	}
	b.WriteString(`
O QUE NÃO ESTÁ AQUI
Senhas, segredos, hashes, chaves privadas, o token da tela e o PIN. Números de cartão têm só os seis primeiros e os quatro últimos
dígitos; CPFs e telefones, só os dois últimos; e-mails, só o domínio. Dos corpos de requisições recusadas fica só a forma.
A configuração é a que este comando leu: opções dadas só na linha de comando do serviço, e variáveis só do ambiente dele, não aparecem.
`)
	return b.String()
}
