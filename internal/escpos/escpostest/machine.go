// Package escpostest plays the printer: interpreters that turn the bytes of each dialect
// back into paper, and a printer on a socket with whims.
package escpostest

import (
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/receipt"
)

// ErrUnknown means bytes that are no command of the few this machine knows.
var ErrUnknown = errors.New("not a command of this printer")

// Machine takes bytes as they come, in pieces of any size.
type Machine struct {
	Width    int                          // of the paper, in dots
	Language Language                     // what it speaks
	Answer   func(question []byte) []byte // nil never answers
	Send     func([]byte)                 // where answers go

	Sheets   []*receipt.Bitmap // whole jobs, cut off
	Scraps   []*receipt.Bitmap // cut off too, but not as a job: what was left of a broken one
	Fed      int               // lines, since the last cut
	Kicks    int
	Pins     []byte // of the drawers that were kicked
	Begun    int
	FullCuts int
	Rasters  []int // the rows of every image
	Switched int   // times that it was told to speak another language

	below int             // lines fed since the last dots
	other bool            // a Bematech that speaks as an Epson
	back  bool            // what it was before that
	above int             // how far a line feed goes, in dots; 0: a line of text
	line  *receipt.Bitmap // columns that wait for their line feed

	paper   *receipt.Bitmap // not yet cut
	job     bool            // one has begun and is not cut off
	spoiled bool            // it was begun but is not whole
	pending []byte
	halved  bool // the command under way is half one that an ended line has left
	lost    bool // and nothing was understood since
}

// Paper is what hangs out of the printer, not cut yet.
func (m *Machine) Paper() *receipt.Bitmap {
	if m.paper == nil {
		m.paper = receipt.NewBitmap(m.Width, 0)
	}
	return m.paper
}

// Write prints. What is no command is an error, and everything after it.
func (m *Machine) Write(p []byte) (int, error) {
	m.pending = append(m.pending, p...)
	at := 0
	for at < len(m.pending) {
		n, err := m.command(m.pending[at:])
		if err != nil && m.lost {
			n, err = 1, nil // passed over, until something makes sense
		} else if n > 0 && !m.halved && m.pending[at] != 0 {
			m.lost = false
		}
		if err != nil {
			return 0, fmt.Errorf("%w: % x", err, m.pending[at:min(at+8, len(m.pending))])
		}
		if n == 0 {
			break // the rest is still to come
		}
		at += n
		m.halved = false
	}
	m.pending = append(m.pending[:0], m.pending[at:]...)
	return len(p), nil
}

// Idle tells whether the machine stands between commands.
func (m *Machine) Idle() bool { return len(m.pending) == 0 }

// Spoil breaks the job under way: there was no paper for a part of it.
func (m *Machine) Spoil() { m.spoiled = true }

// HangUp is the end of a line: a job not cut off by now is broken. Half a command
// is forgotten, unless the next bytes come down the same wire.
func (m *Machine) HangUp(sameWire bool) {
	m.job = false
	if !sameWire {
		m.pending = nil
	}
	if len(m.pending) > 0 {
		m.halved, m.lost = true, true
	}
}

// command does the first command and tells its length; 0 when it is not whole.
func (m *Machine) command(b []byte) (int, error) {
	for _, c := range m.commands() {
		n := min(len(b), len(c.begins))
		if string(b[:n]) != c.begins[:n] {
			continue
		}
		if len(b) < c.length {
			return 0, nil
		}
		if c.image != nil {
			return c.image(m, b)
		}
		c.do(m, b)
		return c.length, nil
	}
	return 0, ErrUnknown
}

func (m *Machine) cut() {
	if m.job && !m.spoiled {
		m.Sheets = append(m.Sheets, m.Paper())
	} else {
		m.Scraps = append(m.Scraps, m.Paper())
	}
	m.paper, m.Fed, m.job = nil, 0, false
}

// answer says what the printer answers to a question.
func (m *Machine) answer(question []byte) {
	if m.Answer == nil || m.Send == nil {
		return
	}
	if a := m.Answer(question); len(a) > 0 {
		m.Send(a)
	}
}
