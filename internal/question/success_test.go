package question_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/question"
)

// answered asks one question with a success screen, and answers it.
func answered(t *testing.T, desk *question.Desk, message string, interval time.Duration) {
	t.Helper()
	parameters := question.DefaultParameters()
	parameters.ShowSuccessMessage = true
	parameters.SuccessMessage = message
	parameters.SuccessMessageInterval = interval
	form, err := question.NewForm(parameters, []question.Question{ask(question.Text)})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	h := hold(desk, form)
	synctest.Wait()
	if err := desk.Answer(0, 0, "sim"); err != nil {
		t.Fatal(err)
	}
	h.want(t, nil, question.Answer{Value: "sim"})
	if waited := time.Since(start); waited != 0 {
		t.Errorf("the caller waited %v for the success screen", waited)
	}
}

func TestDeskSuccess(t *testing.T) {
	success := func(desk *question.Desk) bool {
		synctest.Wait()
		_, ok := desk.Success()
		return ok
	}
	for name, run := range map[string]func(*testing.T, *question.Desk, *atomic.Int32){
		"lasts its interval": func(t *testing.T, desk *question.Desk, changes *atomic.Int32) {
			answered(t, desk, "Obrigado!", 3*time.Second)
			got, ok := desk.Success()
			want := question.Success{Message: "Obrigado!", Interval: 3 * time.Second}
			if !ok || got != want {
				t.Fatalf("got %v, %v, want %v", got, ok, want)
			}
			time.Sleep(3*time.Second - time.Millisecond)
			if !success(desk) {
				t.Error("gone too early")
			}
			before := changes.Load()
			time.Sleep(time.Millisecond)
			if success(desk) {
				t.Error("still there")
			}
			if changes.Load() != before+1 {
				t.Error("its end was not told")
			}
		},
		"gives way to a question": func(t *testing.T, desk *question.Desk, _ *atomic.Int32) {
			answered(t, desk, "um", 3*time.Second)
			time.Sleep(2 * time.Second)
			h := hold(desk, newForm(t, ask(question.Text)))
			if success(desk) {
				t.Error("shown beside a question")
			}
			desk.Cancel()
			h.want(t, question.ErrCancelledByCaller)
			if success(desk) {
				t.Error("came back")
			}
		},
		"is not ended by the timer of another": func(t *testing.T, desk *question.Desk, _ *atomic.Int32) {
			answered(t, desk, "um", 3*time.Second)
			time.Sleep(2 * time.Second)
			answered(t, desk, "dois", 3*time.Second)
			time.Sleep(2 * time.Second)
			if got, _ := desk.Success(); got.Message != "dois" {
				t.Errorf("got %q", got.Message)
			}
			time.Sleep(time.Second)
			if success(desk) {
				t.Error("still there")
			}
		},
		"of no time is none": func(t *testing.T, desk *question.Desk, _ *atomic.Int32) {
			answered(t, desk, "um", 0)
			if success(desk) {
				t.Error("shown")
			}
		},
		"ends with the desk": func(t *testing.T, desk *question.Desk, changes *atomic.Int32) {
			answered(t, desk, "um", time.Hour)
			before := changes.Load()
			desk.Close()
			if success(desk) {
				t.Error("still there")
			}
			time.Sleep(2 * time.Hour)
			if got := changes.Load() - before; got != 1 {
				t.Errorf("changed was called %d times, want 1", got)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var changes atomic.Int32
				desk := question.NewDesk(func() { changes.Add(1) })
				defer desk.Close()
				run(t, desk, &changes)
			})
		})
	}
}

// changed may look at the desk: it is called without the lock.
func TestDeskChangedMayLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var desk *question.Desk
		desk = question.NewDesk(func() { desk.Shown(); desk.Success() })
		answered(t, desk, "um", time.Second)
		time.Sleep(time.Second)
		synctest.Wait()
		desk.Close()
	})
}
