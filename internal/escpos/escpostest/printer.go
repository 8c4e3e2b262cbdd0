package escpostest

import (
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Printer is a machine with whims, at the other end of any line.
type Printer struct {
	mu      sync.Mutex
	changed *sync.Cond
	machine Machine
	whims   Whims
	status  escpos.Status
	taken   int  // bytes of this line
	lines   int  // open
	onFile  bool // somebody comes and goes without a word
	idle    int  // times that nobody had sent anything there
	asked   int  // questions of this line
	closing bool
	all     []byte
	wrong   error
	model   string // that it says it is
}

// Whims are what a printer does to those who print.
type Whims struct {
	Mute    bool          // answers nothing
	Gulp    int           // bytes taken at a time; 0 is plenty
	Rest    time.Duration // after each gulp
	Stall   int           // takes nothing more after so many bytes; 0 never
	HangUp  int           // ends the line after so many bytes; 0 never
	RunOut  int           // is out of paper after so many bytes; 0 never
	Silent  int           // answers nothing after so many bytes; 0 never
	Chatter []byte        // said unasked, before every answer
	Drowsy  bool          // does not answer the first question of a line
}

// New is a printer of paper of a width in dots.
func New(width int) *Printer {
	p := &Printer{machine: Machine{Width: width}}
	p.changed = sync.NewCond(&p.mu)
	p.machine.Answer = p.answer
	return p
}

// NewOf is one that speaks another language.
func NewOf(language Language, width int) *Printer {
	p := New(width)
	p.machine.Language = language
	return p
}

// Set gives the printer other whims.
func (p *Printer) Set(w Whims) {
	p.set(func() { p.whims = w })
}

// SetStatus is what it says from now on.
func (p *Printer) SetStatus(s escpos.Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = s
}

// Sheets are the jobs cut off, once nobody prints any more.
func (p *Printer) Sheets() []*receipt.Bitmap {
	p.mu.Lock()
	defer p.mu.Unlock()
	for before := p.idle; p.lines > 0 || p.onFile && p.idle < before+2; { // the first may have begun before
		p.changed.Wait()
	}
	return slices.Clone(p.machine.Sheets)
}

// Look shows the machine, and every byte it was sent, while nothing moves in it.
func (p *Printer) Look(see func(m *Machine, all []byte)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	see(&p.machine, p.all)
}

// Wrong is the first thing it did not understand.
func (p *Printer) Wrong() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wrong
}

// Serve prints what comes down a line until it ends. A new line finds a machine
// that has forgotten half a command, unless the wire is the same.
func (p *Printer) Serve(line io.ReadWriter, sameWire bool) {
	p.mu.Lock()
	p.lines++
	p.taken, p.asked = 0, 0
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.lines--
		p.machine.HangUp(sameWire)
		p.changed.Broadcast()
		p.mu.Unlock()
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := line.Read(buffer[:p.gulp()])
		if err != nil || !p.take(line, buffer[:n]) {
			return
		}
	}
}

// gulp is how much to read next; it returns when the printer reads again.
func (p *Printer) gulp() int {
	p.mu.Lock()
	rest := p.whims.Rest
	p.mu.Unlock()
	time.Sleep(rest)
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.whims.Stall > 0 && p.taken >= p.whims.Stall && !p.closing {
		p.changed.Wait()
	}
	most := 32 << 10
	if p.whims.Gulp > 0 {
		most = p.whims.Gulp
	}
	if p.whims.Stall > 0 && !p.closing {
		most = min(most, p.whims.Stall-p.taken)
	}
	return most
}

// take prints; false ends the line.
func (p *Printer) take(line io.Writer, b []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.machine.Send = func(a []byte) { _, _ = line.Write(a) }
	for piece := range slices.Chunk(b, 512) { // what happens in the middle happens there
		p.taken += len(piece)
		p.all = append(p.all, piece...)
		if p.whims.HangUp > 0 && p.taken >= p.whims.HangUp {
			p.whims.HangUp = 0 // once
			return false
		}
		if p.whims.RunOut > 0 && p.taken >= p.whims.RunOut {
			p.status |= escpos.PaperOut
		}
		if p.status.Has(escpos.PaperOut | escpos.CoverOpen) {
			p.machine.Spoil()
		}
		if _, err := p.machine.Write(piece); err != nil {
			if p.wrong == nil {
				p.wrong = err
			}
			return false
		}
	}
	return true
}

