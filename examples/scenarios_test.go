package examples

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/testserver"
)

const (
	sold      = "Venda concluída: R$ 54,24, NSU "
	exchanged = "Troca concluída: R$ 18,90 de R$ 54,24 devolvidos, NSU 000000002"
)

// scenarios are what an example says in the end, on each of the days in scenarios/*.toml.
var scenarios = map[string]string{
	"feliz":            sold + "000000001, CPF 11144477735",
	"recusada":         "Saldo insuficiente",
	"sem-papel":        "Erro ao imprimir",
	"ocupado":          sold,
	"resposta-perdida": sold,
	"segundo-plano":    "Aplicativo em segundo plano",
	"reinicio":         "Transação cancelada",
	"demora":           sold,
}

// Some examples pay once more when the application is in the foreground again.
var persistent = map[string]string{"curl/segundo-plano": sold}

// Whatever the day, the examples do nothing wrong, and every step of the scenario happens to them.
func TestExamplesAreWithoutFault(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	files, err := filepath.Glob("scenarios/*.toml")
	if err != nil || len(files) != len(scenarios)+1 { // the last is that of TestPartsAreGivenBackOnce
		t.Fatalf("%q %v", files, err)
	}
	for _, name := range []string{"curl", "go", "typescript"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := run[name](t, sale)
			for day, want := range scenarios {
				t.Run(day, func(t *testing.T) {
					t.Parallel()
					if instead := persistent[name+"/"+day]; instead != "" {
						want = instead
					}
					underTest(t, hurried(t, filepath.Join("scenarios", day+".toml")), command, want, strings.HasPrefix(want, sold))
				})
			}
		})
	}
}

// An answer that was lost gives nothing back twice; a refusal gives back nothing.
func TestPartsAreGivenBackOnce(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	refused := filepath.Join(t.TempDir(), "estorno-negado.toml")
	if err := os.WriteFile(refused, []byte("[[reversal]]\noutcome = \"refuse\"\nmessage = \"Fora do prazo\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"curl", "go", "typescript", "python"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := run[name](t, exchange)
			underTest(t, "scenarios/estorno-parcial.toml", command, exchanged, true)
			underTest(t, refused, command, "Fora do prazo", false)
		})
	}
}

// hurried is a scenario without the minute that its people take.
func hurried(t *testing.T, scenario string) string {
	t.Helper()
	text, err := os.ReadFile(scenario)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(scenario))
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte(`delay = "61s"`), []byte(`delay = "300ms"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// underTest runs an example that says what is wanted; done tells whether it did what it is for.
func underTest(t *testing.T, scenario string, command []string, want string, done bool) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "relatorio.json")
	cmd := exec.CommandContext(t.Context(), apptest.Program(t), append([]string{"test-server", "--scenario", scenario, "--report", report, "--"}, command...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Run() //nolint:errcheck // its code is looked at
	if !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, &out)
	}
	code := 3 // the example tells that it has not
	if done {
		code = 0
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d\n%s", got, code, &out)
	}
	var r testserver.Report
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil || len(r.Faults) > 0 {
		t.Errorf("%v %+v", err, r.Faults)
	}
	for _, note := range r.Notes {
		t.Errorf("remark: %s", note)
	}
}
