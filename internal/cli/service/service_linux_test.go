package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/systemdtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

var shownPassword = regexp.MustCompile(`Senha +(\S+)`)

func TestServiceUnderSystemd(t *testing.T) {
	t.Parallel()
	b := clitest.Machine(t)
	clitest.Says(t, b, 4, "Não instalado", "maquininha", "service", "status")
	clitest.Says(t, b, 1, "não está instalado", "maquininha", "service", "start")
	clitest.Says(t, b, 1, "rode com sudo", "runuser", "-u", "nobody", "--", "maquininha", "service", "install")
	b.Run("cp", "/usr/local/bin/maquininha", "/tmp/")
	clitest.Says(t, b, 1, "pasta temporária", "/tmp/maquininha", "service", "install")

	clitest.Says(t, b, 0, "Serviço instalado", "maquininha", "service", "install")
	clitest.Says(t, b, 1, "já está instalado", "maquininha", "service", "install")
	clitest.Says(t, b, 3, "inicia com a máquina), parado", "maquininha", "service", "status")
	clitest.Says(t, b, 0, "600 maquininha", "stat", "-c", "%a %U", "/etc/maquininha/maquininha.toml")
	if warnings := b.Run("systemd-analyze", "verify", "maquininha.service"); strings.Contains(warnings, "maquininha.service") {
		t.Errorf("systemd has something against the unit: %s", warnings)
	}

	b.Run("sed", "-i", `s/^#operator = .*/operator = "human"/`, "/etc/maquininha/maquininha.toml")
	clitest.Says(t, b, 0, "no ar", "maquininha", "service", "start")
	since := time.Now()
	if said := clitest.Says(t, b, 0, "no ar desde ", "maquininha", "service", "status"); !strings.Contains(said, since.Format("02/01/2006")) && !strings.Contains(said, time.Now().Format("02/01/2006")) {
		t.Errorf("it is another day: %s", said)
	}
	clitest.Says(t, b, 0, "700 maquininha", "stat", "-c", "%a %U", "/var/lib/maquininha")
	found := shownPassword.FindStringSubmatch(b.Run("maquininha", "service", "password"))
	if found == nil {
		t.Fatal("no password was shown")
	}
	ask := func(path string, more ...string) string {
		said, _ := b.Try(append([]string{"curl", "-sSu", "admin:" + found[1], "http://127.0.0.1:9050" + path}, more...)...)
		return said
	}
	if said := ask("/status") + ask("/sale", "-d", "{}"); !strings.Contains(said, `"status":"ok"`) {
		t.Fatal(said)
	}

	// What needs the data for itself says how to do it beside the service.
	clitest.Says(t, b, 1, "(se é o serviço que a usa: sudo maquininha service password)", "maquininha", "password")
	clitest.Says(t, b, 1, "(se é o serviço que a usa: sudo maquininha service pin)", "maquininha", "pin")
	clitest.Says(t, b, 1, "sudo maquininha service stop, antes)", "maquininha", "repair")
	clitest.Says(t, b, 1, "sudo maquininha service stop, antes)", "maquininha", "transactions", "resolve", "1", "--made", "--note", "Ana viu")
	clitest.Says(t, b, 0, "PIN apagado", "maquininha", "service", "pin")
	clitest.Says(t, b, 0, "no ar desde", "maquininha", "service", "status")
	if foreign := b.Run("find", "/var/lib/maquininha", "-not", "-user", "maquininha"); foreign != "" {
		t.Errorf("not the service's any more: %s", foreign)
	}

	t.Run("a request that is held is answered at a stop", func(t *testing.T) {
		held := make(chan string, 1)
		go func() { held <- ask("/ask", "-d", `{"question":{"type":"CPF","question":"Qual CPF?"}}`) }()
		waittest.Until(t, "a question on the screen", func() bool { return strings.Contains(ask("/emulator/screen"), "Qual CPF?") })
		clitest.Says(t, b, 0, "parado", "maquininha", "service", "stop")
		if said := <-held; !strings.Contains(said, `"message"`) {
			t.Errorf("the held request was answered with %q", said)
		}
		clitest.Says(t, b, 0, "no ar", "maquininha", "service", "start")
	})

	before := strings.TrimSpace(b.Run("systemctl", "show", "-P", "MainPID", "maquininha"))
	b.Run("kill", "-9", before)
	waittest.Until(t, "the service is back", func() bool {
		said, code := b.Try("maquininha", "service", "status")
		return code == 0 && !strings.Contains(said, "processo "+before+".")
	})
	clitest.Says(t, b, 1, "só atende a própria máquina", "maquininha", "service", "link")
	b.Run("sed", "-i", `s/^#listen = "127.0.0.1:9051"/listen = ":9051"/`, "/etc/maquininha/maquininha.toml")
	clitest.Says(t, b, 0, "no ar", "maquininha", "service", "restart")
	token := links(t, b)
	inJournal(t, b, found[1], token)

	clitest.Says(t, b, 0, "desinstalado", "maquininha", "service", "uninstall")
	clitest.Says(t, b, 4, "Não instalado", "maquininha", "service", "status")
	clitest.Says(t, b, 0, "maquininha.db", "ls", "/var/lib/maquininha")
}

