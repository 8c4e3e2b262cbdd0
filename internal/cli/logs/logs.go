// Package logs is the command that shows a terminal's log, and goes on with it.
package logs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/cli/terminal"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/moment"
)

// Command is maquininha logs. It shows a terminal's log, and goes on with it.
type Command struct {
	Follow        bool                `short:"f" help:"Continua: mostra cada entrada nova, até Ctrl-C; volta sozinho quando a conexão ou o serviço cai."`
	Level         string              `placeholder:"NÍVEL" help:"Só deste nível e dos mais graves: fatal, error, warning, info, trace, path ou debug."`
	Source        string              `placeholder:"ORIGEM" help:"Só desta origem: app, router ou http."`
	Search        string              `placeholder:"TEXTO" help:"Só com este texto na mensagem ou nos detalhes; maiúsculas e acentos não importam."`
	Since         string              `placeholder:"QUANDO" help:"A partir de quando: há quanto tempo, como 30m, 2h ou 7d, ou uma data, como 2026-11-15 ou 2026-11-15T18:30."`
	Limit         *int                `placeholder:"N" help:"Quantas entradas já feitas mostrar, as mais novas; sem ela, 100 ou, com --since, 100000."`
	JSON          bool                `name:"json" help:"Um objeto JSON por linha."`
	Color         string              `default:"auto" placeholder:"QUANDO" help:"Cores: auto (padrão: só em um terminal), always ou never."`
	URL           string              `name:"url" env:"MAQUININHA_URL" placeholder:"ENDEREÇO" help:"Terminal, como http://192.168.0.10:9050; sem ela, o desta máquina, no endereço da configuração."`
	Fingerprint   string              `env:"MAQUININHA_FINGERPRINT" placeholder:"SHA-256" help:"Com https, o certificado (64 dígitos) ou a chave (sha256//…) do terminal, como ele mostra ao iniciar."`
	Username      string              `env:"MAQUININHA_USERNAME" placeholder:"NOME" help:"Usuário; sem ele, admin ou, nesta máquina, o da configuração."`
	Password      string              `env:"MAQUININHA_PASSWORD" secret:"" hidden:""`
	SecretFile    settings.SecretFile `name:"password-file" env:"MAQUININHA_PASSWORD_FILE" placeholder:"ARQUIVO" help:"Arquivo que contém só a senha."`
	options.Place `embed:""`
}

// Help is the rest of the page.
func (Command) Help() string {
	return `A senha vem de MAQUININHA_PASSWORD, no ambiente, ou de --password-file; para o terminal desta máquina, também do arquivo de
configuração. Se o serviço desta máquina está parado, ou a senha dele não é conhecida, o log é lido da pasta de dados.

  maquininha logs -f --level warning
  MAQUININHA_PASSWORD=… maquininha logs -f --url 192.168.0.10 --search /transaction`
}

var logLevels = []string{"fatal", "error", "warning", "info", "trace", "path", "debug"}

// Validate refuses what can't be meant; kong calls it.
func (l Command) Validate() error {
	err := cmp.Or(commandline.OneOf("level", cmp.Or(l.Level, "debug"), logLevels...), commandline.OneOf("source", cmp.Or(l.Source, "app"), "app", "router", "http"),
		commandline.OneOf("color", l.Color, "auto", "always", "never"))
	if err != nil {
		return err
	}
	if n := l.Limit; n != nil && (*n < 0 || *n > mostLogs || *n == 0 && !l.Follow) {
		return fmt.Errorf("--limit deve estar entre 1 e %d (0 só com -f)", mostLogs)
	}
	if _, err := l.wanted(time.Now()); err != nil {
		return err
	}
	if l.URL != "" {
		if _, err := terminal.Address(l.URL); err != nil {
			return err
		}
	}
	return l.SecretFile.Err
}

const (
	fewLogs  = 100
	mostLogs = 100_000 // the most that a terminal lists
)

