// Package printing puts pages on paper: what a print job is, what a printer must
// do, and the desk that takes one job at a time.
//
// Its one promise: an error means the paper is not there, nil means it is. There
// is no false success, and no job prints by itself after its caller was told it
// had failed: only a person at the terminal can ask for it again.
package printing

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/receipt"
)

// Kind is what a job was made from.
type Kind string

// The kinds of jobs.
const (
	Image   Kind = "image"
	Text    Kind = "text"
	XML     Kind = "xml"
	ACBr    Kind = "acbr"
	Drawer  Kind = "drawer"  // no paper: only the cash drawer opens
	Receipt Kind = "receipt" // one copy of a card receipt, which is paper for one side of the counter
)

// Job is what to print: papers, each fed and cut. A job of several is one all the
// same; copies are copies of the whole.
type Job struct {
	Kind    Kind
	Pages   []receipt.Page
	Drawers []int // cash drawers to open first, 1 or 2, where there are any

	// What is on it, for who reads the log. Both may be empty.
	Name      string // as the shop calls it: NFC-e 123, via do cliente
	Reference string // of the transaction it belongs to
}

// OnePage is a job of one paper.
func OnePage(kind Kind, page receipt.Page) Job {
	return Job{Kind: kind, Pages: []receipt.Page{page}}
}

// Check tells whether the job can be laid out on the paper, without drawing it. The
// papers together are held to the length of one.
func (j Job) Check(paper receipt.Paper) error {
	var all receipt.Page
	for _, page := range j.Pages {
		all.Add(page.Elements...)
	}
	return all.Check(paper)
}

// Heavy tells whether a page is: receipt.Page.Heavy.
func (j Job) Heavy() bool {
	return slices.ContainsFunc(j.Pages, receipt.Page.Heavy)
}

// Printer is a way to paper.
//
// Print returns when the job is on paper. An error means that it is not, or not
// whole, and that the printer will do no more about it; where the printer can
// tell, it is one of ErrPaperOut, ErrCoverOpen, ErrOffline and ErrNoPrinter. A
// printer that can't report its state prints all the same. When ctx ends, Print
// gives up and returns soon.
//
// All methods may be called from several goroutines.
type Printer interface {
	Print(ctx context.Context, job Job) error
	// State is how the printer is, as far as it can tell: Unknown where it can't, NoPrinter where there is none.
	State() State
	// Jobs are the papers that the printer keeps pictures of, newest first; none where it prints on real paper.
	Jobs() []Printed
	// Picture is the paper as PNG, or ErrNoJob.
	Picture(n int) ([]byte, error)
}

// ErrFailed is what every failure to print is; the reason, one of those below
// where the printer can tell, is wrapped beside it.
var ErrFailed = errors.New("printing failed")

// Reasons for a failure.
var (
	ErrPaperOut  = errors.New("printer is out of paper")
	ErrCoverOpen = errors.New("printer cover is open")
	ErrOffline   = errors.New("printer is off-line")
	ErrNoPrinter = errors.New("this terminal has no printer")
)

// State is how a printer is.
type State string

// The states of a printer.
const (
	OK        State = "ok"
	PaperOut  State = "paperOut"
	CoverOpen State = "coverOpen"
	Offline   State = "offline"
	Unknown   State = "unknown" // nobody has printed yet, or it does not report
	NoPrinter State = "none"
)

// Valid tells whether s is a state that a printer can be brought into.
func (s State) Valid() bool {
	return s == OK || s.Err() != nil
}

// Err is why nothing prints in this state, or nil.
func (s State) Err() error {
	switch s {
	case PaperOut:
		return ErrPaperOut
	case CoverOpen:
		return ErrCoverOpen
	case Offline:
		return ErrOffline
	}
	return nil
}

// Printed is a paper of a job that a printer keeps a picture of.
type Printed struct {
	N             int // counts from 1, in the order of printing
	Kind          Kind
	CreatedAt     time.Time
	Width, Height int // dots
}

// CashDrawer is a drawer at a printer that can tell how it is.
type CashDrawer struct {
	N        int // 1 or 2
	Open     bool
	Openings int
	OpenedAt time.Time // the last time
}

// ErrNoJob means that a printer keeps no job of that number.
var ErrNoJob = errors.New("no such print job")
