package cli

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/datafolder"
)

type line struct {
	Serve    Serve    `cmd:"" default:"withargs" file:"whole"`
	Init     Init     `cmd:"" file:"unread"`
	Check    Check    `cmd:"" file:"told"`
	Doctor   Doctor   `cmd:"" file:"told-plain"`
	Password Password `cmd:""`
	Key      Key      `cmd:""`
	Backup   Backup   `cmd:""`
	Restore  Restore  `cmd:""`
	Service  Service  `cmd:""`
}

func parsed(args ...string) (*line, *kong.Context, *settings.Configuration, error) {
	var l line
	file := NewConfiguration()
	parser := commandline.New(&l, kong.Name(Name), kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) {}), kong.Resolvers(file), kong.Bind(file, Serviced(), commandline.Version{Program: Name}))
	ctx, err := parser.Parse(args)
	return &l, ctx, file, file.Judge(ctx, err)
}

// Every setting is declared once, as a flag of serve, and is in the file.
func TestEveryFlagIsInTheFile(t *testing.T) {
	var tables []string
	for _, s := range sections {
		tables = append(tables, s.Table)
	}
	for _, s := range Settings() {
		if !slices.Contains(tables, s.Table) || s.Help == "" || !strings.HasPrefix(s.Variable, "MAQUININHA_HUB_") {
			t.Errorf("--%s is not well in the file: %+v", s.Flag, s)
		}
	}
	for _, flag := range commandline.New(&alone{}).Model.Flags {
		if !settings.IsSetting(flag) && flag.Name != "config" && flag.Name != "help" {
			t.Errorf("--%s has no key in the file: give it a toml tag", flag.Name)
		}
	}
}

// A command without --config and --data finds the file where the hub's variables say that it is, not the terminal's.
func TestVariablesSayWhereTheFileIs(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "maquininha-hub.toml"), []byte("listen = '127.0.0.1:9'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MAQUININHA_DATA", t.TempDir())
	for name, value := range map[string]string{"MAQUININHA_HUB_DATA": dir, "MAQUININHA_HUB_CONFIG": filepath.Join(dir, "maquininha-hub.toml")} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			var bare struct {
				Listen string `toml:"listen"`
			}
			if _, err := commandline.New(&bare, kong.Resolvers(NewConfiguration())).Parse(nil); err != nil || bare.Listen != "127.0.0.1:9" {
				t.Errorf("%q, %v", bare.Listen, err)
			}
		})
	}
}

// What init writes is read as the flags it was given.
func TestInitRoundTrip(t *testing.T) {
	flags := []string{"--listen", "127.0.0.1:9", "--http", ":8080", "--url", "https://hub.exemplo.com.br", "--database", "postgres://u@servidor/banco", "--transaction-days", "1825", "--log-days", "0"}
	dir := t.TempDir()
	_, ctx, _, err := parsed(append([]string{"init", "--data", dir}, flags...)...)
	if err == nil {
		err = ctx.Run()
	}
	if err != nil {
		t.Fatal(err)
	}
	fromFile, _, file, err := parsed("--data", dir)
	if err != nil || file.Path() != filepath.Join(dir, "maquininha-hub.toml") {
		t.Fatal(file.Path(), err)
	}
	fromFlags, _, _, err := parsed(append([]string{"--data", dir, "--config", os.DevNull}, flags...)...)
	if err != nil {
		t.Fatal(err)
	}
	if fromFlags.Serve.Config = ""; fromFlags.Serve != fromFile.Serve {
		t.Errorf("%+v, want %+v", fromFile.Serve, fromFlags.Serve)
	}
	if _, ctx, _, err = parsed("init", "--data", dir); err == nil {
		err = ctx.Run()
	}
	if err == nil || !strings.HasSuffix(err.Error(), "já existe; --force grava por cima dele") {
		t.Error(err)
	}
}

// The lines that init shows find the file that it wrote.
func TestInitSaysWhere(t *testing.T) {
	for want, args := range map[string][]string{
		"": {"init"}, " --data '/srv/um hub'": {"init", "--data", "/srv/um hub"}, " --config /etc/hub.toml": {"init", "--data", "/srv/hub", "-o", "/etc/hub.toml"},
	} {
		line, _, _, err := parsed(args...)
		if err != nil {
			t.Fatal(err)
		}
		if got := line.Init.where(line.Init.Output, line.Init.Data); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"--url deve ser um endereço como https://hub.exemplo.com.br": {"--url", "ftp://x"},
		"--tls-cert e --tls-key andam juntos":                        {"--tls-cert", "x.pem"},
		`opção desconhecida --listne, quis dizer "--listen"?`:        {"--listne", "x"},
		"diga o nome da chave: para quem ela é":                      {"key"},
		"--log-days deve ficar entre 0 e 36500 dias; 0 guarda":       {"--log-days=-1"},
		"--audit-days deve ficar entre 0 e 36500 dias":               {"--audit-days", "40000"},
	} {
		_, _, _, err := parsed(append(args, "--data", t.TempDir())...)
		if err == nil {
			t.Errorf("%v was taken", args)
			continue
		}
		if text, _ := commandline.Words(err); !strings.Contains(text, want) {
			t.Errorf("%q, want %q", text, want)
		}
	}
	pair := configfile.Parse([]byte("[tls]\ncert = 'x.pem'\nkey = 'x.key'\n"), Settings())
	if try(pair); len(pair.Problems) != 0 {
		t.Errorf("a certificate and its key: %+v", pair.Problems)
	}
	file := configfile.Parse([]byte("url = \"ftp://x\"\ndatabase = \"mysql://x\"\nporta = 1\n"), Settings())
	if try(file); len(file.Problems) != 3 {
		t.Errorf("%+v", file.Problems)
	}
}

