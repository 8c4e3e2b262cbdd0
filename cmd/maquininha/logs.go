package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/logbook"
)

// readLogs shows a terminal's log, and goes on with it.
type readLogs struct {
	Follow      bool       `short:"f" help:"Continua: mostra cada entrada nova, até Ctrl-C; volta sozinho quando a conexão ou o serviço cai."`
	Level       string     `placeholder:"NÍVEL" help:"Só deste nível e dos mais graves: fatal, error, warning, info, trace, path ou debug."`
	Source      string     `placeholder:"ORIGEM" help:"Só desta origem: app, router ou http."`
	Search      string     `placeholder:"TEXTO" help:"Só com este texto na mensagem ou nos detalhes; maiúsculas e acentos não importam."`
	Since       string     `placeholder:"QUANDO" help:"A partir de quando: há quanto tempo, como 30m, 2h ou 7d, ou uma data, como 2026-11-15 ou 2026-11-15T18:30."`
	Limit       *int       `placeholder:"N" help:"Quantas entradas já feitas mostrar, as mais novas; sem ela, 100 ou, com --since, 100000."`
	JSON        bool       `name:"json" help:"Um objeto JSON por linha."`
	Color       string     `default:"auto" placeholder:"QUANDO" help:"Cores: auto (padrão: só em um terminal), always ou never."`
	URL         string     `name:"url" env:"MAQUININHA_URL" placeholder:"ENDEREÇO" help:"Terminal, como http://192.168.0.10:9050; sem ela, o desta máquina, no endereço da configuração."`
	Fingerprint string     `env:"MAQUININHA_FINGERPRINT" placeholder:"SHA-256" help:"Com https, o certificado (64 dígitos) ou a chave (sha256//…) do terminal, como ele mostra ao iniciar."`
	Username    string     `env:"MAQUININHA_USERNAME" placeholder:"NOME" help:"Usuário; sem ele, admin ou, nesta máquina, o da configuração."`
	Password    string     `env:"MAQUININHA_PASSWORD" secret:"" hidden:""`
	SecretFile  secretFile `name:"password-file" env:"MAQUININHA_PASSWORD_FILE" placeholder:"ARQUIVO" help:"Arquivo que contém só a senha."`
	dataFlag    `embed:""`
}

// Help is the rest of the page.
func (readLogs) Help() string {
	return `A senha vem de MAQUININHA_PASSWORD, no ambiente, ou de --password-file; para o terminal desta máquina, também do arquivo de
configuração. Se o serviço desta máquina está parado, ou a senha dele não é conhecida, o log é lido da pasta de dados.

  maquininha logs -f --level warning
  MAQUININHA_PASSWORD=… maquininha logs -f --url 192.168.0.10 --search /transaction`
}

var logLevels = []string{"fatal", "error", "warning", "info", "trace", "path", "debug"}

// Validate refuses what can't be meant; kong calls it.
func (l readLogs) Validate() error {
	if l.Level != "" && !slices.Contains(logLevels, l.Level) {
		return fmt.Errorf("--level deve ser um de %s, e não %q", strings.Join(logLevels, ", "), l.Level)
	}
	if l.Source != "" && !logbook.Source(l.Source).Known() {
		return fmt.Errorf("--source deve ser um de app, router, http, e não %q", l.Source)
	}
	if !slices.Contains([]string{"auto", "always", "never"}, l.Color) {
		return fmt.Errorf("--color deve ser um de auto, always, never, e não %q", l.Color)
	}
	if n := given(l.Limit); l.Limit != nil && (n < 0 || n > mostLogs || n == 0 && !l.Follow) {
		return fmt.Errorf("--limit deve estar entre 1 e %d (0 só com -f)", mostLogs)
	}
	if _, err := l.wanted(time.Now()); err != nil {
		return err
	}
	if l.URL != "" {
		if _, err := terminalURL(l.URL); err != nil {
			return err
		}
	}
	return l.SecretFile.err
}

const (
	fewLogs  = 100
	mostLogs = 100_000 // the most that a terminal lists
)

// wantedLogs is what is asked for.
type wantedLogs struct {
	levels []string // none: any
	source string
	search string // folded
	from   time.Time
	limit  int
}