// Close lets go of whoever waits.
func (p *Printer) Close() {
	p.set(func() { p.closing = true })
}

// Socket is a printer on the network. Like most, it talks to one at a time.
type Socket struct {
	*Printer
	Address string

	mu       sync.Mutex
	listener net.Listener
	conn     net.Conn
	probes   map[string]chan struct{} // by the address they come from: closed when their turn has come
	serving  sync.WaitGroup
}

// Listen is a printer on a port of this machine, until the test ends.
func Listen(t testing.TB, width int) *Socket {
	t.Helper()
	return ListenOf(t, Epson, width)
}

// ListenOf is one that speaks another language.
func ListenOf(t testing.TB, language Language, width int) *Socket {
	t.Helper()
	s := &Socket{Printer: NewOf(language, width), Address: rig.FreeAddress(), probes: map[string]chan struct{}{}} // nobody else is given it while it is unplugged
	s.Plug(t)
	t.Cleanup(func() {
		s.Close()
		s.Unplug()
		if err := s.Wrong(); err != nil {
			t.Errorf("the printer was sent what it does not know: %v", err)
		}
	})
	return s
}

// Plug puts it on the network, at the port it had before.
func (s *Socket) Plug(t testing.TB) {
	t.Helper()
	var listener net.Listener
	waittest.Until(t, "the printer is on the network", func() bool { // a process that is being started may have its port for a moment
		var err error
		listener, err = net.Listen("tcp", s.Address)
		return err == nil
	})
	s.mu.Lock()
	s.listener, s.Address = listener, listener.Addr().String()
	s.mu.Unlock()
	s.serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.(*net.TCPConn).SetReadBuffer(64 << 10) // printers have little room
			if s.next(conn) {
				s.Serve(conn, false)
			}
			conn.Close()
		}
	})
}

// next begins with a connection; false: it was a probe, and knows now.
func (s *Socket) next(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reached := s.probes[conn.RemoteAddr().String()]; reached != nil {
		close(reached)
		return false
	}
	s.conn = conn
	return true
}

// Sheets are the jobs cut off, once all that came before is printed: who prints on a printer that tells nothing is done when it is sent,
// and it may wait in the system's hands still. Connections are taken in their order, so one more is behind them all.
func (s *Socket) Sheets() []*receipt.Bitmap {
	s.mu.Lock()
	conn, err := net.Dial("tcp", s.Address)
	reached := make(chan struct{})
	if err == nil {
		s.probes[conn.LocalAddr().String()] = reached
	}
	s.mu.Unlock()
	if err == nil { // it is plugged in
		<-reached
		conn.Close()
	}
	return s.Printer.Sheets()
}

// Unplug takes it off the network, with whoever is printing.
func (s *Socket) Unplug() {
	s.mu.Lock()
	s.listener.Close()
	if s.conn != nil {
		s.conn.Close()
	}
	s.mu.Unlock()
	s.serving.Wait()
}

// ServeFile prints what comes through an open pipe or terminal, over and over as
// the other side closes and opens it, until it is stopped. That closes the file.
func (p *Printer) ServeFile(file *os.File) (stop func()) {
	p.set(func() { p.onFile = true })
	var serving sync.WaitGroup
	serving.Go(func() {
		defer p.set(func() { p.onFile = false })
		for {
			p.Serve(file, true)
			p.set(func() {
				if p.taken == 0 {
					p.idle++
				}
			})
			// The other side is closed: a terminal says so by an error, a pipe by its end.
			if _, err := file.Stat(); errors.Is(err, os.ErrClosed) {
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
	return func() {
		file.Close()
		serving.Wait()
	}
}

func (p *Printer) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	p.changed.Broadcast()
}
