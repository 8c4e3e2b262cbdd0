package printer

import (
	"context"
	"net"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
)

// SetPace changes how long later jobs wait for the printer: a test on real devices must not take a busy machine for a printer
// that is dead or mute.
func (t *Thermal) SetPace(silence, answer time.Duration) { t.pace = pace{silence, answer} }

// AtWork has it wait as long as it does at work.
func (t *Thermal) AtWork() { t.SetPace(silenceTimeout, answerTimeout) }

// Restart has it forget how its last job ended.
func (t *Thermal) Restart() { t.last = endedUnknown }

// NewCUPSAt is the printer behind a queue of a server of the test's own.
func NewCUPSAt(server, name string, o Options) (*Thermal, error) {
	return newQueued(name, newCUPS(server), o)
}

// SetQueueWait changes how long later jobs wait in a queue.
func (t *Thermal) SetQueueWait(d time.Duration) { t.queueWait = d }

// DialTime is how long a printer on the network may take to be reached.
const DialTime = dialTime

// NewWired is a printer on connections of the test's own.
func NewWired(o Options, oneWire bool, open func(context.Context) (net.Conn, escpos.Identity, error)) (*Thermal, error) {
	t, err := newThermal(o, func(ctx context.Context) (line, error) {
		conn, says, err := open(ctx)
		return wire{conn, says}, err
	})
	if err == nil {
		t.oneWire = oneWire
	}
	return t, err
}

type wire struct {
	net.Conn
	says escpos.Identity
}

func (w wire) identity() escpos.Identity { return w.says }

func (w wire) read(p []byte, within time.Duration) (int, error) {
	if err := w.SetReadDeadline(time.Now().Add(within)); err != nil {
		return 0, err
	}
	return w.Read(p)
}

func (w wire) write(p []byte, within time.Duration) (int, error) {
	if err := w.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return 0, err
	}
	return w.Write(p)
}

func (w wire) unsent() int  { return 0 }
func (w wire) close() error { return w.Close() }
func (w wire) drop()        { w.Close() }
