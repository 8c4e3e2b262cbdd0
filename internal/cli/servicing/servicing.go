// Package servicing has the commands that install a program as a service of the system, start it, stop it and say how it is: the same for the
// terminal and the hub. It finds configuration and data and has the words; the daemon package has the manager.
package servicing

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Program is whose service it is. The commands are given it by kong.
type Program struct {
	daemon.Program
	Settings func() []configfile.Setting
	Try      func(*configfile.File)
	Template func(values map[string]string) []byte // a configuration file that has these values
	Password string                                // what the command password shows
}

// command is one of the program's own, as it is typed.
func (p *Program) command(words string) string {
	return console.AsAdministrator(p.Name + " " + words)
}

// open finds this machine's manager.
func (p *Program) open(s daemon.Setup) (*daemon.Manager, error) {
	s.Program = p.Program
	m, err := daemon.Open(s)
	if err != nil {
		return nil, p.inWords(err)
	}
	return m, nil
}

// Place is where the service has its things. The library's defaults are those of a person, not of a machine.
type Place struct {
	Config string `placeholder:"ARQUIVO" help:"Arquivo de configuração do serviço; sem ele, o do sistema."`
	Data   string `placeholder:"PASTA" help:"Pasta dos dados; sem ela, a que o arquivo diz ou a do sistema."`
}

// Found is the place with nothing left open, and the configuration file, nil where there is none yet.
func (l Place) Found(p *Program) (daemon.Setup, *configfile.File, error) {
	config, data := p.Places()
	s := daemon.Setup{Program: p.Program, Config: kong.ExpandPath(cmp.Or(l.Config, config)), Data: kong.ExpandPath(cmp.Or(l.Data, data)), TellData: l.Data != ""}
	file, err := configfile.Open(s.Config, p.Settings())
	switch {
	case errors.Is(err, fs.ErrNotExist) && l.Config == "":
		s.TellData = false // the file will say it
		return s, nil, nil
	case errors.Is(err, fs.ErrPermission):
		return s, nil, p.inWords(daemon.ErrNoRights)
	case err != nil:
		return s, nil, fmt.Errorf("o arquivo de configuração %s não pode ser lido: %w", s.Config, syserror.OfFile(err))
	}
	if value, set := file.Values["data"]; set && l.Data == "" {
		s.Data = kong.ExpandPath(value.Text)
	} else {
		s.TellData = true
	}
	return s, file, nil
}

// Install is service install.
type Install struct {
	Place `embed:""`
	User  string `placeholder:"CONTA" help:"Conta com que o serviço roda; sem ela, uma só dele, sem privilégios (no macOS, root)."`
}

// Run installs the service, and says what comes next.
func (i Install) Run(p *Program) error {
	setup, file, err := i.Found(p)
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
	for _, s := range p.Settings() {
		if path := Said(file, s.Name()); s.Path && path != "" {
			setup.Named = append(setup.Named, path)
		}
	}
	m, err := p.open(setup)
	if err != nil {
		return err
	}
	// What else stands in the way is known before anything is written.
	if err := m.Installable(); err != nil {
		return p.inWords(err)
	}
	if file == nil {
		if err := p.writeConfig(setup); err != nil {
			return err
		}
		fmt.Printf("Configuração criada em %s.\n", setup.Config)
	} else if p.Try(file); len(file.Problems) > 0 {
		console.Aside("há o que corrigir em %s antes de instalar:\n%s", file.Path, strings.Join(file.Complaints(), "\n"))
		return commandline.ErrSaid
	}
	unset, err := m.Install()
	if err != nil {
		return p.inWords(err)
	}
	fmt.Printf("Serviço instalado: %s.\nDados em %s.\n", abilities(unset), setup.Data)
	for _, u := range unset {
		fmt.Printf("Aviso: %s, porque o sistema recusou o ajuste (%s).\n", without[u.Wish], portuguese.Error(u.Err))
	}
	fmt.Println()
	flags := i.flags()
	for _, next := range [][2]string{
		{"check" + flags, "confere a configuração"},
		{"service start", "inicia agora"},
		{"service password" + flags, "mostra " + p.Password},
	} {
		fmt.Printf("  %-36s %s\n", p.command(next[0]), next[1])
	}
	return nil
}

