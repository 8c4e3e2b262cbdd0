package printer

import (
	"io"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// Write writes what a printer would be sent for a job.
func Write(out io.Writer, job printing.Job, o Options) error {
	if err := job.Check(o.Paper); err != nil {
		return err
	}
	o = o.of(job.Kind)
	if _, err := out.Write(o.Dialect.Prelude); err != nil {
		return err
	}
	if err := openDrawers(out, job, o); err != nil {
		return err
	}
	for range max(o.Copies, 1) {
		if err := sendPages(out, job, o); err != nil {
			return err
		}
	}
	_, err := out.Write(o.Dialect.End)
	return err
}

// sendPages writes one copy of all pages.
func sendPages(out io.Writer, job printing.Job, o Options) error {
	for _, page := range job.Pages {
		if err := send(out, page, o); err != nil {
			return err
		}
	}
	return nil
}

// send writes one copy of a page.
func send(out io.Writer, page receipt.Page, o Options) error {
	w := escpos.NewWriter(out, o.Dialect)
	if err := w.Begin(); err != nil {
		return err
	}
	for band := range page.Bands(o.Paper) {
		if err := w.Band(band); err != nil {
			return err
		}
	}
	if err := w.Feed(o.Feed); err != nil {
		return err
	}
	if !o.Cut {
		return nil
	}
	return w.CutPaper(page.FullCut)
}
