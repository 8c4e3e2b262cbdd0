package pull

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// hostile is a terminal that says how it is without end. Asked for records it has a page.
type hostile struct {
	once sync.Once
	done chan struct{}
	line string
	said int // of the line
	page string
}

func newHostile(line, page string) *hostile {
	return &hostile{done: make(chan struct{}), line: line + "\n", page: page}
}

func (h *hostile) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != tunnel.WatchPath {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(h.page))}, nil
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(h)}, nil
}

func (h *hostile) Read(b []byte) (int, error) {
	select {
	case <-h.done:
		return 0, io.EOF
	default:
		n := copy(b, h.line[h.said:])
		h.said = (h.said + n) % len(h.line)
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
func (nothing) Claims(context.Context, string, string, string, []records.Origin) ([]records.Claim, error) {
	return nil, nil
}

func (nothing) Commit(context.Context, records.Batch) (records.Cursor, error) {
	return records.Cursor{}, nil
}

// A terminal that tells of itself without end takes no processor, and wakes nobody more than ten times a second.
func TestPositionsWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := links.New(New(Config{Records: nothing{}, Fleet: nothing{}}).Attend)
		board.Add(newHostile(`{"epoch":"`+fuzzEpoch+`","state":{"printer":"ok"}}`, ""))
		const seconds = 3
		time.Sleep(seconds * time.Second)
		// Two changes a position: how it is, and that its records are here.
		if n := board.Serial(); n < 2*10*seconds || n > 2*10*seconds+5 {
			t.Errorf("%d changes in %d seconds", n, seconds)
		}
		board.Close()
	})
}

// Records of no epoch are nobody's: a terminal that shows some is one that does not work, and no more than that.
func TestPositionOfNoEpoch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var failures []error
		board := links.New(New(Config{Records: nothing{}, Fleet: nothing{}, Failed: func(_ string, err error) { failures = append(failures, err) }}).Attend)
		board.Add(newHostile(`{"log":1}`, `{"first":1,"last":1,"entries":[{"id":1,"at":"2026-11-16T10:00:00Z"}]}`))
		time.Sleep(time.Second)
		board.Close()
		if len(failures) == 0 || !errors.Is(failures[0], errBadPage) {
			t.Errorf("it failed with %v", failures)
		}
	})
}
