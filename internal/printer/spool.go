package printer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printing"
)

// spooler is the system's keeper of print queues. What it says of a printer is as true as the queue's driver makes it.
type spooler interface {
	// queue is how a queue is; an error where it does not exist or nobody knows.
	queue(ctx context.Context, name string) (Queue, error)
	// send puts a job into a queue, bytes as they are. What may be there though it failed has its id.
	send(ctx context.Context, name string, job []byte) (id int, err error)
	// job is how far a job is.
	job(ctx context.Context, name string, id int) (spooled, error)
	// cancel takes a job away: it prints no more.
	cancel(ctx context.Context, name string, id int) error
}

// Queue is a print queue of the system.
type Queue struct {
	Name     string
	Model    string         // as the queue's driver calls it
	Identity string         // as the device says
	Port     string         // where the queue leads
	State    printing.State // Unknown: nothing is known to be wrong, which is the most a queue can say
	Why      string         // as the system says it; may be empty
}

func (q Queue) identity() escpos.Identity {
	// Most queues know of no identity: what is empty leaves no space.
	return escpos.Identity{Text: strings.Join(strings.Fields(q.Identity+" "+q.Model+" "+q.Name), " ")}
}

// spooled is how far a job is.
type spooled uint8

const (
	jobWaiting  spooled = iota // others are before it, or the queue stands still
	jobPrinting                // its bytes go to the printer
	jobDone                    // they all went
	jobLost                    // somebody took it away, or the system gave up
)

// The patience with a queue. A queue shows no progress, so a job has the time that its bytes take on a slow printer, and a dead printer
// is known by nothing else.
const (
	queueWait  = 15 * time.Second // for a job to begin, and to end besides its bytes: the system may ask the printer for seconds first
	queueSpeed = 15 << 10         // bytes a second
	queueSlow  = 900              // on a serial port of 9600 baud
	queueLooks = 150 * time.Millisecond
	cancelWait = 5 * time.Second
)

// ErrNoQueue means that the system has no queue of that name.
var ErrNoQueue = errors.New("no such print queue")

// QueueError is what a queue says of itself when it does not print.
type QueueError struct {
	Err error
	Why string // as the system says it; may be empty
}

func (e *QueueError) Error() string {
	if e.Why == "" {
		return e.Err.Error()
	}
	return e.Err.Error() + ": " + e.Why
}

func (e *QueueError) Unwrap() error { return e.Err }

// newQueued is the printer behind a queue of the system.
func newQueued(name string, s spooler, o Options) (*Thermal, error) {
	var t *Thermal
	t, err := newThermal(o, func(ctx context.Context) (line, error) {
		queue, err := s.queue(ctx, name)
		if err != nil {
			return nil, err
		}
		l := &spoolLine{ctx: ctx, spooler: s, Queue: queue, wait: t.queueWait}
		return l, l.check()
	})
	if err != nil {
		return nil, err
	}
	// Whatever is behind the queue, a job that was taken away may have left half an image in it.
	t.oneWire, t.queueWait = true, queueWait
	return t, nil
}

// spoolLine is a line over a queue: one job, that is sent when it is whole.
type spoolLine struct {
	Queue
	ctx     context.Context // of the job
	spooler spooler
	wait    time.Duration
	whole   []byte
}

// check is why nothing is put into the queue.
func (l *spoolLine) check() error {
	if err := l.State.Err(); err != nil {
		return &QueueError{err, l.Why}
	}
	return nil
}

func (l *spoolLine) read([]byte, time.Duration) (int, error) { return 0, errMute }

func (l *spoolLine) write(p []byte, _ time.Duration) (int, error) {
	l.whole = append(l.whole, p...)
	return len(p), nil
}

func (*spoolLine) unsent() int { return 0 }

// drop is all that is needed: nothing was sent.
func (*spoolLine) drop() {}

// close sends the job and waits until it has left the queue. What has not when the time is over is taken away: it would come out of the printer
// when somebody plugs it in, an hour after the caller was told that it had failed.
func (l *spoolLine) close() error {
	if len(l.whole) == 0 {
		return nil
	}
	// A queue that prints without keeping the job takes it at the printer's pace.
	sending, cancel := context.WithTimeout(l.ctx, l.wait+l.sendTime())
	defer cancel()
	id, err := l.spooler.send(sending, l.Name, l.whole)
	if err == nil {
		err = l.follow(id)
	}
	if err == nil || id == 0 {
		return err
	}
	cancelling, cancel := context.WithTimeout(context.WithoutCancel(l.ctx), cancelWait)
	defer cancel()
	if err := l.spooler.cancel(cancelling, l.Name, id); err != nil {
		return fmt.Errorf("%w: job %d could not be taken out of the queue and may print later: %w", printing.ErrOffline, id, err)
	}
	return err
}

func (l *spoolLine) follow(id int) error {
	begun := time.Now()
	limit := l.wait
	for under := false; ; {
		at, err := l.spooler.job(l.ctx, l.Name, id)
		if err != nil {
			return err
		}
		switch at {
		case jobDone:
			return nil
		case jobLost:
			return errTakenAway
		case jobPrinting:
			if !under {
				under, begun, limit = true, time.Now(), l.wait+l.sendTime()
			}
		}
		queue, err := l.spooler.queue(l.ctx, l.Name)
		if err != nil {
			return err
		}
		l.Queue = queue
		if err := l.check(); err != nil {
			return err
		}
		if time.Since(begun) > limit {
			return &QueueError{errStuck, l.Why}
		}
		select {
		case <-time.After(queueLooks):
		case <-l.ctx.Done():
			return l.ctx.Err()
		}
	}
}

// sendTime is what the bytes may take on their way to the printer.
func (l *spoolLine) sendTime() time.Duration {
	speed := queueSpeed
	if l.serial() {
		speed = queueSlow
	}
	return time.Duration(len(l.whole)) * time.Second / time.Duration(speed)
}

// serial tells of a queue that leads to a serial port: serial:/dev/ttyS0, COM3:.
func (l *spoolLine) serial() bool {
	return strings.HasPrefix(l.Port, "serial:") || strings.HasPrefix(strings.ToUpper(l.Port), "COM")
}

var (
	errTakenAway = errors.New("the job was taken out of the queue")
	errStuck     = errors.New("the job did not leave the queue")
)
