package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/fold"
	"github.com/maquininha/maquininha/internal/logbook"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// logModel is what a search means, said as simply as it can be.
type logModel []logbook.Entry

func (m logModel) find(q logbook.Query) []int64 {
	ids := []int64{}
	for _, e := range m {
		if (q.Level == "" || e.Level == q.Level) &&
			(q.Source == "" || e.Source == q.Source) &&
			(q.From.IsZero() || !e.At.Before(q.From)) &&
			(q.To.IsZero() || e.At.Before(q.To)) &&
			(strings.Contains(fold.Text(e.Message), fold.Text(q.Search)) ||
				strings.Contains(fold.Text(e.Details), fold.Text(q.Search))) {
			ids = append(ids, e.ID)
		}
	}
	if !q.OldestFirst {
		slices.Reverse(ids)
	}
	if q.Limit > 0 && len(ids) > q.Limit {
		ids = ids[:q.Limit]
	}
	return ids
}

// Random entries, with gaps that cross chunks and volumes, and random queries:
// the store finds what the model finds, over reopening too.
func TestLogsAgainstModel(t *testing.T) {
	fewer(t, 100)
	dir := t.TempDir()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		path := filepath.Join(dir, "logs"+time.Duration(run).String()+".db")
		l, err := OpenLogs(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { l.Close() }()

		var (
			model logModel
			last  int64
			level = rapid.SampledFrom(logLevels[:])
			src   = rapid.SampledFrom(logSources[:])
			text  = rapid.StringOfN(rapid.RuneFrom([]rune("abAÁã1%_- \n€")), 0, 12, -1)
			gap   = rapid.OneOf(rapid.Int64Range(1, 3), rapid.Int64Range(1, 3*chunkSize))
			// Clocks jump: later entries may bear earlier times.
			clock = rapid.Int64Range(0, 50)
			when  = rapid.OneOf(rapid.Just(int64(-1)), clock)
		)
		moment := func(label string) time.Time {
			if n := when.Draw(t, label); n >= 0 {
				return logAt(n)
			}
			return time.Time{}
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				var batch []logbook.Entry
				last += rapid.SampledFrom([]int64{0, 0, 0, volumeSize - 200, 3 * volumeSize}).Draw(t, "leap")
				for range rapid.IntRange(0, 15).Draw(t, "entries") {
					last += gap.Draw(t, "gap")
					batch = append(batch, logbook.Entry{
						ID: last, Level: level.Draw(t, "level"), Source: src.Draw(t, "source"),
						Message: text.Draw(t, "message"), Details: text.Draw(t, "details"), At: logAt(clock.Draw(t, "at")),
					})
				}
				if err := l.Append(batch); err != nil {
					t.Fatal(err)
				}
				model = append(model, batch...)
			},
			"reopen": func(t *rapid.T) {
				if rapid.IntRange(0, 3).Draw(t, "leave it open") > 0 { // opening takes longer than all else here
					t.Skip()
				}
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				if l, err = OpenLogs(path); err != nil {
					t.Fatal(err)
				}
			},
			"find": func(t *rapid.T) {
				q := logbook.Query{
					Level:  rapid.OneOf(rapid.Just(logbook.Level("")), level).Draw(t, "level"),
					Source: rapid.OneOf(rapid.Just(logbook.Source("")), src).Draw(t, "source"),
					From:   moment("from"), To: moment("to"),
					Search:      text.Draw(t, "search"),
					Limit:       rapid.IntRange(0, 10).Draw(t, "limit"),
					OldestFirst: rapid.Bool().Draw(t, "oldest first"),
				}
				if len(model) > 0 && rapid.Bool().Draw(t, "take a needle from the text") {
					said := []rune(rapid.SampledFrom(model).Draw(t, "entry").Message)
					from := rapid.IntRange(0, len(said)).Draw(t, "begin")
					q.Search = string(said[from:rapid.IntRange(from, len(said)).Draw(t, "end")])
				}
				got := []int64{}
				if err := l.Find(t.Context(), q, func(e logbook.Entry) error { got = append(got, e.ID); return nil }); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(model.find(q), got); diff != "" {
					t.Fatalf("%+v: %s", q, diff)
				}
			},
		})
	})
}