// What the file's problems name as meant, or as an example, is the hub's.
func TestHintsAreTheHubs(t *testing.T) {
	for text, want := range map[string]string{
		"[tls\n":                "não é TOML: uma tabela é escrita como [tls], sozinha na linha",
		"[impressora]\n":        "tabela desconhecida; as que há são tls, retention",
		"[api]\nlisten = 'x'\n": "tabela desconhecida; as que há são tls, retention",
		"banco = 'x'\n":         `chave desconhecida; quis dizer "database"?`,
		"porta = 1\n":           `chave desconhecida; quis dizer "listen"?`,
		"[ssl]\ncert = 'x'\n":   `tabela desconhecida; quis dizer "tls"?`,
		"cert = 'x'\n":          "chave desconhecida; quis dizer [tls] cert?",
		"impressora = 'x'\n":    "chave desconhecida",
	} {
		if problems := configfile.Parse([]byte(text), Settings()).Problems; len(problems) != 1 || problems[0].What != want {
			t.Errorf("%q: %+v, want %s", text, problems, want)
		}
	}
}

// Check tells what would be wrong, and writes nothing.
func TestCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	said, err := checked(t, "--data", dir, "--listen", "127.0.0.1:0")
	for _, want := range []string{"– Configuração", "✓ Dados", ", será criada, ", "✓ Chave", "✓ Certificado", "✓ HTTPS", "✓ Banco", "✓ Guarda        transações para sempre, logs 90 dias, operações 7 dias, auditoria para sempre", "Tudo em ordem."} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, said)
		}
	}
	if _, gone := os.Stat(dir); err != nil || gone == nil {
		t.Error(err, gone)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "maquininha-hub.toml")
	if err := os.WriteFile(file, []byte("porta = 1\nlisten = 9060\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "hub.key")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MAQUININHA_HUB_URL", "ftp://x")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--data", dir, "--listen", "127.0.0.1:99999", "--database", "postgres://u:segredo@127.0.0.1:1/x"}, []string{
			"✗ Ambiente      MAQUININHA_HUB_URL: deve ser", "✗ HTTPS", "✗ Banco         o PostgreSQL de --database não pode ser usado: nenhum PostgreSQL responde no endereço", "3 erros.",
		}},
		{[]string{"--data", dir, "--listen", taken.Addr().String()}, []string{"está em uso por outro programa; escolha outro endereço com --listen"}},
		{[]string{"--data", dir, "--listen", "127.0.0.1:7", "--http", "127.0.0.1:7"}, []string{"✗ HTTP          127.0.0.1:7 é também a porta de --listen"}},
		{[]string{"--data", filepath.Dir(plain), "--listen", "127.0.0.1:0"}, []string{"✗ Chave         a chave do hub em", "está danificada"}},
		{[]string{"--data", plain}, []string{"✗ Dados", "não é uma pasta"}},
		{[]string{"--data", dir, "--config", file}, []string{"✗ Configuração  maquininha-hub.toml:1: porta: chave desconhecida", "maquininha-hub.toml:2: listen: deve ser um texto"}},
		{[]string{"--data", dir, "--peer-address", "127.0.0.1:1"}, []string{"✗ Opções        --peer-address só vale com --database"}},
		{[]string{"--data", dir, "--tls-cert", "x.pem"}, []string{"✗ Opções        --tls-cert e --tls-key andam juntos"}},
	} {
		said, err := checked(t, c.args...)
		for _, want := range c.want {
			if err == nil || !strings.Contains(said, want) || strings.Contains(said, "segredo") {
				t.Errorf("%v: %v, no %q in\n%s", c.args, err, want, said)
			}
		}
	}
}

// Of a hub that has its folder and its ports but says nothing, as one that is paused, check says what is known, once. Who answers otherwise is
// another program.
func TestCheckOfASilentHub(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unlock, err := datafolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock() //nolint:errcheck // a test
	var ports []string
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().String())
	}
	said, err := checked(t, "--data", dir, "--listen", ports[0], "--http", ports[1])
	if want := "✗ Portas        em uso, mas ninguém responde: " + ports[0] + ", " + ports[1] + "; o hub que tem esta pasta pode estar parado, travado ou terminando"; err == nil ||
		!strings.Contains(said, want) || strings.Contains(said, "outro programa") {
		t.Errorf("%v, no %q in\n%s", err, want, said)
	}
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	at := other.Listener.Addr().String()
	for _, args := range [][]string{{"--listen", "127.0.0.1:0", "--http", at}, {"--listen", at}} {
		if said, err = checked(t, append([]string{"--data", dir}, args...)...); err == nil || !strings.Contains(said, at+" está em uso por outro programa") || strings.Contains(said, "✗ Portas") {
			t.Errorf("%v: %v\n%s", args, err, said)
		}
	}
}

func checked(t *testing.T, args ...string) (string, error) {
	t.Helper()
	l, _, file, err := parsed(append([]string{"check"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = l.Check.look(t.Context(), file, &out)
	return out.String(), err
}
