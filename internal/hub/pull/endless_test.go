package pull

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// hostile is a terminal that has news without end: a position, and a page whatever is asked for.
func hostile(position, page string) *hubtest.Link {
	return hubtest.NewEndlessLink("x", func(r *http.Request) (*http.Response, error) {
		if r.URL.Path == tunnel.PositionPath {
			return says(position), nil
		}
		return says(page), nil
	})
}

func says(text string) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(text))}
}

// nothing is a database that keeps nothing.
type nothing struct{}

func (nothing) Resume(_ context.Context, _, terminal, epoch string, _ []records.Origin) (map[records.Kind]records.Cursor, error) {
	return map[records.Kind]records.Cursor{
		records.Ledger: {Terminal: terminal, Epoch: epoch, Kind: records.Ledger}, records.Log: {Terminal: terminal, Epoch: epoch, Kind: records.Log},
	}, nil
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
		board.Add(hostile(`{"epoch":"`+fuzzEpoch+`","state":{"printer":"ok"}}`, ""))
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
		board.Add(hostile(`{"log":1}`, `{"first":1,"last":1,"entries":[{"id":1,"at":"2026-11-16T10:00:00Z"}]}`))
		time.Sleep(time.Second)
		board.Close()
		if len(failures) == 0 || !errors.Is(failures[0], errBadPage) {
			t.Errorf("it failed with %v", failures)
		}
	})
}

// flood is a terminal that has a full page more of its log each time, and a step of its ledger.
func flood(position func() string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		switch r.URL.Path {
		case tunnel.PositionPath:
			return says(position()), nil
		case tunnel.LedgerPath:
			return says(`{"epoch":"` + fuzzEpoch + `","steps":[{"number":1,"attempt":1,"at":"2026-11-16T10:00:00Z","operation":"payment","state":"sent","method":"credit","amount":"1.00","status":"pending","answer":{}}]}`), nil
		}
		after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
		var page strings.Builder
		fmt.Fprintf(&page, `{"epoch":%q,"first":1,"entries":[`, fuzzEpoch)
		for n := after + 1; n <= after+pageLimit; n++ {
			fmt.Fprintf(&page, `{"id":%d,"at":"2026-11-16T10:00:00Z","level":"info","source":"app","message":"x"},`, n)
		}
		return says(strings.TrimSuffix(page.String(), ",") + "]}"), nil
	}
}

// counts keeps only how much it was given.
type counts struct {
	nothing
	steps, entries atomic.Int64
}

func (c *counts) Commit(_ context.Context, b records.Batch) (records.Cursor, error) {
	c.steps.Add(int64(len(b.Steps)))
	c.entries.Add(int64(len(b.Entries)))
	at := b.Before
	at.Number = b.After
	return at, nil
}

// A terminal that has records without end is read at a pace, also when it comes anew again and again; one with a day's records is not held up.
func TestRecordsWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &counts{}
		board := links.New(New(Config{Records: kept, Fleet: nothing{}, Failed: func(_ string, err error) { t.Error(err) }}).Attend)
		const seconds, room, each = 60, 20_000, 1000
		for range seconds / 10 {
			link := hubtest.NewEndlessLink("x", flood(func() string { return `{"epoch":"` + fuzzEpoch + `","log":9000000000000000,"state":{"printer":"ok"}}` }))
			board.Add(link)
			time.Sleep(10 * time.Second)
			link.Close() //nolint:errcheck // it says nothing
		}
		board.Close()
		if n := kept.entries.Load(); n < room || n > room+seconds*each+seconds/10*pageLimit {
			t.Errorf("%d records in %d seconds", n, seconds)
		}
	})
}

// A terminal that comes with a log of days: how it is, and its payments, are known long before the log has been read.
func TestALongLogHoldsNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &counts{}
		board := links.New(New(Config{Records: kept, Fleet: nothing{}, Failed: func(_ string, err error) { t.Error(err) }}).Attend)
		const long = 100_000
		began := time.Now()
		log := flood(func() string {
			if time.Since(began) < 30*time.Second {
				return fmt.Sprintf(`{"epoch":%q,"log":%d,"state":{"printer":"ok"}}`, fuzzEpoch, long)
			}
			return fmt.Sprintf(`{"epoch":%q,"ledger":1,"log":%d,"state":{"printer":"paperOut"}}`, fuzzEpoch, long)
		})
		board.Add(hubtest.NewLink("x", log))
		time.Sleep(32 * time.Second)
		if p := board.Presence("x"); p.State.Printer != "paperOut" || !p.Caught.IsZero() || kept.steps.Load() != 1 {
			t.Errorf("%+v, %d steps, %d entries", p, kept.steps.Load(), kept.entries.Load())
		}
		time.Sleep(2 * time.Minute)
		if p := board.Presence("x"); p.Caught.IsZero() || kept.entries.Load() != long || kept.steps.Load() != 1 {
			t.Errorf("%+v, %d steps, %d entries", p, kept.steps.Load(), kept.entries.Load())
		}
		board.Close()
	})
}
