package logs

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/cli/terminal"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// follower is the program following a log.
type follower struct {
	*exec.Cmd
	lines *bufio.Scanner
	out   io.ReadCloser
	words bytes.Buffer
	all   []string
}

func following(t *testing.T, password string, args ...string) *follower {
	t.Helper()
	f := &follower{Cmd: clitest.Program(t, append([]string{"logs", "-f"}, args...)...)}
	f.Env = append(f.Env, options.PasswordVariable+"="+password)
	var err error
	if f.out, err = f.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	f.Stderr = &f.words
	if err := f.Start(); err != nil {
		t.Fatal(err)
	}
	f.lines = bufio.NewScanner(f.out)
	return f
}

// until reads lines up to one with the mark.
func (f *follower) until(t *testing.T, mark string) {
	t.Helper()
	for f.lines.Scan() {
		f.all = append(f.all, f.lines.Text())
		if strings.Contains(f.lines.Text(), mark) {
			return
		}
	}
	f.Wait()
	t.Fatalf("it ended before %s: %q, %s", mark, f.all, f.words.String())
}

func TestLogsOfTheTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, stop := clitest.Serving(t, dir)
	for _, mark := range []string{"um", "dois", "três%1B[2J"} {
		clitest.Note(t, base, mark)
	}
	all := clitest.Output(t, "logs", "--url", base)
	if lines := strings.Split(strings.TrimSpace(all), "\n"); len(lines) != 4 || !strings.Contains(lines[0], " INFO app serviço iniciado | versão=") ||
		!strings.Contains(lines[1], " WARNING http GET /transaction/um 404 ") || strings.Contains(all, "\x1b") {
		t.Errorf("%q", lines)
	}
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"--level", "warning", "--search", "TRANSACAO NAO"}, 3},
		{[]string{"--level", "error"}, 0},
		{[]string{"--level", "info", "--limit", "2"}, 2},
		{[]string{"--since", "2d", "--source", "app"}, 1},
		{[]string{"--since", "2099-01-01"}, 0},
	} {
		over, kept := clitest.Output(t, append([]string{"logs", "--url", base}, c.args...)...), bytes.Buffer{}
		// The same from the data folder, which is read when the password is not known.
		cmd := clitest.Program(t, append([]string{"logs", "--data", dir}, c.args...)...)
		cmd.Env = append(cmd.Env, options.PasswordVariable+"=")
		cmd.Stdout = &kept
		if err := cmd.Run(); err != nil {
			t.Errorf("%q: %v", c.args, err)
		}
		if strings.Count(over, "\n") != c.want || !sameLines(over, kept.String()) {
			t.Errorf("%q: over HTTP\n%sfrom the folder\n%s", c.args, over, kept.String())
		}
	}
	var e client.LogEntry
	if line := clitest.Output(t, "logs", "--url", base, "--json", "--limit", "1"); json.Unmarshal([]byte(line), &e) != nil || e.ID != "4" || !strings.Contains(e.Message, "/transaction/tr") {
		t.Errorf("%q", line)
	}
	if coloured := clitest.Output(t, "logs", "--url", base, "--color", "always", "--limit", "1"); !strings.Contains(coloured, "\x1b[33mWARNING\x1b[0m") {
		t.Errorf("%q", coloured)
	}
	stop()
	said := clitest.Complaint(t, "logs", "--url", base)
	if !strings.Contains(said, base+" recusou a conexão") {
		t.Error(said)
	}
}

// sameLines leaves out the zone: the folder's reader has its own.
func sameLines(a, b string) bool {
	cut := func(text string) (all []string) {
		for line := range strings.Lines(text) {
			_, rest, _ := strings.Cut(line, " ")
			all = append(all, rest)
		}
		return all
	}
	return slices.Equal(cut(a), cut(b))
}

func TestLogsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	base, _ := clitest.Serving(t, t.TempDir())
	empty := t.TempDir()
	for _, c := range []struct {
		env  string
		args []string
		want string
	}{
		{options.PasswordVariable + "=errada", []string{"--url", base}, "não aceita esta senha para o usuário admin"},
		{options.PasswordVariable + "=", []string{"--url", base}, "pede uma senha, e nenhuma foi dada: dê-a na variável MAQUININHA_PASSWORD ou com --password-file"},
		{"", []string{"--url", strings.Replace(base, "http:", "https:", 1)}, "não fala HTTPS"},
		{"", []string{"--url", "http://nome.invalid"}, "o nome nome.invalid é desconhecido"},
		{"", []string{"--data", empty, "--config", filepath.Join(empty, "nada.toml")}, "não pode ser lido"},
		{options.PasswordVariable + "=", []string{"--data", empty}, terminal.ErrPasswordUnknown.Error() + "; e não há log em " + empty},
		{"", []string{"--password", "segredo"}, "--password não é aceita na linha de comando"},
	} {
		cmd := clitest.Program(t, append([]string{"logs"}, c.args...)...)
		cmd.Env = append(cmd.Env, "MAQUININHA_LISTEN=127.0.0.1:1", c.env)
		var words bytes.Buffer
		cmd.Stderr = &words
		if err := cmd.Run(); err == nil || !strings.Contains(words.String(), c.want) || strings.Contains(words.String(), "segredo@") {
			t.Errorf("%q: %v, %s", c.args, err, words.String())
		}
	}
}

func TestLogsRefuse(t *testing.T) {
	none, many := 0, 100_001
	for want, l := range map[string]Command{
		"--url não pode ter usuário e senha":        {URL: "http://admin:segredo@127.0.0.1"},
		"--url deve ser um endereço":                {URL: "ftp://x"},
		"--level deve ser um de fatal, error":       {Level: "grave"},
		"--source deve ser um de":                   {Source: "db"},
		`--since "ontem" não é um tempo`:            {Since: "ontem"},
		`--since "-1h" não é`:                       {Since: "-1h"},
		"--limit deve estar entre 1 e 100000":       {Limit: &none},
		"--limit deve estar entre 1 e 100000 (0 só": {Limit: &many, Follow: true},

		"não existe": {SecretFile: settings.SecretFile{Err: errors.New("não existe")}},
	} {
		l.Color = "auto"
		if err := l.Validate(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "segredo") {
			t.Errorf("%+v: %v", l, err)
		}
	}
	for text, want := range map[string]string{
		"192.168.0.10": "http://192.168.0.10:9050", "caixa:80": "http://caixa:80", "[::1]": "http://[::1]:9050", "https://caixa": "https://caixa",
	} {
		if got, err := terminal.Address(text); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
}

// Followed over HTTP and from the folder while the service is killed and starts again.
func TestLogsFollowARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, kill := clitest.Serving(t, dir)
	clitest.Note(t, base, "antes")
	over := following(t, "segredo", "--url", base, "--level", "warning", "--limit", "1")
	folder := following(t, "", "--data", dir, "--search", "/transaction/")
	over.until(t, "/antes ")
	folder.until(t, "/antes ")
	for life := range 2 {
		for n := range 20 {
			clitest.Note(t, base, fmt.Sprintf("vida-%d-%d", life, n))
		}
		over.until(t, fmt.Sprintf("vida-%d-19 ", life))
		folder.until(t, fmt.Sprintf("vida-%d-19 ", life))
		if life == 0 {
			kill()
			_, kill = clitest.ServingAt(t, dir, strings.TrimPrefix(base, "http://"))
		}
	}
	for name, f := range map[string]*follower{"over HTTP": over, "from the folder": folder} {
		var marks []string
		for _, line := range f.all {
			_, rest, _ := strings.Cut(line, "/transaction/")
			mark, _, _ := strings.Cut(rest, " ")
			marks = append(marks, mark)
		}
		want := []string{"antes"}
		for n := range 40 {
			want = append(want, fmt.Sprintf("vida-%d-%d", n/20, n%20))
		}
		if !slices.Equal(marks, want) {
			t.Errorf("%s: %q", name, marks)
		}
		f.Process.Signal(os.Interrupt)
		go io.Copy(io.Discard, f.out)
		if err := f.Wait(); err != nil {
			t.Errorf("%s: after Ctrl-C: %v", name, err)
		}
	}
	if words := over.words.String(); !strings.Contains(words, "a conexão com "+base+" caiu") || !strings.Contains(words, "restabelecida") {
		t.Error(words)
	}
	if words := folder.words.String(); !strings.Contains(words, "lendo o log em "+dir) {
		t.Error(words)
	}
}

