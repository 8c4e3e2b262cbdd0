package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/thorough"
)

// The image is unpacked by what it says of itself, and its entry is run with that as its root: there is nothing else in there.
func TestImageRunsFromItsRoot(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" || os.Getuid() != 0 {
		t.Skip("needs root, on amd64")
	}
	layout := t.TempDir()
	run(t, layout, "tar", "xf", made(t, amd64Image))
	read := func(name string, into any) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(layout, name))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	blob := func(p imagePart) string { return "blobs/" + strings.Replace(p.Digest, ":", "/", 1) }
	var index imageIndex
	var manifest imageManifest
	var config imageConfig
	read("index.json", &index)
	read(blob(index.Manifests[0]), &manifest)
	read(blob(manifest.Config), &config)
	inside := t.TempDir()
	if err := os.Chmod(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, layer := range manifest.Layers {
		run(t, inside, "tar", "xzf", filepath.Join(layout, blob(layer)))
	}
	if source := config.Config.Labels["org.opencontainers.image.source"]; source != sample.Repository || config.Config.Labels["org.opencontainers.image.licenses"] != licence {
		t.Errorf("it says of itself %v", config.Config.Labels)
	}

	cmd := exec.CommandContext(t.Context(), config.Config.Entrypoint[0], append(config.Config.Entrypoint[1:], "--listen", "127.0.0.1:0")...)
	cmd.Env, cmd.Dir = config.Config.Env, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: inside, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}, Pdeathsig: syscall.SIGKILL}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// The process dies with the thread that has started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		cmd.Wait() //nolint:errcheck // what it said tells more
		t.Fatalf("%v: %s", err, complaints.String())
	}
	var at struct{ URL, Username, Password string }
	if err := json.Unmarshal([]byte(line), &at); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", at.URL+"/transaction", strings.NewReader(`{"tPag":"03","amount":54.24,"referenceId":"pedido-1"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(at.Username, at.Password)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil || !strings.Contains(string(text), "Transação aprovada") {
		t.Errorf("%v: %s", err, text)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(complaints.String(), "1 ") {
		t.Errorf("%v: %s", err, complaints.String())
	}
}

// Others' tools read the image as well.
func TestImageIsValidToOthers(t *testing.T) {
	t.Parallel()
	if !thorough.Everything {
		t.Skip("builds another program: make test-all")
	}
	said := run(t, ".", "go", "tool", "-modfile="+source("tools/go.mod"), "crane", "validate", "--tarball", made(t, amd64Image))
	if !strings.Contains(said, "PASS") {
		t.Error(said)
	}
}

// run runs a command in a folder and returns what it said.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, out)
	}
	return string(out)
}
