package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/thorough"
)

const stamp = "github.com/maquininha/maquininha/internal/version"

var sample = release{Version: "1.2.3", Build: "7", Repository: "https://git.example/loja/maquininha", Flags: "-s -w -X " + stamp + ".Number=1.2.3 -X " + stamp + ".Build=7", Time: time.Unix(1_770_000_000, 0).UTC()}

// processors are those that the tests have a release for: make test-all has all of what is published for Linux, to the byte.
var processors = map[bool][]string{false: {"amd64"}, true: {"amd64", "arm64"}}[thorough.Everything]

// published is a release for Linux, made once, by the program itself.
// The other platforms are built by make cross.
var published = sync.OnceValues(func() (string, error) {
	out := filepath.Join(scratch, "once")
	return out, publish(out)
})

func publish(out string) error {
	cmd := exec.Command("go", "run", ".", "-only", "linux", fmt.Sprint("-short=", !thorough.Everything), "-out", out, "-version", sample.Version, "-build", sample.Build, "-repository", sample.Repository, "-ldflags", sample.Flags,
		"-time", fmt.Sprint(sample.Time.Unix()))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

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
	hubDeb   = "maquininha-hub_1.2.3-7_amd64.deb"

	amd64RPM   = "maquininha-1.2.3-7.x86_64.rpm"
	hubRPM     = "maquininha-hub-1.2.3-7.x86_64.rpm"
	amd64APK   = "maquininha-1.2.3-r7.x86_64.apk"
	hubAPK     = "maquininha-hub-1.2.3-r7.x86_64.apk"
	amd64Image = "maquininha-test-server-1.2.3-linux-amd64.oci.tar"
	npmClient  = "maquininha-client-1.2.3.tgz"
	goClient   = "maquininha-client-go-1.2.3.tar.gz"
)

func TestSumsNameEveryFile(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile(made(t, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{npmClient, goClient, "maquininha-1.2.3-NOTICES.txt", "maquininha-hub-1.2.3-NOTICES.txt"}
	for _, processor := range processors {
		of := strings.NewReplacer("amd64", processor, "x86_64", machine(target{"linux", processor}))
		for _, name := range []string{
			"maquininha-1.2.3-linux-amd64", "maquininha-1.2.3-linux-amd64.cdx.json", "maquininha-hub-1.2.3-linux-amd64", "maquininha-hub-1.2.3-linux-amd64.cdx.json",
			amd64Deb, amd64RPM, amd64APK, hubDeb, hubRPM, hubAPK, amd64Image,
		} {
			names = append(names, of.Replace(name))
		}
	}
	slices.Sort(names)
	want := ""
	for _, name := range names {
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
	t.Parallel()
	if testing.Short() {
		t.Skip("starts another process")
	}
	tool, err := packer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	make := func(r release) map[string]string {
		out := t.TempDir()
		part := []byte("a part")
		for _, p := range products {
			if err := r.writePackages(t.Context(), tool, out, p, linuxAMD64, part, part, part); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(r.writeZip(out, part, part), r.writeImage(out, linuxAMD64, part, part), r.writeClients(out), writeSums(out)); err != nil {
			t.Fatal(err)
		}
		return sums(t, out)
	}
	first, later := make(sample), sample
	if again := make(sample); !maps.Equal(first, again) {
		t.Errorf("packages of the same files differ: %v, %v", first, again)
	}
	later.Time = later.Time.Add(time.Hour)
	for name, sum := range make(later) {
		if sum == first[name] {
			t.Errorf("the time is not in %s", name)
		}
	}
}

// The programs themselves, too, and whatever is made of them.
func TestTheSameSourcesMakeTheSameRelease(t *testing.T) {
	t.Parallel()
	if !thorough.Everything {
		t.Skip("makes a second release: make test-all")
	}
	first, second := filepath.Dir(made(t, "SHA256SUMS")), filepath.Join(scratch, "twice")
	if err := publish(second); err != nil {
		t.Fatal(err)
	}
	if a, b := sums(t, first), sums(t, second); len(a) == 0 || !maps.Equal(a, b) {
		t.Errorf("%v, then %v", a, b)
	}
}

// sums are those of a folder's SHA256SUMS, by file.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		all[name] = sum
	}
	return all
}

// mostBytes is what the terminal's program may have: shops download it over what lines they have.
const mostBytes = 25 << 20

func TestDpkgReadsThePackage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("dpkg-deb is missing: this is no Debian")
	}
	for _, architecture := range processors {
		name := strings.Replace(amd64Deb, "amd64", architecture, 1)
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

func TestDpkgReadsTheHubsPackage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("dpkg-deb is missing: this is no Debian")
	}
	about, err := exec.CommandContext(t.Context(), "dpkg-deb", "-I", made(t, hubDeb)).CombinedOutput()
	list, failed := exec.CommandContext(t.Context(), "dpkg-deb", "-c", made(t, hubDeb)).CombinedOutput()
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	for _, want := range []string{
		"Package: maquininha-hub\n", "Version: 1.2.3-7\n", "Architecture: amd64\n", "./usr/bin/maquininha-hub\n", "./lib/systemd/system/maquininha-hub.service\n", "./usr/share/doc/maquininha-hub/LEIA-ME.Debian\n",
	} {
		if !strings.Contains(string(about)+string(list), want) {
			t.Errorf("no %q in %s%s", want, about, list)
		}
	}
	if strings.Contains(string(list), "kiosk") || !strings.Contains(string(list), "./etc/maquininha-hub/maquininha-hub.toml\n") || strings.Contains(string(about), "Recommends") {
		t.Errorf("it is the terminal's: %s%s", about, list)
	}
}