func (l readLogs) wanted(now time.Time) (w wantedLogs, err error) {
	w = wantedLogs{source: l.Source, search: logbook.Fold(l.Search), limit: fewLogs}
	if i := slices.Index(logLevels, l.Level); i >= 0 && i < len(logLevels)-1 {
		w.levels = logLevels[:i+1]
	}
	if l.Since != "" {
		w.limit = mostLogs
		if w.from, err = sinceWhen(l.Since, now); err != nil {
			return w, err
		}
	}
	if l.Limit != nil {
		w.limit = *l.Limit
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
	if t, ok := httpapi.Moment(text, false); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("--since %q não é um tempo, como 30m, 2h ou 7d, nem uma data ISO 8601, como 2026-11-15 ou 2026-11-15T18:30", text)
}

// has tells whether an entry is asked for, as the terminal itself would judge.
func (w wantedLogs) has(e client.LogEntry) bool {
	return (len(w.levels) == 0 || slices.Contains(w.levels, e.Level)) && (w.source == "" || w.source == e.Source) && !e.CreatedAt.Before(w.from) &&
		(w.search == "" || strings.Contains(logbook.Fold(e.Message), w.search) || strings.Contains(logbook.Fold(e.Details), w.search))
}

// logSource is where a log is read.
type logSource interface {
	// history gives what there is of what is asked for, oldest first, and the newest entry of all, if there is one.
	history(context.Context, wantedLogs) (found []client.LogEntry, newest *client.LogEntry, err error)
	// follow gives all that comes after an entry.
	follow(ctx context.Context, after *client.LogEntry) iter.Seq2[client.LogEntry, error]
}

// errUnserved means that no service is there to be asked.
var errUnserved = errors.New("no service")

func (l readLogs) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends it even while the terminal takes no output
	mindBrokenPipes()
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
		aside("só as %d mais novas; há outras desde %s", mostLogs, l.Since)
	}
	err = out.all(found)
	if err == nil && l.Follow {
		watchPipe(ctx, os.Stdout, stop)
		for e, failed := range source.follow(ctx, newest) {
			if err = failed; err == nil && want.has(e) {
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
func (l readLogs) open(ctx context.Context, want wantedLogs) (source logSource, found []client.LogEntry, newest *client.LogEntry, err error) {
	if l.URL != "" {
		address, err := terminalURL(l.URL)
		if err != nil {
			return nil, nil, nil, err
		}
		source := &remoteLogs{terminal: terminal{
			url: address, user: cmp.Or(l.Username, "admin"), password: cmp.Or(l.Password, l.SecretFile.content), pin: l.Fingerprint,
		}}
		found, newest, err = source.history(ctx, want)
		if errors.Is(err, errUnserved) {
			err = errors.Unwrap(err)
		}
		return source, found, newest, err
	}
	data, err := l.folder()
	if err != nil {
		return nil, nil, nil, err
	}
	here, why := l.local(data)
	if why == nil {
		source := &remoteLogs{terminal: here}
		if found, newest, err = source.history(ctx, want); !errors.Is(err, errUnserved) {
			return source, found, newest, err
		}
		why = errors.Unwrap(err)
	}
	kept := keptLogs{data}
	if found, newest, err = kept.history(ctx, want); err != nil {
		return nil, nil, nil, fmt.Errorf("%w; e %w", why, err)
	}
	aside("%v; lendo o log em %s", why, data)
	return kept, found, newest, nil
}

// local is this machine's terminal, or why it can't be asked.
func (l readLogs) local(data string) (terminal, error) {
	s, config, err := l.configured()
	switch {
	case config.err != nil:
		aside("%v; valem o ambiente e os padrões", config.err)
	case err != nil:
		return terminal{}, errors.New(inPortuguese(err))
	}
	t, err := s.here(data)
	t.user, t.password, t.pin = cmp.Or(l.Username, t.user), cmp.Or(l.Password, l.SecretFile.content, t.password), cmp.Or(l.Fingerprint, t.pin)
	if err == nil && t.password == "" {
		err = errPasswordUnknown
	}
	return t, err
}

// aside says something beside the log.
func aside(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "maquininha: "+format+"\n", args...)
}
