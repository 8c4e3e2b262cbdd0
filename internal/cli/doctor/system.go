package doctor

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/maquininha/maquininha/internal/checkup"
)

func (v *visit) network(w io.Writer) error {
	interfaces, err := net.Interfaces()
	for _, i := range interfaces {
		addresses, failed := i.Addrs()
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", i.Name, failed))
		}
		var all []string
		for _, a := range addresses {
			all = append(all, a.String())
		}
		row(w, i.Name, "%s, %s", i.Flags, strings.Join(all, " "))
	}
	fmt.Fprintln(w)
	row(w, "API", "%s", v.Listen)
	row(w, "API (HTTPS)", "%s", v.HTTPS.Configured().Listen)
	row(w, "Tela", "%s", v.Screen)
	if runtime.GOOS != "linux" {
		return err
	}
	fmt.Fprintln(w, "\nPortas TCP em que esta máquina escuta:")
	table := ""
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, failed := os.ReadFile(name)
		if failed != nil {
			err = errors.Join(err, failed) // a system without IPv6, or one that does not tell
			continue
		}
		table += string(text)
	}
	for _, a := range checkup.Listening(table) {
		fmt.Fprintln(w, "  "+a.String())
	}
	return err
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
