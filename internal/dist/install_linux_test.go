package main

import (
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/systemdtest"
)

var shownPassword = regexp.MustCompile(`Senha +(\S+)`)

// The package goes through its life on a machine with a real systemd.
func TestPackageIsInstalledUpgradedRemovedAndPurged(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs dpkg, on amd64")
	}
	deb := made(t, amd64Deb)
	b := systemdtest.Start(t)
	b.Put(deb, "maquininha.deb")
	says := func(want string, args ...string) string {
		t.Helper()
		said := b.Run(args...)
		if !strings.Contains(said, want) {
			t.Fatalf("%q: no %q in %s", args, want, said)
		}
		return said
	}

	says("sudo maquininha service password", "dpkg", "-i", "/mnt/maquininha.deb")
	says("inicia com a máquina), no ar desde", "maquininha", "service", "status")
	says("1.2.3 (build 7)", "maquininha", "version")
	says("600 maquininha", "stat", "-c", "%a %U", "/etc/maquininha/maquininha.toml")
	found := shownPassword.FindStringSubmatch(b.Run("maquininha", "service", "password"))
	if found == nil {
		t.Fatal("no password was shown")
	}
	says(`"status":"ok"`, "curl", "-sSu", "admin:"+found[1], "http://127.0.0.1:9050/status")
	says("Dados", "maquininha", "check") // it finds file and folder by itself
	says("disabled", "sh", "-c", "systemctl is-enabled maquininha-kiosk || true")
	if said := b.Run("systemd-analyze", "verify", "maquininha.service", "maquininha-kiosk.service"); strings.Contains(said, "maquininha") {
		t.Errorf("systemd has something against the units: %s", said)
	}
	if said, code := b.Try("env", "PATH=/nowhere", "/bin/sh", "/usr/lib/maquininha/kiosk"); code != 78 || !strings.Contains(said, "sudo apt install cage") {
		t.Errorf("a kiosk without what it needs ended with %d: %s", code, said)
	}
	if said, code := b.Try("maquininha", "service", "uninstall"); code == 0 || !strings.Contains(said, "apt remove") {
		t.Errorf("a packaged service is uninstalled: %s", said)
	}

	b.Run("sed", "-i", "s/^#setup = .*/setup = false/", "/etc/maquininha/maquininha.toml")
	before := b.Run("systemctl", "show", "-P", "MainPID", "maquininha")
	b.Run("dpkg", "-i", "--force-confold", "/mnt/maquininha.deb")
	if after := b.Run("systemctl", "show", "-P", "MainPID", "maquininha"); after == before {
		t.Error("an upgrade leaves the old program running")
	}
	says("setup = false", "grep", "^setup", "/etc/maquininha/maquininha.toml")
	says("600 maquininha", "stat", "-c", "%a %U", "/etc/maquininha/maquininha.toml")
	says(`"status":"ok"`, "curl", "-sSu", "admin:"+found[1], "http://127.0.0.1:9050/status")

	says("continuam em /var/lib/maquininha", "dpkg", "--remove", "maquininha")
	says("maquininha.db", "ls", "/var/lib/maquininha")
	says("inactive", "sh", "-c", "systemctl is-active maquininha || true")
	b.Run("dpkg", "-i", "/mnt/maquininha.deb")
	says(`"status":"ok"`, "curl", "-sSu", "admin:"+found[1], "http://127.0.0.1:9050/status")
	says("foram apagados", "dpkg", "--purge", "maquininha")
	says("nothing", "sh", "-c", "ls -d /var/lib/maquininha* /etc/maquininha /etc/systemd/system/*/maquininha* 2>/dev/null || echo nothing; getent passwd maquininha || true")

	// A service that somebody installed by hand is not run over.
	b.Run("touch", "/etc/systemd/system/maquininha.service")
	if said, code := b.Try("dpkg", "-i", "/mnt/maquininha.deb"); code == 0 || !strings.Contains(said, "service uninstall") {
		t.Errorf("installed over another: %s", said)
	}
}
