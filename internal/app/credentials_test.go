//go:build unix && (!race || everything)

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFirstStartMakesAPassword(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "new", "folder")
	first := serve(t, data, environment())
	name, password := credentialsIn(t, first.stdout.String())
	if name != "admin" || len(password) < 12 {
		t.Errorf("made %q / %q", name, password)
	}
	allowed(t, first.as(name, password), true)
	allowed(t, first.as(name, "guess"), false)
	allowed(t, first.as("root", password), false)
	allowed(t, first.as("", ""), false)
	first.as(name, password).ok(t, "POST", "/sale", "")
	nowhere(t, data, password) // while it runs: logs that are not merged yet included
	first.terminate(t)
	nowhere(t, data, password)
	if first.stderr.String() != "" {
		t.Errorf("on stderr: %s", first.stderr)
	}

	second := serve(t, data, environment())
	if out := second.stdout.String(); strings.Contains(out, password) || shownPassword.MatchString(out) {
		t.Errorf("shown again:\n%s", out)
	}
	allowed(t, second.as(name, password), true)
	second.terminate(t)

	other := serve(t, t.TempDir(), environment())
	if _, theirs := credentialsIn(t, other.stdout.String()); theirs == password {
		t.Error("two terminals made the same password")
	}
}

func TestConfiguredCredentials(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, withSecret())
	allowed(t, p.as(user, secret), true)
	allowed(t, p.as("admin", secret), false)
	allowed(t, p.as(user, secret+" "), false)
	if strings.Contains(p.stdout.String(), secret) {
		t.Error("the banner shows the configured password")
	}
	nowhere(t, data, secret)
	p.terminate(t)
	nowhere(t, data, secret)

	// Configured ones are not kept: without them the terminal makes its own.
	p = serve(t, data, environment())
	name, password := credentialsIn(t, p.stdout.String())
	allowed(t, p.as(name, password), true)
	allowed(t, p.as(user, secret), false)
	p.terminate(t)

	// A configured name with the password that is kept.
	p = serve(t, data, environment("MAQUININHA_USERNAME=caixa"))
	allowed(t, p.as("caixa", password), true)
	allowed(t, p.as(name, password), false)
}

func TestPasswordCommand(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, environment())
	name, old := credentialsIn(t, p.stdout.String())
	p.terminate(t)

	stdout, stderr, code := run(t, environment(), "password", "--data", data)
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %q", code, stderr)
	}
	again, fresh := credentialsIn(t, stdout)
	if again != name || fresh == old {
		t.Errorf("%s / %s, before %s / %s", again, fresh, name, old)
	}
	nowhere(t, data, fresh)
	p = serve(t, data, environment())
	allowed(t, p.as(name, fresh), true)
	allowed(t, p.as(name, old), false)
	p.terminate(t)

	stdout, _, code = run(t, environment(), "password", "--data", data, "--username", "gerente")
	if manager, fresh := credentialsIn(t, stdout); manager != "gerente" || code != 0 {
		t.Errorf("%q (%d)", manager, code)
	} else {
		p = serve(t, data, environment())
		allowed(t, p.as("gerente", fresh), true)
	}
	// On a folder that was never used it works too.
	stdout, stderr, code = run(t, environment(), "password", "--data", filepath.Join(t.TempDir(), "new"))
	if name, _ := credentialsIn(t, stdout); name != "admin" || code != 0 || stderr != "" {
		t.Errorf("on a new folder: %q, %d, %q", name, code, stderr)
	}
}

// The folder that the service makes is the user's own; one that holds other things is not taken from others.
func TestFolderModes(t *testing.T) {
	t.Parallel()
	made := filepath.Join(t.TempDir(), "a", "b")
	serve(t, made, withSecret())
	nowhere(t, made, secret)

	shared := t.TempDir()
	must(t, os.Chmod(shared, 0o755), os.WriteFile(filepath.Join(shared, "theirs"), nil, 0o644))
	serve(t, shared, withSecret())
	if info, err := os.Stat(shared); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("a folder with others' files became %v (%v)", info.Mode(), err)
	}
	files, err := os.ReadDir(shared)
	must(t, err)
	for _, f := range files {
		info, err := f.Info()
		must(t, err)
		if f.Name() != "theirs" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", f.Name(), info.Mode())
		}
	}
}
