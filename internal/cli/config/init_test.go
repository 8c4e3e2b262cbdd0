package config

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/serve"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printer"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// What init writes is read as the flags it was given.
func TestInitRoundTrip(t *testing.T) {
	t.Setenv(options.PasswordVariable, "")
	secret := filepath.Join(t.TempDir(), "o segredo.txt")
	if err := os.WriteFile(secret, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		nil,
		{"--mode", "production", "--printer", "file:/dev/usb/lp0", "--no-printer-cut", "--paper-width", "384", "--no-setup"},
		{
			"--acquirer-card", "tef", "--tef-dir", t.TempDir(), "--acquirer-pix", "pix", "--pix-url", "https://x/v2", "--pix-token-url", "https://x/t",
			"--pix-client-id", `a "quoted" id`, "--pix-client-secret-file", secret, "--pix-key", "é a chave", "--pix-expiry", "90s", "--autopilot-delay", "0s",
			"--max-json", "3", "--tls", "--printer-drawer", "--printer-drawer-pin", "5", "--locale", "en", "--listen", "none",
		},
	} {
		dir := t.TempDir()
		cmd := clitest.Program(t, append([]string{"init", "--data", dir}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		path := filepath.Join(dir, options.FileName)
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
			t.Fatal(info, err)
		}
		fromFile, err := served("--data", dir)
		if err != nil {
			t.Fatal(err)
		}
		fromFlags, err := served(append([]string{"--config", emptyFile(t), "--data", dir}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		fromFlags.Config = ""
		if diff := cmp.Diff(fromFlags, fromFile, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Errorf("%v: %s", args, diff)
		}
	}
}

func emptyFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(clitest.Written(t, ""), options.FileName)
}

// Every line that is commented out can be used by taking its sign away.
func TestInitComments(t *testing.T) {
	t.Parallel()
	text := clitest.Output(t, "init", "--output", "-", "--mode", "emulator")
	open := regexp.MustCompile(`(?m)^#([a-z_]+ = )`).ReplaceAllString(text, "$1")
	all := options.Settings()
	f := configfile.Parse([]byte(open), all)
	if len(f.Problems) > 0 || strings.Count(open, "\n") != strings.Count(text, "\n") {
		t.Error(f.Problems)
	}
	for _, s := range all {
		if strings.Count(open, "\n"+s.Key+" = ") == 0 || s.Default != "" && f.Values[s.Name()].Text != s.Default {
			t.Errorf("%s is %q", s.Where(), f.Values[s.Name()].Text)
		}
	}
}

func TestInitKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := clitest.Written(t, "mode = 'production'\n")
	path := filepath.Join(dir, options.FileName)
	if said := clitest.Complaint(t, "init", "--data", dir); said != "maquininha: "+path+" já existe; --force grava por cima dele\n" {
		t.Error(said)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mode = 'production'\n" {
		t.Errorf("%s, %v", text, err)
	}
	clitest.Output(t, "init", "--data", dir, "--force")
	if text, err := os.ReadFile(path); err != nil || !bytes.Contains(text, []byte("\n#mode = \"emulator\"\n")) {
		t.Errorf("%s, %v", text, err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Error(names, err)
	}
}

func TestInitRefusesWhatServeWould(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if said := clitest.Complaint(t, "init", "--data", dir, "--printer", "lpt1"); !strings.HasPrefix(said, `maquininha: [printer] address: "lpt1" não é uma impressora`) {
		t.Error(said)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
		t.Error(names, err)
	}
	// What is not complete yet is begun, and said.
	if said := clitest.Output(t, "init", "--data", dir, "--acquirer-pix", "pix"); !strings.Contains(said, "complete: o adquirente pix precisa de --pix-url ou [pix] url") || !strings.Contains(said, "maquininha check --data "+dir) {
		t.Error(said)
	}
}

func TestInterview(t *testing.T) {
	for _, test := range []struct {
		name, answers string
		want          map[string]string
	}{
		{"Enter all the way", strings.Repeat("\n", 20), map[string]string{
			"mode": "emulator", "api.listen": "127.0.0.1:9050", "printer.address": "virtual", "printer.paper_width": "576",
			"acquirer.card": "emulator", "acquirer.pix": "emulator", "locale": "pt-BR",
		}},
		{"production", "2\n3\n2\n192.168.0.50/x\n192.168.0.50\n9\n2\n2\n3\n/tef\n2\nhttps://x/v2\nhttps://x/token\n\nid\n\nchave\n\n3\n", map[string]string{
			"mode": "production", "api.listen": "none", "tls.enabled": "true", "printer.address": "tcp://192.168.0.50", "printer.paper_width": "384",
			"acquirer.card": "tef", "tef.profile": "sitef", "tef.dir": kong.ExpandPath("/tef"), "acquirer.pix": "pix", "pix.url": "https://x/v2",
			"pix.token_url": "https://x/token", "pix.client_id": "id", "pix.key": "chave", "locale": "es",
		}},
		{"an installed printer", "2\n1\n5\n2\n\n\n\n", map[string]string{
			"mode": "production", "api.listen": "127.0.0.1:9050", "printer.address": "windows:Caixa São João", "printer.paper_width": "384",
			"acquirer.card": "none", "acquirer.pix": "none", "locale": "pt-BR",
		}},
		{"one that is known", "2\n1\n4\n\n\n\n", map[string]string{
			"mode": "production", "api.listen": "127.0.0.1:9050", "printer.address": "cups:bar", "printer.model": "tm-t20",
			"acquirer.card": "none", "acquirer.pix": "none", "locale": "pt-BR",
		}},
		{"one of a known family", "2\n1\n6\n2\n\n\n\n", map[string]string{
			"mode": "production", "api.listen": "127.0.0.1:9050", "printer.address": "cups:bematech", "printer.paper_width": "384",
			"acquirer.card": "none", "acquirer.pix": "none", "locale": "pt-BR",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			known, _ := escpos.ModelNamed("tm-t20")
			family, _ := escpos.ModelNamed("bematech")
			got, err := newInterview(strings.NewReader(test.answers), &out, printer.Found{Address: "cups:bar", Said: "EPSON TM-T20", Model: known},
				printer.Found{Address: "windows:Caixa São João"}, printer.Found{Address: "cups:bematech", Model: family}).hold()
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("%v %v\n%s", diff, err, out.String())
			}
			clitest.Wants(t, out.String(), "4  a que está em cups:bar (EPSON TM-T20)\n  5  a que está em windows:Caixa São João\n")
		})
	}
	if _, err := newInterview(strings.NewReader("2\n"), &bytes.Buffer{}).hold(); err == nil || err.Error() != errGivenUp.Error() {
		t.Error(err)
	}
}

// served are the options of a command line of serve.
func served(args ...string) (options.Service, error) {
	var line struct {
		Serve serve.Command `cmd:"" default:"withargs" file:"whole"`
	}
	_, err := clitest.Parse(&line, args...)
	return line.Serve.Service, err
}