var openWord = regexp.MustCompile(`@[A-Z]+@`)

// No script has a word left open.
func TestScriptsAreWhole(t *testing.T) {
	for _, p := range products {
		for _, f := range formats {
			for _, name := range scriptNames {
				if script := string(p.script(f, name)); openWord.MatchString(script) || !strings.Contains(script, p.Name) {
					t.Errorf("%s of %s as %s: %s", name, p.Name, f.name, script)
				}
			}
			for _, e := range f.contents(p, nil, nil, nil) {
				if openWord.Match(e.content) {
					t.Errorf("%s of %s as %s: %s", e.name, p.Name, f.name, e.content)
				}
			}
		}
	}
}

// Whoever follows the guide gets the packages that make dist makes, and a kiosk that starts.
func TestGuideInstallsWhatThereIs(t *testing.T) {
	const apt = "sudo apt install "
	for _, name := range []string{"producao.md", "en/production.md", "muitas-lojas.md", "en/many-shops.md"} {
		guide, err := os.ReadFile(filepath.Join("../../docs/guia", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(guide)) {
			line = strings.TrimSpace(line)
			// A pattern that fits a package of the other program, too, would install both.
			fits := func(what string, files ...string) (n int) {
				for _, file := range files {
					if is, err := filepath.Match(what, "./"+file); is && err == nil {
						n++
					}
				}
				return n
			}
			if what, found := strings.CutPrefix(line, apt); found && what != "chromium cage xwayland" && fits(what, amd64Deb, hubDeb) != 1 {
				t.Errorf("%s: no package is called %s, and the kiosk does not start with it", name, what)
			}
			if what, found := strings.CutPrefix(line, "sudo dnf install "); found && fits(what, amd64RPM, hubRPM) != 1 {
				t.Errorf("%s: no package is called %s", name, what)
			}
			if what, found := strings.CutPrefix(line, "sudo apk add --allow-untrusted "); found && fits(what, amd64APK, hubAPK) != 1 {
				t.Errorf("%s: no package is called %s", name, what)
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
	content, err := sample.zip([]byte("a program"), []byte("notices\n"))
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
		"maquininha/LICENSE.txt": "Apache License", "maquininha/NOTICES.txt": "notices",
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
