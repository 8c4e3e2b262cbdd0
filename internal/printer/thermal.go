package printer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// Options are how a printer prints.
type Options struct {
	Paper     receipt.Paper
	Dialect   escpos.Dialect // what the printer speaks; zero: as it says that it is, and ESC/POS where it says nothing
	AnyPaper  bool           // nobody said which, nor what the printer is: that of the model which is reached, where that is known
	Cut       bool
	Feed      int  // lines after the print, so that it can be torn off
	Copies    int  // of every print but receipts, which have their own; less than 1 is 1
	Drawer    bool // opens the cash drawer before every print but receipts: no cash goes in
	DrawerPin int  // of the printer's socket that the first drawer is at: 5, or the usual 2
}

// of is how a job of that kind prints.
func (o Options) of(kind printing.Kind) Options {
	if o.Dialect.Name == "" {
		o.Dialect = escpos.ESCPOS
	}
	if kind == printing.Receipt {
		o.Copies, o.Drawer = 1, false
	}
	return o
}

// ErrLabels means a printer of labels, which says so: none of the languages here is its.
var ErrLabels = errors.New("a printer of labels, not of receipts")

// identified is a line that knows what is at its end.
type identified interface{ identity() escpos.Identity }

// reached has the dialect of the printer that was reached, and its paper, where none was given.
func (o Options) reached(l line) (Options, error) {
	who, ok := l.(identified)
	if !ok || o.Dialect.Name != "" {
		return o, nil
	}
	model, known := escpos.Recognise(who.identity())
	if known && model.Labels {
		return o, ErrLabels
	}
	if known {
		o.Dialect = model.Dialect
		if o.AnyPaper {
			o.Paper = model.Paper
		}
	}
	return o, nil
}

// Thermal is a receipt printer. Every job has a connection
// of its own: a printer that was away is there again for the next one.
type Thermal struct {
	noPictures
	options Options
	open    func(context.Context) (line, error)
	turn    chan struct{} // one job at a time
	pace    pace

	// oneWire says that all jobs go down the same wire: a printer that was left in
	// the middle of a raster takes the next job for its dots.
	oneWire   bool
	last      ending        // of the last job
	queueWait time.Duration // for a job in a queue

	mu    sync.Mutex
	state printing.State // as the last job found it
}

// ending is how a job ended.
type ending uint8

const (
	endedUnknown ending = iota // nobody has printed since the start, or not even asked: something may have broken off before
	endedWhole
	endedBroken
)

func newThermal(o Options, open func(context.Context) (line, error)) (*Thermal, error) {
	if o.Paper.Width < 1 {
		return nil, fmt.Errorf("paper of %d dots is no paper", o.Paper.Width)
	}
	return &Thermal{options: o, open: open, turn: make(chan struct{}, 1), pace: pace{silenceTimeout, answerTimeout}, state: printing.Unknown}, nil
}

// State is how the last job found the printer.
func (t *Thermal) State() printing.State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state
}

// Print streams the pages: rows are sent while the next are drawn.
func (t *Thermal) Print(ctx context.Context, job printing.Job) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Paper that has moved can't be refused any more.
	if err := job.Check(t.options.Paper); err != nil {
		return err
	}
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	reports, err := t.print(ctx, job)
	t.remember(reports, err)
	return err
}

func (t *Thermal) print(ctx context.Context, job printing.Job) (reports bool, err error) {
	started := time.Now()
	line, err := t.open(ctx)
	if err != nil {
		return false, failed(ctx, err)
	}
	o, err := t.options.reached(line)
	if err == nil && o.Paper != t.options.Paper {
		err = job.Check(o.Paper)
	}
	if err != nil {
		line.drop()
		return false, err
	}
	o = o.of(job.Kind)
	s := t.begin(ctx, line, o.Dialect, started)
	if err := t.greet(s); err != nil {
		line.drop()
		return s.reports, err
	}
	if err := t.copies(s, job, o); err != nil {
		line.drop() // what has not gone must not print later, after the caller was told
		return s.reports, err
	}
	if err := line.close(); err != nil {
		t.last = endedBroken
		return s.reports, failed(ctx, err)
	}
	return s.reports, nil
}

// failed is why a line could not be opened, or not be ended well: off-line, where nobody knows better.
func failed(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, printing.ErrPaperOut), errors.Is(err, printing.ErrCoverOpen), errors.Is(err, printing.ErrOffline):
		return err
	}
	return fmt.Errorf("%w: %w", printing.ErrOffline, err)
}

func (t *Thermal) begin(ctx context.Context, l line, d escpos.Dialect, started time.Time) *session {
	return &session{ctx: ctx, line: l, dialect: d, pace: t.pace, started: started, opened: time.Now(), alive: started}
}

// greet asks the printer how it is. Half a command that a broken job has left on the wire is made whole first: the question
// would count as its rest, and a raster be as high as that says.
func (t *Thermal) greet(s *session) error {
	if t.oneWire && t.last != endedWhole {
		if _, err := s.Write(make([]byte, escpos.HeaderBytes)); err != nil {
			return err
		}
	}
	if _, err := s.Write(s.dialect.Prelude); err != nil {
		return err
	}
	err := s.ready()
	if err != nil && t.last == endedWhole {
		t.last = endedUnknown // the question itself may have broken off
	}
	return err
}

func (t *Thermal) copies(s *session, job printing.Job, o Options) error {
	if err := t.separate(s, o); err != nil {
		return err
	}
	t.last = endedBroken
	if err := openDrawers(s, job, o); err != nil {
		return err
	}
	for range max(o.Copies, 1) {
		if err := sendPages(s, job, o); err != nil {
			return err
		}
		if err := s.confirm(); err != nil {
			return err
		}
	}
	if _, err := s.Write(o.Dialect.End); err != nil {
		return err
	}
	t.last = endedWhole
	return nil
}

// separate keeps what is left of a broken job out of the next one.
func (t *Thermal) separate(s *session, o Options) error {
	if t.last == endedWhole {
		return nil
	}
	if t.oneWire {
		// Zeros end a raster, and between commands printers pass over them.
		if _, err := s.Write(make([]byte, o.Dialect.BlockBytes(o.Paper.Width))); err != nil {
			return err
		}
		if !s.reports { // the question may have been taken for dots
			if err := s.ready(); err != nil {
				return err
			}
		}
	}
	if t.last == endedUnknown {
		return nil // mostly there is nothing to cut off
	}
	w := escpos.NewWriter(s, o.Dialect)
	if o.Cut {
		return w.CutPaper(false)
	}
	return w.Feed(o.Feed)
}

// remember keeps what a job found out.
func (t *Thermal) remember(reports bool, err error) {
	state := printing.Unknown
	for _, s := range []printing.State{printing.PaperOut, printing.CoverOpen, printing.Offline} {
		if errors.Is(err, s.Err()) {
			state = s
		}
	}
	if err == nil && reports {
		state = printing.OK
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state = state
}
