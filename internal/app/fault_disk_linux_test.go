package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// disk is a small disk of the test's own.
type disk struct{ dir string }

// disks are the kinds there are: memory, and a real file system with its journal.
var disks = map[string]func(t *testing.T) disk{"tmpfs": newTmpfs, "ext4": newExt4}

func newTmpfs(t *testing.T) disk {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=12m"); err != nil {
		t.Skipf("no disk can be mounted here (root may): %v; TestFileSizeLimit runs anyway", err)
	}
	t.Cleanup(func() { unmount(t, dir) })
	return disk{dir}
}

func newExt4(t *testing.T) disk {
	t.Helper()
	image, dir := filepath.Join(t.TempDir(), "image"), t.TempDir()
	must(t, os.WriteFile(image, nil, 0o600), os.Truncate(image, 16<<20))
	if out, err := exec.Command("mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal", image).CombinedOutput(); err != nil {
		t.Skipf("no ext4 can be made here: %v %s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "loop", image, dir).CombinedOutput(); err != nil {
		t.Skipf("no disk can be mounted here (root may, with a loop device): %v %s", err, out)
	}
	t.Cleanup(func() { unmount(t, dir) })
	return disk{dir}
}

func unmount(t *testing.T, dir string) {
	within(t, 10*time.Second, "the disk is let go of", func() bool {
		err := syscall.Unmount(dir, 0)
		return err == nil || errors.Is(err, syscall.EINVAL)
	})
}

// data is the service's folder on the disk.
func (d disk) data() string { return filepath.Join(d.dir, "data") }

// fill leaves no byte free.
func (d disk) fill(t *testing.T) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(d.dir, "filler"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	must(t, err)
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else {
			must(t, err)
		}
	}
	_ = f.Sync() // on a full disk it may complain, and that is the point
}

func (d disk) free(t *testing.T) {
	t.Helper()
	must(t, os.Remove(filepath.Join(d.dir, "filler")))
}

// traffic sells and pays without end, and knows which requests succeeded.
type traffic struct {
	to       caller
	words    string // what a refusal must say
	stop     atomic.Bool
	accepted atomic.Int64
	refused  atomic.Int64

	mu    sync.Mutex
	items map[string]bool   // answered with success, or with a refusal
	paid  map[string]string // by reference: approved, refused (nothing was sent) or unknown
}

func startTraffic(t *testing.T, to caller, words string) (f *traffic, wait func()) {
	f = &traffic{to: to, words: words, items: map[string]bool{}, paid: map[string]string{}}
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() { f.sell(t, strconv.Itoa(i)) })
	}
	all.Go(func() { f.pay(t) })
	return f, func() { f.stop.Store(true); all.Wait() }
}

func (f *traffic) send(t *testing.T, path, body string) (status int, answer string) {
	status, text, err := f.to.send(context.Background(), "POST", path, body)
	if err != nil {
		t.Errorf("no answer: %v", err)
		f.stop.Store(true)
	}
	switch answer = string(text); status {
	case http.StatusOK:
		f.accepted.Add(1)
	case http.StatusServiceUnavailable:
		f.refused.Add(1)
	}
	return status, answer
}

func (f *traffic) sell(t *testing.T, name string) {
	for n := 0; !f.stop.Load(); n++ {
		id := fmt.Sprintf("%s/%d", name, n)
		status, answer := f.send(t, "/sale/item", itemBody(id, "1.00"))
		if status != http.StatusOK && (status != http.StatusServiceUnavailable || !strings.Contains(answer, f.words)) {
			t.Errorf("an item: %d %s", status, answer)
		}
		f.mu.Lock()
		f.items[id] = status == http.StatusOK
		f.mu.Unlock()
	}
}

