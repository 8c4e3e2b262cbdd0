package main

import (
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/systemdtest"
)

var exposure = regexp.MustCompile(`Overall exposure level for \S+: ([0-9.]+)`)

// mostExposure is by how systemd-analyze counts.
const mostExposure = 2.5

// The hub's package goes through its life on a machine with a real systemd, beside nothing of the terminal's.
func TestHubPackageIsInstalledUpgradedRemovedAndPurged(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs dpkg, on amd64")
	}
	deb := made(t, hubDeb)
	b := systemdtest.Start(t)
	b.Put(deb, "hub.deb")
	says := func(want string, args ...string) string {
		t.Helper()
		said := b.Run(args...)
		if !strings.Contains(said, want) {
			t.Fatalf("%q: no %q in %s", args, want, said)
		}
		return said
	}
	const data, config = "/var/lib/maquininha-hub", "/etc/maquininha-hub/maquininha-hub.toml"
	answers := func() {
		t.Helper()
		says(`"database":"ok"`, "curl", "-sS", "--cacert", data+"/tls-cert.pem", "https://localhost:9060/status")
	}

	if said := says("maquininha-hub: senha de admin: sudo maquininha-hub service password", "dpkg", "-i", "/mnt/hub.deb"); strings.Contains(said, "@") {
		t.Errorf("a word is missing: %s", said)
	}
	says("inicia com a máquina), no ar desde", "maquininha-hub", "service", "status")
	says("1.2.3 (build 7)", "maquininha-hub", "version")
	says("600 maquininha-hub", "stat", "-c", "%a %U", config)
	says("700 maquininha-hub", "stat", "-c", "%a %U", data)
	answers()
	found := shownPassword.FindStringSubmatch(b.Run("maquininha-hub", "service", "password"))
	if found == nil {
		t.Fatal("no password was shown")
	}
	signIn := func() {
		t.Helper()
		says(`"name":"admin"`, "curl", "-sS", "--cacert", data+"/tls-cert.pem", "-H", "Content-Type: application/json",
			"-d", `{"name":"admin","password":"`+found[1]+`"}`, "https://localhost:9060/api/v1/session")
	}
	signIn()
	says("é o hub que está no ar", "maquininha-hub", "check") // it finds file and folder by itself
	if said := b.Run("systemd-analyze", "verify", "maquininha-hub.service"); strings.Contains(said, "maquininha") {
		t.Errorf("systemd has something against the unit: %s", said)
	}
	// Ten is a service that may do everything.
	said := b.Run("systemd-analyze", "security", "--no-pager", "maquininha-hub.service")
	if level := exposure.FindStringSubmatch(said); level == nil {
		t.Errorf("systemd does not judge the unit: %s", said)
	} else if open, err := strconv.ParseFloat(level[1], 64); err != nil || open > mostExposure {
		t.Errorf("the unit leaves too much open: %s", said)
	}
	if said, code := b.Try("maquininha-hub", "service", "uninstall"); code == 0 || !strings.Contains(said, "sudo apt remove maquininha-hub") {
		t.Errorf("a packaged service is uninstalled: %s", said)
	}

	b.Run("sed", "-i", "s/^#logs = .*/logs = 30/", config)
	before := b.Run("systemctl", "show", "-P", "MainPID", "maquininha-hub")
	b.Run("dpkg", "-i", "--force-confold", "/mnt/hub.deb")
	if after := b.Run("systemctl", "show", "-P", "MainPID", "maquininha-hub"); after == before {
		t.Error("an upgrade leaves the old program running")
	}
	says("logs 30 dias", "maquininha-hub", "check")
	says("600 maquininha-hub", "stat", "-c", "%a %U", config)
	signIn()

	says("continuam em "+data, "dpkg", "--remove", "maquininha-hub")
	says("hub.key", "ls", data)
	says("inactive", "sh", "-c", "systemctl is-active maquininha-hub || true")
	b.Run("dpkg", "-i", "/mnt/hub.deb")
	signIn()
	says("foram apagados", "dpkg", "--purge", "maquininha-hub")
	says("nothing", "sh", "-c", "ls -d /var/lib/maquininha* /etc/maquininha* /etc/systemd/system/*/maquininha* 2>/dev/null || echo nothing; getent passwd maquininha-hub || true")

	b.Run("touch", "/etc/systemd/system/maquininha-hub.service")
	if said, code := b.Try("dpkg", "-i", "/mnt/hub.deb"); code == 0 || !strings.Contains(said, "sudo maquininha-hub service uninstall") {
		t.Errorf("installed over another: %s", said)
	}
}
