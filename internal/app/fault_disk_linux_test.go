//go:build !race || everything

package app_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/maquininha/maquininha/internal/waittest"
)

const (
	fullWords    = "Não há espaço no disco do terminal"
	refusedWords = "Não foi possível gravar os dados"
)

// The disk fills up under traffic, again and again: each change is refused in clear words, the rest works, and with
// the first room all does, without a restart. Then it stops and starts on the full disk.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	for name, mount := range disks {
		t.Run(name, func(t *testing.T) {
			d := mount(t)
			p := serve(t, d.data(), withSecret(), "--autopilot-delay", "0s", "--platform", "android")
			p.ok(t, "POST", "/sale", "")
			f, wait := startTraffic(t, p.caller, fullWords)
			for range 3 {
				f.more(t, "changes succeed", &f.accepted, 100)
				d.fill(t)
				f.more(t, "changes are refused", &f.refused, 100)
				for range 20 { // pages that were still free are used up
					p.call(t, "PATCH", "/sale", `{"customerName":"`+strings.Repeat("x", 60)+`"}`)
				}
				checkFull(t, p)
				d.free(t)
			}
			f.more(t, "changes succeed again", &f.accepted, 100)
			wait()
			f.check(t, p.caller)
			p.ok(t, "POST", "/print/text", `[{"text":{"value":"tudo bem"}}]`)
			inLog := func(entry string) bool {
				return strings.Contains(p.ok(t, "GET", "/logs?search="+url.QueryEscape(entry), ""), entry)
			}
			waittest.Until(t, "the log is well again", func() bool { return inLog("Gravação dos logs restabelecida") })
			p.ok(t, "POST", "/restart", "")
			if !inLog("POST /restart 503") || !inLog("POST /restart 200") {
				t.Error("the log does not have it all")
			}
			endFull(t, d, p, f)
		})
	}
}

