package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var sample = release{Version: "1.2.3", Build: "7", Flags: "-s -w -X main.version=1.2.3 -X main.build=7", Time: time.Unix(1_770_000_000, 0).UTC()}

// published is a release for Linux, made once, by the program itself.
// The other platforms are built by make cross.
var published = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "run", ".", "-only", "linux", "-out", scratch, "-version", sample.Version, "-build", sample.Build, "-ldflags", sample.Flags,
		"-time", fmt.Sprint(sample.Time.Unix()))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return scratch, nil
})

var scratch string

// TestMain has the tests wait side by side: they wait for other processes more than they compute. -parallel still has its say.
func TestMain(m *testing.M) {
	err := flag.Set("test.parallel", "4")
	if err != nil {
		panic(err) // it is a flag of every test
	}
	if scratch, err = os.MkdirTemp("", "maquininha-dist-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// made is a file of the release.
func made(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	dir, err := published()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	amd64Deb = "maquininha_1.2.3-7_amd64.deb"
	arm64Deb = "maquininha_1.2.3-7_arm64.deb"
)

func TestSumsNameEveryFile(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile(made(t, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, name := range []string{"maquininha-1.2.3-linux-amd64", "maquininha-1.2.3-linux-arm64", amd64Deb, arm64Deb} {
		content, err := os.ReadFile(made(t, name))
		if err != nil {
			t.Fatal(err)
		}
		want += fmt.Sprintf("%x  %s\n", sha256.Sum256(content), name)
	}
	if string(sums) != want {
		t.Errorf("got\n%swant\n%s", sums, want)
	}
}

func TestTheSameFilesMakeTheSamePackages(t *testing.T) {
	make := func(r release) (all []byte) {
		deb, err := r.deb("amd64", []byte("a program"), []byte("a configuration"))
		if err != nil {
			t.Fatal(err)
		}
		folder, err := r.zip([]byte("a program"))
		if err != nil {
			t.Fatal(err)
		}
		return append(deb, folder...)
	}
	if !bytes.Equal(make(sample), make(sample)) {
		t.Error("two packages of the same files differ")
	}
	later := sample
	later.Time = later.Time.Add(time.Hour)
	if bytes.Equal(make(sample), make(later)) {
		t.Error("the time is not in the package")
	}
}

// mostBytes is what the terminal's program may have: shops download it over what lines they have.
const mostBytes = 25 << 20

func TestDpkgReadsThePackage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("dpkg-deb is missing: this is no Debian")
	}
	for architecture, name := range map[string]string{"amd64": amd64Deb, "arm64": arm64Deb} {
		about, err := exec.CommandContext(t.Context(), "dpkg-deb", "-I", made(t, name)).CombinedOutput()
		for _, want := range []string{"Package: maquininha\n", "Version: 1.2.3-7\n", "Architecture: " + architecture + "\n", "Recommends: chromium"} {
			if err != nil || !strings.Contains(string(about), want) {
				t.Errorf("%s: %v: no %q in %s", name, err, want, about)
			}
		}
		list, err := exec.CommandContext(t.Context(), "dpkg-deb", "-c", made(t, name)).CombinedOutput()
		for _, want := range []string{
			"-rwxr-xr-x root/root", "./usr/bin/maquininha\n", "./lib/systemd/system/maquininha.service\n", "./lib/systemd/system/maquininha-kiosk.service\n", "./usr/lib/maquininha/kiosk\n",
		} {
			if err != nil || !strings.Contains(string(list), want) {
				t.Errorf("%s: %v: no %q in %s", name, err, want, list)
			}
		}
		for line := range strings.Lines(string(list)) {
			if fields := strings.Fields(line); strings.HasSuffix(line, "./usr/bin/maquininha\n") {
				if bytes, err := strconv.Atoi(fields[2]); err != nil || bytes > mostBytes {
					t.Errorf("the program for %s has %d bytes, %v; at most %d are allowed", architecture, bytes, err, mostBytes)
				}
			}
			if strings.HasSuffix(line, "./etc/maquininha/maquininha.toml\n") && !strings.HasPrefix(line, "-rw------- root/root") {
				t.Errorf("others may read the configuration: %s", line)
			}
		}
	}
}

// Whoever follows the guide gets the packages that make dist makes, and a kiosk that starts.
func TestGuideInstallsWhatThereIs(t *testing.T) {
	const apt = "sudo apt install "
	for _, name := range []string{"producao.md", "en/production.md"} {
		guide, err := os.ReadFile(filepath.Join("../../docs/guia", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(guide)) {
			what, found := strings.CutPrefix(strings.TrimSpace(line), apt)
			switch fits, _ := filepath.Match("./"+strings.TrimPrefix(what, "./"), "./"+amd64Deb); {
			case !found || fits:
			case strings.HasPrefix(what, "./"):
				t.Errorf("%s: no package is called %s", name, what)
			case what != "chromium cage xwayland":
				t.Errorf("%s: the kiosk does not start with %s", name, what)
			}
		}
	}
	if !strings.Contains(string(text("LEIA-ME.Debian")), apt+"chromium cage xwayland\n") {
		t.Error("the package's own page installs something else")
	}
	for _, rule := range []string{"protocol=TCP localport=9050 ", "protocol=UDP localport=5353 "} { // callers, and discovery
		if !strings.Contains(string(text("LEIA-ME.txt")), rule) {
			t.Errorf("no %s for the firewall", rule)
		}
	}
}

func TestFolderForWindows(t *testing.T) {
	content, err := sample.zip([]byte("a program"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range r.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name] = string(text)
	}
	if found["maquininha/maquininha.exe"] != "a program" {
		t.Error("the program is not in it")
	}
	for name, want := range map[string]string{
		"maquininha/iniciar.cmd": "maquininha.exe %*", "maquininha/quiosque.cmd": "--kiosk", "maquininha/LEIA-ME.txt": "maquininha service install",
	} {
		text := found[name]
		if !strings.Contains(text, want) || strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Errorf("%s: %q", name, text)
		}
		// The shell reads scripts in the machine's old alphabet, before any of their lines could change that.
		if strings.HasSuffix(name, ".cmd") && strings.IndexFunc(text, func(r rune) bool { return r > 126 }) >= 0 {
			t.Errorf("%s is not plain ASCII", name)
		}
	}
}
