package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/app"
)

// check reads everything as serve would, and tries it. No money moves, nothing prints, nothing is kept.
type check struct {
	Offline bool `help:"Não usa a rede: nem a impressora de rede, nem o banco."`
	serve   `embed:""`
}

// Help is the rest of the page.
func (check) Help() string {
	return `Lê a configuração como o serviço leria, com as mesmas opções e variáveis, e experimenta cada parte: nada é impresso, nenhum dinheiro
se move. Pode ser usado com o serviço no ar. ✓ está em ordem, ! merece atenção, ✗ está errado, – não foi conferido; o código de
saída é 1 quando há ✗.`
}

// Validate leaves to Run what serve would refuse, so that the rest is tried too.
func (check) Validate() error { return nil }

// BeforeReset passes over what the environment has wrong, as doctor does, for Run to say it; kong calls it.
func (check) BeforeReset(ctx *kong.Context, c *configuration) error {
	return doctor{}.BeforeReset(ctx, c)
}

func (c check) Run(config *configuration) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c.DNS.use()
	r := &findings{out: os.Stdout, inKeys: func(text string) string { return text }}
	for _, spoiled := range config.spoiled {
		r.wrong("Ambiente", "%s (o serviço não iniciaria com isto; aqui não valeu)", spoiled)
	}
	r.inKeys = config.inKeys
	(&inspection{check: c, findings: r, ctx: ctx}).run(config)
	return r.end()
}

// run looks at everything.
func (i *inspection) run(config *configuration) {
	c, r := i.check, i.findings
	i.lookAtFile(config)
	if i.data = c.Data; i.data == "" {
		var err error
		if i.data, err = app.DefaultData(); err != nil {
			r.wrong("Dados", "%v", err)
			return
		}
	}
	i.inUse = app.InUse(i.data)
	i.lookAtData()
	i.lookAtPorts()
	i.lookAtCertificate()
	standing, err := app.Stands(app.Config{
		Data: i.data, Mode: app.Mode(c.Mode), Username: c.Username, Password: c.password(), PaperWidth: given(c.PaperWidth),
		Printer: c.printerFlags.configured(c.Printer, c.PrinterDPI), Acquirers: c.acquirerFlags.configured(),
	})
	if err != nil {
		r.wrong("Dados", "%v", err)
	} else {
		i.lookAtLogin(config, standing)
	}
	// Without the data only what was decided elsewhere is known of.
	if err == nil || c.Printer != "" {
		i.lookAtPrinter(standing)
	}
	if err == nil || c.Card != "" || c.Pix != "" {
		i.lookAtAcquirers(standing)
	}
	i.lookAtService(config, standing)
	i.lookAtClock()
}

// inspection is one run of check.
type inspection struct {
	check
	*findings
	ctx      context.Context
	data     string
	inUse    bool          // by a service that runs
	watching bool          // nothing is written, not even to try it
	blind    bool          // the folder is not ours to look into: a service may use it
	pspClock time.Duration // how far ours is behind the bank's
	heard    bool          // the bank's clock
}

func (i *inspection) lookAtFile(c *configuration) {
	switch {
	case c.err != nil:
		i.wrong("Configuração", "%v", c.err)
	case c.file == nil:
		i.skipped("Configuração", "nenhum arquivo: só opções e variáveis (maquininha init cria um)")
	default:
		for _, complaint := range c.file.Complaints() {
			i.wrong("Configuração", "%s", complaint)
		}
		if len(c.file.Problems) == 0 {
			i.good("Configuração", "%s, %s", c.path(), amount(len(c.file.Values), "opção definida", "opções definidas"))
		}
	}
	if err := c.serve(i.serve); err != nil {
		i.wrong("Opções", "%s", inPortuguese(err))
	}
	for _, secret := range []secretFile{i.PasswordFile, i.PixClientSecretFile} {
		if info, err := os.Stat(secret.path); secret.path != "" && err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			i.doubtful("Segredos", "outros usuários podem ler %s (corrija com chmod 600)", secret.path)
		}
	}
}