// As in: maquininha logs -f | head -1
func TestLogsIntoAPipeThatCloses(t *testing.T) {
	t.Parallel()
	base, _ := clitest.Serving(t, t.TempDir())
	f := following(t, "segredo", "--url", base)
	f.until(t, "serviço iniciado")
	f.out.Close()
	clitest.Note(t, base, "depois")
	if err := f.Wait(); err != nil || f.words.Len() > 0 {
		t.Errorf("%v: %s", err, f.words.String())
	}
}

func TestLogsOverHTTPSOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base, _ := clitest.ServingAt(t, dir, "none", "--tls-listen", "127.0.0.1:0")
	if !strings.HasPrefix(base, "https://") {
		t.Fatal(base)
	}
	if said := clitest.Complaint(t, "logs", "--url", base); !strings.Contains(said, "--fingerprint") {
		t.Error(said)
	}
	leaf, err := options.HTTPS{TLS: true}.Configured().Certificate(dir)
	if err != nil {
		t.Fatal(err)
	}
	here, err := terminal.Here(options.Service{Listen: "none", HTTPS: options.HTTPS{TLS: true}}, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, pin := range []string{here.Pin, fmt.Sprintf("%X", sum256(leaf.Raw))} {
		if all := clitest.Output(t, "logs", "--url", base, "--fingerprint", pin); !strings.Contains(all, "serviço iniciado") {
			t.Error(all)
		}
	}
	if said := clitest.Complaint(t, "logs", "--url", base, "--fingerprint", strings.Repeat("0", 64)); !strings.Contains(said, "não é o terminal esperado") {
		t.Error(said)
	}
	// By its configuration it is known without any of that.
	cmd := clitest.Program(t, "logs", "--data", dir)
	cmd.Env = append(cmd.Env, "MAQUININHA_LISTEN=none", "MAQUININHA_TLS_LISTEN="+strings.TrimPrefix(base, "https://"))
	var words bytes.Buffer
	cmd.Stderr = &words
	if all, err := cmd.Output(); err != nil || !strings.Contains(string(all), "serviço iniciado") || words.Len() > 0 {
		t.Errorf("%v: %s\n%s", err, words.String(), all)
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"venda à vista": "venda à vista", "a\x1b[31mb": `a\x1b[31mb`, "a\u009b31m": `a\u009b31m`, "x\u202ey": `x\u202ey`, "\xff": `\xff`, "1\n2\t3\r": `1\n2\t3\r`, "\x00\x7f": `\x00\x7f`,
	} {
		if got := console.Escaped(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		e := client.LogEntry{ID: "1", Level: text, Message: text, Details: text + "\U000e0001", CreatedAt: time.UnixMilli(0)}
		line := appendLogJSON(nil, e)
		var back client.LogEntry
		if err := json.Unmarshal(line, &back); err != nil || back.Message != strings.ToValidUTF8(text, "\ufffd") || bytes.ContainsFunc(line[:len(line)-1], console.Hidden) {
			t.Errorf("%q: %q, %v", text, line, err)
		}
	}
}

// Whatever a terminal logs, nothing that a screen obeys gets through, and an entry for a program stays one line.
func FuzzLogLine(f *testing.F) {
	f.Add("error", "http", "GET /\x1b]0;x\x07", "a\nb\u009b2J\u2028")
	f.Fuzz(func(t *testing.T, level, source, message, details string) {
		e := client.LogEntry{ID: "1", Level: level, Source: source, Message: message, Details: details, CreatedAt: time.UnixMilli(1e12)}
		for _, p := range []*logPrinter{{}, {person: true}, {json: true}} {
			line := string(p.format(e))
			if strings.ContainsFunc(strings.ReplaceAll(line, "\n", ""), console.Hidden) || !p.person && strings.Count(line, "\n") != 1 {
				t.Errorf("%+v: %q", p, line)
			}
		}
	})
}

func sum256(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}
