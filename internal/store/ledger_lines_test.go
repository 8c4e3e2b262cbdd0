package store

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Several hands write, some of what they write is rolled back, and somebody reads on from where he stopped: he reads every line that
// was kept, once, in order, with its attempt at least as far as the line.
func TestLinesAreReadOnceInOrderWhileTheyAreWritten(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	l, err := s.Ledger()
	must(t, err)
	const hands, payments = 4, 25
	refused := errors.New("the disk refuses")
	var kept sync.Map // operation and state of each line that was acknowledged
	var writing sync.WaitGroup
	for hand := range hands {
		writing.Go(func() {
			for n := range payments {
				attempt := begun(strconv.Itoa(hand)+"-"+strconv.Itoa(n), payment.StateSent)
				id, err := l.Begin(attempt)
				if err != nil {
					continue // it shared a batch with what was refused
				}
				attempt.ID = id
				kept.Store(attempt.Operation()+" sent", true)
				_ = l.commit.do(func(b *batch) error { return errors.Join(note(b, attempt, "never"), refused) })
				if attempt.State = payment.StateConfirmed; l.Append(attempt, "") == nil {
					kept.Store(attempt.Operation()+" confirmed", true)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writing.Wait(); close(done) }()
	after, read := int64(0), map[string]bool{}
	for over := false; ; {
		grown := l.Grown()
		lines, err := l.Lines(t.Context(), after, 7, pageBytes)
		must(t, err)
		for _, line := range lines {
			what := line.Operation + " " + string(line.State)
			if line.Number != after+1 || read[what] || line.Note != "" || line.Transaction.ID == 0 {
				t.Fatalf("after %d: %+v", after, line)
			}
			if line.State == payment.StateConfirmed && line.Transaction.State != payment.StateConfirmed {
				t.Errorf("line %d is ahead of its attempt", line.Number)
			}
			after, read[what] = line.Number, true
		}
		if len(lines) > 0 {
			continue
		}
		if over {
			break
		}
		select {
		case <-grown:
		case <-done:
			over = true
		}
	}
	kept.Range(func(what, _ any) bool {
		if !read[what.(string)] {
			t.Errorf("%s was kept and never read", what)
		}
		delete(read, what.(string))
		return true
	})
	if len(read) > 0 {
		t.Errorf("read, and never acknowledged: %v", read)
	}
	if last, err := l.LastLine(t.Context()); last != after || err != nil {
		t.Errorf("the last is %d, %v; %d were read", last, err, after)
	}
}

func TestAPageOfLinesIsBounded(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	l, err := s.Ledger()
	must(t, err)
	large := begun("large", payment.StateSent)
	large.Request.Extra = []byte(`"` + strings.Repeat("x", 400<<10) + `"`)
	for range 3 {
		_, err := l.Begin(large)
		must(t, err)
	}
	for _, c := range []struct{ limit, room, want int }{{10, 1 << 20, 2}, {10, 1, 1}, {1, 1 << 30, 1}, {10, 1 << 30, 3}} {
		if lines, err := l.Lines(t.Context(), 0, c.limit, c.room); err != nil || len(lines) != c.want {
			t.Errorf("limit %d, room %d: %d lines, %v", c.limit, c.room, len(lines), err)
		}
	}
	if lines, err := l.Lines(t.Context(), 3, 10, 1); err != nil || len(lines) != 0 {
		t.Errorf("after the last: %d lines, %v", len(lines), err)
	}
	at, err := l.LineAt(t.Context(), 2)
	if none, e := l.LineAt(t.Context(), 4); err != nil || e != nil || !at.Equal(large.UpdatedAt) || !none.IsZero() {
		t.Errorf("%v %v, %v %v", at, err, none, e)
	}
}

// Who waits for a page's turn holds nothing, and leaves when its caller does.
func TestLinesWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	l, err := s.Ledger()
	must(t, err)
	for range cap(l.pages) {
		l.pages <- struct{}{}
	}
	ctx, leave := context.WithCancel(t.Context())
	answered := make(chan error)
	go func() {
		_, err := l.Lines(ctx, 0, 1, 1)
		answered <- err
	}()
	leave()
	if err := waittest.Receive(t, "the caller has left", answered); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
