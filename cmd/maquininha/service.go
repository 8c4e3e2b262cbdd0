package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
)

type serviceGroup struct {
	Install   installService   `cmd:"" help:"Instala o serviço, que passa a iniciar com a máquina; cria o arquivo de configuração, se não houver."`
	Start     startService     `cmd:"" help:"Inicia o serviço."`
	Stop      stopService      `cmd:"" help:"Para o serviço, depois de responder ao que está em andamento."`
	Restart   restartService   `cmd:"" help:"Para e inicia o serviço: a configuração é lida de novo."`
	Status    serviceStatus    `cmd:"" help:"Diz se o serviço está instalado, no ar e desde quando."`
	Password  servicePassword  `cmd:"" help:"Gera uma senha nova para os chamadores, mostra-a e reinicia o serviço."`
	Pin       servicePin       `cmd:"" help:"Apaga o PIN do operador e reinicia o serviço; a tela pedirá um novo."`
	Link      serviceLink      `cmd:"" help:"Mostra o link com que outro aparelho abre a tela."`
	Uninstall uninstallService `cmd:"" help:"Para o serviço e o desinstala; dados e configuração ficam."`
}

// exitCode is how the program ends when the words are out already.
type exitCode int

func (exitCode) Error() string   { return "" }
func (exitCode) Is(e error) bool { return e == errSaid }

// servicePlace is where the service has its things. The library's defaults are those of a person, not of a machine.
type servicePlace struct {
	Config string `placeholder:"ARQUIVO" help:"Arquivo de configuração do serviço; sem ele, o do sistema."`
	Data   string `placeholder:"PASTA" help:"Pasta dos dados; sem ela, a que o arquivo diz ou a do sistema."`
}

// found is the place with nothing left open, and the configuration file, nil where there is none yet.
func (p servicePlace) found(ctx *kong.Context) (daemon.Setup, *configfile.File, error) {
	config, data := daemon.Places()
	s := daemon.Setup{Config: absolute(cmp.Or(p.Config, config)), Data: absolute(cmp.Or(p.Data, data)), TellData: p.Data != ""}
	file, err := configfile.Open(s.Config, settings(ctx.Model))
	switch {
	case errors.Is(err, fs.ErrNotExist) && p.Config == "":
		s.TellData = false // the file will say it
		return s, nil, nil
	case errors.Is(err, fs.ErrPermission):
		return s, nil, inServiceWords(daemon.ErrNoRights)
	case err != nil:
		return s, nil, fmt.Errorf("o arquivo de configuração %s não pode ser lido: %w", s.Config, unreadable(err))
	}
	if value, set := file.Values["data"]; set && p.Data == "" {
		s.Data = absolute(value.Text)
	} else {
		s.TellData = true
	}
	return s, file, nil
}

type installService struct {
	servicePlace `embed:""`
	User         string `placeholder:"CONTA" help:"Conta com que o serviço roda; sem ela, uma só dele, sem privilégios (no macOS, root)."`
}

func (i installService) Run(ctx *kong.Context, c *configuration) error {
	setup, file, err := i.found(ctx)
	if err != nil {
		return err
	}
	if setup.Executable, err = os.Executable(); err != nil {
		return err
	}
	if whole, err := filepath.EvalSymlinks(setup.Executable); err == nil {
		setup.Executable = whole
	}
	setup.User = i.User
	for _, s := range settings(ctx.Model) {
		if path := said(file, s.Name()); s.Path && path != "" {
			setup.Named = append(setup.Named, path)
		}
	}
	m, err := daemon.Open(setup)
	if err != nil {
		return inServiceWords(err)
	}
	// What else stands in the way is known before anything is written.
	if err := m.Installable(); err != nil {
		return inServiceWords(err)
	}
	if file == nil {
		if err := writeServiceConfig(ctx, setup); err != nil {
			return err
		}
		fmt.Printf("Configuração criada em %s.\n", setup.Config)
	} else {
		c.settings, c.file = settings(ctx.Model), file
		if c.try(); len(file.Problems) > 0 {
			fmt.Fprintf(os.Stderr, "maquininha: há o que corrigir em %s antes de instalar:\n%s\n", file.Path, strings.Join(file.Complaints(), "\n"))
			return errSaid
		}
	}
	if err := m.Install(); err != nil {
		return inServiceWords(err)
	}
	fmt.Printf("Serviço instalado: inicia com a máquina e volta sozinho se falhar.\nDados em %s.\n\n", setup.Data)
	flags := i.flags()
	for _, next := range [][2]string{
		{"check" + flags, "confere a configuração"},
		{"service start", "inicia agora"},
		{"service password" + flags, "mostra uma senha nova para os chamadores"},
	} {
		fmt.Printf("  %-36s %s\n", asAdministrator("maquininha "+next[0]), next[1])
	}
	return nil
}

// flags repeats what was given, for the other commands.
func (p servicePlace) flags() (text string) {
	if p.Config != "" {
		text += " --config " + shellWord(absolute(p.Config))
	}
	if p.Data != "" {
		text += " --data " + shellWord(absolute(p.Data))
	}
	return text
}

