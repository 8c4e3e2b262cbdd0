//go:build !race || everything

package sale_test

import (
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/thorough"
)

// One goroutine and much arithmetic: the race detector has nothing to find here that desk_test.go does not show it.
func TestDeskModel(t *testing.T) {
	thorough.Checks(t, 40)
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		m := newDeskModel(t, dir)
		closed := false
		t.Cleanup(func() {
			if !closed {
				m.store.Close()
			}
			os.RemoveAll(dir)
		})
		t.Repeat(map[string]func(*rapid.T){
			"open": m.Open, "edit": m.Edit, "add item": m.AddItem, "add item too": m.AddItem, "edit item": m.EditItem, "cancel item": m.CancelItem,
			"remove item": m.RemoveItem, "add payment": m.AddPayment, "edit payment": m.EditPayment, "remove payment": m.RemovePayment,
			"adjust": m.AddAdjustment, "edit adjustment": m.EditAdjustment, "remove adjustment": m.RemoveAdjustment, "clear": m.Clear, "clear all": m.ClearAll,
			"finalize": m.Finalize, "cancel": m.Cancel, "restart": m.Restart, "": m.Check,
		})
		closed = true
		if err := m.store.Close(); err != nil {
			t.Fatal(err)
		}
		m.checkHistory(t)
	})
}
