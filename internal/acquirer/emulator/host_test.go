package emulator

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
)

func hostAt(t *testing.T, dir string) *host {
	t.Helper()
	h, err := openHost(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.close() })
	return h
}

func record(t *testing.T, h *host, operation string, state hostState, ruledOutBy ...hostState) entry {
	t.Helper()
	e, err := h.record(operation, state, ruledOutBy...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestHostRemembers(t *testing.T) {
	dir := t.TempDir()
	h := hostAt(t, dir)
	record(t, h, "1", charged, undone)
	record(t, h, "2", undone, undone)
	record(t, h, "1", undone, undone)
	last := record(t, h, "1-r1", repaid, givenUp)
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "emulator-host.jsonl"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v)", info.Mode(), err)
	}
	h = hostAt(t, dir)
	for operation, want := range map[string]hostState{"1": undone, "2": undone, "1-r1": repaid, "3": ""} {
		if got := h.last[operation].State; got != want {
			t.Errorf("%s is %q, want %q", operation, got, want)
		}
	}
	if e := record(t, h, "2", charged, undone); e.State != undone {
		t.Errorf("what was ruled out is %q", e.State)
	}
	if e := record(t, h, "3", charged, undone); e.NSU != last.NSU+1 {
		t.Errorf("NSU %d after %d", e.NSU, last.NSU)
	}
}

// What is left of a charge is kept as a sum, over a restart too: nothing is counted twice, of another charge, or that did not happen.
func TestHostKnowsWhatIsLeft(t *testing.T) {
	dir := t.TempDir()
	h := hostAt(t, dir)
	for _, m := range []struct {
		operation string
		state     hostState
		amount    string
	}{
		{"1", charged, "10.00"}, {"11", charged, "5.00"}, {"2", charged, ""}, // the last as older versions wrote it
		{"1-r1", repaid, "4.00"}, {"1-r2", givenUp, ""}, {"11-r1", repaid, "1.50"}, {"1-r3", repaid, "0.50"}, {"1-r3", repaid, "0.50"}, {"2-r1", repaid, ""},
	} {
		if _, err := h.move(m.operation, m.state, m.amount); err != nil {
			t.Fatal(err)
		}
	}
	for _, when := range []string{"at once", "after a restart"} {
		for charge, want := range map[string]string{"1": "5.50", "11": "3.50", "2": "", "3": ""} {
			left, known := h.left(charge)
			if known != (want != "") || known && left.Cents() != want {
				t.Errorf("%s: of %s are left %s (%t), want %q", when, charge, left, known, want)
			}
		}
		h.close()
		h = hostAt(t, dir)
	}
}

// A power cut in the middle of a line loses that line, which nobody was told of, and nothing else.
func TestHostAfterACutOffLine(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "emulator-host.jsonl")
	h := hostAt(t, dir)
	record(t, h, "1", charged)
	record(t, h, "2", charged)
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.IndexByte(string(whole), '\n') + 1
	for cut := first; cut < len(whole); cut++ {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := openHost(dir)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if h.last["1"].State != charged || h.last["2"].State != "" {
			t.Fatalf("cut at %d: %v", cut, h.last)
		}
		if e := record(t, h, "3", charged); e.NSU != 2 {
			t.Fatalf("cut at %d: NSU %d", cut, e.NSU)
		}
		if err := h.close(); err != nil {
			t.Fatal(err)
		}
		// What was written after it can be read.
		again := hostAt(t, dir)
		if again.last["1"].State != charged || again.last["3"].State != charged || len(again.last) != 2 {
			t.Fatalf("cut at %d, then: %v", cut, again.last)
		}
		again.close()
	}
}

func TestHostThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "emulator-host.jsonl")
	const broken = "{\"operation\":\"1\",\"state\":\"charged\",\"nsu\":1}\nnonsense\n{\"operation\":\"2\",\"state\":\"charged\",\"nsu\":2}\n"
	if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := New(dir)
	var damaged *journal.DamagedError
	if !errors.As(err, &damaged) || damaged.Path != path || damaged.Line != 2 {
		t.Errorf("nonsense in the middle: %v", err)
	}
	// Money may be in there: it is not thrown away.
	if kept, err := os.ReadFile(path); err != nil || string(kept) != broken {
		t.Errorf("the file is now %q (%v)", kept, err)
	}
	other := t.TempDir()
	if err := os.Mkdir(filepath.Join(other, "emulator-host.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := New(other); err == nil {
		t.Error("a folder in the file's place was accepted")
	}
	// Where reading fails the file has not ended: it would be cut off there.
	if _, err := journal.Read[entry](filepath.Join(other, "emulator-host.jsonl")); err == nil {
		t.Error("what can't be read counts as empty")
	}
}

// A write that fails is not remembered: the host knows no more than its disk.
func TestHostThatCannotWrite(t *testing.T) {
	h := hostAt(t, t.TempDir())
	record(t, h, "1", charged)
	h.book.Close()
	if _, err := h.record("2", charged); err == nil {
		t.Fatal("wrote to a closed file")
	}
	if len(h.last) != 1 || h.nsu != 1 {
		t.Errorf("remembers %v, NSU %d", h.last, h.nsu)
	}
}
