package pull

import (
	"context"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/records"
)

// hostile is a terminal that says how it is without end.
type hostile struct {
	once sync.Once
	done chan struct{}
	said int // of the line
}

const hostileLine = `{"epoch":"` + fuzzEpoch + `","state":{"printer":"ok"}}` + "\n"

func (h *hostile) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(h)}, nil
}

func (h *hostile) Read(b []byte) (int, error) {
	select {
	case <-h.done:
		return 0, io.EOF
	default:
		n := copy(b, hostileLine[h.said:])
		h.said = (h.said + n) % len(hostileLine)
		return n, nil
	}
}

func (h *hostile) Terminal() string      { return "x" }
func (h *hostile) Version() string       { return "1" }
func (h *hostile) Done() <-chan struct{} { return h.done }
func (h *hostile) Close() error          { h.once.Do(func() { close(h.done) }); return nil }

// nothing is a database that keeps nothing.
type nothing struct{}

func (nothing) Resume(_ context.Context, _, terminal, epoch string, _ []records.Origin) (map[records.Kind]records.Cursor, error) {
	return map[records.Kind]records.Cursor{records.Ledger: {Terminal: terminal, Epoch: epoch}, records.Log: {Terminal: terminal, Epoch: epoch}}, nil
}

func (nothing) Admit(context.Context, string) (fleet.Terminal, error) { return fleet.Terminal{}, nil }
func (nothing) Seen(context.Context, ...fleet.Sighting) error         { return nil }
func (nothing) Commit(context.Context, records.Batch) (records.Cursor, error) {
	return records.Cursor{}, nil
}

// A terminal that tells of itself without end takes no processor, and wakes nobody more than ten times a second.
func TestPositionsWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := links.New(New(Config{Records: nothing{}, Fleet: nothing{}}).Attend)
		board.Add(&hostile{done: make(chan struct{})})
		const seconds = 3
		time.Sleep(seconds * time.Second)
		// Two changes a position: how it is, and that its records are here.
		if n := board.Serial(); n < 2*10*seconds || n > 2*10*seconds+5 {
			t.Errorf("%d changes in %d seconds", n, seconds)
		}
		board.Close()
	})
}
