package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/systemdtest"
)

// The package for Fedora goes through its life on a machine with a real systemd and the real rpm. The machine is no Fedora: it
// has what the package needs by other names.
func TestRPMIsInstalledUpgradedAndRemoved(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("rpm"); err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs rpm, on amd64")
	}
	for name, c := range map[string]struct{ file, answers string }{
		"maquininha":     {amd64RPM, `curl -sS http://127.0.0.1:9050/ | grep "Este terminal"`},
		"maquininha-hub": {hubRPM, `curl -sS --cacert /var/lib/maquininha-hub/tls-cert.pem https://localhost:9060/status | grep '"database":"ok"'`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := made(t, c.file)
			b := systemdtest.Start(t)
			b.Put(file, "it.rpm")
			config := "/etc/" + name + "/" + name + ".toml"
			about := b.Run("rpm", "-qpi", "/mnt/it.rpm")
			for _, want := range []string{"Version     : 1.2.3\n", "License     : Apache-2.0\n", "URL         : " + sample.Repository + "\n", "Build Host  : localhost\n"} {
				if !strings.Contains(about, want) {
					t.Errorf("no %q in %s", want, about)
				}
			}
			if said := b.Run("rpm", "-i", "--nodeps", "/mnt/it.rpm"); !strings.Contains(said, "sudo "+name+" service password") {
				t.Errorf("it says %s", said)
			}
			b.Run("systemctl", "is-enabled", name)
			b.Run("sh", "-c", c.answers)
			if owner := b.Run("stat", "-c", "%a %U", config); owner != "600 "+name+"\n" {
				t.Errorf("the configuration is %s", owner)
			}
			b.Run("sh", "-c", "echo '# changed' >>"+config)
			before := b.Run("systemctl", "show", "-P", "MainPID", name)
			b.Run("rpm", "-U", "--nodeps", "--force", "/mnt/it.rpm")
			if after := b.Run("systemctl", "show", "-P", "MainPID", name); after == before {
				t.Error("an upgrade leaves the old program running")
			}
			b.Run("grep", "# changed", config)
			b.Run("sh", "-c", c.answers)
			if said := b.Run("rpm", "-e", name); !strings.Contains(said, "continuam em /var/lib/"+name) {
				t.Errorf("it says %s", said)
			}
			if said, code := b.Try("systemctl", "is-active", name); code == 0 {
				t.Errorf("it is still %s", said)
			}
			b.Run("test", "-d", "/var/lib/"+name)
			b.Run("touch", "/etc/systemd/system/"+name+".service")
			if said, code := b.Try("rpm", "-i", "--nodeps", "/mnt/it.rpm"); code == 0 || !strings.Contains(said, "service uninstall") {
				t.Errorf("installed over another: %s", said)
			}
		})
	}
}

// There is no Alpine here to install it on: what it is made of is looked at, and its scripts are read by a shell. Its service is run by
// TestServiceRunsUnderOpenRC.
func TestAPKIsWhole(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(made(t, amd64APK))
	if err != nil {
		t.Fatal(err)
	}
	from := bytes.NewReader(content)
	unpack, err := gzip.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	// Two archives, one after the other: what it is, and what it brings.
	for parts := 0; ; parts++ {
		start := len(content) - from.Len()
		if parts == 1 {
			if sum := fmt.Sprintf("datahash = %x\n", sha256.Sum256(content[dataStart(t, content):])); !strings.Contains(found[".PKGINFO"], sum) {
				t.Errorf("its data, from %d, have another sum than %s: %s", start, sum, found[".PKGINFO"])
			}
		}
		unpack.Multistream(false)
		if err := readTar(unpack, found); err != nil {
			t.Fatal(err)
		}
		if err := unpack.Reset(from); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		".PKGINFO": "pkgver = 1.2.3-r7\n", ".pre-install": "adduser -S", ".post-install": "rc-update", ".post-upgrade": "restart", ".pre-deinstall": "rc-update", ".post-deinstall": "continuam",
		"etc/init.d/maquininha": `command_user="maquininha:maquininha"`, "etc/maquininha/maquininha.toml": "/var/lib/maquininha", "usr/share/doc/maquininha/NOTICES.txt": "preact",
	} {
		if !strings.Contains(found[name], want) {
			t.Errorf("%s: no %q in %.200s", name, want, found[name])
		}
		if strings.HasPrefix(name, ".p") || strings.HasPrefix(name, "etc/init.d/") {
			cmd := exec.CommandContext(t.Context(), "sh", "-n")
			cmd.Stdin = strings.NewReader(found[name])
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", name, err, out)
			}
		}
	}
	if len(found["usr/bin/maquininha"]) < 10<<20 || strings.Contains(found[".PKGINFO"], "\n ") {
		t.Errorf("%s", found[".PKGINFO"])
	}
}

// dataStart is where the second of the compressed parts begins.
func dataStart(t *testing.T, content []byte) int {
	t.Helper()
	from := bytes.NewReader(content)
	unpack, err := gzip.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	unpack.Multistream(false)
	if _, err := io.Copy(io.Discard, unpack); err != nil {
		t.Fatal(err)
	}
	return len(content) - from.Len()
}

func readTar(from io.Reader, into map[string]string) error {
	r := tar.NewReader(from)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, from) // what pads the last block
			return err
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		into[h.Name] = string(text)
	}
}
