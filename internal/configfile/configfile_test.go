package configfile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var known = []Setting{
	{Key: "mode", Flag: "mode", Variable: "MAQUININHA_MODE", Default: "emulator", Choices: []string{"emulator", "production"}, Help: "O modo."},
	{Table: "api", Key: "listen", Flag: "listen", Default: ":9050", Help: "Onde; veja --tls-key e --no-printer-cut."},
	{Table: "api", Key: "password", Flag: "password", Secret: true},
	{Table: "tls", Key: "key", Flag: "tls-key", Path: true},
	{Table: "printer", Key: "address", Flag: "printer"},
	{Table: "printer", Key: "paper_width", Flag: "paper-width", Kind: Number, Example: "576"},
	{Table: "printer", Key: "cut", Flag: "printer-cut", Kind: Switch, Default: "true"},
	{Table: "emulator", Key: "autopilot_delay", Flag: "autopilot-delay", Kind: Duration, Default: "2s"},
}

func TestProblems(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"in order", "mode = 'production'\n[api]\nlisten = \":1\"\n", ""},
		{"a byte order mark and the line ends of Windows", "\ufeffmode = \"emulator\"\r\n[api]\r\nlisten = \":1\"\r\n", ""},
		{"dotted", "printer.cut = false\nprinter.address = 'none'\n", ""},
		{"inline", "printer = { cut = false, address = 'none' }\n", ""},
		{"an unknown key", "\n[printer]\nadress = 'x'\n", `x.toml:3: [printer] adress: chave desconhecida; quis dizer "address"?`},
		{"two letters swapped", "[printer]\nctu = true\n", `x.toml:2: [printer] ctu: chave desconhecida; quis dizer "cut"?`},
		{"another case", "[printer]\nAddress = 'x'\n", `x.toml:2: [printer] Address: chave desconhecida; quis dizer "address"?`},
		{"in Portuguese", "[printer]\nendereco = 'x'\n", `x.toml:2: [printer] endereco: chave desconhecida; quis dizer "address"?`},
		{"by its flag", "[printer]\npaper-width = 1\n", `x.toml:2: [printer] paper-width: chave desconhecida; quis dizer "paper_width"?`},
		{"by its flag, in another table", "[api]\npaper-width = 1\n", `x.toml:2: [api] paper-width: chave desconhecida; quis dizer [printer] paper_width?`},
		{"by its variable", "MAQUININHA_MODE = 'x'\n", `x.toml:1: MAQUININHA_MODE: chave desconhecida; quis dizer mode?`},
		{"of another table", "listen = ':1'\n", `x.toml:1: listen: chave desconhecida; quis dizer [api] listen?`},
		{"a table as key", "api = 3\n", `x.toml:1: api: chave desconhecida; é uma tabela, escrita como [api], sozinha na linha`},
		{"nearly a table's name as key", "printr = 'none'\n", `x.toml:1: printr: chave desconhecida; quis dizer "printer"?`},
		{"like nothing", "[printer]\nzzzzzz = 'x'\n", "x.toml:2: [printer] zzzzzz: chave desconhecida"},
		{"an unknown table, once", "[impresora]\na = 1\nb = 2\n", `x.toml:1: [impresora]: tabela desconhecida; quis dizer "printer"?`},
		{"a table like nothing", "[zzzzzz]\n", "x.toml:1: [zzzzzz]: tabela desconhecida; as que há são api, tls, printer, emulator"},
		{"a table too deep", "[printer.more]\ncut = 1\n", "x.toml:1: [printer.more]: tabela desconhecida; as que há são api, tls, printer, emulator"},
		{"a list of tables", "[[printer]]\n", "x.toml:1: [[printer]]: esta tabela não se repete; escreva [printer]"},
		{"a key twice", "mode = 'emulator'\n\nmode = 'production'\n", "x.toml:3: mode: chave repetida; já está na linha 1"},
		{"a table twice", "[api]\n[printer]\n[api]\n", "x.toml:3: [api]: tabela repetida; já está na linha 1, junte as duas"},
		{"text that is a number", "[api]\nlisten = 9050\n", "x.toml:2: [api] listen: deve ser um texto entre aspas"},
		{"a number that is text", "[printer]\npaper_width = \"576\"\n", "x.toml:2: [printer] paper_width: deve ser um número inteiro, sem aspas"},
		{"a number with a point", "[printer]\npaper_width = 57.6\n", "x.toml:2: [printer] paper_width: deve ser um número inteiro, sem aspas"},
		{"a number too big", "[printer]\npaper_width = 99999999999999999999\n", "x.toml:2: [printer] paper_width: deve ser um número inteiro, sem aspas"},
		{"a switch that is text", "[printer]\ncut = \"true\"\n", "x.toml:2: [printer] cut: deve ser true ou false, sem aspas"},
		{"a time without unit", "[emulator]\nautopilot_delay = \"2\"\n", `x.toml:2: [emulator] autopilot_delay: deve ser um tempo entre aspas, como "500ms", "2s" ou "5m"`},
		{"outside the list", "mode = \"produção\"\n", "x.toml:1: mode: deve ser um de emulator, production"},
		{"a list", "[api]\nlisten = [':1', ':2']\n", "x.toml:2: [api] listen: deve ser um texto entre aspas"},
		{"no quotes", "[api]\nlisten = :9050\n", `x.toml:2: não é TOML: textos vão entre aspas, como "valor"; números e true ou false, sem elas`},
		{"a quote missing", "[api]\nlisten = \":9050\n", "x.toml:2: não é TOML: faltam aspas, ou sobra algo depois delas"},
		{"no value", "mode =\n", `x.toml:1: não é TOML: falta o valor depois de = (um texto vazio é "")`},
		{"no key", "# begin\nprinter tcp://x\n", "x.toml:2: não é TOML: uma linha é chave = valor, [tabela] ou # comentário"},
		{"a key of two words", "paper width = 1\n", "x.toml:1: não é TOML: a chave antes de = deve ser uma palavra só"},
		{"an open table", "[printer\n", "x.toml:1: não é TOML: uma tabela é escrita como [api], sozinha na linha"},
		{"a path with an escape that is none", "[tls]\nkey = \"C:\\PAYGO\"\n", "x.toml:2: não é TOML: " + backslash},
		{"a path with an escape that is one", "[tls]\nkey = \"C:\\temp\"\n", "x.toml:2: [tls] key: " + backslash},
		{"another encoding", "mode = 'emulator'\n# impress\xe3o\n", "x.toml:2: o arquivo deve ser gravado em UTF-8"},
		{"all at once, in order", "mode = x\n[printer]\ncut = 1\nadress = ''\nfoo\npaper_width = ''\n", `x.toml:1: não é TOML: textos vão entre aspas, como "valor"; números e true ou false, sem elas
x.toml:3: [printer] cut: deve ser true ou false, sem aspas
x.toml:4: [printer] adress: chave desconhecida; quis dizer "address"?
x.toml:5: não é TOML: uma linha é chave = valor, [tabela] ou # comentário
x.toml:6: [printer] paper_width: deve ser um número inteiro, sem aspas`},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := Parse([]byte(test.text), known)
			f.Path = "/etc/x.toml"
			if diff := cmp.Diff(test.want, strings.Join(f.Complaints(), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestValues(t *testing.T) {
	f := Parse([]byte("mode = ''\n[printer]\npaper_width = 0x1_80\ncut = false\naddress = \"tcp://caf\\u00e9\"\n[emulator]\nautopilot_delay = '1m'\n"), known)
	want := map[string]Value{
		"printer.paper_width": {"384", 3}, "printer.cut": {"false", 4}, "printer.address": {"tcp://café", 5}, "emulator.autopilot_delay": {"1m", 7},
	}
	if diff := cmp.Diff(want, f.Values); diff != "" || f.Problems != nil {
		t.Error(diff, f.Problems)
	}
}

func TestPathsBeginAtTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.toml")
	for text, want := range map[string]string{"a/b.pem": filepath.Join(dir, "a", "b.pem"), filepath.Join(dir, "c"): filepath.Join(dir, "c")} {
		if err := os.WriteFile(path, []byte("[tls]\nkey = '"+text+"'\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, known)
		if err != nil || f.Values["tls.key"].Text != want {
			t.Errorf("%s: %v, %v", text, f, err)
		}
	}
}

func TestSecretsAreForOneReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.toml")
	if err := os.WriteFile(path, []byte("[api]\npassword = 'segredo'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, refused := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true, 0o644: true} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, known)
		if err != nil {
			t.Fatal(err)
		}
		_, used := f.Values["api.password"]
		if refused = refused && runtime.GOOS != "windows"; used == refused || (len(f.Problems) > 0) != refused {
			t.Errorf("%v: %v", mode, f)
		}
		if text := strings.Join(f.Complaints(), ""); refused && (!strings.Contains(text, "x.toml:2: [api] password: ") || !strings.Contains(text, "chmod 600 "+path)) || strings.Contains(text, "'segredo'") {
			t.Error(text)
		}
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	sections := []Section{{}, {"api", "Chamadores."}, {"tls", ""}, {"printer", ""}, {"emulator", ""}}
	rapid.Check(t, func(t *rapid.T) {
		values := map[string]string{}
		for _, name := range []string{"api.listen", "api.password", "printer.address"} {
			if text := rapid.String().Draw(t, name); text != "" && strings.ToValidUTF8(text, "") == text {
				values[name] = text
			}
		}
		if rapid.Bool().Draw(t, "more") {
			values["mode"], values["printer.cut"], values["printer.paper_width"], values["emulator.autopilot_delay"] = "production", "false", "384", "1s"
			values["tls.key"] = `C:\PAYGO\it's`
		}
		f := Parse(Write("Um arquivo.", sections, known, values), known)
		got := map[string]string{}
		for name, v := range f.Values {
			got[name] = v.Text
		}
		if diff := cmp.Diff(values, got); diff != "" || f.Problems != nil {
			t.Fatal(diff, f.Problems)
		}
	})
}

func TestTheWholeFile(t *testing.T) {
	text := string(Write("Um arquivo.", []Section{{}, {"api", "Chamadores."}}, known[:2], map[string]string{"mode": "production"}))
	want := `# Um arquivo.

# O modo. [MAQUININHA_MODE]
mode = "production"

# Chamadores.
[api]

# Onde; veja --tls-key e --no-printer-cut.
#listen = ":9050"
`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
	if got := InKeys("use --tls-key, --no-printer-cut ou --printer; ou --unknown", known); got != "use [tls] key, cut = false ou [printer] address; ou --unknown" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("mode = 'x'\n[printer]\ncut = { a = [1, 2], b.c = 1979-05-27 }\n"))
	f.Add([]byte("a = '''\n\"\n[[x]]\n\xff"))
	f.Fuzz(func(t *testing.T, text []byte) { Parse(text, known).Complaints() })
}
