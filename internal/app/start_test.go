//go:build unix && (!race || everything)

package app_test

import (
	"bytes"
	"database/sql"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestCommandLineFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args    []string
		mention string
	}{
		{[]string{"--bogus"}, "--bogus"},
		{[]string{"serve", "--bogus"}, "--bogus"},
		{[]string{"fly"}, "fly"},
		{[]string{"serve", "fly"}, "fly"},
		{[]string{"--mode", "demo"}, "--mode"},
		{[]string{"--operator", "robot"}, "--operator"},
		{[]string{"--autopilot-delay", "soon"}, "--autopilot-delay"},
		{[]string{"--listen"}, "--listen"},
		{[]string{"password", "--listen", ":1"}, "--listen"},
		{[]string{"--listen", "nonsense", "--data", t.TempDir()}, "--listen"},
		{[]string{"--listen", "127.0.0.1:99999", "--data", t.TempDir()}, "--listen"},
		{[]string{"--listen", "127.0.0.1:0", "--screen", "nonsense", "--data", t.TempDir()}, "--screen"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			stdout, stderr, code := run(t, environment(), c.args...)
			refused(t, stdout, stderr, code, c.mention)
		})
	}
}

func TestPortTaken(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	taken := l.Addr().String()
	data := t.TempDir()
	stdout, stderr, code := run(t, environment(), "--data", data, "--listen", taken, "--screen", "127.0.0.1:0")
	refused(t, stdout, stderr, code, taken, "--listen")
	stdout, stderr, code = run(t, environment(), "--data", data, "--listen", "127.0.0.1:0", "--screen", taken)
	refused(t, stdout, stderr, code, taken, "--screen")
}

func TestFolderInUse(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	first := serve(t, data, withSecret())
	stdout, stderr, code := run(t, environment(), "--data", data, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
	refused(t, stdout, stderr, code, data, "--data")
	stdout, stderr, code = run(t, environment(), "password", "--data", data)
	refused(t, stdout, stderr, code, data)
	first.ok(t, "GET", "/status", "") // not disturbed
	// However the first one ends, the folder is free again.
	must(t, first.cmd.Process.Kill())
	first.exit(t)
	serve(t, data, withSecret()).ok(t, "GET", "/status", "")
}

// Data of which the log alone is of a newer version are refused by all that would write beside it, and by check, in the same words.
func TestANewerLogIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	first := serve(t, data, withSecret())
	must(t, first.cmd.Process.Signal(syscall.SIGTERM))
	first.exit(t)
	db, err := sql.Open("sqlite", filepath.Join(data, "logs.db"))
	must(t, err)
	_, err = db.Exec("PRAGMA user_version = 999")
	must(t, err, db.Close())
	before, err := os.ReadFile(filepath.Join(data, "maquininha.db"))
	must(t, err)
	words := "os dados em " + data + " são de uma versão mais nova do programa"
	for _, args := range [][]string{
		{"--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0"},
		{"--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0"},
		{"password"},
		{"pin"},
		{"repair"},
	} {
		stdout, stderr, code := run(t, environment(), append(args, "--data", data)...)
		refused(t, stdout, stderr, code, words)
	}
	stdout, _, code := run(t, environment(), "check", "--offline", "--data", data)
	if code != 1 || !strings.Contains(stdout, words) {
		t.Errorf("check: %d %s", code, stdout)
	}
	after, err := os.ReadFile(filepath.Join(data, "maquininha.db"))
	if must(t, err); !bytes.Equal(before, after) {
		t.Error("the database was changed")
	}
	if made, _ := filepath.Glob(filepath.Join(data, "tls*")); made != nil {
		t.Errorf("made %v", made)
	}
}