// checkFull looks at everything else while the disk is full.
func checkFull(t *testing.T, p *process) {
	t.Helper()
	for _, path := range []string{"/sale", "/transaction?limit=3", "/status", "/info", "/logs?limit=3", "/emulator/screen", "/emulator/printer/jobs"} {
		p.ok(t, "GET", path, "")
	}
	// Payments may be under way: then the terminal is busy for these.
	waittest.Until(t, "something may be shown", func() bool {
		status, _ := p.call(t, "POST", "/display/text", `{"content":[{"text":{"value":"Bem-vindo"}}],"backgroundColor":"#fff"}`)
		return status == http.StatusOK
	})
	if status, body := p.call(t, "POST", "/restart", ""); status != http.StatusServiceUnavailable || !strings.Contains(body, fullWords) {
		t.Errorf("a restart: %d %s", status, body)
	}
	waittest.Until(t, "the log has met it too", func() bool {
		return strings.Contains(p.stderr.String(), "Não foi possível gravar os logs")
	})
	var motive string
	waittest.Until(t, "somebody may print", func() bool {
		req, err := http.NewRequest("POST", p.base+"/print/text", strings.NewReader(`[{"text":{"value":"sem papel"}}]`))
		must(t, err)
		req.SetBasicAuth(user, secret)
		resp, err := p.client.Do(req)
		must(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		must(t, err, resp.Body.Close())
		motive = resp.Header.Get("X-Motivo")
		return resp.StatusCode == http.StatusInternalServerError
	})
	if motive != "nao ha espaco no disco" {
		t.Errorf("the virtual printer gives %q as the reason", motive)
	}
}

// endFull stops, kills and starts the service on a full disk: nothing is lost.
func endFull(t *testing.T, d disk, p *process, f *traffic) {
	t.Helper()
	d.fill(t)
	must(t, p.cmd.Process.Kill())
	p.exit(t)
	again := command(t, withSecret(), "--data", d.data(), "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
	again.start(t)
	waittest.Until(t, "it starts or says why not", func() bool {
		select {
		case <-again.ended:
			return true
		default:
			return strings.Contains(again.stdout.String(), "Experimente:")
		}
	})
	if err := again.cmd.Process.Signal(syscall.SIGTERM); !errors.Is(err, os.ErrProcessDone) {
		must(t, err)
	}
	code := again.exit(t)
	t.Logf("on a full disk, after a kill: exit code %d, %q", code, again.stderr)
	// Closed in order there is nothing left of the files it needs to begin with.
	d.free(t)
	serve(t, d.data(), withSecret()).terminate(t)
	d.fill(t)
	stdout, stderr, code := run(t, withSecret(), "--data", d.data(), "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0")
	refused(t, stdout, stderr, code, d.data(), "não há espaço no disco")
	t.Logf("on a full disk, after a stop: %s", strings.TrimSpace(strings.ReplaceAll(stderr, d.dir, "DISK")))
	if stdout, stderr, code = run(t, environment(), "repair", "--data", d.data()); code == 0 || stdout != "" || !strings.Contains(stderr, "não há espaço no disco") {
		t.Errorf("repair on a full disk: %d %s%s", code, stdout, stderr)
	}
	d.free(t)
	p = serve(t, d.data(), withSecret())
	f.check(t, p.caller)
	p.terminate(t)
}

// What needs no new page needs no room: the write-ahead log begins again at its first byte.
func TestFullDiskTakesWhatFits(t *testing.T) {
	t.Parallel()
	d := newTmpfs(t)
	p := serve(t, d.data(), withSecret())
	p.ok(t, "POST", "/sale", `{"customerName":"0"}`)
	p.terminate(t)
	p = serve(t, d.data(), withSecret())
	edit := func(n int) {
		p.ok(t, "PATCH", "/sale", fmt.Sprintf(`{"customerName":"%d"}`, n))
	}
	const before = 20
	for n := range before {
		edit(n)
	}
	d.fill(t)
	for n := range 5 * before {
		edit(n)
	}
	must(t, p.cmd.Process.Kill())
	p.exit(t)
	d.free(t)
	p = serve(t, d.data(), withSecret())
	if sale := p.ok(t, "GET", "/sale", ""); !strings.Contains(sale, fmt.Sprintf(`"customerName":"%d"`, 5*before-1)) {
		t.Errorf("the sale is %s", sale)
	}
}

// What the operator sets is not taken for set when the disk has no room for it.
func TestSettingsOnAFullDisk(t *testing.T) {
	t.Parallel()
	d := newTmpfs(t)
	term := start(t, config(d.data()))
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/first", `{"name":"Loja","pin":"1234"}`)
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"1234"}`)
	d.fill(t)
	long := strings.Repeat("x", 30)
	status, body := http.StatusNoContent, ""
	for n := 0; status == http.StatusNoContent && n < 100; n++ { // pages that were still free are used up
		status, body = op.send(t, "POST", "/settings", fmt.Sprintf(`{"name":"%s %d"}`, long, n))
	}
	if status != http.StatusServiceUnavailable || !strings.Contains(body, "Não foi possível guardar") {
		t.Errorf("on a full disk: %d %s", status, body)
	}
	d.free(t)
	op.want(t, 204, "POST", "/settings", `{"name":"Loja nova"}`)
	if got := op.settings(t).Name; got != "Loja nova" {
		t.Errorf("the shop is called %s", got)
	}
	must(t, term.stop())
}

// A disk that can only be read is told at once. Every write is refused while it lasts, and works afterwards.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	t.Run("at start", func(t *testing.T) {
		d := newTmpfs(t)
		serve(t, d.data(), withSecret()).terminate(t)
		must(t, syscall.Mount("none", d.dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
		for _, command := range []string{"serve", "repair", "password"} {
			stdout, stderr, code := run(t, withSecret(), command, "--data", d.data())
			refused(t, stdout, stderr, code, d.data(), "o disco está somente para leitura")
		}
		stdout, stderr, code := run(t, withSecret(), "--data", d.data()+"2")
		refused(t, stdout, stderr, code, d.data()+"2", "o disco está somente para leitura")
		must(t, syscall.Mount("none", d.dir, "tmpfs", syscall.MS_REMOUNT, ""))
		serve(t, d.data(), withSecret()).terminate(t)
	})
	t.Run("while running", func(t *testing.T) {
		d := newExt4(t)
		p := serve(t, d.data(), withSecret(), "--autopilot-delay", "0s")
		p.ok(t, "POST", "/sale", "")
		f, wait := startTraffic(t, p.caller, refusedWords)
		for range 3 {
			f.more(t, "changes succeed", &f.accepted, 50)
			// A disk in use can't be made read-only from outside; its files can. What the connections share stays as it
			// is: without it nothing can be read either.
			files, err := filepath.Glob(filepath.Join(d.data(), "*[^m]"))
			must(t, err)
			freeze := func(sign string) {
				if out, err := exec.Command("chattr", append([]string{sign}, files...)...).CombinedOutput(); err != nil {
					t.Fatalf("chattr: %v %s", err, out)
				}
			}
			freeze("+i")
			f.more(t, "changes are refused", &f.refused, 50)
			p.ok(t, "GET", "/sale", "")
			p.ok(t, "GET", "/transaction?limit=3", "")
			freeze("-i")
		}
		f.more(t, "changes succeed again", &f.accepted, 50)
		wait()
		f.check(t, p.caller)
		p.terminate(t)
		p = serve(t, d.data(), withSecret())
		f.check(t, p.caller)
	})
}

// A limit on the size of files is a full disk that needs nobody's permission.
func TestFileSizeLimit(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, withSecret(), "--autopilot-delay", "0s")
	p.ok(t, "POST", "/sale", "")
	f, wait := startTraffic(t, p.caller, refusedWords)
	for range 3 {
		f.more(t, "changes succeed", &f.accepted, 50)
		var before unix.Rlimit
		must(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, nil, &before))
		must(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: before.Max}, nil))
		f.more(t, "changes are refused", &f.refused, 50)
		p.ok(t, "GET", "/sale", "")
		must(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &before, nil))
	}
	f.more(t, "changes succeed again", &f.accepted, 50)
	wait()
	f.check(t, p.caller)
	p.terminate(t)
	p = serve(t, data, withSecret())
	f.check(t, p.caller)
}
