package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/systemdtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// An installation with the first version's data, one payment of them open, is upgraded by package and set back again: both versions have
// one schema, so nothing is in the way. What an older schema does is tested in cmd/maquininha.
func TestUpgradeByPackageAndBack(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg-deb"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs dpkg, on amd64")
	}
	deb, dir := made(t, amd64Deb), t.TempDir()
	// The next build, which has the same files.
	run(t, dir, "sh", "-euc", `dpkg-deb -R "$1" next; sed -i 's/^Version: .*/Version: 1.2.3-8/' next/DEBIAN/control; dpkg-deb -Znone -b next next.deb`, "sh", deb)
	run(t, dir, "tar", "xzf", source("cmd/maquininha/testdata/first.tar.gz"), "--no-same-owner")
	password, err := os.ReadFile(filepath.Join(dir, "first", "password-of-the-test"))
	if err != nil {
		t.Fatal(err)
	}
	b := systemdtest.Start(t)
	b.Put(deb, "old.deb")
	b.Put(filepath.Join(dir, "next.deb"), "next.deb")
	b.Put(source("cmd/maquininha/testdata/first.tar.gz"), "first.tar.gz")
	asked := func(path string) string {
		t.Helper()
		said, _ := b.Try("curl", "-sSu", "admin:"+string(password), "http://127.0.0.1:9050"+path)
		return said
	}
	check := func(version string) {
		t.Helper()
		if said := b.Run("dpkg-query", "-W", "-f", "${Version}", "maquininha"); said != version {
			t.Errorf("%s is installed, not %s", said, version)
		}
		waittest.Until(t, "the open payment is settled", func() bool { return strings.Contains(asked("/transaction/pedido-4"), `"status":"cancelled"`) })
		for path, want := range map[string]string{
			"/transaction/pedido-1": `"status":"approved"`, "/transaction/pedido-2": `"status":"reversed"`, "/transaction/pedido-3": `"status":"refused"`, "/sale": "Açúcar",
		} {
			if said := asked(path); !strings.Contains(said, want) {
				t.Errorf("%s with %s: no %s in %s", path, version, want, said)
			}
		}
	}

	b.Run("dpkg", "-i", "/mnt/old.deb")
	b.Run("systemctl", "stop", "maquininha")
	b.Run("sh", "-euc", "rm -rf /var/lib/maquininha/*; tar xzf /mnt/first.tar.gz --strip-components=1 -C /var/lib/maquininha; chown -R maquininha: /var/lib/maquininha")
	b.Run("dpkg", "-i", "/mnt/next.deb")
	check("1.2.3-8")
	b.Run("dpkg", "-i", "/mnt/old.deb")
	check("1.2.3-7")
}
