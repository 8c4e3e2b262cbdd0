package servicing

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/daemon"
)

// The exit codes of status, as other tools of this kind have them.
const (
	codeStopped      commandline.ExitCode = 3
	codeNotInstalled commandline.ExitCode = 4
)

// Status is service status.
type Status struct{}

// Help is the rest of the page.
func (Status) Help() string {
	return "Código de saída: 0 no ar, 3 instalado mas parado ou falhando, 4 não instalado, 1 se não dá para saber."
}

func (Status) Run(p *Program) error {
	m, err := p.open(daemon.Setup{})
	if err != nil {
		return err
	}
	s, err := m.Status()
	if errors.Is(err, daemon.ErrNotInstalled) {
		fmt.Println("Não instalado. Instale com: " + p.command("service install"))
		return codeNotInstalled
	}
	if err != nil {
		return p.inWords(err)
	}
	boot := "inicia com a máquina"
	if !s.AtBoot {
		boot = "não inicia com a máquina"
	}
	switch {
	case s.Running && s.Since.IsZero():
		fmt.Printf("Instalado (%s), no ar, processo %d.\n", boot, s.PID)
	case s.Running:
		fmt.Printf("Instalado (%s), no ar desde %s, processo %d.\n", boot, s.Since.Format("02/01/2006 15:04:05"), s.PID)
	case s.Failing:
		fmt.Printf("Instalado (%s), falhando. Veja por quê: %s\n", boot, p.seeLog())
		return codeStopped
	default:
		fmt.Printf("Instalado (%s), parado.\n", boot)
		return codeStopped
	}
	return nil
}

// seeLog is where the service's last words are.
func (p *Program) seeLog() string {
	switch runtime.GOOS {
	case "windows":
		return "Visualizador de Eventos, Logs do Windows, Aplicativo, origem " + p.Name
	case "darwin":
		return "/var/log/" + p.Name + ".err.log"
	}
	return "journalctl -u " + p.Name + " -n 20"
}

// inWords says what stands in the way in the words of the rest.
func (p *Program) inWords(err error) error {
	var reach daemon.OutOfReach
	var failed daemon.NotStarted
	switch {
	case errors.Is(err, daemon.ErrNoManager):
		return errors.New("esta máquina não tem um gerenciador de serviços conhecido (systemd, Windows ou launchd); inicie com " + p.Name + ", ou pelo que houver aqui")
	case errors.Is(err, daemon.ErrNoRights) && runtime.GOOS == "windows":
		return errors.New("sem permissão: abra o Prompt de Comando como administrador e rode de novo")
	case errors.Is(err, daemon.ErrNoRights):
		return errors.New("sem permissão: rode com sudo")
	case errors.Is(err, daemon.ErrInstalled):
		return errors.New("o serviço já está instalado; para mudar as opções, desinstale-o antes: " + p.command("service uninstall"))
	case errors.Is(err, daemon.ErrNotInstalled):
		return errors.New("o serviço não está instalado; instale-o com: " + p.command("service install"))
	case errors.Is(err, daemon.ErrPackaged):
		return errors.New("o serviço foi instalado pelo pacote; desinstale-o com: sudo " + packageManager() + " remove " + p.Name)
	case errors.Is(err, daemon.ErrTransient):
		return errors.New("este programa está em uma pasta temporária; copie-o para um lugar fixo, como /usr/local/bin, e instale de lá")
	case errors.Is(err, daemon.ErrSlowStop):
		return fmt.Errorf("o serviço não parou em %s; veja %s", daemon.LongestStop, p.seeLog())
	case errors.As(err, &reach):
		return fmt.Errorf("a conta %s, do serviço, não alcança %s; mude as permissões, mova-o, ou escolha outra conta com --user", reach.User, reach.Path)
	case errors.As(err, &failed) && len(failed.Words) > 0:
		return errors.New("o serviço não iniciou e será tentado de novo. Ele diz: " + strings.Join(failed.Words, "; "))
	case errors.As(err, &failed):
		return fmt.Errorf("o serviço não iniciou: %w (veja %s)", failed.Unwrap(), p.seeLog())
	}
	return fmt.Errorf("o gerenciador de serviços recusou: %w (veja %s)", err, p.seeLog())
}

// packageManager is the one that people use here.
func packageManager() string {
	for _, name := range []string{"apt", "dnf", "zypper"} {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return "rpm" // whoever has none of these knows what to say instead
}
