package check

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

var remedy = regexp.MustCompile(`corrija com: (.*)`)

// Root reads everything; what counts is what the service's user reads, and what its unit hides from it.
func TestCheckSeesWithTheEyesOfTheService(t *testing.T) {
	t.Parallel()
	b := clitest.Machine(t)
	config := "data = '/srv/caixa'\n[api]\npassword_file = 'senha'\n"
	if err := os.WriteFile(filepath.Join(b.Share, "maquininha.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Run("sh", "-euc", `mkdir -p /etc/maquininha /home/ana /srv/fechada /srv/tef/Req /srv/tef/Resp
		install -m 600 /mnt/maquininha.toml /etc/maquininha/maquininha.toml
		umask 077; mkdir -p /srv/fechada; echo senha-boa-mesmo >/etc/maquininha/senha
		for place in /home/ana /tmp /srv/fechada; do echo segredo >$place/segredo; chmod 644 $place/segredo; done; chmod 700 /srv/fechada; chmod 755 /home/ana`)
	said, _ := b.Try("maquininha", "check")
	if strings.Contains(said, "Serviço") {
		t.Errorf("no service is installed: %s", said)
	}
	clitest.Says(t, b, 0, "instalado", "maquininha", "service", "install")
	const can, cannot = "✓ Serviço       instalado com esta configuração; o usuário maquininha alcança", "✗ Serviço       o serviço (usuário maquininha) não consegue "
	mend := func() string {
		t.Helper()
		said, code := b.Try("maquininha", "check", "--offline")
		if code != 1 {
			t.Errorf("nothing is wrong: %s", said)
		}
		for _, found := range remedy.FindAllStringSubmatch(said, -1) {
			b.Run("sh", "-euc", strings.ReplaceAll(found[1], "sudo ", ""))
		}
		return said
	}
	clitest.Says(t, b, 1, cannot+"ler /etc/maquininha/senha ([api] password_file): corrija com: sudo chown maquininha: /etc/maquininha/senha", "maquininha", "check")
	clitest.Says(t, b, 1, "/etc/maquininha/senha não pode ser lido: sem permissão", "maquininha", "service", "start")
	mend()
	clitest.Says(t, b, 0, can, "maquininha", "check")
	clitest.Says(t, b, 0, "no ar", "maquininha", "service", "restart")

	// What is closed in other ways: by the unit, by a folder above.
	set := func(path string) {
		t.Helper()
		b.Run("sed", "-i", "s|^password_file.*|password_file = '"+path+"'|", "/etc/maquininha/maquininha.toml")
	}
	for path, why := range map[string]string{
		"/home/ana/segredo":    "ProtectHome=yes, na unidade dele, esconde /home",
		"/tmp/segredo":         "PrivateTmp=yes, na unidade dele, esconde /tmp",
		"/srv/fechada/segredo": "a pasta /srv/fechada não o deixa passar; mova-o para outro lugar, como /etc/maquininha, ou: sudo chmod o+x /srv/fechada",
	} {
		set(path)
		clitest.Says(t, b, 1, cannot+"ler "+path+" ([api] password_file): "+why, "maquininha", "check")
	}
	set("senha")
	b.Run("sh", "-euc", "printf \"[acquirer]\\ncard = 'tef'\\n[tef]\\ndir = '/srv/tef'\\n\" >>/etc/maquininha/maquininha.toml; chown root: /srv/caixa /etc/maquininha/maquininha.toml")
	clitest.Wants(t, mend(), cannot+"ler /etc/maquininha/maquininha.toml: ", cannot+"gravar em /srv/caixa: ", cannot+"gravar em /srv/tef/Req ([tef]): ", cannot+"gravar em /srv/tef/Resp ([tef]): ")
	said, _ = b.Try("maquininha", "check")
	clitest.Wants(t, said, can)

	// Installed again, the unit hides no home that the configuration names.
	set("/home/ana/segredo")
	b.Run("sed", "-i", "s/^card = .*/card = 'none'/", "/etc/maquininha/maquininha.toml")
	b.Run("maquininha", "service", "uninstall")
	clitest.Says(t, b, 0, "instalado", "maquininha", "service", "install")
	said, _ = b.Try("maquininha", "check")
	clitest.Wants(t, said, can)
}
