package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/systemdtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

var shownPassword = regexp.MustCompile(`Senha +(\S+)`)

// machine is one with a real systemd, and the hub where a technician would put it.
func machine(t *testing.T) *systemdtest.Box {
	t.Helper()
	apptest.OtherProcess(t)
	path := filepath.Join(t.TempDir(), Name)
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w", "-o", path, "github.com/maquininha/maquininha/cmd/maquininha-hub")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b := systemdtest.Start(t)
	b.Put(path, Name)
	b.Run("install", "/mnt/"+Name, "/usr/local/bin/"+Name)
	return b
}

// The hub is installed as the terminal is, runs with less than the terminal may do, and tells no secret to the journal.
func TestServiceUnderSystemd(t *testing.T) {
	t.Parallel()
	b := machine(t)
	const config, data = "/etc/maquininha-hub/maquininha-hub.toml", "/var/lib/maquininha-hub"
	clitest.Says(t, b, 4, "Não instalado. Instale com: sudo maquininha-hub service install", Name, "service", "status")
	clitest.Says(t, b, 1, "não está instalado", Name, "service", "start")
	clitest.Says(t, b, 1, "rode com sudo", "runuser", "-u", "nobody", "--", Name, "service", "install")
	clitest.Says(t, b, 0, "uma senha nova para admin", Name, "service", "install")
	clitest.Says(t, b, 1, "já está instalado", Name, "service", "install")
	clitest.Says(t, b, 3, "inicia com a máquina), parado", Name, "service", "status")
	clitest.Says(t, b, 0, "600 maquininha-hub", "stat", "-c", "%a %U", config)
	clitest.Says(t, b, 0, `data = "/var/lib/maquininha-hub"`, "cat", config)
	if said := b.Run("systemd-analyze", "verify", Name+".service"); strings.Contains(said, Name) {
		t.Errorf("systemd has something against the unit: %s", said)
	}
	clitest.Says(t, b, 0, "no ar", Name, "service", "start")
	clitest.Says(t, b, 0, "no ar desde ", Name, "service", "status")
	clitest.Says(t, b, 0, "700 maquininha-hub", "stat", "-c", "%a %U", data)

	clitest.Says(t, b, 1, "(se é o serviço que a usa: sudo maquininha-hub service password)", Name, "password")
	clitest.Says(t, b, 1, "(se é o serviço que a usa: sudo maquininha-hub service key PDV)", Name, "key", "PDV")
	found := shownPassword.FindStringSubmatch(b.Run(Name, "service", "password"))
	made := regexp.MustCompile(`(?s)Usuário +(\S+)\nSegredo +(\S+)`).FindStringSubmatch(b.Run(Name, "service", "key", "PDV"))
	if found == nil || made == nil {
		t.Fatal("no password, or no key, was shown")
	}
	curl := []string{"curl", "-sS", "--cacert", data + "/tls-cert.pem"}
	clitest.Says(t, b, 0, `"terminals":[]`, append(curl, "-u", made[1]+":"+made[2], "https://localhost:9060/api/v1/terminals")...)
	clitest.Says(t, b, 0, `"name":"admin"`, append(curl, "-d", `{"name":"admin","password":"`+found[1]+`"}`, "-H", "Content-Type: application/json", "https://localhost:9060/api/v1/session")...)
	if foreign := b.Run("find", data, "-not", "-user", Name); foreign != "" {
		t.Errorf("not the service's any more: %s", foreign)
	}
	clitest.Says(t, b, 0, "✓ HTTPS         :9060 atende: é o hub que está no ar", Name, "check")
	clitest.Says(t, b, 0, "✓ Serviço       instalado com esta configuração; o usuário maquininha-hub alcança", Name, "check")
	b.Run("install", "-d", "-o", Name, "/srv/outro")
	clitest.Says(t, b, 1, "não consegue gravar em /srv/outro: ProtectSystem=strict, na unidade dele, só o deixa gravar na pasta de dados", Name, "check", "--data", "/srv/outro")
	clitest.Says(t, b, 0, "Cópia de 0 terminais", "runuser", "-u", Name, "--", Name, "backup", "/tmp/hub.tar.gz")

	// It writes to its data alone, and has no devices.
	pid := strings.TrimSpace(b.Run("systemctl", "show", "-P", "MainPID", Name))
	for _, path := range []string{"/var/lib/outro", "/opt/outro", "/etc/maquininha-hub/outro"} {
		if said, code := b.Try("nsenter", "--target", pid, "--mount", "--root", "touch", path); code == 0 || !strings.Contains(said, "Read-only") {
			t.Errorf("%s: %d %s", path, code, said)
		}
	}
	b.Run("nsenter", "--target", pid, "--mount", "--root", "touch", data+"/own")
	b.Run("rm", data+"/own")
	clitest.Says(t, b, 0, "yes", "systemctl", "show", "-P", "PrivateDevices", Name)

	b.Run("kill", "-9", pid)
	waittest.Until(t, "the service is back", func() bool {
		said, code := b.Try(Name, "service", "status")
		return code == 0 && !strings.Contains(said, "processo "+pid+".")
	})
	inJournal(t, b, found[1], made[2])
	clitest.Says(t, b, 0, "parado", Name, "service", "stop")
	clitest.Says(t, b, 0, "desinstalado", Name, "service", "uninstall")
	clitest.Says(t, b, 4, "Não instalado", Name, "service", "status")
	clitest.Says(t, b, 0, "hub.db", "ls", data)
}

