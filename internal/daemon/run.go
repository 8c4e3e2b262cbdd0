package daemon

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/kardianos/service"
)

// Work is what the process is for. It calls ready once it answers, and ends soon after its context does.
type Work func(ctx context.Context, ready func()) error

// foreground works until a signal says otherwise. It is listened for before anything is opened: one that comes while
// starting must end as cleanly as one later.
func foreground(work Work, notify func(state string)) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, func() { notify("STOPPING=1") })()
	return work(ctx, func() { notify("READY=1") })
}

// program is the work in the hands of the Service Control Manager.
type program struct {
	work  Work
	alone func(error) // the work has ended by itself; the process must, too

	stop  context.CancelFunc
	ended chan error
}

// Start returns once the work answers, so that the manager knows whether it does.
func (p *program) Start(service.Service) error {
	var ctx context.Context
	ctx, p.stop = context.WithCancel(context.Background())
	p.ended = make(chan error, 1)
	ready := make(chan struct{})
	done := make(chan error, 1)
	go func() { done <- p.work(ctx, sync.OnceFunc(func() { close(ready) })) }()
	select {
	case err := <-done:
		return cmp.Or(err, errEndedAtOnce)
	case <-ready:
	}
	go func() {
		err := <-done
		if ctx.Err() == nil {
			p.alone(cmp.Or(err, errEndedAtOnce))
		}
		p.ended <- err
	}()
	return nil
}

var errEndedAtOnce = errors.New("o serviço terminou sozinho")

// Stop has the work answer what it holds, and waits for that. Windows calls it at shutdown, too.
func (p *program) Stop(service.Service) error {
	p.stop()
	return <-p.ended
}
