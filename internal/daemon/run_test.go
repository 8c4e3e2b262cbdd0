package daemon

import (
	"context"
	"errors"
	"testing"
)

// The Service Control Manager calls Start and Stop; so does this test.

func TestStopWaitsForTheWork(t *testing.T) {
	var answered bool
	p := &program{work: func(ctx context.Context, ready func()) error {
		ready()
		<-ctx.Done()
		answered = true
		return nil
	}, alone: func(err error) { t.Errorf("ended by itself: %v", err) }}
	if err := p.Start(nil); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(nil); err != nil || !answered {
		t.Errorf("stopped with %v, work done: %v", err, answered)
	}
}

func TestStartThatFails(t *testing.T) {
	taken := errors.New("taken")
	for _, want := range []error{taken, nil} {
		p := &program{work: func(context.Context, func()) error { return want }}
		if got := p.Start(nil); got == nil || want != nil && got != want {
			t.Errorf("the manager is told %v", got)
		}
	}
}

func TestWorkThatEndsByItself(t *testing.T) {
	broken, told := errors.New("broken"), make(chan error, 1)
	fail := make(chan struct{})
	p := &program{work: func(_ context.Context, ready func()) error {
		ready()
		<-fail
		return broken
	}, alone: func(err error) { told <- err }}
	if err := p.Start(nil); err != nil {
		t.Fatal(err)
	}
	close(fail)
	if got := <-told; got != broken {
		t.Errorf("told %v", got)
	}
}