// links looks at the link for other devices, on a machine that is in a network; it returns the token.
func links(t *testing.T, b *systemdtest.Box) string {
	t.Helper()
	b.Run("ip", "address", "add", "192.168.77.5/24", "dev", "lo")
	const config = "/etc/maquininha/maquininha.toml"
	_, rest, _ := strings.Cut(clitest.Says(t, b, 0, "http://192.168.77.5:9051/?token=", "maquininha", "service", "link"), "?token=")
	token := strings.Fields(rest)[0]
	b.Run("sed", "-i", `s/^#enabled = .*/enabled = false/`, config)
	clitest.Says(t, b, 0, "http://192.168.77.5:9051/?token="+token, "maquininha", "service", "link")
	b.Run("sed", "-i", `s/^enabled = false/enabled = true/`, config)
	clitest.Says(t, b, 0, "https://192.168.77.5:9051/?token="+token, "maquininha", "service", "link")
	b.Run("sed", "-i", `s/^enabled = true/enabled = false/; s/^listen = ":9051"/listen = "127.0.0.1:9051"/`, config)
	clitest.Says(t, b, 1, "só atende a própria máquina", "maquininha", "service", "link")
	return token
}

// inJournal looks for what the service said: with its priorities, and without secrets.
func inJournal(t *testing.T, b *systemdtest.Box, secrets ...string) {
	t.Helper()
	b.Run("journalctl", "--sync") // what was said may be on its way yet
	all := b.Run("journalctl", "-u", "maquininha", "-o", "json")
	priorities := map[string]string{"serviço iniciado": "6", "POST /sale 200": "6", "senha dos chamadores gerada": "4"}
	for line := range strings.Lines(all) {
		var entry struct{ MESSAGE, PRIORITY string }
		if json.Unmarshal([]byte(line), &entry) != nil {
			continue
		}
		for text, priority := range priorities {
			if strings.Contains(entry.MESSAGE, text) {
				if entry.PRIORITY != priority {
					t.Errorf("%q has priority %s", entry.MESSAGE, entry.PRIORITY)
				}
				delete(priorities, text)
			}
		}
	}
	if len(priorities) > 0 {
		t.Errorf("not in the journal: %v", priorities)
	}
	for _, secret := range secrets {
		if strings.Contains(all, secret) {
			t.Errorf("%q is in the journal", secret)
		}
	}
}

