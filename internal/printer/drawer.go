package printer

import (
	"io"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printing"
)

// drawersOf are the cash drawers that the job opens: its own, and the one that every print opens.
func drawersOf(job printing.Job, o Options) []int {
	if o.Drawer && !slices.Contains(job.Drawers, 1) {
		return append([]int{1}, job.Drawers...)
	}
	return job.Drawers
}

// wired is the printer's own number of a drawer. With the first at pin 5 they change places, unless the printer has only one.
func (o Options) wired(drawer int) int {
	if o.DrawerPin == 5 && o.Dialect.Drawers[1] != nil {
		return 3 - drawer
	}
	return drawer
}

// openDrawers writes what opens the drawers of a job.
func openDrawers(out io.Writer, job printing.Job, o Options) error {
	drawers := drawersOf(job, o)
	if len(drawers) == 0 {
		return nil
	}
	w := escpos.NewWriter(out, o.Dialect)
	if err := w.Begin(); err != nil {
		return err
	}
	for _, drawer := range drawers {
		if err := w.KickDrawer(o.wired(drawer)); err != nil {
			return err
		}
	}
	return nil
}

// Drawers are how the cash drawers at the virtual printer are. They are closed at each start.
func (v *Virtual) Drawers() []printing.CashDrawer {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.drawers[:])
}

// openDrawers opens drawers. One that is open already is opened once more, as its motor would.
func (v *Virtual) openDrawers(numbers []int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.drawers {
		if d := &v.drawers[i]; slices.Contains(numbers, d.N) {
			d.Open, d.OpenedAt = true, time.Now()
			d.Openings++
		}
	}
}

// CloseDrawers closes them, which no printer can: somebody pushed them in.
func (v *Virtual) CloseDrawers() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.drawers {
		v.drawers[i].Open = false
	}
}

// ForgetDrawers has them as if they had never been opened.
func (v *Virtual) ForgetDrawers() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.drawers = newDrawers
}

var newDrawers = [2]printing.CashDrawer{{N: 1}, {N: 2}}