// without says what a service does without.
var without = map[daemon.Wish]string{
	daemon.AgainAfterCrash:   "o serviço não volta sozinho se cair",
	daemon.AgainAfterFailure: "o serviço não volta sozinho se encerrar com erro, como ao achar a porta ocupada",
}

// abilities is what the system does for the service.
func abilities(unset []daemon.Unset) string {
	if len(unset) == 0 {
		return "inicia com a máquina e volta sozinho se falhar"
	}
	return "inicia com a máquina"
}

// flags repeats what was given, for the other commands.
func (l Place) flags() (text string) {
	if l.Config != "" {
		text += " --config " + console.ShellWord(kong.ExpandPath(l.Config))
	}
	if l.Data != "" {
		text += " --data " + console.ShellWord(kong.ExpandPath(l.Data))
	}
	return text
}

// writeConfig makes the file with everything commented out, but where the data are: the other commands find them
// by it.
func (p *Program) writeConfig(s daemon.Setup) error {
	text := p.Template(map[string]string{"data": s.Data})
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
func (p *Program) steering(do func(*daemon.Manager) error, done string) error {
	m, err := p.open(daemon.Setup{})
	if err != nil {
		return err
	}
	if err := do(m); err != nil {
		return p.inWords(err)
	}
	fmt.Println(done)
	return nil
}

// Start is service start.
type Start struct{}

func (Start) Run(p *Program) error { return p.steering((*daemon.Manager).Start, "Serviço no ar.") }

// Stop is service stop.
type Stop struct{}

func (Stop) Run(p *Program) error { return p.steering((*daemon.Manager).Stop, "Serviço parado.") }

// Restart is service restart.
type Restart struct{}

func (Restart) Run(p *Program) error {
	return p.steering((*daemon.Manager).Restart, "Serviço reiniciado, no ar.")
}

// Uninstall is service uninstall.
type Uninstall struct{}

func (Uninstall) Run(p *Program) error {
	config, data := p.Places()
	return p.steering((*daemon.Manager).Uninstall, "Serviço desinstalado. Dados e configuração ficaram (a princípio em "+data+" e "+config+").")
}

// Password is service password.
type Password struct {
	Place `embed:""`
}

func (l Password) Run(p *Program) error { return l.WhileStopped(p, "password") }

// WhileStopped runs a command that needs the data for itself, and has the service up again afterwards if it was before.
func (l Place) WhileStopped(p *Program, command ...string) error {
	setup, _, err := l.Found(p)
	if err != nil {
		return err
	}
	m, err := p.open(setup)
	if err != nil {
		return err
	}
	s, err := m.Status()
	if err != nil {
		return p.inWords(err)
	}
	if s.Running || s.Failing {
		if err := m.Stop(); err != nil {
			return p.inWords(err)
		}
		defer func() {
			if err := m.Start(); err != nil {
				console.Aside("%v", p.inWords(err))
			}
		}()
	}
	// As the folder's owner, so that the service can still write what is written now.
	var ended *exec.ExitError
	if err := m.AsOwner(setup.Data, append(command, "--config", setup.Config, "--data", setup.Data)...); errors.As(err, &ended) {
		return commandline.ErrSaid // by itself
	} else if err != nil {
		return p.inWords(err)
	}
	return nil
}

// Beside says of a folder in use how to do the same where it is the service that uses it.
func Beside(p daemon.Program, err error, data, instead string) error {
	if err == nil || !datafolder.InUse(data) {
		return err
	}
	m, failed := daemon.Open(daemon.Setup{Program: p})
	if failed != nil {
		return err
	}
	if s, failed := m.Status(); failed != nil || !s.Running {
		return err
	}
	return fmt.Errorf("%w (se é o serviço que a usa: %s)", err, console.AsAdministrator(p.Name+" "+instead))
}

// Said is what the file has for a key; empty: nothing, or there is no file.
func Said(file *configfile.File, key string) string {
	if file == nil {
		return ""
	}
	return file.Values[key].Text
}