func TestUnreadableData(t *testing.T) {
	t.Parallel()
	place := func(name, content string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
	}
	for name, spoil := range map[string]func(*testing.T, string){
		"garbage database":        place("maquininha.db", strings.Repeat("garbage ", 1000)),
		"log without its data":    place("logs.db", strings.Repeat("garbage ", 1000)),
		"folder for the database": func(t *testing.T, dir string) { must(t, os.Mkdir(filepath.Join(dir, "maquininha.db"), 0o700)) },
		"folder for the lock":     func(t *testing.T, dir string) { must(t, os.Mkdir(filepath.Join(dir, "maquininha.lock"), 0o700)) },
		"file for the paper":      place("paper", "x"),
		"newer version": func(t *testing.T, dir string) {
			db, err := sql.Open("sqlite", filepath.Join(dir, "maquininha.db"))
			must(t, err)
			_, err = db.Exec("PRAGMA user_version = 99")
			must(t, err, db.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			spoil(t, dir)
			stdout, stderr, code := run(t, environment(), "--data", dir, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
			refused(t, stdout, stderr, code, dir)
		})
	}
	t.Run("garbage bank", func(t *testing.T) {
		dir := t.TempDir()
		file := filepath.Join(dir, "emulator-host.jsonl")
		must(t, os.WriteFile(file, []byte("{}\ngarbage\n"), 0o600))
		stdout, stderr, code := run(t, environment(), "--data", dir, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
		refused(t, stdout, stderr, code, "o registro do banco emulado "+file+" está danificado na linha 2", "maquininha repair")
		if strings.Contains(stderr, "invalid character") {
			t.Errorf("not in the technician's language: %s", stderr)
		}
	})
	t.Run("file for the folder", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		must(t, os.WriteFile(file, nil, 0o600))
		for _, data := range []string{file, filepath.Join(file, "below")} {
			stdout, stderr, code := run(t, environment(), "--data", data)
			refused(t, stdout, stderr, code, data)
			stdout, stderr, code = run(t, environment(), "password", "--data", data)
			refused(t, stdout, stderr, code, data)
		}
	})
	t.Run("no home", func(t *testing.T) {
		stdout, stderr, code := run(t, []string{"PATH=" + os.Getenv("PATH")}, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
		refused(t, stdout, stderr, code, "--data")
	})
	t.Run("somebody else's folder", func(t *testing.T) {
		dir := t.TempDir()
		p := command(t, environment(), "--data", dir, "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
		if os.Getuid() == 0 {
			must(t, os.Chmod(dir, 0o700))
			const nobody = 65534
			p.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		} else {
			must(t, os.Chmod(dir, 0))
			defer os.Chmod(dir, 0o700) //nolint:errcheck // the cleanup would say so
		}
		p.start(t)
		code := p.exit(t)
		refused(t, p.stdout.String(), p.stderr.String(), code, dir)
	})
}

func TestServeIsTheDefault(t *testing.T) {
	t.Parallel()
	type info struct{ Platform, Mode, TimeZone string }
	for _, args := range [][]string{{}, {"serve"}} {
		p := serve(t, t.TempDir(), withSecret(), append(args, "--platform", "android", "--mode", "production")...)
		if got := get[info](t, p.caller, "/info"); got != (info{"android", "production", "America/Sao_Paulo"}) {
			t.Errorf("%v: %+v", args, got)
		}
		if status, _ := p.call(t, "GET", "/emulator/screen", ""); status != http.StatusNotFound {
			t.Errorf("%v: the emulator answers %d in production", args, status)
		}
	}
	// Every flag has a variable, for services that are not started by hand.
	p := serve(t, t.TempDir(), append(withSecret(), "MAQUININHA_PLATFORM=android", "MAQUININHA_OPERATOR=human"))
	if got := get[struct {
		Platform string
		IsActive bool
	}](t, p.caller, "/info"); got.Platform != "android" || got.IsActive {
		t.Errorf("by the environment: %+v", got)
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"-h"}} {
		stdout, stderr, code := run(t, environment(), args...)
		if code != 0 || stderr != "" {
			t.Errorf("%v: exit code %d, %q", args, code, stderr)
		}
		for _, flag := range []string{"--listen", "--screen", "--data", "--mode", "--platform", "--operator", "--autopilot-delay", ":9050", "127.0.0.1:9051", "2s", "MAQUININHA_PASSWORD"} {
			if !strings.Contains(stdout, flag) {
				t.Errorf("%v does not mention %s", args, flag)
			}
		}
	}
	if stdout, stderr, code := run(t, environment(), "version"); code != 0 || stderr != "" || !strings.HasPrefix(stdout, "maquininha ") {
		t.Errorf("version: %d, %q, %q", code, stdout, stderr)
	}
}
