package pull_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/pull"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Who names an epoch that was read under another id shows a line of it first, and is not told what is in that. A terminal that joined
// again has it, one that was set back begins a new epoch, and of a stolen one nothing is kept.
func TestNamedEpochs(t *testing.T) {
	files, err := store.Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	desk := records.NewDesk(files.Records())
	x := &terminal{}
	x.server = httptest.NewServer(x)
	t.Cleanup(x.server.Close)
	failed := make(chan struct{}, 100)
	puller := pull.New(pull.Config{Records: desk, Fleet: house{}, LogPause: time.Millisecond, Retry: time.Millisecond, RetryMost: time.Millisecond, Failed: func(string, error) {
		select {
		case failed <- struct{}{}:
		default:
		}
	}})
	read := func(id, epoch string, upTo int64) {
		t.Helper()
		x.attend(puller, id, func() {
			waittest.Until(t, "all is read", func() bool {
				c, err := desk.Cursor(t.Context(), id, epoch, records.Ledger)
				return err == nil && c.Number == upTo
			})
		})
	}
	listed := func() (all []string) {
		t.Helper()
		if err := desk.EachTransaction(t.Context(), fleet.Scope{Place: fleet.Place{Account: "a"}}, records.TransactionFilter{}, func(x records.Transaction) error {
			all = append(all, fmt.Sprintf("%s %s/%d", x.Terminal, x.Epoch[9:13], x.Attempt))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	same := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	x.put(epochA, nil, step(1, 1), step(2, 2))
	read("m1", epochA, 2)
	x.put(epochA, nil, step(1, 1), step(2, 2), step(3, 2), step(4, 3))
	read("m9", epochA, 4)
	same("after joining again", listed(), "m9 1111/3", "m1 1111/2", "m1 1111/1")

	other := step(4, 3)
	other.At = other.At.Add(time.Millisecond)
	stolen := []tunnel.Step{step(1, 1), step(2, 2), step(3, 2), other, step(5, 1)}
	x.put(epochA, nil, stolen...)
	x.attend(puller, "m66", func() { <-failed; <-failed; <-failed })
	same("what a stolen one is asked", x.questions()[:4], "/hub/ledger 1111 3 ", "/hub/ledger 1111 4 1970-01-01T00:00:00Z", "/hub/ledger 1111 3 ", "/hub/ledger 1111 4 1970-01-01T00:00:00Z")
	same("after a stolen one came", listed(), "m9 1111/3", "m1 1111/2", "m1 1111/1")
	x.put(epochB, []tunnel.Origin{{Epoch: epochA, Ledger: 4}}, other)
	read("m66", epochB, 4)
	same("after it named an origin", listed(), "m66 5555/3", "m9 1111/3", "m1 1111/2", "m1 1111/1")

	x.contrary = "0b54be40-9999-4aaa-8bbb-cccccccccccc"
	x.put(epochA, nil, step(1, 1), step(2, 2), step(3, 2))
	read("m9", x.contrary, 3)
	same("after the disk was set back", listed(), "m66 5555/3", "m9 1111/3", "m1 9999/2", "m1 9999/1")
}
