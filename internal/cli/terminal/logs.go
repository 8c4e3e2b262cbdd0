package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/fold"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
)

// Wanted is what is asked for.
type Wanted struct {
	Levels []string // none: any
	Source string
	Search string // folded
	From   time.Time
	Limit  int
}

// Has tells whether an entry is asked for, as the terminal itself would judge.
func (w Wanted) Has(e client.LogEntry) bool {
	return (len(w.Levels) == 0 || slices.Contains(w.Levels, e.Level)) && (w.Source == "" || w.Source == e.Source) && !e.CreatedAt.Before(w.From) &&
		(w.Search == "" || strings.Contains(fold.Text(e.Message), w.Search) || strings.Contains(fold.Text(e.Details), w.Search))
}

// Source is where a log is read.
type Source interface {
	// History gives what there is of what is asked for, oldest first, and the newest entry of all, if there is one.
	History(context.Context, Wanted) (found []client.LogEntry, newest *client.LogEntry, err error)
	// Follow gives all that comes after an entry.
	Follow(ctx context.Context, after *client.LogEntry) iter.Seq2[client.LogEntry, error]
}

// ErrUnserved means that no service is there to be asked.
var ErrUnserved = errors.New("no service")

// Remote are read over HTTP.
type Remote struct {
	Terminal
	c *client.Client
}

// unserved is why no service answers.
type unserved struct{ error }

func (unserved) Is(target error) bool { return target == ErrUnserved }

func (u unserved) Unwrap() error { return u.error }

func (r *Remote) failed(err error) error {
	worded := r.Words(err)
	if errors.Is(err, client.ErrUnreachable) && !errors.Is(err, client.ErrWrongKey) && !errors.Is(err, client.ErrWrongCertificate) {
		return unserved{worded}
	}
	return worded
}

func (r *Remote) History(ctx context.Context, want Wanted) (found []client.LogEntry, newest *client.LogEntry, err error) {
	if r.c, err = r.Client(client.WithTimeout(30 * time.Second)); err != nil {
		return nil, nil, err
	}
	last, err := r.c.Logs(ctx, client.LogFilter{Limit: 1})
	if err != nil {
		return nil, nil, r.failed(err)
	}
	if len(last) == 0 || want.Limit == 0 {
		return nil, first(last), nil
	}
	for _, level := range want.each() {
		some, err := r.c.Logs(ctx, client.LogFilter{Level: level, Source: want.Source, From: want.From, Search: want.Search, Limit: want.Limit})
		if err != nil {
			return nil, nil, r.failed(err)
		}
		found = append(found, some...)
	}
	return want.newestOf(found, idOf(last[0])), first(last), nil
}

func first(entries []client.LogEntry) *client.LogEntry {
	if len(entries) == 0 {
		return nil
	}
	return &entries[0]
}

// idOf is 0 where there is none: it was no terminal, then.
func idOf(e client.LogEntry) int64 {
	id, _ := strconv.ParseInt(e.ID, 10, 64)
	return id
}

// each are the levels to be asked for one by one: neither the interface nor the store has another way to ask for some.
func (w Wanted) each() []string {
	if len(w.Levels) == 0 {
		return []string{""}
	}
	return w.Levels
}

// newestOf puts entries in order and leaves out what is too much, and what came after the last: following gives those.
func (w Wanted) newestOf(found []client.LogEntry, last int64) []client.LogEntry {
	found = slices.DeleteFunc(found, func(e client.LogEntry) bool { return idOf(e) > last })
	slices.SortFunc(found, func(a, b client.LogEntry) int { return cmp.Compare(idOf(a), idOf(b)) })
	return found[max(0, len(found)-w.Limit):]
}

func (r *Remote) Follow(ctx context.Context, after *client.LogEntry) iter.Seq2[client.LogEntry, error] {
	return func(yield func(client.LogEntry, error) bool) {
		defer r.c.Close()
		for e, err := range r.c.FollowLogs(ctx, client.Following{
			After:   after,
			Broken:  func(err error) { console.Aside("a conexão com %s caiu; tentando de novo…", r.URL) },
			Resumed: func() { console.Aside("conexão com %s restabelecida", r.URL) },
			Missing: func(n int64) {
				console.Aside("%s que o terminal não tem mais, ou são demais para buscar", console.Amount(int(n), "entrada", "entradas"))
			},
		}) {
			if err != nil {
				err = r.Words(err)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// Kept are read from the data folder.
type Kept struct{ Dir string }

func (k Kept) History(ctx context.Context, want Wanted) (found []client.LogEntry, newest *client.LogEntry, err error) {
	logs, err := store.PeekLogs(k.Dir)
	if err != nil {
		return nil, nil, k.words(err)
	}
	defer logs.Close()
	last, err := logs.After(ctx, logs.Last()-1, 1)
	if err != nil {
		return nil, nil, k.words(err)
	}
	for _, e := range last {
		kept := entryOf(e)
		newest = &kept
	}
	if want.Limit == 0 {
		return nil, newest, nil
	}
	for _, level := range want.each() {
		q := logbook.Query{Level: logbook.Level(level), Source: logbook.Source(want.Source), From: want.From, Search: want.Search, Limit: want.Limit}
		err := logs.Find(ctx, q, func(e logbook.Entry) error {
			found = append(found, entryOf(e))
			return nil
		})
		if err != nil {
			return nil, nil, k.words(err)
		}
	}
	return want.newestOf(found, logs.Last()), newest, nil
}

func entryOf(e logbook.Entry) client.LogEntry {
	return client.LogEntry{
		ID: strconv.FormatInt(e.ID, 10), Level: string(e.Level), Source: string(e.Source), Message: e.Message, Details: e.Details, CreatedAt: e.At,
	}
}

func (k Kept) words(err error) error {
	if errors.Is(err, store.ErrNoData) {
		return fmt.Errorf("não há log em %s", k.Dir)
	}
	return fmt.Errorf("o log em %s não pode ser lido: %w", k.Dir, app.WhyUnreadable(err))
}

// pollEvery is how often the folder is looked at: nobody is told when another process writes a file there.
const pollEvery = 500 * time.Millisecond

// follow looks anew each time, so that nothing of the service's is held, whatever it does with its files meanwhile.
func (k Kept) Follow(ctx context.Context, after *client.LogEntry) iter.Seq2[client.LogEntry, error] {
	return func(yield func(client.LogEntry, error) bool) {
		var last int64
		if after != nil {
			last = idOf(*after)
		}
		silent := false
		for tick := time.NewTicker(pollEvery); ; {
			found, err := k.after(ctx, &last)
			switch {
			case ctx.Err() != nil:
				tick.Stop()
				return
			case err != nil && !silent:
				console.Aside("%s; tentando de novo…", portuguese.Error(err))
			}
			silent = err != nil
			for _, e := range found {
				last = e.ID
				if !yield(entryOf(e), nil) {
					tick.Stop()
					return
				}
			}
			if len(found) > 0 {
				continue
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}
}

func (k Kept) after(ctx context.Context, last *int64) ([]logbook.Entry, error) {
	logs, err := store.PeekLogs(k.Dir)
	if err != nil {
		return nil, k.words(err)
	}
	defer logs.Close()
	if logs.Last() < *last { // a new file in the place of a damaged one
		*last = 0
	}
	found, err := logs.After(ctx, *last, 1000)
	if err != nil {
		return nil, k.words(err)
	}
	return found, nil
}
