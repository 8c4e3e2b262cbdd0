package app

import (
	"errors"
	"testing"

	"github.com/maquininha/maquininha/internal/operation"
)

// A restart that gets its turn after a stop opens nothing again: nobody would close it, and it would work on payments.
func TestNoRestartAfterAStop(t *testing.T) {
	t.Parallel()
	a, err := New(Config{Listen: "127.0.0.1:0", Screen: "127.0.0.1:0", Data: t.TempDir(), Mode: Emulator, PaperWidth: 384})
	if err != nil {
		t.Fatal(err)
	}
	defer a.freePorts()
	stopped := a.service

	a.restarting.Lock() // as a stop holds it
	job := &restarted{done: make(chan struct{})}
	a.restarted = job
	go a.runRestart(job)
	a.stopping = true
	a.restarting.Unlock()
	<-job.done

	if !errors.Is(job.err, operation.ErrStopping) {
		t.Errorf("the restart ended with %v", job.err)
	}
	if a.service != stopped {
		t.Error("the restart has opened the data again")
	}
	a.service.release()
	if err := a.service.close(); err != nil {
		t.Error(err)
	}
}
