package emulator

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/store/powerloss"
)

// Whatever of a line is on the disk when the power goes, the lines before it stand, and the line counts whole or not
// at all.
func TestHostAfterATornLine(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "emulator-host.jsonl")
	h := hostAt(t, dir)
	for _, operation := range []string{"1", "2", "3", "4", strings.Repeat("5", 600)} {
		record(t, h, operation, charged)
	}
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	contents := 0
	for data := range powerloss.Appended(whole[:last], whole[last:]) {
		contents++
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := openHost(dir)
		if err != nil {
			t.Fatalf("%q: %v", data[last:], err)
		}
		want := 4
		if bytes.Equal(data, whole) {
			want = 5
		}
		if len(h.last) != want || h.nsu != int64(want) {
			t.Errorf("%q: %d operations, NSU %d", data[last:], len(h.last), h.nsu)
		}
		record(t, h, "6", charged)
		if err := h.close(); err != nil {
			t.Fatal(err)
		}
		again := hostAt(t, dir)
		if len(again.last) != want+1 {
			t.Errorf("%q, then: %d operations", data[last:], len(again.last))
		}
		again.close()
	}
	if contents < 8 {
		t.Errorf("only %d contents", contents)
	}
}
