package question_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/question"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// held is an Ask that another goroutine waits in.
type held struct {
	answers []question.Answer
	err     error
	hangUp  context.CancelFunc
	done    chan struct{}
}

func hold(desk *question.Desk, form question.Form) *held {
	ctx, cancel := context.WithCancel(context.Background())
	h := &held{hangUp: cancel, done: make(chan struct{})}
	go func() {
		defer close(h.done)
		h.answers, h.err = desk.Ask(ctx, form)
	}()
	return h
}

// want waits for the Ask to end, and checks how.
func (h *held) want(t *testing.T, err error, answers ...question.Answer) {
	t.Helper()
	<-h.done
	h.hangUp()
	if !errors.Is(h.err, err) {
		t.Fatalf("Ask ended with %v, want %v", h.err, err)
	}
	if diff := cmp.Diff(answers, h.answers); diff != "" {
		t.Fatal(diff)
	}
}

// shown waits until everybody else is waiting, and returns what is on screen.
func shown(t *testing.T, desk *question.Desk) question.Shown {
	t.Helper()
	synctest.Wait()
	s, ok := desk.Shown()
	if !ok {
		t.Fatal("nothing is shown")
	}
	return s
}

func TestDeskAsksInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes atomic.Int32
		desk := question.NewDesk(func() { changes.Add(1) })
		form := newForm(t, ask(question.CPF, identified(7)), ask(question.Money, identified(3)))
		h := hold(desk, form)

		s := shown(t, desk)
		if diff := cmp.Diff(question.Shown{Serial: s.Serial, Form: form, Since: s.Since}, s); diff != "" {
			t.Fatal(diff)
		}
		if err := desk.Answer(s.Serial, 0, "529.982.247-25"); err != nil {
			t.Fatal(err)
		}
		s = shown(t, desk)
		if s.Index != 1 || len(s.Answers) != 1 || s.Answers[0] != (question.Answer{ID: 7, Value: "52998224725"}) {
			t.Fatalf("after one answer: %+v", s)
		}
		if err := desk.Answer(s.Serial, 0, "529.982.247-25"); !errors.Is(err, question.ErrNotShown) {
			t.Fatalf("answering the first again: %v", err)
		}
		if err := desk.Answer(0, 99, "R$ 5"); err != nil {
			t.Fatal(err)
		}
		h.want(t, nil, question.Answer{ID: 7, Value: "52998224725"}, question.Answer{ID: 3, Value: "5.00"})

		if _, ok := desk.Shown(); ok {
			t.Error("still shown after the last answer")
		}
		if got := changes.Load(); got != 3 {
			t.Errorf("changed was called %d times, want 3: shown, answered, answered", got)
		}
	})
}

func TestDeskRefusesWrongAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes atomic.Int32
		desk := question.NewDesk(func() { changes.Add(1) })
		form := newForm(t, ask(question.Text), ask(question.CPF, required), ask(question.Number))
		h := hold(desk, form)
		serial := shown(t, desk).Serial

		if err := desk.Answer(serial, 0, "nome"); err != nil {
			t.Fatal(err)
		}
		before := changes.Load()
		for name, err := range map[string]error{
			"alone":    desk.Answer(serial, 1, "123"),
			"together": desk.AnswerRest(serial, []string{"123", "x"}),
			"second":   desk.AnswerRest(0, []string{"52998224725", "x"}),
		} {
			answerError, ok := errors.AsType[*question.AnswerError](err)
			if !ok {
				t.Fatalf("%s: got %v, want an AnswerError", name, err)
			}
			wantIndex, wantReason := 1, question.BadCPF
			if name == "second" {
				wantIndex, wantReason = 2, question.NotDigits
			}
			invalid, _ := errors.AsType[*question.Invalid](err)
			if answerError.Index != wantIndex || invalid == nil || invalid.Reason != wantReason {
				t.Errorf("%s: got %v", name, err)
			}
			if diff := cmp.Diff(form.Questions[wantIndex], answerError.Question); diff != "" {
				t.Error(diff)
			}
		}
		for _, inputs := range [][]string{nil, {"52998224725"}, {"52998224725", "1", "2"}} {
			if err := desk.AnswerRest(serial, inputs); !errors.Is(err, question.ErrCount) {
				t.Errorf("%d answers for two questions: %v", len(inputs), err)
			}
		}
		if err := desk.AnswerRest(serial+1, []string{"52998224725", "1"}); !errors.Is(err, question.ErrNotShown) {
			t.Errorf("another serial: %v", err)
		}
		if s := shown(t, desk); s.Index != 1 {
			t.Errorf("wrong answers moved the form on to %d", s.Index)
		}
		if got := changes.Load(); got != before {
			t.Errorf("wrong answers changed the screen %d times", got-before)
		}

		if err := desk.AnswerRest(serial, []string{"529.982.247-25", "1"}); err != nil {
			t.Fatal(err)
		}
		h.want(t, nil, question.Answer{ID: 0, Value: "nome"},
			question.Answer{ID: 1, Value: "52998224725"}, question.Answer{ID: 2, Value: "1"})
	})
}