func (f *traffic) pay(t *testing.T) {
	for n := 0; !f.stop.Load(); n++ {
		reference := "p" + strconv.Itoa(n)
		status, answer := f.send(t, "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"`+reference+`"}`)
		became := "approved"
		switch {
		case status == http.StatusServiceUnavailable && (strings.Contains(answer, f.words) || strings.Contains(answer, "Aplicativo ocupado")):
			became = "refused"
		case status == http.StatusServiceUnavailable && strings.Contains(answer, "Situação da transação desconhecida"):
			became = "unknown"
		case status != http.StatusOK:
			t.Errorf("a payment: %d %s", status, answer)
		}
		f.mu.Lock()
		f.paid[reference] = became
		f.mu.Unlock()
	}
}

// check holds what is kept against what was answered: all that succeeded, and nothing else.
func (f *traffic) check(t *testing.T, to caller) {
	t.Helper()
	there := linesOf(get[saleAnswer](t, to, "/sale"))
	lost, unasked := 0, 0
	for id, accepted := range f.items {
		if _, is := there["item "+id]; accepted && !is {
			lost++
		} else if !accepted && is {
			unasked++
		}
	}
	within(t, 20*time.Second, "nothing is pending any more", func() bool {
		return len(get[[]stored](t, to, "/transaction?status=pending")) == 0
	})
	stands := map[string]string{}
	for _, s := range get[[]stored](t, to, "/transaction") {
		stands[s.Details.ReferenceID] = s.Details.Status
	}
	unknown := 0
	for reference, became := range f.paid {
		switch {
		case became == "approved" && stands[reference] != "approved":
			lost++
		case became != "approved" && stands[reference] == "approved":
			unasked++
		}
		if became == "unknown" {
			unknown++
		}
	}
	t.Logf("acknowledged %d, refused with 503 %d (%d of them payments of unknown outcome, undone since); lost: %d, kept although refused: %d",
		f.accepted.Load(), f.refused.Load(), unknown, lost, unasked)
	if lost > 0 || unasked > 0 {
		t.Error("what is kept is not what was answered")
	}
}

// more waits for n more of what is counted.
func more(t *testing.T, what string, count *atomic.Int64, n int64) {
	t.Helper()
	until := count.Load() + n
	within(t, 20*time.Second, what, func() bool { return count.Load() >= until })
}

const (
	fullWords    = "Não há espaço no disco do terminal"
	refusedWords = "Não foi possível gravar os dados"
)

// The disk fills up under traffic, again and again: each change is refused in clear words, the rest works, and with
// the first room all does, without a restart. Then it stops and starts on the full disk.
func TestDiskFull(t *testing.T) {
	for name, mount := range disks {
		t.Run(name, func(t *testing.T) {
			d := mount(t)
			p := serve(t, d.data(), withSecret(), "--autopilot-delay", "0s", "--platform", "android")
			p.ok(t, "POST", "/sale", "")
			f, wait := startTraffic(t, p.caller, fullWords)
			for range 3 {
				more(t, "changes succeed", &f.accepted, 100)
				d.fill(t)
				more(t, "changes are refused", &f.refused, 100)
				for range 20 { // pages that were still free are used up
					p.call(t, "PATCH", "/sale", `{"customerName":"`+strings.Repeat("x", 60)+`"}`)
				}
				checkFull(t, p)
				d.free(t)
			}
			more(t, "changes succeed again", &f.accepted, 100)
			wait()
			f.check(t, p.caller)
			p.ok(t, "POST", "/print/text", `[{"text":{"value":"tudo bem"}}]`)
			inLog := func(entry string) bool {
				return strings.Contains(p.ok(t, "GET", "/logs?search="+url.QueryEscape(entry), ""), entry)
			}
			within(t, 10*time.Second, "the log is well again", func() bool { return inLog("Gravação dos logs restabelecida") })
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
	within(t, 20*time.Second, "something may be shown", func() bool {
		status, _ := p.call(t, "POST", "/display/text", `{"content":[{"text":{"value":"Bem-vindo"}}],"backgroundColor":"#fff"}`)
		return status == http.StatusOK
	})
	if status, body := p.call(t, "POST", "/restart", ""); status != http.StatusServiceUnavailable || !strings.Contains(body, fullWords) {
		t.Errorf("a restart: %d %s", status, body)
	}
	within(t, 20*time.Second, "the log has met it too", func() bool {
		return strings.Contains(p.stderr.String(), "Não foi possível gravar os logs")
	})
	var motive string
	within(t, 20*time.Second, "somebody may print", func() bool {
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
	within(t, 20*time.Second, "it starts or says why not", func() bool {
		select {
		case <-again.ended:
			return true
		default:
			return strings.Contains(again.stdout.String(), "Experimente:")
		}
	})
	must(t, again.cmd.Process.Signal(syscall.SIGTERM))
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
			more(t, "changes succeed", &f.accepted, 50)
			files, err := filepath.Glob(filepath.Join(d.data(), "*"))
			must(t, err)
			// A disk in use can't be made read-only from outside; its files can.
			freeze := func(sign string) {
				if out, err := exec.Command("chattr", append([]string{sign}, files...)...).CombinedOutput(); err != nil {
					t.Fatalf("chattr: %v %s", err, out)
				}
			}
			freeze("+i")
			more(t, "changes are refused", &f.refused, 50)
			p.ok(t, "GET", "/sale", "")
			p.ok(t, "GET", "/transaction?limit=3", "")
			freeze("-i")
		}
		more(t, "changes succeed again", &f.accepted, 50)
		wait()
		f.check(t, p.caller)
		p.terminate(t)
		p = serve(t, d.data(), withSecret())
		f.check(t, p.caller)
	})
}

// A limit on the size of files is a full disk that needs nobody's permission.
func TestFileSizeLimit(t *testing.T) {
	data := t.TempDir()
	p := serve(t, data, withSecret(), "--autopilot-delay", "0s")
	p.ok(t, "POST", "/sale", "")
	f, wait := startTraffic(t, p.caller, refusedWords)
	for range 3 {
		more(t, "changes succeed", &f.accepted, 50)
		var before unix.Rlimit
		must(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, nil, &before))
		must(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: before.Max}, nil))
		more(t, "changes are refused", &f.refused, 50)
		p.ok(t, "GET", "/sale", "")
		must(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &before, nil))
	}
	more(t, "changes succeed again", &f.accepted, 50)
	wait()
	f.check(t, p.caller)
	p.terminate(t)
	p = serve(t, data, withSecret())
	f.check(t, p.caller)
}
