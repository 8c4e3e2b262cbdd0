package question_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/question"
)

// deskModel is what a desk should be, without goroutines, locks and timers:
// every step does one thing to the desk and to the model, and then both must
// look the same.
type deskModel struct {
	desk         *question.Desk
	held         *held // nil when nothing should be shown
	form         question.Form
	answers      []question.Answer
	serial       uint64
	used         []uint64  // serials of earlier forms
	successUntil time.Time // zero when there should be no success screen
	closed       bool
	changes      atomic.Int32 // calls of changed that were seen
	wanted       int32        // and that should have been
}

func newDeskModel() *deskModel {
	m := &deskModel{}
	m.desk = question.NewDesk(func() { m.changes.Add(1) })
	return m
}

// ended expects the held Ask to have ended so.
func (m *deskModel) ended(t *rapid.T, err error, answers []question.Answer) {
	synctest.Wait()
	select {
	case <-m.held.done:
	default:
		t.Fatalf("Ask is still held, want %v", err)
	}
	m.held.hangUp()
	if !errors.Is(m.held.err, err) {
		t.Fatalf("Ask ended with %v, want %v", m.held.err, err)
	}
	if diff := cmp.Diff(answers, m.held.answers); diff != "" {
		t.Fatal(diff)
	}
	m.held, m.answers = nil, nil
	m.used = append(m.used, m.serial)
	m.wanted++
}

func (m *deskModel) Ask(t *rapid.T) {
	parameters := question.DefaultParameters()
	parameters.ShowSuccessMessage = rapid.Bool().Draw(t, "success")
	count := rapid.IntRange(1, 3).Draw(t, "questions")
	form, err := question.NewForm(parameters, slices.Repeat([]question.Question{ask(question.Number, required)}, count))
	if err != nil {
		t.Fatal(err)
	}

	want := error(nil)
	switch {
	case m.closed:
		want = operation.ErrStopping
	case m.held != nil:
		want = question.ErrShown
	}
	if want != nil {
		if _, err := m.desk.Ask(context.Background(), form); !errors.Is(err, want) {
			t.Fatalf("Ask: %v, want %v", err, want)
		}
		return
	}
	m.held, m.form = hold(m.desk, form), form
	m.successUntil = time.Time{}
	m.wanted++
	synctest.Wait()
	s, _ := m.desk.Shown()
	if m.serial = s.Serial; slices.Contains(m.used, s.Serial) {
		t.Fatalf("serial %d was used before", s.Serial)
	}
}

// drawSerial returns 0, the serial shown or an earlier one, and whether that
// means the form shown now.
func (m *deskModel) drawSerial(t *rapid.T) (serial uint64, isShown bool) {
	serial = rapid.SampledFrom(append([]uint64{0, m.serial}, m.used...)).Draw(t, "serial")
	return serial, m.held != nil && (serial == 0 || serial == m.serial)
}

// accept moves the model on by the answers the desk has taken.
func (m *deskModel) accept(t *rapid.T, inputs ...string) {
	for _, input := range inputs {
		m.answers = append(m.answers, question.Answer{ID: m.form.Questions[len(m.answers)].ID, Value: input})
	}
	if len(m.answers) < len(m.form.Questions) {
		m.wanted++
		return
	}
	m.ended(t, nil, m.answers)
	if p := m.form.Parameters; p.ShowSuccessMessage {
		m.successUntil = time.Now().Add(p.SuccessMessageInterval)
	}
}

func (m *deskModel) Answer(t *rapid.T) {
	serial, isShown := m.drawSerial(t)
	index := rapid.IntRange(0, 2).Draw(t, "index")
	input := rapid.SampledFrom([]string{"1", "22", "x", ""}).Draw(t, "input")
	err := m.desk.Answer(serial, index, input)
	switch {
	case !isShown, serial != 0 && index != len(m.answers):
		wantError(t, err, question.ErrNotShown)
	case input == "x" || input == "":
		wantRefused(t, err, len(m.answers))
	default:
		wantError(t, err, nil)
		m.accept(t, input)
	}
}

