package doctor

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"

	"github.com/maquininha/maquininha/internal/cli/report"
)

func (v *visit) network(w io.Writer) error {
	err := report.Interfaces(w)
	fmt.Fprintln(w)
	row(w, "API", "%s", v.Listen)
	row(w, "API (HTTPS)", "%s", v.HTTPS.Configured().Listen)
	row(w, "Tela", "%s", v.Screen)
	return errors.Join(err, report.Listening(w))
}

// manager asks the system's service manager for what it knows of the service; nothing that could carry its environment.
func (v *visit) manager(w io.Writer) error {
	var ask []string
	switch runtime.GOOS {
	case "linux":
		ask = []string{"systemctl", "show", "maquininha", "--no-pager", "--property=LoadState,ActiveState,SubState,UnitFileState,FragmentPath,User,MainPID,NRestarts,Result,ExecMainStatus,ExecMainStartTimestamp,ActiveEnterTimestamp"}
	case "windows":
		ask = []string{"sc.exe", "query", "maquininha"}
	case "darwin":
		ask = []string{"launchctl", "list", "maquininha"}
	default:
		fmt.Fprintln(w, "este sistema não tem um gerenciador conhecido")
		return nil
	}
	program, err := exec.LookPath(ask[0])
	if err != nil {
		fmt.Fprintf(w, "este sistema não tem %s\n", ask[0])
		return nil
	}
	ctx, cancel := v.brief()
	defer cancel()
	out, err := exec.CommandContext(ctx, program, ask[1:]...).CombinedOutput()
	fmt.Fprintf(w, "%s\n\n%s", strings.Join(ask, " "), out)
	if err != nil {
		fmt.Fprintf(w, "\n(%s: %v)\n", ask[0], err)
	}
	return nil
}
