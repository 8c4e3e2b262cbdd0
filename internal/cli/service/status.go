package service

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/daemon"
)

// The exit codes of status, as other tools of this kind have them.
const (
	codeStopped      commandline.ExitCode = 3
	codeNotInstalled commandline.ExitCode = 4
)

type Status struct{}

// Help is the rest of the page.
func (Status) Help() string {
	return "Código de saída: 0 no ar, 3 instalado mas parado ou falhando, 4 não instalado, 1 se não dá para saber."
}

func (Status) Run() error {
	m, err := daemon.Open(daemon.Setup{})
	if err != nil {
		return inServiceWords(err)
	}
	s, err := m.Status()
	if errors.Is(err, daemon.ErrNotInstalled) {
		fmt.Println("Não instalado. Instale com: " + console.AsAdministrator("maquininha service install"))
		return codeNotInstalled
	}
	if err != nil {
		return inServiceWords(err)
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
		fmt.Printf("Instalado (%s), falhando. Veja por quê: %s\n", boot, seeLog())
		return codeStopped
	default:
		fmt.Printf("Instalado (%s), parado.\n", boot)
		return codeStopped
	}
	return nil
}

// seeLog is where the service's last words are.
func seeLog() string {
	switch runtime.GOOS {
	case "windows":
		return "Visualizador de Eventos, Logs do Windows, Aplicativo, origem " + daemon.Name
	case "darwin":
		return "/var/log/" + daemon.Name + ".err.log"
	}
	return "journalctl -u " + daemon.Name + " -n 20"
}

// inServiceWords says what stands in the way in the words of the rest.
func inServiceWords(err error) error {
	var reach daemon.OutOfReach
	var failed daemon.NotStarted
	switch {
	case errors.Is(err, daemon.ErrNoManager):
		return errors.New("esta máquina não tem um gerenciador de serviços que a maquininha conheça (systemd, Windows ou launchd); inicie-a com maquininha, ou pelo que houver aqui")
	case errors.Is(err, daemon.ErrNoRights) && runtime.GOOS == "windows":
		return errors.New("sem permissão: abra o Prompt de Comando como administrador e rode de novo")
	case errors.Is(err, daemon.ErrNoRights):
		return errors.New("sem permissão: rode com sudo")
	case errors.Is(err, daemon.ErrInstalled):
		return errors.New("o serviço já está instalado; para mudar as opções, desinstale-o antes: " + console.AsAdministrator("maquininha service uninstall"))
	case errors.Is(err, daemon.ErrNotInstalled):
		return errors.New("o serviço não está instalado; instale-o com: " + console.AsAdministrator("maquininha service install"))
	case errors.Is(err, daemon.ErrPackaged):
		return errors.New("o serviço foi instalado pelo pacote; desinstale-o com: sudo apt remove maquininha")
	case errors.Is(err, daemon.ErrTransient):
		return errors.New("este programa está em uma pasta temporária; copie-o para um lugar fixo, como /usr/local/bin, e instale de lá")
	case errors.Is(err, daemon.ErrSlowStop):
		return fmt.Errorf("o serviço não parou em %s; veja %s", daemon.LongestStop, seeLog())
	case errors.As(err, &reach):
		return fmt.Errorf("a conta %s, do serviço, não alcança %s; mude as permissões, mova-o, ou escolha outra conta com --user", reach.User, reach.Path)
	case errors.As(err, &failed) && len(failed.Words) > 0:
		return errors.New("o serviço não iniciou e será tentado de novo. Ele diz: " + strings.Join(failed.Words, "; "))
	case errors.As(err, &failed):
		return fmt.Errorf("o serviço não iniciou: %w (veja %s)", failed.Unwrap(), seeLog())
	}
	return fmt.Errorf("o gerenciador de serviços recusou: %w (veja %s)", err, seeLog())
}
