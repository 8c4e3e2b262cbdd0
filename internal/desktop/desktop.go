// Package desktop has the operating system say that a command came while nobody has the terminal's page open.
//
// Saying so never holds a command up: it is left to one goroutine, many at once are said as one, and a desktop
// that does not work is tried again only now and then.
package desktop

import (
	"sync"
	"sync/atomic"
	"time"
)

// What the operator reads, as in the interface.
const (
	Title = "Comando recebido"
	Text  = "Restaure o aplicativo"
)

const (
	pause      = 3 * time.Second // between one notification and the next
	retry      = time.Minute     // after one that failed
	lastWaited = 2 * time.Second // for the desktop to answer while closing
)

// Notifier tells the desktop. Its methods may be called from anywhere.
type Notifier struct {
	options Options
	poked   chan struct{}
	words   atomic.Pointer[words] // to show next; nil: that a command has come
	closing chan struct{}
	ended   chan struct{}
	close   func()
}

type words struct{ title, text string }

// Options are what a notifier works with.
type Options struct {
	Wanted func() bool                    // asked again just before showing; nil: always
	Failed func(error)                    // told of the first failure in a row; nil: nobody is
	Show   func(title, text string) error // nil: this system's own way
}

// New returns a notifier, or nil where there is no desktop to notify: a nil one may be used and does nothing.
func New(o Options) *Notifier {
	finish := func() {}
	if o.Show == nil {
		if !present() {
			return nil
		}
		o.Show, finish = show, hangUp
	}
	n := &Notifier{options: o, poked: make(chan struct{}, 1), closing: make(chan struct{}), ended: make(chan struct{})}
	n.close = sync.OnceFunc(func() {
		close(n.closing)
		select {
		case <-n.ended:
		case <-time.After(lastWaited):
		}
	})
	go func() {
		defer close(n.ended)
		if n.run() {
			finish()
		}
	}()
	return n
}

// Notify has the notification shown soon, unless one was shown just now. It does not wait. Without words it says that a command has
// come; words that have not been shown yet give way to newer ones only.
func (n *Notifier) Notify(title, text string) {
	if n == nil {
		return
	}
	if title != "" {
		n.words.Store(&words{title, text})
	}
	select {
	case n.poked <- struct{}{}:
	default: // one is waiting already and says the same
	}
}

// Close ends what runs. It waits for a notification under way, but not for a desktop that hangs.
func (n *Notifier) Close() {
	if n != nil {
		n.close()
	}
}

// run reports whether it ever tried to show something.
func (n *Notifier) run() (tried bool) {
	failing := false
	for {
		select {
		case <-n.closing:
			return tried
		case <-n.poked:
		}
		if n.options.Wanted != nil && !n.options.Wanted() {
			n.words.Store(nil)
			continue
		}
		tried = true
		wait := pause
		say := words{Title, Text}
		if own := n.words.Swap(nil); own != nil {
			say = *own
		}
		err := n.options.Show(say.title, say.text)
		if err != nil {
			wait = retry
			if !failing && n.options.Failed != nil {
				n.options.Failed(err)
			}
		}
		failing = err != nil
		select {
		case <-n.closing:
			return tried
		case <-time.After(wait):
		}
	}
}
