package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/systemdtest"
	"github.com/maquininha/maquininha/internal/thorough"
	"github.com/maquininha/maquininha/internal/waittest"
)

// The service of the package for Alpine is run by a real OpenRC, Debian's, on a machine that goes away: started, killed, restarted,
// stopped. The package's own scripts make users by the tools of Alpine, which are not here.
func TestServiceRunsUnderOpenRC(t *testing.T) {
	t.Parallel()
	if !thorough.Everything {
		t.Skip("downloads OpenRC: make test-all")
	}
	if _, err := exec.LookPath("apt-get"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs Debian's packages, on amd64")
	}
	apk, dir := made(t, amd64APK), t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil { // apt-get downloads as somebody else
		t.Fatal(err)
	}
	run(t, dir, "apt-get", "download", "openrc", "librc1", "libeinfo1")
	b := systemdtest.Start(t)
	b.Put(apk, "it.apk")
	parts, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil || len(parts) != 3 {
		t.Fatal(err, parts)
	}
	for _, p := range parts {
		b.Put(p, filepath.Base(p))
	}
	b.Run("sh", "-euc", `cd /mnt
		for part in *.deb; do dpkg-deb --fsys-tarfile "$part" | tar x --keep-directory-symlink -C /; done
		ldconfig
		tar xzf it.apk --warning=no-unknown-keyword --keep-directory-symlink -C / etc usr
		useradd --system --user-group --no-create-home --home-dir /var/lib/maquininha --shell /usr/sbin/nologin maquininha
		chown maquininha: /etc/maquininha/maquininha.toml
		for state in exclusive daemons failed hotplugged inactive options scheduled started starting stopping tmp wasinactive; do mkdir -p /run/openrc/$state; done
		touch /run/openrc/softlevel /etc/insserv.conf
		# Alpine mounts disks by a service of this name.
		printf '#!/sbin/openrc-run\nstart() { :; }\n' >/etc/init.d/localmount
		chmod 755 /etc/init.d/localmount`)
	service := func(what string) (string, int) { t.Helper(); return b.Try("rc-service", "maquininha", what) }
	process := func() string {
		said, _ := b.Try("pgrep", "-u", "maquininha", "-x", "maquininha")
		return strings.TrimSpace(said)
	}
	answers := func() bool {
		_, code := b.Try("sh", "-c", `curl -sS http://127.0.0.1:9050/ | grep -q "Este terminal"`)
		return code == 0
	}

	if said, code := service("start"); code != 0 {
		t.Fatalf("it does not start: %s", said)
	}
	waittest.Until(t, "it answers", answers)
	if said := b.Run("stat", "-c", "%a %U", "/var/lib/maquininha"); said != "700 maquininha\n" {
		t.Errorf("the data folder is %s", said)
	}
	if said, code := service("status"); code != 0 {
		t.Errorf("status: %s", said)
	}
	first := process()
	b.Run("kill", "-9", first)
	waittest.Until(t, "it is started again", func() bool { now := process(); return now != "" && now != first && answers() })
	if said, code := service("stop"); code != 0 || process() != "" {
		t.Errorf("it does not stop: %s", said)
	}
}