func (l Command) wanted(now time.Time) (w terminal.Wanted, err error) {
	w = terminal.Wanted{Source: l.Source, Search: logbook.Needle(l.Search), Limit: fewLogs}
	if i := slices.Index(logLevels, l.Level); i >= 0 && i < len(logLevels)-1 {
		w.Levels = logLevels[:i+1]
	}
	if l.Since != "" {
		w.Limit = mostLogs
		if w.From, err = sinceWhen(l.Since, now); err != nil {
			return w, err
		}
	}
	if l.Limit != nil {
		w.Limit = *l.Limit
	}
	return w, nil
}

// sinceWhen reads how long ago, or when.
func sinceWhen(text string, now time.Time) (time.Time, error) {
	if days, found := strings.CutSuffix(text, "d"); found {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 36500 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	if t, ok := moment.Parse(text, false); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("--since %q não é um tempo, como 30m, 2h ou 7d, nem uma data ISO 8601, como 2026-11-15 ou 2026-11-15T18:30", text)
}

// Run shows what there is and, if wanted, what comes.
func (l Command) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it even while the terminal takes no output
	ignorePipeSignal()
	want, err := l.wanted(time.Now())
	if err != nil {
		return err
	}
	source, found, newest, err := l.open(ctx, want)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	out := newLogPrinter(os.Stdout, l.JSON, l.Color)
	if l.Limit == nil && len(found) == mostLogs {
		console.Aside("só as %d mais novas; há outras desde %s", mostLogs, l.Since)
	}
	err = out.all(found)
	if err == nil && l.Follow {
		watchPipe(ctx, os.Stdout, stop)
		for e, failed := range source.Follow(ctx, newest) {
			if err = failed; err == nil && want.Has(e) {
				err = out.one(e)
			}
			if err != nil {
				break
			}
		}
	}
	if pipeGone(err) {
		return nil // whoever read has enough
	}
	return err
}

// open finds out where to read, and reads what there is.
func (l Command) open(ctx context.Context, want terminal.Wanted) (source terminal.Source, found []client.LogEntry, newest *client.LogEntry, err error) {
	if l.URL != "" {
		address, err := terminal.Address(l.URL)
		if err != nil {
			return nil, nil, nil, err
		}
		source := &terminal.Remote{Terminal: terminal.Terminal{
			URL: address, User: cmp.Or(l.Username, "admin"), Password: cmp.Or(l.Password, l.SecretFile.Content), Pin: l.Fingerprint,
		}}
		found, newest, err = source.History(ctx, want)
		if errors.Is(err, terminal.ErrUnserved) {
			err = errors.Unwrap(err)
		}
		return source, found, newest, err
	}
	data, err := l.Folder()
	if err != nil {
		return nil, nil, nil, err
	}
	here, why := l.local(data)
	if why == nil {
		source := &terminal.Remote{Terminal: here}
		if found, newest, err = source.History(ctx, want); !errors.Is(err, terminal.ErrUnserved) {
			return source, found, newest, err
		}
		why = errors.Unwrap(err)
	}
	kept := terminal.Kept{Dir: data}
	if found, newest, err = kept.History(ctx, want); err != nil {
		return nil, nil, nil, fmt.Errorf("%w; e %w", why, err)
	}
	console.Aside("%v; lendo o log em %s", why, data)
	if lost := app.Lost(data); lost != nil {
		console.Aside("%v", lost)
	}
	return kept, found, newest, nil
}

// local is this machine's terminal, or why it can't be asked.
func (l Command) local(data string) (terminal.Terminal, error) {
	s, config, err := l.Read()
	switch {
	case config.Err != nil:
		console.Aside("%v; valem o ambiente e os padrões", config.Err)
	case err != nil:
		text, see := commandline.Words(err)
		return terminal.Terminal{}, errors.New(text + see)
	}
	t, err := terminal.Here(s, data)
	t.User, t.Password, t.Pin = cmp.Or(l.Username, t.User), cmp.Or(l.Password, l.SecretFile.Content, t.Password), cmp.Or(l.Fingerprint, t.Pin)
	if err == nil && t.Password == "" {
		err = terminal.ErrPasswordUnknown
	}
	return t, err
}