// writeServiceConfig makes the file with everything commented out, but where the data are: the other commands find them
// by it.
func writeServiceConfig(ctx *kong.Context, s daemon.Setup) error {
	text := configfile.Write(preamble, sections, settings(ctx.Model), map[string]string{"data": s.Data})
	if dir := filepath.Dir(s.Config); dir != s.Data {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("a pasta %s não pode ser criada: %w", dir, unreadable(err))
		}
	}
	if err := writeConfig(s.Config, text, false); err != nil {
		return fmt.Errorf("%s não pode ser gravado: %w", s.Config, unreadable(err))
	}
	return nil
}

// asAdministrator is a command as somebody with rights types it.
func asAdministrator(command string) string {
	if runtime.GOOS == "windows" {
		return command
	}
	return "sudo " + command
}

// steering is a command that only needs the manager.
func steering(do func(*daemon.Manager) error, done string) error {
	m, err := daemon.Open(daemon.Setup{})
	if err == nil {
		err = do(m)
	}
	if err != nil {
		return inServiceWords(err)
	}
	fmt.Println(done)
	return nil
}

type startService struct{}

func (startService) Run() error { return steering((*daemon.Manager).Start, "Serviço no ar.") }

type stopService struct{}

func (stopService) Run() error { return steering((*daemon.Manager).Stop, "Serviço parado.") }

type restartService struct{}

func (restartService) Run() error {
	return steering((*daemon.Manager).Restart, "Serviço reiniciado, no ar.")
}

type uninstallService struct{}

func (uninstallService) Run() error {
	config, data := daemon.Places()
	return steering((*daemon.Manager).Uninstall, "Serviço desinstalado. Dados e configuração ficaram (a princípio em "+data+" e "+config+").")
}

type servicePassword struct {
	servicePlace `embed:""`
}

func (p servicePassword) Run(ctx *kong.Context) error { return p.whileStopped(ctx, "password") }

type servicePin struct {
	servicePlace `embed:""`
}

func (p servicePin) Run(ctx *kong.Context) error { return p.whileStopped(ctx, "pin") }

// whileStopped runs a command that needs the data for itself, and has the service up again afterwards if it was before.
func (p servicePlace) whileStopped(ctx *kong.Context, command string) error {
	setup, _, err := p.found(ctx)
	if err != nil {
		return err
	}
	m, err := daemon.Open(setup)
	if err != nil {
		return inServiceWords(err)
	}
	s, err := m.Status()
	if err != nil {
		return inServiceWords(err)
	}
	if s.Running || s.Failing {
		if err := m.Stop(); err != nil {
			return inServiceWords(err)
		}
		defer func() {
			if err := m.Start(); err != nil {
				fmt.Fprintln(os.Stderr, "maquininha: "+inServiceWords(err).Error())
			}
		}()
	}
	// As the folder's owner, so that the service can still write what is written now.
	var ended *exec.ExitError
	if err := m.AsOwner(setup.Data, command, "--config", setup.Config, "--data", setup.Data); errors.As(err, &ended) {
		return errSaid // by itself
	} else if err != nil {
		return inServiceWords(err)
	}
	return nil
}

// besideService says of a folder in use how to do the same where it is the service that uses it.
func besideService(err error, data, instead string) error {
	if err == nil || !app.InUse(data) {
		return err
	}
	m, failed := daemon.Open(daemon.Setup{})
	if failed != nil {
		return err
	}
	if s, failed := m.Status(); failed != nil || !s.Running {
		return err
	}
	return fmt.Errorf("%w (se é o serviço que a usa: %s)", err, asAdministrator("maquininha "+instead))
}

type serviceLink struct {
	servicePlace `embed:""`
}

func (l serviceLink) Run(ctx *kong.Context) error {
	setup, file, err := l.found(ctx)
	if err != nil {
		return err
	}
	r, err := app.OpenReader(setup.Data)
	if err != nil {
		return err
	}
	defer r.Close()
	token, err := app.ScreenToken(r)
	if err != nil {
		return err
	}
	link := ""
	if host, port, err := net.SplitHostPort(said(file, "screen.listen")); err == nil && token != "" {
		link = app.ScreenLink(screenScheme(file), host, port, token)
	}
	if link == "" {
		return errors.New("a tela só atende a própria máquina; para abri-la a outros aparelhos, [screen] listen = \":9051\" em " + setup.Config + " e reinicie o serviço")
	}
	fmt.Println(link)
	return nil
}

// screenScheme is how the screen is served with this file.
func screenScheme(file *configfile.File) string {
	t := tlsFlags{TLS: said(file, "tls.enabled") == "true", TLSListen: said(file, "tls.listen"), TLSCert: said(file, "tls.cert"), TLSKey: said(file, "tls.key")}
	if t.tls().Listen == "" {
		return "http://"
	}
	return "https://"
}

// said is what the file has for a key; empty: nothing, or there is no file.
func said(file *configfile.File, key string) string {
	if file == nil {
		return ""
	}
	return file.Values[key].Text
}
