package app

import (
	"context"
	"strings"

	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
)

// terminalPrinter is the printer of this terminal. It counts what is printed, and tells the screen when the printer's state
// is another after a job.
type terminalPrinter struct {
	printing.Printer
	meter   *meter
	changed func()
}

func (p terminalPrinter) Print(ctx context.Context, job printing.Job) error {
	before := p.State()
	err := p.Printer.Print(ctx, job)
	p.meter.print(job.Kind, err)
	if p.State() != before {
		p.changed()
	}
	return err
}

// openPrinter opens the printer that is set: a real one, the emulator's, or none.
func (s *service) openPrinter(e *emulated) (printing.Printer, error) {
	var p printing.Printer = printer.None{}
	name, o := s.settings.printer(), s.settings.config.Printer
	if address, err := printer.ParseAddress(name); err == nil {
		p, err = printer.Open(address, printer.Options{Paper: s.settings.paper(), Cut: !o.NoCut, Feed: o.Feed, Copies: o.Copies, Drawer: o.Drawer})
		if err != nil {
			return nil, err
		}
	} else if e != nil && strings.HasPrefix(name, virtualPrinter) {
		p = e.printer
	}
	return terminalPrinter{p, s.meter, s.Screen.Changed}, nil
}
