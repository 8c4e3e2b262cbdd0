package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/logbook"
)

func openLogs(t testing.TB, path string) *Logs {
	t.Helper()
	l, err := OpenLogs(path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func newLogs(t testing.TB) *Logs {
	l := openLogs(t, filepath.Join(t.TempDir(), "logs.db"))
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func appendLogs(t testing.TB, l *Logs, entries ...logbook.Entry) {
	t.Helper()
	if err := l.Append(entries); err != nil {
		t.Fatal(err)
	}
}

func findLogs(t testing.TB, l *Logs, q logbook.Query) []logbook.Entry {
	t.Helper()
	var found []logbook.Entry
	if err := l.Find(t.Context(), q, func(e logbook.Entry) error {
		found = append(found, e)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func logIDs(entries []logbook.Entry) []int64 {
	ids := []int64{}
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	return ids
}

// logAt is a moment n milliseconds into the tests' time.
func logAt(n int64) time.Time { return time.UnixMilli(1_793_000_000_000 + n) }

func plainLog(id int64, message string) logbook.Entry {
	return logbook.Entry{ID: id, Level: logbook.Info, Source: logbook.App, Message: message, At: logAt(id)}
}

func TestLogsFind(t *testing.T) {
	l := newLogs(t)
	all := []logbook.Entry{
		{ID: 1, Level: logbook.Info, Source: logbook.HTTP, Message: "POST /sale 200", At: logAt(10)},
		{ID: 2, Level: logbook.Error, Source: logbook.App, Message: "Impressão FALHOU", Details: "motivo=sem papel\nbandeja=À esquerda", At: logAt(20)},
		{ID: 3, Level: logbook.Info, Source: logbook.App, Message: "desconto de 100%", Details: "campo=unit_price", At: logAt(30)},
		{ID: 4, Level: logbook.Debug, Source: logbook.Router, Message: "desconto de 1000", Details: "campo=unitXprice", At: logAt(30)},
		{ID: 5, Level: logbook.Info, Source: logbook.HTTP, Message: "GET /status 200", At: logAt(40)},
	}
	appendLogs(t, l, all[:3]...)
	appendLogs(t, l, all[3:]...)
	for _, c := range []struct {
		name  string
		query logbook.Query
		want  []int64
	}{
		{"all, newest first", logbook.Query{}, []int64{5, 4, 3, 2, 1}},
		{"oldest first", logbook.Query{OldestFirst: true}, []int64{1, 2, 3, 4, 5}},
		{"limit", logbook.Query{Limit: 2}, []int64{5, 4}},
		{"limit, oldest first", logbook.Query{Limit: 2, OldestFirst: true}, []int64{1, 2}},
		{"level", logbook.Query{Level: logbook.Error}, []int64{2}},
		{"source", logbook.Query{Source: logbook.HTTP}, []int64{5, 1}},
		{"level and source", logbook.Query{Level: logbook.Info, Source: logbook.App}, []int64{3}},
		{"no such level", logbook.Query{Level: "loud"}, []int64{}},
		{"from is included", logbook.Query{From: logAt(30)}, []int64{5, 4, 3}},
		{"to is not", logbook.Query{To: logAt(30)}, []int64{2, 1}},
		{"within", logbook.Query{From: logAt(11), To: logAt(31)}, []int64{4, 3, 2}},
		{"finer than a millisecond", logbook.Query{From: logAt(10).Add(1), To: logAt(20).Add(1)}, []int64{2}},
		{"empty span", logbook.Query{From: logAt(30), To: logAt(30)}, []int64{}},
		{"message", logbook.Query{Search: "sale"}, []int64{1}},
		{"details", logbook.Query{Search: "sem papel"}, []int64{2}},
		{"case and accents", logbook.Query{Search: "IMPRESSAO falhou"}, []int64{2}},
		{"accents in the needle only", logbook.Query{Search: "pàpél"}, []int64{2}},
		{"over a line end", logbook.Query{Search: "papel\nbandeja=a"}, []int64{2}},
		{"not across message and details", logbook.Query{Search: "falhou\nmotivo"}, []int64{}},
		{"percent is literal", logbook.Query{Search: "100%"}, []int64{3}},
		{"underscore is literal", logbook.Query{Search: "unit_price"}, []int64{3}},
		{"one letter", logbook.Query{Search: "%"}, []int64{3}},
		{"two letters", logbook.Query{Search: "St"}, []int64{5, 1}},
		{"three letters", logbook.Query{Search: "ost"}, []int64{1}},
		{"search and level", logbook.Query{Search: "200", Level: logbook.Debug}, []int64{}},
		{"longer than any text", logbook.Query{Search: strings.Repeat("desconto ", 50)}, []int64{}},
	} {
		if diff := cmp.Diff(c.want, logIDs(findLogs(t, l, c.query))); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if diff := cmp.Diff(all, findLogs(t, l, logbook.Query{OldestFirst: true})); diff != "" {
		t.Errorf("entries do not come back as they were: %s", diff)
	}
}

func TestLogsAfter(t *testing.T) {
	l := newLogs(t)
	appendLogs(t, l, plainLog(3, "a"), plainLog(7, "b"), plainLog(8, "c"))
	for _, c := range []struct {
		id    int64
		limit int
		want  []int64
	}{{0, 9, []int64{3, 7, 8}}, {3, 9, []int64{7, 8}}, {4, 1, []int64{7}}, {8, 9, []int64{}}} {
		got, err := l.After(t.Context(), c.id, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, logIDs(got)); diff != "" {
			t.Errorf("After(%d, %d): %s", c.id, c.limit, diff)
		}
	}
}

// The first and the last entry of chunks and volumes are found whether their
// volume is finished or open, before and after reopening.
func TestLogsBorders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs.db")
	l := openLogs(t, path)
	borders := []int64{
		1, chunkSize - 1, chunkSize, 2*chunkSize - 1, volumeSize - 1, volumeSize, volumeSize + 1,
		2*volumeSize - 1, 2 * volumeSize, 5*volumeSize - 1, 90*volumeSize + 3, 90*volumeSize + chunkSize,
	}
	check := func() {
		t.Helper()
		for i, id := range borders {
			if diff := cmp.Diff([]int64{id}, logIDs(findLogs(t, l, logbook.Query{Search: fmt.Sprintf("borda %d.", i)}))); diff != "" {
				t.Errorf("border %d: %s", id, diff)
			}
		}
		if diff := cmp.Diff(borders, logIDs(findLogs(t, l, logbook.Query{OldestFirst: true}))); diff != "" {
			t.Error(diff)
		}
	}
	for i, id := range borders {
		appendLogs(t, l, plainLog(id, fmt.Sprintf("borda %d.", i)))
		if i%3 == 0 { // the open volume is rebuilt, and goes on
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			l = openLogs(t, path)
		}
	}
	check()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = openLogs(t, path)
	defer l.Close()
	check()
	if last, err := l.Last(); err != nil || last != borders[len(borders)-1] {
		t.Errorf("Last = %d, %v", last, err)
	}
}

// A batch that fails after it finished a volume leaves everything as it was.
func TestLogsAppendFails(t *testing.T) {
	l := newLogs(t)
	appendLogs(t, l, plainLog(volumeSize-2, "primeira"))
	next := []logbook.Entry{plainLog(volumeSize-1, "segunda"), plainLog(volumeSize, "terceira")}
	if err := l.Append(append(slices.Clone(next), plainLog(volumeSize, "repetida"))); err == nil {
		t.Fatal("an id was stored twice")
	}
	if got := findLogs(t, l, logbook.Query{}); len(got) != 1 {
		t.Errorf("after the failure: %v", got)
	}
	if err := l.Append([]logbook.Entry{{ID: volumeSize, Level: "loud"}}); err == nil {
		t.Error("an unknown level was stored")
	}
	appendLogs(t, l, next...)
	for _, s := range []string{"primeira", "segunda", "terceira"} {
		if got := findLogs(t, l, logbook.Query{Search: s}); len(got) != 1 {
			t.Errorf("%s: found %v", s, got)
		}
	}
}

func TestLogsFindEnds(t *testing.T) {
	l := newLogs(t)
	for id := int64(1); id <= 3; id++ {
		appendLogs(t, l, plainLog(id*volumeSize, "x"))
	}
	hungUp := errors.New("hung up")
	calls := 0
	if err := l.Find(t.Context(), logbook.Query{}, func(logbook.Entry) error { calls++; return hungUp }); !errors.Is(err, hungUp) || calls != 1 {
		t.Errorf("Find = %v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := l.Find(ctx, logbook.Query{}, func(logbook.Entry) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Find = %v", err)
	}
}

func TestLogsTrim(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs.db")
	l := openLogs(t, path)
	const n = 3*volumeSize + 500
	entries := make([]logbook.Entry, 0, n)
	for id := int64(1); id <= n; id++ {
		entries = append(entries, plainLog(id, fmt.Sprintf("entrada %d.", id)))
	}
	appendLogs(t, l, entries...)
	oldest := func() int64 { return findLogs(t, l, logbook.Query{OldestFirst: true, Limit: 1})[0].ID }
	volumes := func() (n int) {
		if err := l.db.reader.QueryRow("SELECT count(DISTINCT id >> 10) FROM log_signature").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	trim := func(before time.Time, keep int) {
		t.Helper()
		if err := l.Trim(t.Context(), before, keep); err != nil {
			t.Fatal(err)
		}
	}

	trim(time.Time{}, 0)
	trim(logAt(0), n)
	if got := oldest(); got != 1 || volumes() != 3 {
		t.Errorf("trimmed to %d without need, %d volumes", got, volumes())
	}
	trim(time.Time{}, n-1000)
	if got := oldest(); got > 1001 || got <= 1001-chunkSize {
		t.Errorf("by count: oldest is %d", got)
	}
	trim(logAt(volumeSize+300), 0)
	if got := oldest(); got > volumeSize+300 || got <= volumeSize+300-chunkSize || volumes() != 2 {
		t.Errorf("by age: oldest is %d, %d volumes", got, volumes())
	}
	for _, id := range []int64{oldest(), 2 * volumeSize, n} {
		if got := findLogs(t, l, logbook.Query{Search: fmt.Sprintf("entrada %d.", id)}); len(got) != 1 || got[0].ID != id {
			t.Errorf("looking for %d: %v", id, got)
		}
	}
	trim(logAt(10*n), 1)
	if got := findLogs(t, l, logbook.Query{}); got[0].ID != n || len(got) > chunkSize {
		t.Errorf("%d left, newest %d", len(got), got[0].ID)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = openLogs(t, path)
	defer l.Close()
	if last, err := l.Last(); err != nil || last != n {
		t.Errorf("Last = %d, %v", last, err)
	}
}

// Searches, appends and trims at once: a search sees all that was there before it.
func TestLogsAtOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	l := openLogs(t, filepath.Join(t.TempDir(), "logs.db"))
	defer l.Close()
	const batches, size, rare, keep = 20 + 20/share, 500, 1000, volumeSize
	var work sync.WaitGroup
	done := make(chan struct{})
	until := func(done <-chan struct{}, do func()) {
		for {
			do()
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}
	work.Go(func() {
		defer close(done)
		for b := range batches {
			var batch []logbook.Entry
			for i := range size {
				e := plainLog(int64(b*size+i+1), "palha")
				if e.ID%rare == 0 {
					e.Message = "agulha"
				}
				batch = append(batch, e)
			}
			if err := l.Append(batch); err != nil {
				t.Error(err)
			}
		}
	})
	work.Go(func() {
		until(done, func() {
			if err := l.Trim(context.Background(), time.Time{}, keep); err != nil {
				t.Error(err)
			}
		})
	})
	for range 2 {
		work.Go(func() {
			until(done, func() {
				last, _ := l.Last()
				next := last / rare * rare
				first := next
				if err := l.Find(context.Background(), logbook.Query{Search: "AGULHA"}, func(e logbook.Entry) error {
					if e.ID > first { // appended since
						return nil
					}
					if e.ID != next {
						return fmt.Errorf("found %d, want %d", e.ID, next)
					}
					next -= rare
					return nil
				}); err != nil {
					t.Error(err)
				}
				// What was appended meanwhile made as much disappear at the other end.
				if now, _ := l.Last(); next > max(0, now-keep) {
					t.Errorf("found nothing from %d down; %d to %d were stored", next, now-keep, last)
				}
			})
		})
	}
	work.Wait()
}

func TestOpenLogsRefusesOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs.db")
	writeFile(t, path, strings.Repeat("not a database ", 1000))
	if _, err := OpenLogs(path); !errors.Is(err, ErrUnreadable) {
		t.Errorf("OpenLogs = %v", err)
	}
}
