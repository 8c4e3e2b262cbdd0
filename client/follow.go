package client

import (
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Following says how FollowLogs goes about it. The zero value begins with what is logged from now on.
type Following struct {
	After   *LogEntry           // the newest entry that is known already
	Broken  func(err error)     // is told once of each break
	Resumed func()              // is told when the log is followed again
	Missing func(entries int64) // is told of entries that the terminal does not have any more, or that are too many to be made up for
}

// FollowLogs gives every entry, in order and once, across broken connections and restarts of the terminal: what was logged meanwhile
// is asked for. It tries for as long as it takes; the sequence ends with the context, or with an error that will not pass by itself,
// such as a wrong password.
//
// A terminal that loses its power may have shown entries that never reached its disk, and then gives their ids to others: entries
// are therefore told apart by all that they say.
func (c *Client) FollowLogs(ctx context.Context, f Following) iter.Seq2[LogEntry, error] {
	return func(yield func(LogEntry, error) bool) {
		w := &logWatch{client: c, how: f, seen: map[int64]uint64{}, seed: maphash.MakeSeed()}
		if f.After != nil {
			w.begin(*f.After)
		} else if err := w.newest(ctx); err != nil {
			if ctx.Err() == nil {
				yield(LogEntry{}, err)
			}
			return
		}
		for pause := firstPause; ; pause = min(2*pause, longestRest) {
			given := w.given
			err := w.connection(ctx, yield)
			switch {
			case ctx.Err() != nil || errors.Is(err, errEnough):
				return
			case !passes(err):
				yield(LogEntry{}, err)
				return
			}
			w.broke(err)
			if w.given > given {
				pause = firstPause
			}
			if wait(ctx, pause) != nil {
				return
			}
		}
	}
}

// longestRest is the longest pause between two attempts to reach the terminal again.
const longestRest = 5 * time.Second

// errEnough: whoever ranges has left the loop.
var errEnough = errors.New("enough")

// passes tells whether waiting may help.
func passes(err error) bool {
	var said *Error
	if errors.As(err, &said) {
		return said.Status >= http.StatusInternalServerError
	}
	return !errors.Is(err, ErrWrongKey) && !errors.Is(err, ErrWrongCertificate)
}

// logWatch is what FollowLogs knows of the log.
type logWatch struct {
	client *Client
	how    Following
	seed   maphash.Seed
	seen   map[int64]uint64 // what the newest entries said, by id
	floor  int64            // all entries below it are known
	last   int64            // the newest id
	given  int
	down   bool
}

// remembered is more than a terminal ever shows before it is on its disk.
const remembered = 1 << 17

func (w *logWatch) begin(known LogEntry) {
	id, _ := idOf(known)
	w.floor = id
	w.note(known)
}

// newest has following begin after the newest entry there is.
func (w *logWatch) newest(ctx context.Context) error {
	found, err := w.client.Logs(ctx, LogFilter{Limit: 1})
	if err == nil && len(found) > 0 {
		w.begin(found[0])
	}
	return err
}

func idOf(e LogEntry) (id int64, ok bool) {
	id, err := strconv.ParseInt(e.ID, 10, 64)
	return id, err == nil
}

func (w *logWatch) sum(e LogEntry) uint64 {
	var h maphash.Hash
	h.SetSeed(w.seed)
	for _, part := range []string{e.Level, e.Source, e.Message, e.Details} {
		h.WriteString(part)
		h.WriteByte(0)
	}
	h.WriteString(strconv.FormatInt(e.CreatedAt.UnixMilli(), 10))
	return h.Sum64()
}

// known tells whether the very entry was given already.
func (w *logWatch) known(e LogEntry) bool {
	id, ok := idOf(e)
	said, have := w.seen[id]
	return ok && have && said == w.sum(e)
}

func (w *logWatch) note(e LogEntry) {
	id, ok := idOf(e)
	if !ok {
		return
	}
	w.seen[id] = w.sum(e)
	w.last = id
	if len(w.seen) > 2*remembered {
		w.floor = id - remembered
		for old := range w.seen {
			if old < w.floor {
				delete(w.seen, old)
			}
		}
	}
}

func (w *logWatch) give(e LogEntry, yield func(LogEntry, error) bool) bool {
	w.note(e)
	w.given++
	return yield(e, nil)
}

func (w *logWatch) broke(err error) {
	if !w.down && w.how.Broken != nil {
		w.how.Broken(err)
	}
	w.down = true
}

// connection follows until it breaks. The stream is opened before it is asked what came earlier, so that nothing falls between the two.
func (w *logWatch) connection(ctx context.Context, yield func(LogEntry, error) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // closes a stream that was not ranged over
	stream, err := w.client.StreamLogs(ctx)
	if err != nil {
		return err
	}
	missed, err := w.missed(ctx)
	if err != nil {
		return err
	}
	if w.down && w.how.Resumed != nil {
		w.how.Resumed()
	}
	w.down = false
	for _, e := range missed {
		if !w.give(e, yield) {
			return errEnough
		}
	}
	for e, err := range stream {
		switch {
		case err != nil:
			return err
		case w.known(e): // it was among those that were missed
		case !w.give(e, yield):
			return errEnough
		}
	}
	return ctx.Err()
}

// mostListed is the most that the terminal lists at once.
const mostListed = 100_000

// missed are the entries up to now that were not given, oldest first. The log is read backwards until something known turns up.
func (w *logWatch) missed(ctx context.Context) ([]LogEntry, error) {
	for limit := 100; ; limit *= 10 {
		limit = min(limit, mostListed)
		found, err := w.client.Logs(ctx, LogFilter{Limit: limit})
		if err != nil || len(found) == 0 {
			return nil, err
		}
		if id, _ := idOf(found[0]); id < w.floor { // another log in the place of the one that was followed
			clear(w.seen)
			w.floor, w.last = 0, 0
		}
		met := slices.IndexFunc(found, func(e LogEntry) bool {
			id, _ := idOf(e)
			return w.known(e) || id < w.floor
		})
		switch {
		case met < 0 && len(found) == limit && limit < mostListed:
			continue
		case met >= 0:
			found = found[:met]
		}
		slices.Reverse(found)
		w.tellMissing(found)
		return found, nil
	}
}

// tellMissing finds a gap before the first of the entries: ids have none of their own.
func (w *logWatch) tellMissing(found []LogEntry) {
	if len(found) == 0 || w.how.Missing == nil {
		return
	}
	if id, ok := idOf(found[0]); ok && w.last > 0 && id > w.last+1 {
		w.how.Missing(id - w.last - 1)
	}
}