func TestDeskEndsWithoutAnswers(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(*question.Desk, *held) error
		want error
	}{
		{"person", func(d *question.Desk, _ *held) error { return d.Dismiss(0) }, question.ErrCancelledByPerson},
		{"caller", func(d *question.Desk, _ *held) error { d.Cancel(); return nil }, question.ErrCancelledByCaller},
		{"hang-up", func(_ *question.Desk, h *held) error { h.hangUp(); return nil }, context.Canceled},
		{"stop", func(d *question.Desk, _ *held) error { d.Close(); return nil }, operation.ErrStopping},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var changes atomic.Int32
				desk := question.NewDesk(func() { changes.Add(1) })
				h := hold(desk, newForm(t, ask(question.Text), ask(question.Text)))
				serial := shown(t, desk).Serial
				if err := desk.Answer(serial, 0, "uma"); err != nil {
					t.Fatal(err)
				}
				if err := row.end(desk, h); err != nil {
					t.Fatal(err)
				}
				h.want(t, row.want)

				if _, ok := desk.Shown(); ok {
					t.Error("still shown")
				}
				if got := changes.Load(); got != 3 {
					t.Errorf("changed was called %d times, want 3", got)
				}
				if err := desk.Answer(serial, 1, "duas"); !errors.Is(err, question.ErrNotShown) {
					t.Errorf("answering what is gone: %v", err)
				}
				if err := desk.Dismiss(serial); !errors.Is(err, question.ErrNotShown) {
					t.Errorf("dismissing what is gone: %v", err)
				}
				desk.Cancel() // nothing to cancel, nothing to complain about
			})
		})
	}
}

func TestDeskShowsOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk := question.NewDesk(func() {})
		first := hold(desk, newForm(t, ask(question.Text)))
		old := shown(t, desk).Serial
		if _, err := desk.Ask(t.Context(), newForm(t, ask(question.CPF))); !errors.Is(err, question.ErrShown) {
			t.Fatalf("got %v, want ErrShown", err)
		}
		desk.Cancel()
		first.want(t, question.ErrCancelledByCaller)

		second := hold(desk, newForm(t, ask(question.CPF)))
		if serial := shown(t, desk).Serial; serial == old {
			t.Fatal("two showings with the same serial")
		}
		// A page that has not caught up yet.
		if err := desk.Answer(old, 0, "texto"); !errors.Is(err, question.ErrNotShown) {
			t.Errorf("late answer: %v", err)
		}
		if err := desk.Dismiss(old); !errors.Is(err, question.ErrNotShown) {
			t.Errorf("late dismissal: %v", err)
		}
		second.hangUp()
		second.want(t, context.Canceled)
	})
}

func TestDeskShowsNothingForNobody(t *testing.T) {
	changed := func() { t.Error("the screen changed") }
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	desk := question.NewDesk(changed)
	if _, err := desk.Ask(gone, newForm(t, ask(question.Text))); !errors.Is(err, context.Canceled) {
		t.Errorf("caller already gone: %v", err)
	}
	if _, err := desk.Ask(t.Context(), question.Form{}); !errors.Is(err, question.ErrNoQuestions) {
		t.Errorf("no questions: %v", err)
	}
	if err := desk.Answer(0, 0, ""); !errors.Is(err, question.ErrNotShown) {
		t.Errorf("answering nothing: %v", err)
	}
	if err := desk.AnswerRest(0, nil); !errors.Is(err, question.ErrNotShown) {
		t.Errorf("answering the rest of nothing: %v", err)
	}
	desk.Cancel()
	desk.Close()
	desk.Close()
	if _, err := desk.Ask(t.Context(), newForm(t, ask(question.Text))); !errors.Is(err, operation.ErrStopping) {
		t.Errorf("after Close: %v", err)
	}
}

// Everybody at once: the Ask has one outcome, and only whoever caused it is
// told so.
func TestDeskRace(t *testing.T) {
	for range 500 {
		up := make(chan struct{})
		desk := question.NewDesk(sync.OnceFunc(func() { close(up) }))
		h := hold(desk, newForm(t, ask(question.Text)))
		var answer, dismissal error
		var wg sync.WaitGroup
		for _, act := range []func(){
			func() { answer = desk.Answer(0, 0, "oi") },
			func() { dismissal = desk.Dismiss(0) },
			func() { desk.Cancel() },
			func() { h.hangUp() },
			func() { desk.Close() },
		} {
			wg.Go(func() { <-up; act() })
		}
		wg.Wait()
		<-h.done

		if (h.err == nil) != (answer == nil) {
			t.Fatalf("Ask ended with %v, the answer with %v", h.err, answer)
		}
		if errors.Is(h.err, question.ErrCancelledByPerson) != (dismissal == nil) {
			t.Fatalf("Ask ended with %v, the dismissal with %v", h.err, dismissal)
		}
		if _, ok := desk.Shown(); ok {
			t.Fatal("still shown")
		}
	}
}
