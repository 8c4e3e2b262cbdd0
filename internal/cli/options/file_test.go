package options_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cli/config"
	"github.com/maquininha/maquininha/internal/cli/ledger"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/printers"
	"github.com/maquininha/maquininha/internal/cli/serve"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// line is what these tests need of the command line.
type line struct {
	Serve   serve.Command  `cmd:"" default:"withargs" file:"whole"`
	Closing ledger.Closing `cmd:""`
	Init    config.Init    `cmd:"" file:"unread"`

	Printers printers.Command `cmd:""`
}

func parsed(args ...string) (line, *options.Configuration, error) {
	var l line
	c, err := clitest.Parse(&l, args...)
	return l, c, err
}

func TestPrecedence(t *testing.T) {
	dir := clitest.Written(t, `
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
		want options.Service
	}{
		{"the file", nil, nil, options.Service{Listen: ":1", Locale: "es", AutopilotDelay: 7 * time.Second, Printing: options.Printing{Feed: 7}}},
		{"empty variables", map[string]string{"MAQUININHA_LISTEN": "", "MAQUININHA_PRINTER_FEED": "", "MAQUININHA_PRINTER_CUT": "", "MAQUININHA_MODE": ""}, nil, options.Service{Listen: ":1", Locale: "es", AutopilotDelay: 7 * time.Second, Printing: options.Printing{Feed: 7}}},
		{"the environment over the file", map[string]string{
			"MAQUININHA_LISTEN": ":2", "MAQUININHA_PRINTER_CUT": "true", "MAQUININHA_PRINTER_FEED": "8", "MAQUININHA_AUTOPILOT_DELAY": "8s",
		}, nil, options.Service{Listen: ":2", Locale: "es", AutopilotDelay: 8 * time.Second, Printing: options.Printing{Feed: 8, Cut: true}}},
		{
			"the command line over both",
			map[string]string{"MAQUININHA_LISTEN": ":2", "MAQUININHA_PRINTER_CUT": "false"},
			[]string{"--listen", ":3", "--printer-cut", "--printer-feed", "9", "--autopilot-delay", "9s"},
			options.Service{Listen: ":3", Locale: "es", AutopilotDelay: 9 * time.Second, Printing: options.Printing{Feed: 9, Cut: true}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			line, c, err := parsed(append([]string{"--data", dir}, test.args...)...)
			if err != nil {
				t.Fatal(err)
			}
			s := line.Serve
			got := options.Service{Listen: s.Listen, Locale: s.Locale, AutopilotDelay: s.AutopilotDelay, Printing: options.Printing{Feed: s.Feed, Cut: s.Cut}}
			if got != test.want || *s.PaperWidth != 384 || s.Username != "do-arquivo" || s.Mode != "emulator" || c.Path() != filepath.Join(dir, options.FileName) {
				t.Errorf("%+v, mode %q, user %q", got, s.Mode, s.Username)
			}
		})
	}
}

// What coupons show is undecided until somebody says yes or no: then the screen decides.
func TestCouponOptions(t *testing.T) {
	dir := clitest.Written(t, "[coupon]\nlogo = 'loja.png'\ntrade_name = true\nphone = true\n")
	t.Setenv("MAQUININHA_PRINT_PHONE", "false")
	line, _, err := parsed("--data", dir, "--print-item-notes")
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	want := app.Coupon{Logo: filepath.Join(dir, "loja.png"), TradeName: &yes, Phone: &no, ItemNotes: &yes}
	if diff := cmp.Diff(want, line.Serve.Configured(dir).Coupon); diff != "" {
		t.Error(diff)
	}
	line, _, err = parsed("--data", dir, "--no-print-trade-name", "--print-phone", "--print-logo", "outra.png")
	want = app.Coupon{Logo: "outra.png", TradeName: &no, Phone: &yes}
	if diff := cmp.Diff(want, line.Serve.Configured(dir).Coupon); err != nil || diff != "" {
		t.Error(err, diff)
	}
	t.Setenv("MAQUININHA_PRINT_PHONE", "")
	line, _, err = parsed("--data", t.TempDir())
	if diff := cmp.Diff(app.Coupon{}, line.Serve.Configured(dir).Coupon); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestWhereTheFileIs(t *testing.T) {
	home, other := clitest.Written(t, "platform = 'home'"), clitest.Written(t, "platform = 'other'")
	t.Setenv("MAQUININHA_DATA", home)
	for _, test := range []struct {
		env  string
		args []string
		want string
	}{
		{"", nil, "home"},
		{filepath.Join(other, options.FileName), nil, "other"},
		{filepath.Join(other, options.FileName), []string{"--config", filepath.Join(home, options.FileName)}, "home"},
		{"", []string{"--data", other}, "other"},
		{"", []string{"--data", t.TempDir()}, ""},
	} {
		t.Setenv("MAQUININHA_CONFIG", test.env)
		if line, _, err := parsed(test.args...); err != nil || line.Serve.Platform != test.want {
			t.Errorf("%v: %q, %v", test, line.Serve.Platform, err)
		}
	}
	t.Setenv("MAQUININHA_CONFIG", "")
	if _, _, err := parsed("--config", filepath.Join(home, "no.toml")); err == nil || !strings.HasSuffix(err.Error(), "no.toml não pode ser lido: não existe") {
		t.Error(err)
	}
	// The last place is the system's.
	if places := options.Places("", home); len(places) < 1 || places[0] != filepath.Join(home, options.FileName) || !strings.HasSuffix(places[len(places)-1], filepath.Join("maquininha", options.FileName)) {
		t.Error(places)
	}
}

// A command without --config and --data finds the file where their variables say that the service's is.
func TestVariablesSayWhereTheFileIs(t *testing.T) {
	home, other := clitest.Written(t, "[printer]\naddress = 'tcp://10.0.0.1'"), clitest.Written(t, "[printer]\naddress = 'tcp://10.0.0.2'")
	for _, test := range []struct{ data, config, want string }{
		{home, "", "tcp://10.0.0.1"},
		{home, filepath.Join(other, options.FileName), "tcp://10.0.0.2"},
	} {
		t.Setenv("MAQUININHA_DATA", test.data)
		t.Setenv("MAQUININHA_CONFIG", test.config)
		line, _, err := parsed("printers", "state")
		if got := line.Printers.State.Which.Paper.Address(); err != nil || got != test.want {
			t.Errorf("%+v: %q, %v", test, got, err)
		}
	}
	t.Setenv("MAQUININHA_CONFIG", filepath.Join(home, "no.toml"))
	if _, _, err := parsed("printers", "state", "tcp://10.0.0.3"); err == nil || !strings.HasSuffix(err.Error(), "no.toml não pode ser lido: não existe") {
		t.Error(err)
	}
}

// Other commands need the folder and the printer that the file names; what is wrong elsewhere does not keep them.
func TestOtherCommandsUseTheFile(t *testing.T) {
	dir := clitest.Written(t, "data = 'dados'\n[limits]\njson = 0\n[printer]\naddress = 'tcp://10.0.0.1'\ncopies = 2\n")
	line, _, err := parsed("closing", "--config", filepath.Join(dir, options.FileName))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := line.Closing.Folder(); err != nil || got != filepath.Join(dir, "dados") {
		t.Errorf("%q, %v", got, err)
	}
	if paper := line.Closing.Flags; paper.Address() != "tcp://10.0.0.1" || paper.Copies != 2 {
		t.Errorf("%+v", paper)
	}
	broken := clitest.Written(t, "data = dados\n")
	if _, _, err := parsed("closing", "--config", filepath.Join(broken, options.FileName)); err == nil {
		t.Error("totals of another folder were shown")
	}
}

func TestSecrets(t *testing.T) {
	dir := clitest.Written(t, "[api]\npassword = 'do arquivo'\n[pix]\nclient_secret_file = 'pix.txt'\n")
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
		{"the file's", "", "", nil, "do arquivo", filepath.Join(dir, options.FileName)},
		{"the environment's", "do ambiente", "", nil, "do ambiente", ""},
		{"that of a file that the environment names", "", other, nil, "de outro arquivo", other},
		{"that of a file on the command line", "", "", []string{"--password-file", other}, "de outro arquivo", other},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(options.PasswordVariable, test.env)
			t.Setenv("MAQUININHA_PASSWORD_FILE", test.envFile)
			t.Setenv("MAQUININHA_PIX_CLIENT_SECRET", "")
			line, c, err := parsed(append([]string{"--data", dir}, test.args...)...)
			s := line.Serve
			if err != nil || s.Secret() != test.want || s.From(c) != test.from || s.ClientSecret() != "segredo do banco" {
				t.Errorf("%q from %q, %q, %v", s.Secret(), s.From(c), s.ClientSecret(), err)
			}
		})
	}
	for _, args := range [][]string{{"--password", "x"}, {"init", "--pix-client-secret", "x"}} {
		if _, _, err := parsed(args...); err == nil || !strings.Contains(err.Error(), "não é aceita na linha de comando") {
			t.Errorf("%v: %v", args, err)
		}
	}
	for name, content := range map[string]string{"vazio": "\n", "longo": "uma\nduas\n"} {
		if _, _, err := parsed("--data", t.TempDir(), "--password-file", path(name, content)); err == nil || !strings.Contains(err.Error(), "--password-file: o arquivo ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the library's own checks and those of serve refuse is said with line and key, all of it.
func TestTheServiceSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	dir := clitest.Written(t, `mode = "production"
[printer]
adress = "x"
address = "virtual"
feed = 300
card_receipt = "duas"
[acquirer]
card = "banco"
[limits]
json = 0
[tef]
profile = "x"
[pix]
expiry = "x"
client_secret = "abc-segredo"
client_secret_file = "x"
[api]
compat = "sitef"
`)
	said := clitest.Complaint(t, "serve", "--data", dir)
	want := "maquininha: há o que corrigir em " + filepath.Join(dir, options.FileName) + `:
maquininha.toml:3: [printer] adress: chave desconhecida; quis dizer "address"?
maquininha.toml:4: [printer] address: virtual só existe no modo emulator
maquininha.toml:5: [printer] feed: deve estar entre 0 e 255
maquininha.toml:6: [printer] card_receipt: deve ser um de none, customer, both, ask
maquininha.toml:8: [acquirer] card: deve ser um de emulator, tef, mercadopago, connecttef, cielo, controlpay, none
maquininha.toml:10: [limits] json: deve estar entre 1 e 1024
maquininha.toml:14: [pix] expiry: deve ser um tempo entre aspas, como "500ms", "2s" ou "5m"
maquininha.toml:16: [pix] client_secret_file: o arquivo ` + filepath.Join(dir, "x") + ` não pode ser lido: não existe
maquininha.toml:18: [api] compat: deve ser tefip
`
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	// What is wrong only together has no line: its keys are named beside the flags.
	dir = clitest.Written(t, "[acquirer]\npix = 'pix'\n[pix]\nurl = 'https://x/v2'\n")
	if said := clitest.Complaint(t, "serve", "--data", dir); !strings.Contains(said, "precisa de --pix-token-url ou [pix] token_url, --pix-client-id ou [pix] client_id, ") {
		t.Error(said)
	}
}
