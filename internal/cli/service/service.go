// Package service has the commands that install the terminal as a service of the system, start it, stop it and say how it is. It finds
// configuration and data and has the words; the daemon package has the manager.
package service

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Command is maquininha service.
type Command struct {
	Install   Install   `cmd:"" help:"Instala o serviço, que passa a iniciar com a máquina; cria o arquivo de configuração, se não houver."`
	Start     Start     `cmd:"" help:"Inicia o serviço."`
	Stop      Stop      `cmd:"" help:"Para o serviço, depois de responder ao que está em andamento."`
	Restart   Restart   `cmd:"" help:"Para e inicia o serviço: a configuração é lida de novo."`
	Status    Status    `cmd:"" help:"Diz se o serviço está instalado, no ar e desde quando."`
	Password  Password  `cmd:"" help:"Gera uma senha nova para os chamadores, mostra-a e reinicia o serviço."`
	Pin       Pin       `cmd:"" help:"Apaga o PIN do operador e reinicia o serviço; a tela pedirá um novo."`
	Link      Link      `cmd:"" help:"Mostra o link com que outro aparelho abre a tela."`
	Uninstall Uninstall `cmd:"" help:"Para o serviço e o desinstala; dados e configuração ficam."`
}

// Place is where the service has its things. The library's defaults are those of a person, not of a machine.
type Place struct {
	Config string `placeholder:"ARQUIVO" help:"Arquivo de configuração do serviço; sem ele, o do sistema."`
	Data   string `placeholder:"PASTA" help:"Pasta dos dados; sem ela, a que o arquivo diz ou a do sistema."`
}

// found is the place with nothing left open, and the configuration file, nil where there is none yet.
func (p Place) found() (daemon.Setup, *configfile.File, error) {
	config, data := daemon.Places()
	s := daemon.Setup{Config: kong.ExpandPath(cmp.Or(p.Config, config)), Data: kong.ExpandPath(cmp.Or(p.Data, data)), TellData: p.Data != ""}
	file, err := configfile.Open(s.Config, options.Settings())
	switch {
	case errors.Is(err, fs.ErrNotExist) && p.Config == "":
		s.TellData = false // the file will say it
		return s, nil, nil
	case errors.Is(err, fs.ErrPermission):
		return s, nil, inServiceWords(daemon.ErrNoRights)
	case err != nil:
		return s, nil, fmt.Errorf("o arquivo de configuração %s não pode ser lido: %w", s.Config, syserror.OfFile(err))
	}
	if value, set := file.Values["data"]; set && p.Data == "" {
		s.Data = kong.ExpandPath(value.Text)
	} else {
		s.TellData = true
	}
	return s, file, nil
}

type Install struct {
	Place `embed:""`
	User  string `placeholder:"CONTA" help:"Conta com que o serviço roda; sem ela, uma só dele, sem privilégios (no macOS, root)."`
}

func (i Install) Run() error {
	setup, file, err := i.found()
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
	for _, s := range options.Settings() {
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
		if err := writeConfig(setup); err != nil {
			return err
		}
		fmt.Printf("Configuração criada em %s.\n", setup.Config)
	} else if options.Try(file); len(file.Problems) > 0 {
		console.Aside("há o que corrigir em %s antes de instalar:\n%s", file.Path, strings.Join(file.Complaints(), "\n"))
		return commandline.ErrSaid
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
		fmt.Printf("  %-36s %s\n", console.AsAdministrator("maquininha "+next[0]), next[1])
	}
	return nil
}

// flags repeats what was given, for the other commands.
func (p Place) flags() (text string) {
	if p.Config != "" {
		text += " --config " + console.ShellWord(kong.ExpandPath(p.Config))
	}
	if p.Data != "" {
		text += " --data " + console.ShellWord(kong.ExpandPath(p.Data))
	}
	return text
}

// writeConfig makes the file with everything commented out, but where the data are: the other commands find them
// by it.
func writeConfig(s daemon.Setup) error {
	text := options.Template(map[string]string{"data": s.Data})
	if dir := filepath.Dir(s.Config); dir != s.Data {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("a pasta %s não pode ser criada: %w", dir, syserror.OfFile(err))
		}
	}
	if err := settings.WriteFile(s.Config, text, false); err != nil {
		return fmt.Errorf("%s não pode ser gravado: %w", s.Config, syserror.OfFile(err))
	}
	return nil
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

type Start struct{}

func (Start) Run() error { return steering((*daemon.Manager).Start, "Serviço no ar.") }

type Stop struct{}

func (Stop) Run() error { return steering((*daemon.Manager).Stop, "Serviço parado.") }

type Restart struct{}

func (Restart) Run() error {
	return steering((*daemon.Manager).Restart, "Serviço reiniciado, no ar.")
}

type Uninstall struct{}

func (Uninstall) Run() error {
	config, data := daemon.Places()
	return steering((*daemon.Manager).Uninstall, "Serviço desinstalado. Dados e configuração ficaram (a princípio em "+data+" e "+config+").")
}

type Password struct {
	Place `embed:""`
}

func (p Password) Run() error { return p.whileStopped("password") }

type Pin struct {
	Place `embed:""`
}

func (p Pin) Run() error { return p.whileStopped("pin") }

// whileStopped runs a command that needs the data for itself, and has the service up again afterwards if it was before.
func (p Place) whileStopped(command string) error {
	setup, _, err := p.found()
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
				console.Aside("%v", inServiceWords(err))
			}
		}()
	}
	// As the folder's owner, so that the service can still write what is written now.
	var ended *exec.ExitError
	if err := m.AsOwner(setup.Data, command, "--config", setup.Config, "--data", setup.Data); errors.As(err, &ended) {
		return commandline.ErrSaid // by itself
	} else if err != nil {
		return inServiceWords(err)
	}
	return nil
}

type Link struct {
	Place `embed:""`
}

func (l Link) Run() error {
	setup, file, err := l.found()
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
	t := options.HTTPS{TLS: said(file, "tls.enabled") == "true", TLSListen: said(file, "tls.listen"), TLSCert: said(file, "tls.cert"), TLSKey: said(file, "tls.key")}
	if t.Configured().Listen == "" {
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