func TestServiceSaysWhyItCannot(t *testing.T) {
	t.Parallel()
	b := clitest.Machine(t)
	b.Run("mkdir", "-p", "/etc/maquininha", "/srv/caixa")
	config := "data = \"/srv/caixa\"\n[api]\nlisten = \":9050\"\nsenha = 1\n"
	if err := os.WriteFile(filepath.Join(b.Share, "com-erro.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.Says(t, b, 1, "com-erro.toml:4", "maquininha", "service", "install", "--config", "/mnt/com-erro.toml")
	clitest.Says(t, b, 1, "não existe", "maquininha", "service", "install", "--config", "/mnt/sem.toml")
	config = strings.Replace(config, "senha = 1\n", "", 1)
	if err := os.WriteFile(filepath.Join(b.Share, "caixa 1%.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.Says(t, b, 1, "não alcança /srv/caixa", "maquininha", "service", "install", "--config", "/mnt/caixa 1%.toml")
	clitest.Says(t, b, 1, "rode com sudo", "runuser", "-u", "nobody", "--", "maquininha", "service", "password", "--config", "/mnt/caixa 1%.toml")
	b.Run("chown", "maquininha:", "/srv/caixa")
	clitest.Says(t, b, 0, "instalado", "maquininha", "service", "install", "--config", "/mnt/caixa 1%.toml")

	// As on Android: no names are resolved and no interfaces shown. That is said, and no reason not to start.
	b.Run("sh", "-c", "umount /etc/resolv.conf 2>/dev/null; rm -f /etc/resolv.conf; mkdir /etc/systemd/system/maquininha.service.d; "+
		"printf '[Service]\\nRestrictAddressFamilies=\\nRestrictAddressFamilies=AF_UNIX AF_INET AF_INET6\\n' >/etc/systemd/system/maquininha.service.d/android.conf; systemctl daemon-reload")
	clitest.Says(t, b, 0, "no ar", "maquininha", "service", "start")
	clitest.Says(t, b, 0, "maquininha.db", "ls", "/srv/caixa")
	b.Run("journalctl", "--sync") // what was said may be on its way yet
	doubts := []string{"/etc/resolv.conf", "não deixa ver"}
	for _, want := range doubts {
		clitest.Says(t, b, 0, want, "journalctl", "-u", "maquininha", "-o", "cat")
	}
	clitest.Says(t, b, 0, "parado", "maquininha", "service", "stop")

	// Somebody else has the port: the service fails, says so, and comes up by itself once it is free.
	b.Run("systemd-run", "--unit=outro", "--service-type=notify", "--setenv=MAQUININHA_SCREEN=127.0.0.1:9999", "-p", "StandardOutput=file:/run/outro.txt", "-p", "StandardError=null",
		"-p", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6", "maquininha", "--data", "/var/tmp/outro")
	for _, want := range doubts {
		clitest.Says(t, b, 0, want, "cat", "/run/outro.txt")
	}
	clitest.Says(t, b, 1, "o endereço :9050 já está em uso", "maquininha", "service", "start")
	waittest.Until(t, "the service is failing", func() bool { // not while it is being tried again
		said, code := b.Try("maquininha", "service", "status")
		return code == 3 && strings.Contains(said, "falhando")
	})
	b.Run("journalctl", "--sync")
	clitest.Says(t, b, 0, "já está em uso", "journalctl", "-u", "maquininha", "-p", "err", "-o", "cat")
	b.Run("systemctl", "stop", "outro")
	waittest.Until(t, "the service is up", func() bool {
		_, code := b.Try("maquininha", "service", "status")
		return code == 0
	})
}

// A name with a space is one folder: systemd must not take it for two, and give the second, dpkg's, to the service.
func TestServiceWithFoldersOfManyWords(t *testing.T) {
	t.Parallel()
	b := clitest.Machine(t)
	b.Run("install", "-D", "/usr/local/bin/maquininha", "/opt/R$ 50%/maquininha")
	before := b.Run("stat", "-c", "%a %U", "/var/lib/dpkg")
	clitest.Says(t, b, 0, "instalado", "/opt/R$ 50%/maquininha", "service", "install", "--data", "/var/lib/zz dpkg")
	clitest.Says(t, b, 0, "no ar", "maquininha", "service", "start")
	clitest.Says(t, b, 0, "700 maquininha", "stat", "-c", "%a %U", "/var/lib/zz dpkg")
	clitest.Says(t, b, 0, "maquininha.db", "ls", "/var/lib/zz dpkg")
	clitest.Says(t, b, 0, before, "stat", "-c", "%a %U", "/var/lib/dpkg")
}

func TestServiceWithoutManager(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/run/systemd/system"); err == nil {
		t.Skip("this machine has a service manager, and it is not for tests")
	}
	for _, command := range []string{"install", "start", "stop", "restart", "status", "password", "pin", "uninstall"} {
		if got := clitest.Complaint(t, "service", command); !strings.Contains(got, "não tem um gerenciador de serviços") {
			t.Errorf("service %s: %s", command, got)
		}
	}
}
