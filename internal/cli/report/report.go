// Package report is what the doctors of both programs tell support in the same way: the system, its network, a folder, the settings.
package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/checkup"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/probe"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Patience is for what should take a moment, and may take for ever.
const Patience = time.Minute

// Row writes a name and its value.
func Row(w io.Writer, name, format string, args ...any) {
	fmt.Fprintf(w, "%-20s %s\n", name, fmt.Sprintf(format, args...))
}

// System is the program, what it runs on, and its clock.
func System(w io.Writer, version commandline.Version, at time.Time) {
	Row(w, "Versão", "%s (build %s)", version.Number, version.Build)
	Row(w, "Go", "%s", runtime.Version())
	Row(w, "Sistema", "%s/%s, %s", runtime.GOOS, runtime.GOARCH, systemName())
	Row(w, "Processadores", "%d", runtime.NumCPU())
	program, err := os.Executable()
	Row(w, "Programa", "%s", orWhy(program, err))
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "vcs.") {
				Row(w, s.Key, "%s", s.Value)
			}
		}
	}
	host, err := os.Hostname()
	Row(w, "Máquina", "%s", orWhy(host, err))
	who, err := user.Current()
	if err == nil {
		Row(w, "Usuário", "%s (%s)", who.Username, who.Uid)
	} else {
		Row(w, "Usuário", "desconhecido: %s", portuguese.Error(err))
	}
	zone, _ := at.Zone()
	Row(w, "Relógio", "%s", at.Format("02/01/2006 15:04:05.000 -07:00"))
	Row(w, "Fuso", "%s (%s)%s", time.Local, zone, known(", TZ=", os.Getenv("TZ")))
	Row(w, "UTC", "%s", at.UTC().Format(time.RFC3339))
}

func orWhy(text string, err error) string {
	if err != nil {
		return "desconhecido: " + portuguese.Error(err)
	}
	return text
}

func known(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// Interfaces are the network's.
func Interfaces(w io.Writer) error {
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
		Row(w, i.Name, "%s, %s", i.Flags, strings.Join(all, " "))
	}
	return err
}

// Listening are the ports that this machine listens on, where it tells.
func Listening(w io.Writer) (err error) {
	if runtime.GOOS != "linux" {
		return nil
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

// mostFiles is how many files of a folder are listed.
const mostFiles = 2000

// Files list a folder. Damaged are those that were put aside for what is wrong with them.
func Files(w io.Writer, dir string) (damaged []string, err error) {
	if free, ok := probe.FreeSpace(dir); ok {
		fmt.Fprintf(w, "%s livres no disco\n\n", probe.Size(free))
	}
	files := 0
	var total int64
	var troubles []error
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		if err != nil {
			troubles = append(troubles, fmt.Errorf("%s: %w", name, syserror.OfFile(err)))
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil // gone meanwhile
		}
		if strings.Contains(d.Name(), ".damaged-") {
			damaged = append(damaged, name)
		}
		if !d.IsDir() {
			total += info.Size()
		}
		if files++; files <= mostFiles {
			fmt.Fprintf(w, "%s %-12s %12d %s %s\n", info.Mode(), owner(info), info.Size(), info.ModTime().Format("2006-01-02T15:04:05-07:00"), console.Escaped(name))
		}
		return nil
	})
	if files > mostFiles {
		fmt.Fprintf(w, "… e mais %d\n", files-mostFiles)
	}
	fmt.Fprintf(w, "\n%d bytes em %s\n", total, console.Amount(files, "arquivo ou pasta", "arquivos e pastas"))
	return damaged, errors.Join(append(troubles, err)...)
}

// Place is where the archive goes: never into the data folder.
func Place(output, data, program string, at time.Time) (string, error) {
	inside := func(dir string) bool {
		real, err := filepath.EvalSymlinks(dir)
		folder, failed := filepath.EvalSymlinks(data)
		if err != nil || failed != nil || data == "" {
			return false
		}
		way, err := filepath.Rel(kong.ExpandPath(folder), kong.ExpandPath(real))
		return err == nil && way != ".." && !strings.HasPrefix(way, ".."+string(filepath.Separator))
	}
	switch {
	case output == "-":
		return "-", nil
	case output != "" && inside(filepath.Dir(output)):
		return "", errors.New("o resultado não pode ficar na pasta de dados; escolha outro lugar com --output")
	case output != "":
		return output, nil
	}
	name := program + "-doctor-" + at.Format("20060102-150405") + ".zip"
	if here, err := os.Getwd(); err == nil && !inside(here) && probe.TryFolder(here) == nil {
		return name, nil
	}
	return filepath.Join(os.TempDir(), name), nil
}

// Summary is how it is, in a few lines: what was said, the worst first.
func Summary(found *console.Findings, said string) string {
	var worst, rest []string
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "✗") {
			worst = append(worst, line)
		} else {
			rest = append(rest, line)
		}
	}
	text := strings.Join(append(worst, rest...), "")
	switch {
	case found.Errors > 0:
		return text + console.Amount(found.Errors, "problema", "problemas") + ".\n"
	case found.Doubts > 0:
		return text + "Nenhum problema; " + console.Amount(found.Doubts, "ponto merece atenção", "pontos merecem atenção") + ".\n"
	}
	return text + "Nenhum problema encontrado.\n"
}
