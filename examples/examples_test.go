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

// The examples that there are in each language.
const (
	sale     = "venda"
	totem    = "totem"
	exchange = "troca" // not in all
)

// run builds what must be built and returns the command line of an example. Where something is missing it skips.
var run = map[string]func(t *testing.T, example string) []string{
	"curl": func(t *testing.T, example string) []string {
		return []string{need(t, "sh"), need(t, "curl", "curl/"+example+".sh")}
	},
	"go":         buildGo,
	"typescript": copyTypeScript,
	"python": func(t *testing.T, example string) []string {
		return []string{need(t, "python3"), "python/" + example + ".py"}
	},
	"php": func(t *testing.T, example string) []string {
		return []string{need(t, "php"), "php/" + example + ".php"}
	},
	"pascal": buildPascal,
	"csharp": buildCSharp,
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

var goPrograms = sync.OnceValue(func() error {
	for example, folder := range map[string]string{sale: "./go", totem: "./go/totem", exchange: "./go/troca"} {
		cmd := exec.Command("go", "build", "-o", filepath.Join(builds, example), folder)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as the program was built: most is compiled already
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	return nil
})

func buildGo(t *testing.T, example string) []string {
	if err := goPrograms(); err != nil {
		t.Fatal(err)
	}
	return []string{filepath.Join(builds, example)}
}

// copyTypeScript needs no compiler: all types in the example are inferred, so that it is JavaScript, too. make check looks at them.
func copyTypeScript(t *testing.T, example string) []string {
	node, dir := need(t, "node"), t.TempDir()
	text, err := os.ReadFile("typescript/" + example + ".ts")
	if err != nil {
		t.Fatal(err)
	}
	client, err := filepath.Abs("../clients/typescript")
	if err != nil {
		t.Fatal(err)
	}
	modules := filepath.Join(dir, "node_modules", "@maquininha")
	program := filepath.Join(dir, example+".mjs")
	for _, err := range []error{os.WriteFile(program, text, 0o600), os.MkdirAll(modules, 0o700), os.Symlink(client, filepath.Join(modules, "client"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return []string{node, program}
}

func buildPascal(t *testing.T, example string) []string {
	fpc, dir := need(t, "fpc"), t.TempDir()
	build(t, fpc, "-v0", "-FE"+dir, "-FU"+dir, "pascal/"+example+".pas")
	return []string{filepath.Join(dir, example)}
}

func buildCSharp(t *testing.T, example string) []string {
	dotnet, dir := need(t, "dotnet"), t.TempDir()
	project := map[string]string{sale: "csharp/venda.csproj", totem: "csharp/totem/totem.csproj"}[example]
	build(t, dotnet, "build", "-o", dir, project, "--property:BaseIntermediateOutputPath="+dir+"/obj/")
	return []string{dotnet, filepath.Join(dir, example+".dll")}
}

// environment tells an example where the terminal is.
func environment(url string) []string {
	return append(os.Environ(), "MAQUININHA_URL="+url, "MAQUININHA_USERNAME="+apptest.User, "MAQUININHA_PASSWORD="+apptest.Password, "LC_ALL=C.UTF-8")
}

const post = "POST /transaction"

// Each example sells; recovers the answer of a payment whose connection broke, without charging twice; and takes a refusal.
func TestExamples(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	for name, prepare := range run {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := prepare(t, sale)
			p := apptest.StartProcess(t)
			cutter := apptest.NewCutter(t, p.Base)
			sell := func() (string, error) {
				cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
				cmd.Env = environment(cutter.URL)
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
