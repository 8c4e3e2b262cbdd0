package question

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// How Ask ends when not with answers; operation.ErrStopping and the error of a context are others.
var (
	ErrShown             = errors.New("another question is shown")
	ErrCancelledByPerson = errors.New("question cancelled by the person")
	ErrCancelledByCaller = errors.New("question cancelled by the caller")
	// ErrTimedOut is the cause of a context whose time was the person's.
	ErrTimedOut = errors.New("nobody answered in time")
)

// What keeps an answer from being taken, beside being invalid.
var (
	ErrNotShown = errors.New("no such question is shown")
	ErrCount    = errors.New("not as many answers as questions left")
)

// AnswerError says which question refused its answer, and why.
type AnswerError struct {
	Index    int // of the question in the form
	Question Question
	Err      error // an *Invalid
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("question %d: %v", e.Index, e.Err)
}

func (e *AnswerError) Unwrap() error { return e.Err }

// Shown is what is being asked, as it was at one moment.
type Shown struct {
	Serial  uint64 // of this showing; no other ever has the same
	Form    Form
	Index   int      // of the question to answer next
	Answers []Answer // to the questions before it
	Since   time.Time
}

// Desk is where questions are asked: it holds the caller's Ask and takes the
// person's answers. There is one terminal, so it shows one form at a time, and
// whoever comes first ends it.
type Desk struct {
	changed func()

	mu      sync.Mutex
	closed  bool
	current *asking        // nil when nothing is asked
	success *successScreen // nil when there is no success screen
}

// asking is a form on the screen. Its fields belong to the desk's lock until
// ended is closed, and never change after.
type asking struct {
	serial  uint64
	form    Form
	since   time.Time
	answers []Answer
	err     error
	ended   chan struct{}
}

// NewDesk returns a desk that calls changed after every change of what there is
// to see. The call comes from whichever goroutine made the change, so it must
// not block; it may ask the desk what is shown.
func NewDesk(changed func()) *Desk {
	return &Desk{changed: changed}
}

// Ask shows the form and waits until every question has an answer. When the
// context ends first, the form leaves the screen.
func (d *Desk) Ask(ctx context.Context, form Form) ([]Answer, error) {
	a, err := d.show(ctx, form)
	if err != nil {
		return nil, err
	}
	d.changed()

	select {
	case <-a.ended:
	case <-ctx.Done():
		// Whatever ended it a moment before still counts, so the error of being
		// late is no news.
		_ = d.end(a.serial, context.Cause(ctx))
	}
	return a.answers, a.err
}

func (d *Desk) show(ctx context.Context, form Form) (*asking, error) {
	if len(form.Questions) == 0 {
		return nil, ErrNoQuestions
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return nil, operation.ErrStopping
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case d.current != nil:
		return nil, ErrShown
	}
	d.endSuccess()
	d.current = &asking{serial: operation.NewID(), form: form, since: time.Now(), ended: make(chan struct{})}
	return d.current, nil
}

// Cancel takes the form away on behalf of the caller. With none shown there is
// nothing to do.
func (d *Desk) Cancel() {
	_ = d.end(0, ErrCancelledByCaller)
}

// CancelThis is Cancel for one that the caller names; one that names nothing means whatever is asked.
func (d *Desk) CancelThis(w operation.Wish) error {
	d.mu.Lock()
	a := d.current
	switch {
	case a == nil:
		d.mu.Unlock()
		return operation.ErrNone
	case w.Unknown, w.Reference != "", w.ID != 0 && w.ID != a.serial:
		d.mu.Unlock()
		return operation.ErrOther
	}
	w.Tell() // before the one who asked hears of it
	d.finish(nil, ErrCancelledByCaller)
	d.mu.Unlock()
	d.changed()
	return nil
}

// Dismiss takes the form away on behalf of the person. Serial 0 means whatever
// is shown.
func (d *Desk) Dismiss(serial uint64) error {
	return d.end(serial, ErrCancelledByPerson)
}

// Close ends what is shown, question or success screen, and refuses every
// later Ask.
func (d *Desk) Close() {
	d.mu.Lock()
	visible := d.current != nil || d.success != nil
	d.closed = true
	d.endSuccess()
	if d.current != nil {
		d.finish(nil, operation.ErrStopping)
	}
	d.mu.Unlock()
	if visible {
		d.changed()
	}
}

// Shown returns what is being asked now.
func (d *Desk) Shown() (Shown, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.current
	if a == nil {
		return Shown{}, false
	}
	return Shown{a.serial, a.form, len(a.answers), slices.Clone(a.answers), a.since}, true
}

// find returns the form of that serial if it is shown. The lock is held.
func (d *Desk) find(serial uint64) (*asking, error) {
	if d.current == nil || serial != 0 && serial != d.current.serial {
		return nil, ErrNotShown
	}
	return d.current, nil
}

// end takes the form of that serial away with an error.
func (d *Desk) end(serial uint64, reason error) error {
	d.mu.Lock()
	_, err := d.find(serial)
	if err == nil {
		d.finish(nil, reason)
	}
	d.mu.Unlock()
	if err == nil {
		d.changed()
	}
	return err
}

// finish is the only way the current form ends. The lock is held.
func (d *Desk) finish(answers []Answer, err error) {
	a := d.current
	d.current = nil
	a.answers, a.err = answers, err
	close(a.ended)
}
