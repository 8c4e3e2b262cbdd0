package store_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Whatever a terminal says that its data are a copy of: it is read on from a place that was read, and what it is refused for is its own
// fault, never the database's.
func FuzzOrigins(f *testing.F) {
	files, err := store.Open(f.Context(), f.TempDir(), "")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { files.Close() })
	desk := records.NewDesk(files.Records())
	const read = 3
	if _, err := desk.Commit(f.Context(), ledger(0, read)); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"epoch":"`+epochB+`","ledger":3,"origins":[{"epoch":"`+epochA+`","ledger":2,"log":0}]}`), "m2")
	f.Add([]byte(`{"epoch":"`+epochA+`","ledger":9,"origins":[{"epoch":"`+epochA+`","ledger":9223372036854775807,"log":-1}]}`), "m1")
	f.Add([]byte(`{"epoch":"\u0000","origins":[{"epoch":"x"},{"epoch":"x\ud800","ledger":-9223372036854775808}]}`), "m2\x00")
	f.Fuzz(func(t *testing.T, line []byte, terminal string) {
		var pos tunnel.Position
		if json.Unmarshal(line, &pos) != nil || terminal == "" {
			return
		}
		var origins []records.Origin
		for _, o := range pos.Origins {
			origins = append(origins, records.Origin{Epoch: o.Epoch, Ledger: o.Ledger, Log: o.Log})
		}
		from, err := desk.Resume(t.Context(), home.Account, terminal, pos.Epoch, origins)
		if err != nil {
			t.Fatal(err)
		}
		for kind, c := range from {
			if c.Number < 0 || c.Number > read || kind == records.Log && c.Number > 0 {
				t.Errorf("%s is read on from %d", kind, c.Number)
			}
			_, err := desk.Commit(t.Context(), records.Batch{Place: home, Before: c, After: c.Number, Origins: origins, Resumed: true})
			if err != nil && !errors.Is(err, records.ErrBadBatch) {
				t.Errorf("%s from %d: %v", kind, c.Number, err)
			}
		}
	})
}
