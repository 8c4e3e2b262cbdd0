//go:build !windows

package check

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"image"
	"image/png"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// checked runs check with a configuration file and returns what it said, and whether it found nothing wrong.
func checked(t *testing.T, dir string, env []string, args ...string) (string, bool) {
	t.Helper()
	cmd := clitest.Program(t, append([]string{"check", "--data", dir}, args...)...)
	cmd.Env = append(append(cmd.Env, "MAQUININHA_PIX_CLIENT_SECRET=", "MAQUININHA_LISTEN=127.0.0.1:0", "MAQUININHA_SCREEN=127.0.0.1:0"), env...)
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	err := cmd.Run()
	if words.Len() > 0 || (err != nil) != strings.Contains(out.String(), "✗ ") {
		t.Errorf("%v: %s\n%s", err, words.String(), out.String())
	}
	return out.String(), err == nil
}

func TestCheckOfNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "novo")
	said, well := checked(t, dir, nil)
	if !well {
		t.Error(said)
	}
	clitest.Wants(t, said, "– Configuração  nenhum arquivo", "✓ Dados         "+dir+", será criada, ", "✓ API           127.0.0.1:0 está livre", "✓ Tela ",
		"! Credenciais   usuário admin, senha de MAQUININHA_PASSWORD com menos de 8 caracteres", "✓ Impressora    virtual", "✓ Adquirente    emulador", "✓ Relógio ", "-03:00")
	if _, err := os.Stat(dir); err == nil {
		t.Error("check made the folder")
	}
}

func TestCheckSaysWhatIsWrongInTheFile(t *testing.T) {
	t.Parallel()
	dir := clitest.Written(t, "[api]\npassword = 'segredo-do-arquivo'\n[printer]\nadress = 'x'\nfeed = 1000\n[acquirer]\npix = 'pix'\n")
	said, well := checked(t, dir, []string{options.PasswordVariable + "="})
	if well {
		t.Error(said)
	}
	clitest.Wants(t, said, `✗ Configuração  maquininha.toml:4: [printer] adress: chave desconhecida; quis dizer "address"?`, "✗ Configuração  maquininha.toml:5: [printer] feed: deve estar entre 0 e 255",
		"✗ Opções        o adquirente pix precisa de --pix-url ou [pix] url", "✓ Credenciais   usuário admin, senha de "+filepath.Join(dir, options.FileName), "3 erros.")
	if strings.Contains(said, "segredo-do-arquivo") {
		t.Error("the password is shown")
	}
	if err := os.Chmod(filepath.Join(dir, options.FileName), 0o644); err != nil {
		t.Fatal(err)
	}
	said, _ = checked(t, dir, nil)
	clitest.Wants(t, said, "✗ Configuração  maquininha.toml:2: [api] password: é um segredo", "chmod 600")
}

func TestCheckPrinter(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", rig.FreeAddress())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	fake := escpostest.New(576)
	defer fake.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			fake.Serve(conn, false)
			conn.Close()
		}
	}()
	at := listener.Addr().String()
	dir := clitest.Written(t, "[printer]\naddress = 'tcp://"+at+"'\n")
	said, _ := checked(t, dir, nil)
	clitest.Wants(t, said, "✓ Impressora    "+at+" pronta, com papel", "✓ Modelo        não informado: ESC/POS, 576 pontos")
	fake.SetModel("TM-T88V")
	said, _ = checked(t, dir, nil)
	clitest.Wants(t, said, "! Modelo        TM-T88V imprime 512 pontos, e o papel está com 576 pontos: é tm-t88 em --printer-model")
	said, _ = checked(t, dir, nil, "--printer-model", "tm-t88v")
	clitest.Wants(t, said, "✓ Modelo        Epson TM-T88, TM-T70, 512 pontos")
	said, _ = checked(t, dir, nil, "--printer-model", "tm-t88v", "--paper-width", "576")
	clitest.Wants(t, said, "! Modelo        Epson TM-T88, TM-T70 imprime 512 pontos, e o papel está com 576 pontos (--paper-width ou [printer] paper_width)")
	fake.SetModel("MP-4200 TH")
	said, _ = checked(t, dir, nil, "--printer-model", "tm-t20")
	clitest.Wants(t, said, "! Modelo        tm-t20 está configurado, e a impressora diz que é MP-4200 TH (mp-4200)")
	said, _ = checked(t, dir, nil, "--printer-model", "impressora")
	clitest.Wants(t, said, "--printer-model", "maquininha printers models")
	fake.SetStatus(escpos.PaperOut)
	said, well := checked(t, dir, nil)
	clitest.Wants(t, said, "✗ Impressora    impressora sem papel")
	if well || len(fake.Sheets()) > 0 || fake.Wrong() != nil {
		t.Error(well, fake.Sheets(), fake.Wrong())
	}
	listener.Close()
	said, well = checked(t, dir, nil)
	clitest.Wants(t, said, "✗ Impressora    ", at+" recusou a conexão")
	if well {
		t.Error(said)
	}
	said, _ = checked(t, dir, nil, "--offline")
	clitest.Wants(t, said, "– Impressora    "+at+", não conferida (--offline)")
}