func (m *deskModel) AnswerRest(t *rapid.T) {
	serial, isShown := m.drawSerial(t)
	inputs := rapid.SliceOfN(rapid.SampledFrom([]string{"1", "22", "x"}), 0, 3).Draw(t, "inputs")
	err := m.desk.AnswerRest(serial, inputs)
	switch wrong := slices.Index(inputs, "x"); {
	case !isShown:
		wantError(t, err, question.ErrNotShown)
	case len(inputs) != len(m.form.Questions)-len(m.answers):
		wantError(t, err, question.ErrCount)
	case wrong >= 0:
		wantRefused(t, err, len(m.answers)+wrong)
	default:
		wantError(t, err, nil)
		m.accept(t, inputs...)
	}
}

func (m *deskModel) Dismiss(t *rapid.T) {
	serial, isShown := m.drawSerial(t)
	err := m.desk.Dismiss(serial)
	if !isShown {
		wantError(t, err, question.ErrNotShown)
		return
	}
	wantError(t, err, nil)
	m.ended(t, question.ErrCancelledByPerson, nil)
}

func (m *deskModel) Cancel(t *rapid.T) {
	m.desk.Cancel()
	if m.held != nil {
		m.ended(t, question.ErrCancelledByCaller, nil)
	}
}

func (m *deskModel) HangUp(t *rapid.T) {
	if m.held == nil {
		t.Skip("nobody is on the line")
	}
	m.held.hangUp()
	m.ended(t, context.Canceled, nil)
}

func (m *deskModel) Wait(t *rapid.T) {
	time.Sleep(time.Duration(rapid.IntRange(1, 4000).Draw(t, "ms")) * time.Millisecond)
	synctest.Wait()
	if !m.successUntil.IsZero() && !time.Now().Before(m.successUntil) {
		m.successUntil = time.Time{}
		m.wanted++
	}
}

func (m *deskModel) Close(t *rapid.T) {
	// Rarely, for little happens after.
	if !m.closed && rapid.IntRange(0, 9).Draw(t, "close") != 0 {
		t.Skip("not yet")
	}
	m.close(t)
}

func (m *deskModel) close(t *rapid.T) {
	m.desk.Close()
	m.closed = true
	if m.held != nil {
		m.ended(t, operation.ErrStopping, nil)
	} else if !m.successUntil.IsZero() {
		m.wanted++
	}
	m.successUntil = time.Time{}
}

// Check compares the desk with the model, after every step.
func (m *deskModel) Check(t *rapid.T) {
	synctest.Wait()
	s, ok := m.desk.Shown()
	if ok != (m.held != nil) {
		t.Fatalf("shown is %v", ok)
	}
	if ok {
		want := question.Shown{Serial: m.serial, Form: m.form, Index: len(m.answers), Answers: m.answers, Since: s.Since}
		if diff := cmp.Diff(want, s); diff != "" {
			t.Fatal(diff)
		}
	}
	if _, ok := m.desk.Success(); ok == m.successUntil.IsZero() {
		t.Fatalf("success screen is %v", ok)
	}
	if got := m.changes.Load(); got != m.wanted {
		t.Fatalf("changed was called %d times, want %d", got, m.wanted)
	}
}

func wantError(t *rapid.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("got error %v, want %v", got, want)
	}
}

func wantRefused(t *rapid.T, err error, index int) {
	t.Helper()
	refused, ok := errors.AsType[*question.AnswerError](err)
	if !ok || refused.Index != index {
		t.Fatalf("got error %v, want question %d to refuse", err, index)
	}
}

func TestDeskModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rapid.SyncTest(t, func(t *rapid.T) {
			m := newDeskModel()
			t.Cleanup(m.desk.Close) // A failed run must leave nobody waiting.
			t.Repeat(map[string]func(*rapid.T){
				"ask": m.Ask, "answer": m.Answer, "answer rest": m.AnswerRest, "dismiss": m.Dismiss,
				"cancel": m.Cancel, "hang up": m.HangUp, "wait": m.Wait, "close": m.Close, "": m.Check,
			})
			m.close(t)
			m.Check(t)
		})
	})
}
