package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

// parsed reads a command line as main does.
func parsed(t *testing.T, args ...string) (commandLine, *configuration, error) {
	t.Helper()
	forgetEmptyVariables()
	var line commandLine
	c := &configuration{}
	parser, err := kong.New(&line, kong.Name("maquininha"), kong.Resolvers(c), kong.Bind(c), kong.Writers(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := parser.Parse(args)
	return line, c, c.judge(ctx, err)
}

// written is a configuration file in a folder of its own.
func written(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, configName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPrecedence(t *testing.T) {
	dir := written(t, `
locale = "es"
[api]
listen = ":1"
username = "do-arquivo"
[printer]
cut = false
feed = 7
paper_width = 384
[emulator]
autopilot_delay = "7s"
`)
	for _, test := range []struct {
		name string
		env  map[string]string
		args []string
		want serve
	}{
		{"the file", nil, nil, serve{Listen: ":1", Locale: "es", AutopilotDelay: 7 * time.Second, printerFlags: printerFlags{Feed: 7}}},
		{"empty variables", map[string]string{"MAQUININHA_LISTEN": "", "MAQUININHA_PRINTER_FEED": "", "MAQUININHA_PRINTER_CUT": "", "MAQUININHA_MODE": ""}, nil, serve{Listen: ":1", Locale: "es", AutopilotDelay: 7 * time.Second, printerFlags: printerFlags{Feed: 7}}},
		{"the environment over the file", map[string]string{
			"MAQUININHA_LISTEN": ":2", "MAQUININHA_PRINTER_CUT": "true", "MAQUININHA_PRINTER_FEED": "8", "MAQUININHA_AUTOPILOT_DELAY": "8s",
		}, nil, serve{Listen: ":2", Locale: "es", AutopilotDelay: 8 * time.Second, printerFlags: printerFlags{Feed: 8, Cut: true}}},
		{
			"the command line over both",
			map[string]string{"MAQUININHA_LISTEN": ":2", "MAQUININHA_PRINTER_CUT": "false"},
			[]string{"--listen", ":3", "--printer-cut", "--printer-feed", "9", "--autopilot-delay", "9s"},
			serve{Listen: ":3", Locale: "es", AutopilotDelay: 9 * time.Second, printerFlags: printerFlags{Feed: 9, Cut: true}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			line, c, err := parsed(t, append([]string{"--data", dir}, test.args...)...)
			if err != nil {
				t.Fatal(err)
			}
			s := line.Serve
			got := serve{Listen: s.Listen, Locale: s.Locale, AutopilotDelay: s.AutopilotDelay, printerFlags: printerFlags{Feed: s.Feed, Cut: s.Cut}}
			if got != test.want || given(s.PaperWidth) != 384 || s.Username != "do-arquivo" || s.Mode != "emulator" || c.path() != filepath.Join(dir, configName) {
				t.Errorf("%+v, mode %q, user %q", got, s.Mode, s.Username)
			}
		})
	}
}

func TestWhereTheFileIs(t *testing.T) {
	home, other := written(t, "platform = 'home'"), written(t, "platform = 'other'")
	t.Setenv("MAQUININHA_DATA", home)
	for _, test := range []struct {
		env  string
		args []string
		want string
	}{
		{"", nil, "home"},
		{filepath.Join(other, configName), nil, "other"},
		{filepath.Join(other, configName), []string{"--config", filepath.Join(home, configName)}, "home"},
		{"", []string{"--data", other}, "other"},
		{"", []string{"--data", t.TempDir()}, ""},
	} {
		t.Setenv("MAQUININHA_CONFIG", test.env)
		if line, _, err := parsed(t, test.args...); err != nil || line.Serve.Platform != test.want {
			t.Errorf("%v: %q, %v", test, line.Serve.Platform, err)
		}
	}
	t.Setenv("MAQUININHA_CONFIG", "")
	if _, _, err := parsed(t, "--config", filepath.Join(home, "no.toml")); err == nil || !strings.HasSuffix(err.Error(), "no.toml não pode ser lido: não existe") {
		t.Error(err)
	}
	// The last place is the system's.
	if places := configPlaces("", home); len(places) < 1 || places[0] != filepath.Join(home, configName) || !strings.HasSuffix(places[len(places)-1], filepath.Join("maquininha", configName)) {
		t.Error(places)
	}
}

// Other commands need the folder and the printer that the file names; what is wrong elsewhere does not keep them.
func TestOtherCommandsUseTheFile(t *testing.T) {
	dir := written(t, "data = 'dados'\n[limits]\njson = 0\n[printer]\naddress = 'tcp://10.0.0.1'\ncopies = 2\n")
	line, _, err := parsed(t, "closing", "--config", filepath.Join(dir, configName))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := line.Closing.folder(); err != nil || got != filepath.Join(dir, "dados") {
		t.Errorf("%q, %v", got, err)
	}
	if paper := line.Closing.paperFlags; paper.address() != "tcp://10.0.0.1" || paper.Copies != 2 {
		t.Errorf("%+v", paper)
	}
	broken := written(t, "data = dados\n")
	if _, _, err := parsed(t, "closing", "--config", filepath.Join(broken, configName)); err == nil {
		t.Error("totals of another folder were shown")
	}
}

func TestSecrets(t *testing.T) {
	dir := written(t, "[api]\npassword = 'do arquivo'\n[pix]\nclient_secret_file = 'pix.txt'\n")
	path := func(name, content string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	path("pix.txt", "segredo do banco\r\n")
	other := path("outra.txt", "de outro arquivo\n")
	for _, test := range []struct {
		name, env, envFile string
		args               []string
		want, from         string
	}{
		{"the file's", "", "", nil, "do arquivo", filepath.Join(dir, configName)},
		{"the environment's", "do ambiente", "", nil, "do ambiente", ""},
		{"that of a file that the environment names", "", other, nil, "de outro arquivo", other},
		{"that of a file on the command line", "", "", []string{"--password-file", other}, "de outro arquivo", other},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(passwordVariable, test.env)
			t.Setenv("MAQUININHA_PASSWORD_FILE", test.envFile)
			t.Setenv(pixSecretVariable, "")
			line, c, err := parsed(t, append([]string{"--data", dir}, test.args...)...)
			s := line.Serve
			if err != nil || s.password() != test.want || s.passwordFrom(c) != test.from || s.clientSecret() != "segredo do banco" {
				t.Errorf("%q from %q, %q, %v", s.password(), s.passwordFrom(c), s.clientSecret(), err)
			}
		})
	}
	for _, args := range [][]string{{"--password", "x"}, {"init", "--pix-client-secret", "x"}} {
		if _, _, err := parsed(t, args...); err == nil || !strings.Contains(err.Error(), "não é aceita na linha de comando") {
			t.Errorf("%v: %v", args, err)
		}
	}
	for name, content := range map[string]string{"vazio": "\n", "longo": "uma\nduas\n"} {
		if _, _, err := parsed(t, "--data", t.TempDir(), "--password-file", path(name, content)); err == nil || !strings.Contains(err.Error(), "--password-file: o arquivo ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the library's own checks and those of serve refuse is said with line and key, all of it.
func TestTheServiceSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	dir := written(t, `mode = "production"
[printer]
adress = "x"
address = "virtual"
feed = 300
card_receipt = "duas"
[acquirer]
card = "cielo"
[limits]
json = 0
[tef]
profile = "x"
[pix]
expiry = "x"
client_secret = "abc-segredo"
client_secret_file = "x"
`)
	said := complaint(t, "serve", "--data", dir)
	want := "maquininha: há o que corrigir em " + filepath.Join(dir, configName) + `:
maquininha.toml:3: [printer] adress: chave desconhecida; quis dizer "address"?
maquininha.toml:4: [printer] address: virtual só existe no modo emulator
maquininha.toml:5: [printer] feed: deve estar entre 0 e 255
maquininha.toml:6: [printer] card_receipt: deve ser um de none, customer, both, ask
maquininha.toml:8: [acquirer] card: deve ser um de emulator, tef, none
maquininha.toml:10: [limits] json: deve estar entre 1 e 1024
maquininha.toml:14: [pix] expiry: deve ser um tempo entre aspas, como "500ms", "2s" ou "5m"
maquininha.toml:16: [pix] client_secret_file: o arquivo ` + filepath.Join(dir, "x") + ` não pode ser lido: não existe
`
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	// What is wrong only together has no line: its keys are named beside the flags.
	dir = written(t, "[acquirer]\npix = 'pix'\n[pix]\nurl = 'https://x/v2'\n")
	if said := complaint(t, "serve", "--data", dir); !strings.Contains(said, "precisa de --pix-token-url ou [pix] token_url, --pix-client-id ou [pix] client_id, ") {
		t.Error(said)
	}
}

// Every setting is declared once, as a flag of serve, and is in the file.
func TestEveryFlagIsInTheFile(t *testing.T) {
	model := kong.Must(&commandLine{}).Model
	var tables []string
	for _, s := range sections {
		tables = append(tables, s.Table)
	}
	seen := map[string]bool{}
	all := settings(model)
	for _, s := range all {
		if seen[s.Name()] || !slices.Contains(tables, s.Table) || s.Help == "" || s.Variable == "" {
			t.Errorf("--%s is not well in the file: %+v", s.Flag, s)
		}
		seen[s.Name()] = true
	}
	for _, command := range model.Children {
		for _, flag := range command.Flags {
			if command.Name == "serve" && !flag.Tag.Has("toml") && flag.Name != "config" {
				t.Errorf("--%s has no key in the file: give it a toml tag", flag.Name)
			}
		}
	}
}
