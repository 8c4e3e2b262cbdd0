package app

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// restarted is one restart; those who asked for it wait for done.
type restarted struct {
	byCaller bool // else by the settings
	done     chan struct{}
	status   device.Status
	err      error
}

// Restart stops every part of the service and starts it anew, on the same sockets. Several who ask at once get the same
// restart.
func (a *App) Restart() error {
	_, err := a.restart(false)
	return err
}

// asksRestart tells whether the request is the one that waits for a restart.
func asksRestart(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Path == "/restart"
}

func (a *App) restart(byCaller bool) (device.Status, error) {
	job := a.beginRestart(byCaller)
	<-job.done
	return job.status, job.err
}

func (a *App) beginRestart(byCaller bool) *restarted {
	a.restarting.Lock()
	defer a.restarting.Unlock()
	if a.stopping {
		late := &restarted{done: make(chan struct{}), err: operation.ErrStopping}
		close(late.done)
		return late
	}
	if a.restarted == nil {
		a.restarted = &restarted{done: make(chan struct{}), byCaller: byCaller}
		go a.runRestart(a.restarted)
	}
	return a.restarted
}

func (a *App) runRestart(job *restarted) {
	started := time.Now()
	defer close(job.done)
	a.restarting.Lock()
	defer a.restarting.Unlock()
	defer func() { a.restarted = nil }()

	if a.stopping { // the stop was faster, and what it has closed stays closed
		job.err = operation.ErrStopping
		return
	}
	if err := tryDisk(a.config.Data); err != nil {
		// On such a disk a service that is closed now could not be opened again.
		job.err = errors.Join(operation.ErrNotSaved, err)
		return
	}
	op, by := "op="+operation.NewName(), "pelo PDV"
	if !job.byCaller {
		by = "por uma configuração alterada"
	}
	a.service.Logs.Add(logbook.Info, logbook.App, "reinício do serviço pedido "+by, op)
	for _, l := range a.limiters {
		l.SetWriteDeadlines()
	}
	a.forHub.SetWriteDeadlines()
	a.service.release()
	a.current.Lock() // every request under way has its answer; new ones wait here
	a.forHub.ClearWriteDeadlines()
	for _, l := range a.limiters {
		l.ClearWriteDeadlines()
	}
	defer a.current.Unlock()
	if err := a.service.close(); err != nil {
		a.service.Logs.Add(logbook.Error, logbook.App, "ao encerrar para reiniciar: "+portuguese.Error(err), op)
	}
	next, err := newService(a.config, a.place())
	if err != nil {
		job.err = err
		a.broken <- err
		return
	}
	// It knows the right pair without paying for a hash: a flood of wrong ones must not keep callers out again.
	next.login.keeper.Become(a.service.login.keeper)
	a.service = next
	a.logs.Store(next.Logs)
	job.status = next.Device.Status()
	next.Logs.Add(logbook.Info, logbook.App, "serviço reiniciado", fmt.Sprintf("%s\nduração=%.3fs", op, time.Since(started).Seconds()))
	if !job.byCaller {
		return
	}
	// The old service's log is closed: the new one keeps the command.
	next.Logs.Add(logbook.Info, logbook.HTTP, fmt.Sprintf("POST /restart 200 %.1fms", float64(time.Since(started).Microseconds())/1000), op)
}
