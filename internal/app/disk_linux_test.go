//go:build !race || everything

package app_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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

	"github.com/maquininha/maquininha/internal/waittest"
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
	waittest.Until(t, "the disk is let go of", func() bool {
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

// ahead is how many requests traffic sends that nobody waits for. Without a bound the log of those who are refused, which
// costs them nothing, would itself fill the small disk while the test is kept from its processor.
const ahead = 200

// traffic sells and pays without end, and knows which requests succeeded.
type traffic struct {
	to       caller
	words    string // what a refusal must say
	stop     atomic.Bool
	sent     atomic.Int64
	allowed  atomic.Int64 // to be sent
	accepted atomic.Int64
	refused  atomic.Int64

	mu    sync.Mutex
	items map[string]bool   // answered with success, or with a refusal
	paid  map[string]string // by reference: approved, refused (nothing was sent) or unknown
}

func startTraffic(t *testing.T, to caller, words string) (f *traffic, wait func()) {
	f = &traffic{to: to, words: words, items: map[string]bool{}, paid: map[string]string{}}
	f.allowed.Store(ahead)
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() { f.sell(t, strconv.Itoa(i)) })
	}
	all.Go(func() { f.pay(t) })
	return f, func() { f.stop.Store(true); all.Wait() }
}

func (f *traffic) send(t *testing.T, path, body string) (status int, answer string) {
	for f.sent.Add(1); f.sent.Load() > f.allowed.Load() && !f.stop.Load(); {
		time.Sleep(time.Millisecond)
	}
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
		case status == http.StatusServiceUnavailable && (strings.Contains(answer, f.words) || strings.Contains(answer, "Aplicativo ocupado") ||
			strings.Contains(answer, "Uma transação anterior ainda está sem resposta")):
			became = "refused"
		case status == http.StatusServiceUnavailable && strings.Contains(answer, "Situação da transação desconhecida"):
			became = "unknown"
		case status == http.StatusForbidden && strings.Contains(answer, "Transação cancelada"):
			became = "refused" // the bank's own book had no room for the charge, and then just enough to rule it out
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
	waittest.Until(t, "nothing is pending any more", func() bool {
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
func (f *traffic) more(t *testing.T, what string, count *atomic.Int64, n int64) {
	t.Helper()
	until := count.Load() + n
	waittest.Until(t, what, func() bool {
		f.allowed.Store(f.sent.Load() + ahead)
		return count.Load() >= until
	})
}