func TestCheckTEF(t *testing.T) {
	t.Parallel()
	manager := filepath.Join(t.TempDir(), "tef")
	dir := clitest.Written(t, "[acquirer]\ncard = 'tef'\n[tef]\ndir = '"+manager+"'\n")
	said, _ := checked(t, dir, nil)
	clitest.Wants(t, said, "✗ TEF           faltam as pastas")
	p := clitest.Start(t, "simulate", "tef", manager, "--poll", "1ms")
	p.Sees("--acquirer-card tef")
	// The exchange gives the manager seven seconds; one whose processor is somebody else's may need a second call.
	waittest.Until(t, "check finds the manager", func() bool {
		said, well := checked(t, dir, nil)
		return well && strings.Contains(said, "✓ TEF           o gerenciador paygo responde em "+filepath.Join(manager, "Req"))
	})
	// Another program's answer, which nobody has taken yet, stays.
	waiting := filepath.Join(manager, "Resp", "IntPos.001")
	if err := os.WriteFile(waiting, []byte("000-000 = CRT\r\n999-999 = 0\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said, _ = checked(t, dir, nil)
	clitest.Wants(t, said, "– TEF           gerenciador não conferido: há uma operação")
	if err := os.Remove(waiting); err != nil {
		t.Error(err)
	}
	p.Signal(os.Kill)
	p.Ends()
	said, _ = checked(t, dir, nil)
	clitest.Wants(t, said, "✗ TEF           o gerenciador paygo não responde")
	if left, err := filepath.Glob(filepath.Join(manager, "Req", "*")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

func TestCheckPIX(t *testing.T) {
	t.Parallel()
	p, base := clitest.StartPIX(t, filepath.Join(t.TempDir(), "livro.jsonl"))
	text := "[acquirer]\npix = 'pix'\n[pix]\nurl = '" + base + "'\ntoken_url = '" + base + "/oauth/token'\nclient_id = 'simulador'\nkey = 'loja@example.com'\n"
	dir := clitest.Written(t, text+"client_secret = 'segredo-do-simulador'\n")
	said, well := checked(t, dir, nil)
	clitest.Wants(t, said, "✓ PIX           o banco deu o token e a API respondeu, em ", "✓ Relógio ", ", como o do banco")
	if !well || strings.Contains(said, "segredo-do-simulador") {
		t.Error(said)
	}
	p.Sees("POST /oauth/token  200")
	said, _ = checked(t, dir, []string{"MAQUININHA_PIX_CLIENT_SECRET" + "=outro-segredo"})
	clitest.Wants(t, said, "✗ PIX           o banco recusou o client ID ou o client secret (401")
	if strings.Contains(said, "outro-segredo") {
		t.Error(said)
	}
	said, _ = checked(t, dir, nil, "--offline")
	clitest.Wants(t, said, "– PIX           o banco não foi consultado (--offline)")
	p.Signal(os.Kill)
	everything, _ := p.Ends()
	if strings.Contains(everything, "PUT ") || strings.Contains(everything, "PATCH ") {
		t.Errorf("check did more than ask: %s", everything)
	}
	said, _ = checked(t, dir, nil)
	clitest.Wants(t, said, "✗ PIX           ", " recusou a conexão")

	said, _ = checked(t, dir, nil, "--pix-url", "http://banco.example/v2")
	clitest.Wants(t, said, "✗ PIX           os endereços do banco (--pix-url ou [pix] url e --pix-token-url ou [pix] token_url) devem começar com https://")
	said, _ = checked(t, dir, nil, "--pix-cert", "/nao/ha.pem", "--pix-cert-key", "/nao/ha.key")
	clitest.Wants(t, said, "não serve: ele ou a chave")
	expired := time.Now().Add(-time.Hour)
	cert, key := pair(t, expired)
	said, _ = checked(t, dir, nil, "--pix-cert", cert, "--pix-cert-key", key)
	clitest.Wants(t, said, "✗ PIX           o certificado "+cert+" venceu em "+expired.In(clitest.Zone(t)).Format("02/01/2006"))
}

func TestCheckCertificate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		until time.Duration
		want  string
	}{{-time.Hour, "✗ Certificado   %s venceu em "}, {24 * time.Hour, "! Certificado   %s vence em "}, {90 * 24 * time.Hour, "✓ Certificado   %s vale até "}} {
		cert, key := pair(t, time.Now().Add(test.until))
		said, _ := checked(t, dir, nil, "--tls-cert", cert, "--tls-key", key, "--tls-listen", "127.0.0.1:0")
		clitest.Wants(t, said, strings.Replace(test.want, "%s", cert, 1))
	}
	said, _ := checked(t, dir, nil, "--tls-cert", "/nao/ha.pem", "--tls-key", "/nao/ha.key", "--tls-listen", "127.0.0.1:0")
	clitest.Wants(t, said, "✗ Certificado   --tls-cert: o arquivo /nao/ha.pem não existe")
	said, _ = checked(t, dir, nil, "--tls-listen", "127.0.0.1:0")
	clitest.Wants(t, said, "✓ Certificado   será criado no primeiro início")
}

func TestCheckLogo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	logo := filepath.Join(dir, "logo.png")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(logo, picture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	said, well := checked(t, dir, nil, "--print-logo", logo)
	clitest.Wants(t, said, "✓ Logotipo      "+logo+", de 30 por 20 pontos")
	if !well {
		t.Error(said)
	}
	said, _ = checked(t, dir, nil, "--print-logo", filepath.Join(dir, "falta.png"))
	clitest.Wants(t, said, "✗ Logotipo      --print-logo "+filepath.Join(dir, "falta.png")+" não pode ser lido: não existe")
	said, _ = checked(t, dir, []string{"MAQUININHA_PRINT_LOGO=" + dir})
	clitest.Wants(t, said, "✗ Logotipo      --print-logo "+dir+" não pode ser lido: não é um arquivo comum")
}

func TestCheckBesideTheService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := clitest.Start(t, "serve", "--data", dir, "--listen", rig.FreeAddress(), "--screen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0", "--no-desktop-notifications")
	at := func(line, scheme string) string {
		return strings.Fields(line[strings.Index(line, scheme)+len(scheme):])[0]
	}
	api, secure, screen := at(p.Sees("  API "), "http://"), at(p.Sees("HTTPS"), "https://"), at(p.Sees("  Tela "), "http://")
	p.Sees("Experimente")
	said, well := checked(t, dir, nil, "--listen", api, "--tls-listen", secure, "--screen", screen)
	clitest.Wants(t, said, "✓ Dados         "+dir+", em uso pelo serviço que está no ar", "✓ API           "+api+" atende: é o serviço que está no ar",
		"✓ HTTPS         "+secure+" atende", "✓ Tela          "+screen+" atende", "✓ Certificado   próprio, até ")
	if !well {
		t.Error(said)
	}
	// For another terminal, the same address is taken.
	said, _ = checked(t, t.TempDir(), nil, "--listen", api)
	clitest.Wants(t, said, "✗ API           "+api+" está em uso por outro programa; escolha outro endereço com --listen")
	p.Signal(os.Interrupt)
	p.Ends()
	said, _ = checked(t, dir, []string{options.PasswordVariable + "="}, "--screen", api, "--listen", api)
	clitest.Wants(t, said, "✓ API           "+api+" está livre", "✗ Tela          "+api+" é também a porta de --listen: dois ajustes dizem a mesma; escolha outra com --screen")
	_, number, _ := net.SplitHostPort(api)
	said, _ = checked(t, dir, nil, "--screen", "127.0.0.1:0", "--listen", api, "--tls-listen", ":"+number)
	clitest.Wants(t, said, "✓ Tela ", "✗ HTTPS         :"+number+" é também a porta de --listen")
}

// A variable that can't be read is one of the things to be told, and no reason not to look at the rest.
func TestCheckOfASpoiledEnvironment(t *testing.T) {
	t.Parallel()
	dir := clitest.Written(t, "[tls]\nlisten = '127.0.0.1:0'\n")
	said, well := checked(t, dir, []string{"MAQUININHA_TLS=talvez", "MAQUININHA_LOCALE=xx", "MAQUININHA_MODE=prod"})
	clitest.Wants(t, said, `✗ Ambiente      MAQUININHA_TLS: deve ser true ou false e não "talvez" (o serviço não iniciaria com isto`, "✗ Ambiente      MAQUININHA_LOCALE: deve ser um de pt-BR",
		"✓ Configuração ", "✓ HTTPS         127.0.0.1:0 está livre", "✓ Relógio ", `✗ Ambiente      MAQUININHA_MODE: deve ser um de "emulator","production" e não "prod"`, "3 erros.")
	if well {
		t.Error(said)
	}
	file := filepath.Join(dir, options.FileName)
	said, _ = checked(t, file, nil)
	clitest.Wants(t, said, "✗ Dados         "+file+" não é uma pasta")
	if _, err := os.Stat("/proc/self"); err == nil && os.Getuid() == 0 {
		said, _ = checked(t, "/proc/x", nil)
		clitest.Wants(t, said, "✗ Dados         não é possível gravar em /proc: o sistema não aceita arquivos ali")
	}
	if words := clitest.Complaint(t, "logs", "--data", dir); strings.Contains(words, "MAQUININHA_TLS") {
		t.Error(words)
	}
	cmd := clitest.Program(t, "logs", "--data", dir)
	cmd.Env = append(cmd.Env, "MAQUININHA_TLS=talvez")
	if words, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(words), `MAQUININHA_TLS: deve ser true ou false e não "talvez"`) {
		t.Errorf("logs passes over it in silence: %s", words)
	}
}

// pair is a certificate that ends at some time, and its key.
func pair(t *testing.T, until time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "loja"}, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: raw}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}