// inJournal looks for what the hub said, with its priorities, and not for secrets: neither those it was given, nor any that the first start made.
func inJournal(t *testing.T, b *systemdtest.Box, secrets ...string) {
	t.Helper()
	b.Run("journalctl", "--sync") // what was said may be on its way yet
	all := b.Run("journalctl", "-u", Name, "-o", "json")
	priorities := map[string]string{"hub iniciado": "6", "primeira conta criada": "4"}
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
		t.Errorf("not in the journal: %v\n%s", priorities, all)
	}
	for _, secret := range append(secrets, "Senha ", "Chave de API", "maquininha join") {
		if strings.Contains(all, secret) {
			t.Errorf("%q is in the journal", secret)
		}
	}
}

// With its data elsewhere the hub may write there, and a start that fails says why.
func TestServiceElsewhere(t *testing.T) {
	t.Parallel()
	b := machine(t)
	b.Run("mkdir", "-p", "/srv")
	clitest.Says(t, b, 0, "Dados em /srv/hub 1%.", Name, "service", "install", "--data", "/srv/hub 1%")
	b.Run("sed", "-i", `s/^#listen = .*/listen = "256.0.0.1:9060"/`, "/etc/maquininha-hub/maquininha-hub.toml")
	clitest.Says(t, b, 1, "Ele diz: maquininha-hub: ", Name, "service", "start")
	b.Run("sed", "-i", `s/^listen = .*/listen = ":9070"/`, "/etc/maquininha-hub/maquininha-hub.toml")
	clitest.Says(t, b, 0, "no ar", Name, "service", "restart")
	clitest.Says(t, b, 0, "hub.db", "ls", "/srv/hub 1%")
	clitest.Says(t, b, 0, `"database":"ok"`, "curl", "-sS", "--cacert", "/srv/hub 1%/tls-cert.pem", "https://localhost:9070/status")

	// What root sees and the service does not.
	clitest.Says(t, b, 0, "✓ Serviço", Name, "check")
	b.Run("sh", "-c", `cd /etc/maquininha-hub && cp "/srv/hub 1%/tls-cert.pem" "/srv/hub 1%/tls-key.pem" . && chown root: tls-key.pem && chmod 600 tls-key.pem &&
		sed -i 's|^#cert = .*|cert = "tls-cert.pem"|; s|^#key = .*|key = "tls-key.pem"|' maquininha-hub.toml`)
	clitest.Says(t, b, 1, "✗ Serviço       o serviço (usuário maquininha-hub) não consegue ler /etc/maquininha-hub/tls-key.pem ([tls] key): corrija com: sudo chown maquininha-hub: /etc/maquininha-hub/tls-key.pem", Name, "check")
}

func TestServiceWithoutManager(t *testing.T) {
	if _, err := os.Stat("/run/systemd/system"); err == nil {
		t.Skip("this machine has a service manager, and it is not for tests")
	}
	for _, command := range []string{"install", "start", "stop", "restart", "status", "password", "uninstall"} {
		if err := run("service", command); err == nil || !strings.Contains(err.Error(), "não tem um gerenciador de serviços") || !strings.Contains(err.Error(), "inicie com maquininha-hub") {
			t.Errorf("service %s: %v", command, err)
		}
	}
}
