package daemon

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

const (
	// backlog is how many entries wait for the system's log; beyond that they are dropped and counted. The terminal's own
	// log has them all, and a sale never waits for somebody else's.
	backlog   = 1024
	lastWords = 2 * time.Second
)

// Log is the log of the operating system: the journal, or the Event Log. A nil one takes everything and keeps nothing.
type Log struct {
	write   func(logbook.Entry) error
	entries chan logbook.Entry
	dropped atomic.Int64
	close   func()
}

func newLog(write func(logbook.Entry) error) *Log {
	l := &Log{write: write, entries: make(chan logbook.Entry, backlog)}
	closing, ended := make(chan struct{}), make(chan struct{})
	l.close = sync.OnceFunc(func() {
		close(closing)
		select {
		case <-ended:
		case <-time.After(lastWords): // whoever reads it hangs; the service must end
		}
	})
	go func() {
		defer close(ended)
		l.run(closing)
	}()
	return l
}

// Add never waits.
func (l *Log) Add(e logbook.Entry) {
	if l == nil {
		return
	}
	select {
	case l.entries <- e:
	default:
		l.dropped.Add(1)
	}
}

// Close has what waits written.
func (l *Log) Close() {
	if l != nil {
		l.close()
	}
}

func (l *Log) run(closing <-chan struct{}) {
	for {
		select {
		case e := <-l.entries:
			l.take(e)
		case <-closing:
			for {
				select {
				case e := <-l.entries:
					l.take(e)
				default:
					return
				}
			}
		}
	}
}

// take writes an entry. One that the system's log does not take is in the terminal's own; there is nobody else to tell.
func (l *Log) take(e logbook.Entry) {
	if n := l.dropped.Swap(0); n > 0 {
		_ = l.write(logbook.Entry{Level: logbook.Warning, Source: logbook.App, Message: fmt.Sprintf("%d entradas não couberam aqui; estão nos logs do terminal", n), At: e.At})
	}
	_ = l.write(e)
}
