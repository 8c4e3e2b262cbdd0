package examples

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
)

var builds string // of what is built once for all

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "6") //nolint:errcheck // it is there; tests wait for other processes
	os.Exit(func() int {
		var err error
		if builds, err = os.MkdirTemp("", "maquininha-examples-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(builds)
		return apptest.WithProgram(m)
	}())
}

// run builds what must be built and returns the command line of the example. Where something is missing it skips.
var run = map[string]func(*testing.T) []string{
	"curl":       func(t *testing.T) []string { return []string{need(t, "sh"), need(t, "curl", "curl/venda.sh")} },
	"go":         buildGo,
	"typescript": copyTypeScript,
	"python":     func(t *testing.T) []string { return []string{need(t, "python3"), "python/venda.py"} },
	"php":        func(t *testing.T) []string { return []string{need(t, "php"), "php/venda.php"} },
	"pascal":     buildPascal,
	"csharp":     buildCSharp,
}

func need(t *testing.T, program string, instead ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil && os.Getenv("CI") != "" && program != "dotnet" { // which Debian does not have
		t.Fatalf("%s is missing: make test installs it", program)
	}
	if err != nil {
		t.Skipf("%s is missing", program)
	}
	if len(instead) > 0 {
		return instead[0]
	}
	return path
}

func build(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

var goProgram = sync.OnceValues(func() (string, error) {
	program := filepath.Join(builds, "venda")
	cmd := exec.Command("go", "build", "-o", program, "./go")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as the program was built: most is compiled already
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

func buildGo(t *testing.T) []string {
	program, err := goProgram()
	if err != nil {
		t.Fatal(err)
	}
	return []string{program}
}

// copyTypeScript needs no compiler: all types in the example are inferred, so that it is JavaScript, too. make check looks at them.
func copyTypeScript(t *testing.T) []string {
	node, dir := need(t, "node"), t.TempDir()
	text, err := os.ReadFile("typescript/venda.ts")
	if err != nil {
		t.Fatal(err)
	}
	client, err := filepath.Abs("../clients/typescript")
	if err != nil {
		t.Fatal(err)
	}
	modules := filepath.Join(dir, "node_modules", "@maquininha")
	program := filepath.Join(dir, "venda.mjs")
	for _, err := range []error{os.WriteFile(program, text, 0o600), os.MkdirAll(modules, 0o700), os.Symlink(client, filepath.Join(modules, "client"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return []string{node, program}
}

func buildPascal(t *testing.T) []string {
	fpc, dir := need(t, "fpc"), t.TempDir()
	build(t, fpc, "-v0", "-FE"+dir, "-FU"+dir, "pascal/venda.pas")
	return []string{filepath.Join(dir, "venda")}
}

func buildCSharp(t *testing.T) []string {
	dotnet, dir := need(t, "dotnet"), t.TempDir()
	build(t, dotnet, "build", "-o", dir, "csharp/venda.csproj", "--property:BaseIntermediateOutputPath="+dir+"/obj/")
	return []string{dotnet, filepath.Join(dir, "venda.dll")}
}

const post = "POST /transaction"

// Each example sells; recovers the answer of a payment whose connection broke, without charging twice; and takes a refusal.
func TestExamples(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	for name, prepare := range run {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := prepare(t)
			p := apptest.StartProcess(t)
			cutter := apptest.NewCutter(t, p.Base)
			sell := func() (string, error) {
				cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
				cmd.Env = append(os.Environ(), "MAQUININHA_URL="+cutter.URL, "MAQUININHA_USERNAME="+apptest.User, "MAQUININHA_PASSWORD="+apptest.Password,
					"LC_ALL=C.UTF-8")
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				err := cmd.Run()
				return out.String(), err
			}
			for i, trouble := range []func(){
				func() {},
				func() {
					p.Call("POST", "/emulator/acquirer", `{"next": "approve", "delayMs": 300}`, nil)
					cutter.Cut(post, apptest.MidOperation)
				},
				func() { cutter.Cut(post, apptest.BeforeRequest, apptest.BeforeAnswer) },
				func() { cutter.Cut(post, apptest.GatewayError) },
			} {
				trouble()
				out, err := sell()
				if err != nil || !strings.Contains(out, "Venda concluída: R$ 54,24, NSU ") {
					t.Fatalf("sale %d: %v\n%s", i, err, out)
				}
				if n := p.Approved(); n != i+1 {
					t.Errorf("after sale %d: %d payments approved", i, n)
				}
			}
			p.Call("POST", "/emulator/acquirer", `{"next": "refuse", "message": "Saldo insuficiente"}`, nil)
			out, err := sell()
			if err == nil || !strings.Contains(out, "Saldo insuficiente") {
				t.Errorf("refused: %v\n%s", err, out)
			}
			if status := p.Call("GET", "/sale", "", nil); status != 409 {
				t.Errorf("a sale was left open: %d", status)
			}
			var jobs []struct{}
			p.Call("GET", "/emulator/printer/jobs", "", &jobs)
			if len(jobs) != 4 {
				t.Errorf("%d receipts printed", len(jobs))
			}
		})
	}
}
