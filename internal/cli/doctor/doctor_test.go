//go:build !windows

package doctor

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// examined runs doctor, and returns what it said and the files of its archive.
func examined(t *testing.T, env []string, args ...string) (said string, files map[string]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "suporte.zip")
	cmd := clitest.Program(t, append([]string{"doctor", "--output", path}, args...)...)
	cmd.Env = append(append(cmd.Env, "MAQUININHA_LISTEN=127.0.0.1:1", "MAQUININHA_SCREEN=127.0.0.1:0"), env...)
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	if err := cmd.Run(); err != nil || words.Len() > 0 {
		t.Fatalf("%v: %s\n%s", err, words.String(), out.String())
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	files = map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	for _, name := range []string{
		"LEIA-ME.txt", "sistema.txt", "servico.txt", "conferencia.txt", "configuracao.txt", "maquininha.toml", "transacoes.txt", "erros.log", "log.log", "dados.txt", "rede.txt",
		"gerenciador.txt",
	} {
		if files[name] == "" {
			t.Errorf("the archive has no %s, or it is empty", name)
		}
	}
	return out.String(), files
}

// contents are the files of a folder, with their modes and times.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Mode(), info.ModTime().UnixNano(), info.Size())
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%x\n", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Secrets of every kind are put where they can be, and looked for in all that doctor says and writes: of a running service, a killed
// one, and one with damaged data.
func TestDoctorTellsNoSecrets(t *testing.T) {
	t.Parallel()
	const (
		password, pixSecret, misspelt = "Senha-Da-Loja-77", "Client-Secret-88", "Senha-Mal-Escrita-99"
		pinHash, token                = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy", "TOKEN-DA-TELA-5c1b"
		certification                 = "CHAVE-DE-CERTIFICACAO-41"
		name, cpf, bareCPF            = "Zilda Quebrada", "529.982.247-25", "11144477735"
		phone, mail, card             = "(11) 98765-4321", "zilda.q@exemplo.com.br", "4111111111111111"
	)
	dir := clitest.Written(t, "[api]\npassword = '"+password+"'\npasword = '"+misspelt+"'\n[pix]\nclient_secret = \""+pixSecret+"\" # "+pixSecret+"\n[tef]\ncertification = '"+certification+"'\n")
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetSettings(map[string]string{"operator_pin_hash": pinHash, "screen_token": token, "shop_name": "Padaria"}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	open := clitest.Stand(clitest.Approved(time.Now(), "12.34", cpf), payment.Pending)
	open.Request.Extra = []byte(`{"nome":"` + name + `","cartao":"` + card + `"}`)
	open.Outcome = payment.Outcome{Token: "TOKEN-DO-ADQUIRENTE", Message: "sem resposta"}
	clitest.Keep(t, dir, clitest.Approved(time.Now(), "5.00", "pedido-1"), open)

	hub := tunneltest.New(t)
	joined, err := app.JoinHub(t.Context(), dir, tunnel.Invitation{Address: hub.URL, Code: tunneltest.Code, Pin: hub.Pin()})
	if err != nil {
		t.Fatal(err)
	}
	base, kill := clitest.ServingAt(t, dir, rig.FreeAddress(), "--config", os.DevNull, "--tls-listen", "127.0.0.1:0")
	for _, body := range []string{`{"customerName":"` + name + `","customerDocument":"` + cpf, `{"customerName":"` + name + `",}`, name + " " + phone} {
		clitest.Ask(t, http.MethodPost, base+"/sale", body)
	}
	for _, reference := range []string{bareCPF, mail, "11987654321", card, "marca-do-teste"} {
		clitest.Note(t, base, reference)
	}
	if refused, err := http.Get(base + "/status"); err != nil || refused.Body.Close() != nil || refused.StatusCode != http.StatusUnauthorized {
		t.Fatal(refused, err)
	}
	key, err := os.ReadFile(filepath.Join(dir, "tls-key.pem"))
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{
		password, pixSecret, misspelt, pinHash, token, certification, name, "Zilda", cpf, bareCPF, phone, "11987654321", "zilda", card, card[:12], "TOKEN-DO-ADQUIRENTE",
		strings.Split(string(key), "\n")[1], base64.StdEncoding.EncodeToString(joined.Key)[:20], "$2a$", "$sha256$", "98765",
	}
	look := func(when, said string, files map[string]string) {
		t.Helper()
		files["the screen"] = said
		for where, text := range files {
			for _, secret := range secrets {
				if i := strings.Index(text, secret); i >= 0 {
					t.Errorf("%s: %s has %q: …%q…", when, where, secret, text[max(0, i-60):min(len(text), i+len(secret)+20)])
				}
			}
		}
	}
	listen := []string{"MAQUININHA_LISTEN=" + strings.TrimPrefix(base, "http://"), options.PasswordVariable + "=segredo"}
	said, files := examined(t, listen, "--data", dir)
	look("running", said, files)
	clitest.Wants(t, files["servico.txt"], "Em uso               sim", "Situação             ok", "Modo                 emulador", "Impressora           virtual", "Adquirentes          emulador", "Tela                 em 127.0.0.1:0", "Tela, agora          em ", "Tela, impressões e pagamentos desde o início", "\n  maquininha_unauthorized_total 1\n")
	clitest.Wants(t, files["configuracao.txt"], "api.password                     definido", "ambiente (MAQUININHA_PASSWORD)", "pix.client_secret                definido", "arquivo, linha 5",
		"opção --data", "padrão", "chave desconhecida", "operator_pin_hash                definido", "Padaria")
	clitest.Wants(t, files["maquininha.toml"], "[api]\npassword = \"••••\"\npasword = \"••••\"\n[pix]\nclient_secret = \"••••\"\n")
	clitest.Wants(t, files["transacoes.txt"], "vale                       1", "Não resolvidas: 1", "Transação 2, ", "R$ 12,34", `referência "***.***.***-25"`)
	clitest.Wants(t, files["erros.log"], "/transaction/marca-do-teste 404", `{"customerName":"…"`)
	clitest.Wants(t, files["log.log"], "serviço iniciado")
	clitest.Wants(t, files["dados.txt"], "maquininha.db", "tls-key.pem", "-rw-------", "maquininha.db: íntegro", "livres no disco")
	clitest.Wants(t, files["LEIA-ME.txt"], "✓ Serviço       no ar há ", "! Transações    1 sem desfecho", "✗ Configuração  maquininha.toml:3: [api] pasword: chave desconhecida")
	clitest.Wants(t, said, "✓ transacoes.txt", "Gravado em ")

	// A running service whose password is not known here is not asked; its data is read.
	empty := filepath.Join(t.TempDir(), "vazio.toml")
	if err := os.WriteFile(empty, []byte("# nada\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said, files = examined(t, append(listen, options.PasswordVariable+"="), "--data", dir, "--config", empty)
	look("without the password", said, files)
	clitest.Wants(t, said, "! servico.txt", "a senha do serviço não é conhecida aqui", "no ar; não foi perguntado: a senha do serviço não é conhecida aqui: dê-a na variável MAQUININHA_PASSWORD", "--password-file")
	clitest.Wants(t, files["erros.log"], "marca-do-teste")

	kill()
	before := contents(t, dir)
	said, files = examined(t, listen, "--data", dir)
	look("killed", said, files)
	clitest.Wants(t, said, "! Serviço       parado", "! Transações    1 sem desfecho")
	clitest.Wants(t, files["erros.log"], "marca-do-teste")
	if after := contents(t, dir); after != before {
		t.Errorf("doctor changed the folder from\n%sto\n%s", before, after)
	}

	for _, name := range []string{"maquininha.db", "logs.db"} {
		os.Remove(filepath.Join(dir, name+"-wal"))
		os.Remove(filepath.Join(dir, name+"-shm"))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat(token+password, 400)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "maquininha.db.damaged-20260101-000000"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before = contents(t, dir)
	said, files = examined(t, []string{"MAQUININHA_MAX_JSON=muito", "MAQUININHA_TLS=talvez", "MAQUININHA_MODE=production"}, "--data", dir)
	look("damaged", said, files)
	clitest.Wants(t, said, "! transacoes.txt", "! erros.log", "✗ Dados ", "maquininha repair --data "+dir, "✗ Ambiente      MAQUININHA_MAX_JSON: ", "✗ Ambiente      MAQUININHA_TLS: ", "! Danos         1 arquivo guardado por danos: maquininha.db.damaged-20260101-000000")
	clitest.Wants(t, files["configuracao.txt"], "mode                             production")
	clitest.Wants(t, files["transacoes.txt"], "NÃO FOI POSSÍVEL REUNIR (TUDO): os dados não podem ser lidos")
	if after := contents(t, dir); after != before {
		t.Errorf("doctor changed the damaged folder from\n%sto\n%s", before, after)
	}
}

// A service that runs is not called stopped by who can't see its folder or its configuration, nor its port another program's.
func TestDoctorDoesNotCallAServiceStopped(t *testing.T) {
	t.Parallel()
	base, _ := clitest.ServingAt(t, t.TempDir(), "127.0.0.1:0", "--config", os.DevNull)
	listen := "MAQUININHA_LISTEN=" + strings.TrimPrefix(base, "http://")
	for _, env := range [][]string{{listen, options.PasswordVariable + "="}, {listen, options.PasswordVariable + "=outra-senha"}, {listen, options.PasswordVariable + "=segredo"}} {
		said, files := examined(t, env, "--data", filepath.Join(t.TempDir(), "outra"))
		files["the screen"] = said
		for where, text := range files {
			if strings.Contains(text, "parado") || strings.Contains(text, "outro programa") {
				t.Errorf("%s: %s", where, text)
			}
		}
		clitest.Wants(t, files["conferencia.txt"], " atende: é o serviço que está no ar")
		clitest.Wants(t, files["servico.txt"], "Serviço              uma maquininha atende em "+base)
		clitest.Wants(t, said, "! Serviço ")
	}
	// Nobody answers, but it can't be known whether nobody would.
	said, _ := examined(t, nil, "--data", t.TempDir(), "--config", t.TempDir())
	clitest.Wants(t, said, "! Serviço       desconhecido: ")
	said, _ = examined(t, []string{options.PasswordVariable + "="}, "--data", t.TempDir())
	clitest.Wants(t, said, "! Serviço       parado\n")
}

// A terminal that was never started, with a configuration that is no TOML: there is still something to send.
func TestDoctorOfNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "nada")
	config := filepath.Join(t.TempDir(), "ruim.toml")
	if err := os.WriteFile(config, []byte("[api\npassword = 'Senha-Da-Loja-77\nlisten = \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said, files := examined(t, nil, "--data", dir, "--config", config)
	clitest.Wants(t, said, "✗ Configuração  ruim.toml:1: não é TOML", "✓ dados.txt")
	clitest.Wants(t, files["transacoes.txt"], "ainda não foi iniciado")
	if strings.Contains(files["maquininha.toml"], "Senha") || strings.Count(files["maquininha.toml"], "\n") != 3 {
		t.Errorf("%q", files["maquininha.toml"])
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("doctor made the data folder")
	}
	said, _ = examined(t, nil, "--data", dir, "--config", filepath.Join(dir, "nenhum.toml"))
	clitest.Wants(t, said, "✗ Configuração  o arquivo de configuração ", "! maquininha.toml")
}

func TestDoctorsArchiveHasItsPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if said := clitest.Complaint(t, "doctor", "--data", dir, "--output", filepath.Join(dir, "x.zip")); !strings.Contains(said, "não pode ficar na pasta de dados") {
		t.Error(said)
	}
	// In the data folder itself, without a word of where to: elsewhere.
	elsewhere := t.TempDir()
	cmd := clitest.Program(t, "doctor", "--data", dir, "--offline")
	cmd.Dir, cmd.Env = dir, append(cmd.Env, "TMPDIR="+elsewhere, "MAQUININHA_LISTEN=127.0.0.1:1")
	out, err := cmd.Output()
	if made, _ := filepath.Glob(filepath.Join(elsewhere, "maquininha-doctor-*.zip")); err != nil || len(made) != 1 || !strings.Contains(string(out), "Gravado em "+made[0]) {
		t.Errorf("%v: %q\n%s", err, made, out)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	cmd = clitest.Program(t, "doctor", "--data", dir, "--offline", "--output", "-")
	cmd.Env = append(cmd.Env, "MAQUININHA_LISTEN=127.0.0.1:1")
	if out, err = cmd.Output(); err != nil {
		t.Fatal(err)
	}
	if _, err := zip.NewReader(bytes.NewReader(out), int64(len(out))); err != nil {
		t.Error(err)
	}
	cmd = clitest.Program(t, "doctor", "--data", dir, "--offline", "--output", filepath.Join(dir, "falta", "x.zip"))
	var words bytes.Buffer
	cmd.Stderr = &words
	if err := cmd.Run(); err == nil || !strings.Contains(words.String(), "não pôde ser gravado") {
		t.Errorf("%v: %s", err, words.String())
	}
}

// Nothing is opened that may never answer, and what can't be read is no data that is in order.
func TestDoctorOfPipes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{options.FileName, "maquininha.db", "logs.db", "senha"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"--data", dir}, {"--data", dir, "--config", filepath.Join(dir, options.FileName)}, {"--data", dir, "--password-file", filepath.Join(dir, "senha")}} {
		said, files := examined(t, nil, args...)
		clitest.Wants(t, said, "✗ Configuração  o arquivo de configuração ", options.FileName+" não pode ser lido: não é um arquivo comum", "✗ Dados ", "! transacoes.txt", "! erros.log", "problemas.")
		clitest.Wants(t, files["maquininha.toml"], "não é um arquivo comum")
		clitest.Wants(t, files["transacoes.txt"], "os dados não podem ser lidos")
		for where, text := range files {
			if strings.Contains(text, "unreadable") || strings.Contains(text, "plain file") {
				t.Errorf("%s: %s", where, text)
			}
		}
	}
}