// serve is why the service would not start with this.
func (c *configuration) serve(s serve) error {
	return cmp.Or(s.Validate(), s.tls().Check(cmp.Or(s.Listen, ":9050")))
}

// Less than little is too little for a day; less than scarce will not do for long.
const (
	little = 100 << 20
	scarce = 1 << 30
)

func (i *inspection) lookAtData() {
	folder, state := i.data, ""
	for info, err := os.Stat(folder); ; info, err = os.Stat(folder) {
		if err == nil && !info.IsDir() {
			i.wrong("Dados", "%s não é uma pasta", folder)
			return
		}
		if err == nil || filepath.Dir(folder) == folder {
			break
		}
		folder, state = filepath.Dir(folder), ", será criada"
	}
	if i.inUse {
		state = ", em uso pelo serviço que está no ar"
	} else if i.watching {
		state += ", gravação não experimentada"
	} else if err := tryFolder(folder); errors.Is(err, fs.ErrNotExist) {
		i.wrong("Dados", "não é possível gravar em %s: o sistema não aceita arquivos ali", folder)
		return
	} else if err != nil {
		i.wrong("Dados", "não é possível gravar em %s: %v", folder, unreadable(err))
		return
	}
	free, known := freeSpace(folder)
	switch text := i.data + state + ", " + size(free) + " livres"; {
	case !known:
		i.good("Dados", "%s%s", i.data, state)
	case free < little:
		i.wrong("Dados", "%s: é pouco", text)
	case free < scarce:
		i.doubtful("Dados", "%s", text)
	default:
		i.good("Dados", "%s", text)
	}
}

// tryFolder puts a file into a folder and takes it away.
func tryFolder(dir string) error {
	f, err := os.CreateTemp(dir, ".maquininha-*")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte("maquininha"))
	return cmp.Or(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

func size(n uint64) string {
	if n < scarce {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d GiB", n>>30)
}

func (i *inspection) lookAtLogin(c *configuration, s app.Standing) {
	switch {
	case i.password() != "" && len([]rune(i.password())) < 8:
		i.doubtful("Credenciais", "usuário %s, senha de %s com menos de 8 caracteres", s.User, cmp.Or(i.passwordFrom(c), passwordVariable))
	case i.password() != "":
		i.good("Credenciais", "usuário %s, senha de %s", s.User, cmp.Or(i.passwordFrom(c), passwordVariable))
	case s.Password:
		i.good("Credenciais", "usuário %s, senha já definida", s.User)
	default:
		i.doubtful("Credenciais", "usuário %s, a senha será gerada e mostrada no primeiro início", s.User)
	}
}

// findings are what check says, a line each.
type findings struct {
	out    io.Writer
	inKeys func(string) string // says where flags are in the file
	errors int
	doubts int
}

func (f *findings) say(mark, what, format string, args ...any) {
	text := f.inKeys(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; "))
	fmt.Fprintf(f.out, "%s %-13s %s\n", mark, what, text)
}

func (f *findings) good(what, format string, args ...any) { f.say("✓", what, format, args...) }

func (f *findings) skipped(what, format string, args ...any) { f.say("–", what, format, args...) }

func (f *findings) doubtful(what, format string, args ...any) {
	f.doubts++
	f.say("!", what, format, args...)
}

func (f *findings) wrong(what, format string, args ...any) {
	f.errors++
	f.say("✗", what, format, args...)
}

func (f *findings) end() error {
	switch {
	case f.errors > 0:
		fmt.Fprintf(f.out, "\n%s.\n", amount(f.errors, "erro", "erros"))
		return errSaid
	case f.doubts > 0:
		fmt.Fprintf(f.out, "\nNenhum erro; %s.\n", amount(f.doubts, "ponto merece atenção", "pontos merecem atenção"))
	default:
		fmt.Fprintln(f.out, "\nTudo em ordem.")
	}
	return nil
}

func amount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
