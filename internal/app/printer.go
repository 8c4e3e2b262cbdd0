package app

import (
	"context"
	"io"
	"strings"

	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/story"
)

// terminalPrinter is the printer of this terminal. It counts what is printed, tells the log, and the screen too when the
// printer's state is another after a job.
type terminalPrinter struct {
	printing.Printer
	meter   *meter
	story   *story.Teller
	changed func()
}

func (p terminalPrinter) Print(ctx context.Context, job printing.Job) error {
	before, ended := p.State(), p.story.Printing(ctx, job)
	err := p.Printer.Print(ctx, job)
	if job.Kind != printing.Drawer {
		p.meter.print(job.Kind, err)
	}
	ended(err)
	now := p.State()
	p.story.Printer(now)
	if now != before {
		p.changed()
	}
	return err
}

// openPrinter opens the printer that is set: a real one, the emulator's, or none.
func (s *service) openPrinter(e *emulated) (printing.Printer, error) {
	var p printing.Printer = printer.None{}
	name, o := s.settings.printer(), s.settings.config.Printer
	if address, err := printer.ParseAddress(name); err == nil {
		p, err = printer.Open(address, printer.Options{Paper: s.settings.paper(), AnyPaper: s.settings.anyPaper(), Dialect: s.settings.model().Dialect, Cut: !o.NoCut, Feed: o.Feed, Copies: o.Copies, Drawer: o.Drawer, DrawerPin: o.DrawerPin})
		if err != nil {
			return nil, err
		}
	} else if e != nil && strings.HasPrefix(name, virtualPrinter) {
		p = e.printer
	}
	return terminalPrinter{p, s.meter, s.Story, s.Screen.Changed}, nil
}

// escpos writes what the terminal's printer would be sent for a job, if it had such paper: one copy, cut and fed as set.
func (s *settings) escpos(out io.Writer, job printing.Job, paper receipt.Paper) error {
	o := s.config.Printer
	return printer.Write(out, job, printer.Options{Paper: paper, Dialect: s.model().Dialect, Cut: !o.NoCut, Feed: o.Feed, DrawerPin: o.DrawerPin})
}
