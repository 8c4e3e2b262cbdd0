package printers

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
)

// asOther runs the program as somebody who may not read a folder, for whom it is the service's.
func asOther(t *testing.T, folder string, args ...string) (string, error) {
	t.Helper()
	command := clitest.Program(t, args...)
	command.Env = append(command.Environ(), "MAQUININHA_DATA="+folder)
	mode := os.FileMode(0o700)
	if os.Getuid() == 0 {
		const nobody = 65534
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	} else {
		mode = 0
		defer os.Chmod(folder, 0o700) //nolint:errcheck // the cleanup would say so
	}
	if err := os.Chmod(folder, mode); err != nil {
		t.Fatal(err)
	}
	out, err := command.CombinedOutput()
	return string(out), err
}

// everybodys is a file that anybody may read.
func everybodys(t *testing.T, name, text string) (path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for place, mode := range map[string]os.FileMode{path: 0o644, dir: 0o755, filepath.Dir(dir): 0o755} {
		if err := os.Chmod(place, mode); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// Who may not read the service's file can still use a printer whose address they know.
func TestThePrinterNeedsNoFileThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 576)
	folder := clitest.Written(t, "[printer]\naddress = 'tcp://127.0.0.1:9'\n")
	text := everybodys(t, "texto.acbr", "Bom dia\n")
	address := "tcp://" + fake.Address
	for _, args := range [][]string{{"printers", "test", address}, {"printers", "state", address}, {"print", text, "--printer", address}} {
		if said, err := asOther(t, folder, args...); err != nil {
			t.Errorf("%q: %v %s", args, err, said)
		}
	}
	if n := len(fake.Sheets()); n != 2 {
		t.Errorf("%d sheets", n)
	}
}

// Without an address it is the file that is missing; a command that works on the service's data goes nowhere without it.
func TestWhatIsMissingFromAFileThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	folder := clitest.Written(t, "[printer]\naddress = 'tcp://127.0.0.1:9'\n")
	unread := "maquininha: o arquivo de configuração " + filepath.Join(folder, "maquininha.toml") + " não pode ser lido: sem permissão (é do serviço: rode como administrador"
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"printers", "test"}, unread + "); informe em --printer a impressora: "},
		{[]string{"printers", "state"}, unread + "); informe em --printer a impressora: "},
		{[]string{"print", "x.acbr", "--to", "printer"}, unread + "); informe em --printer a impressora: "},
		{[]string{"print"}, "maquininha: informe ao menos um arquivo"},
		{[]string{"printers", "test", "abc"}, `maquininha: printers test: --printer "abc" não é uma impressora deste comando`},
		{[]string{"closing"}, unread + ", ou diga outro com --config)"},
		{[]string{"serve"}, unread + ", ou diga outro com --config)"},
	} {
		if said, err := asOther(t, folder, test.args...); err == nil || !strings.HasPrefix(said, test.want) {
			t.Errorf("%q: %v %s", test.args, err, said)
		}
	}
}
