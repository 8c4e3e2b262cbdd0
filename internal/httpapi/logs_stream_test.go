package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

// logStream reads /logs/stream and insists on its form.
type logStream struct {
	t     testing.TB
	lines *bufio.Scanner
	close func()
}

// follow opens the stream; the entries of whatever is asked after it returned are in it.
func (m *terminal) follow() *logStream {
	m.t.Helper()
	ctx, cancel := context.WithCancel(m.t.Context())
	resp, err := m.client.Do(m.request("GET", "/logs/stream", nil).WithContext(ctx))
	if err != nil {
		cancel()
		m.t.Fatal(err)
	}
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-cache", "X-Accel-Buffering": "no", "Access-Control-Allow-Origin": "*"} {
		if got := resp.Header.Values(name); len(got) != 1 || got[0] != want {
			m.t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if resp.StatusCode != http.StatusOK {
		m.t.Errorf("the stream is answered with %d", resp.StatusCode)
	}
	s := &logStream{t: m.t, lines: bufio.NewScanner(resp.Body), close: func() { cancel(); resp.Body.Close() }}
	s.lines.Buffer(nil, 1<<20)
	m.t.Cleanup(s.close)
	return s
}

// next is the next entry; false at the end of the stream.
func (s *logStream) next() (e logEntry, ok bool) {
	s.t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		if !s.lines.Scan() || s.lines.Text() != "" {
			s.t.Errorf("no blank line after %q, but %q", line, s.lines.Text())
		}
		if strings.HasPrefix(line, ":") {
			continue
		}
		data, isData := strings.CutPrefix(line, "data: ")
		var fields map[string]any
		if err := json.Unmarshal([]byte(data), &fields); !isData || err != nil || len(fields) != 6 {
			s.t.Errorf("not an event with a log entry: %q", line)
			return e, false
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			s.t.Error(err)
		}
		return e, true
	}
	return e, false
}

// take reads so many entries.
func (s *logStream) take(n int) (got []logEntry) {
	s.t.Helper()
	watchdog := time.AfterFunc(waittest.Limit, s.close)
	defer watchdog.Stop()
	for len(got) < n {
		e, ok := s.next()
		if !ok {
			s.t.Errorf("the stream ended after %d entries, want %d: %v", len(got), n, s.lines.Err())
			return got
		}
		got = append(got, e)
	}
	return got
}

// since are the entries after the newest of before, oldest first.
func (m *terminal) since(before []logEntry) []logEntry {
	m.t.Helper()
	all := m.entries("limit=100000")
	all = all[:len(all)-len(before)]
	slices.Reverse(all)
	return all
}

func TestLogStreamGivesEveryReaderEveryEntryInOrder(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("POST", "/sale", nil).ok()
	before := m.entries("limit=100000")
	readers := []*logStream{m.follow(), m.follow(), m.follow()}

	var callers sync.WaitGroup
	for _, work := range []func(){
		func() { m.flood(100, "") },
		func() { m.flood(100, "{") },
		func() {
			for range 10 {
				m.call("POST", "/transaction", `{"tPag":"03","amount":1,"details":{"a":"linha\nlinha"}}`)
			}
		},
		func() {
			for range 20 {
				m.call("GET", "/nowhere/ação", nil)
				m.call("POST", "/print/text", `[{"text":{"value":"x","size":1}}]`)
			}
		},
	} {
		callers.Go(work)
	}
	late := m.follow() // joins while commands run
	callers.Wait()

	want := m.since(before)
	if len(want) < 250 {
		t.Fatalf("only %d entries for 250 commands", len(want))
	}
	for i, r := range readers {
		if diff := cmp.Diff(want, r.take(len(want))); diff != "" {
			t.Errorf("reader %d (-want +got):\n%.2000s", i, diff)
		}
	}
	m.call("POST", "/ask/cancel", nil).ok()
	last := m.entries("limit=1")[0]
	var got []logEntry
	for len(got) == 0 || got[len(got)-1].ID != last.ID {
		got = append(got, late.take(1)...)
		if t.Failed() {
			return
		}
	}
	want = append(want, last)
	if diff := cmp.Diff(want[len(want)-len(got):], got); diff != "" {
		t.Errorf("the reader that came late (-want +got):\n%.2000s", diff)
	}
}

func TestLogStreamTakesNoFilters(t *testing.T) {
	t.Parallel()
	m := start(t)
	resp, err := m.client.Do(m.request("GET", "/logs/stream?level=fatal&source=router&search=x&limit=0", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	m.call("POST", "/sale", nil).ok()
	s := &logStream{t: t, lines: bufio.NewScanner(resp.Body), close: func() { resp.Body.Close() }}
	if got := s.take(2); len(got) != 2 || got[0].Message != "Venda 1 aberta" || !strings.HasPrefix(got[1].Message, "POST /sale 200") {
		t.Errorf("got %+v", got)
	}
}

func TestLogStreamEndsWithTheService(t *testing.T) {
	t.Parallel()
	m := start(t)
	readers := []*logStream{m.follow(), m.follow()}
	m.call("POST", "/sale", nil).ok()
	for _, r := range readers {
		r.take(1)
	}
	m.stop() // one that waited for its readers would cut them off in the end, which shows below
	for _, r := range readers {
		for {
			if _, ok := r.next(); !ok {
				break
			}
		}
		if err := r.lines.Err(); err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("the stream was cut off: %v", err)
		}
	}
}

func TestQuietLogStreamKeepsProxiesAwake(t *testing.T) {
	t.Parallel()
	const quiet = 200 * time.Millisecond
	m := start(t, func(c *app.Config) { c.Timeouts.API.KeepAlive = quiet })
	began := time.Now()
	s := m.follow()
	if !s.lines.Scan() || !strings.HasPrefix(s.lines.Text(), ":") {
		t.Fatalf("first came %q, want a comment", s.lines.Text())
	}
	if took := time.Since(began); took < quiet {
		t.Errorf("the first comment came after %v, want %v", took, quiet)
	}
	if !s.lines.Scan() || s.lines.Text() != "" {
		t.Errorf("no blank line after the comment, but %q", s.lines.Text())
	}
	m.call("POST", "/sale", nil).ok()
	if got := s.take(2); len(got) != 2 || !strings.HasPrefix(got[1].Message, "POST /sale 200") {
		t.Errorf("after the comment came %+v", got)
	}
}
