// Package printer holds the ways to paper: drivers of the printing.Printer port.
package printer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// kept is how many jobs a virtual printer keeps.
const kept = 200

// Virtual is a printer whose paper is pictures in a folder, one file a paper. The
// file's name says what the job was, so nothing else need be stored and the
// folder may be looked at, copied or emptied by hand.
type Virtual struct {
	// Plan, if set before the printer is used, is asked before each job how the printer is from then on; empty: as it was.
	Plan func() printing.State
	// Drawer, if set before the printer is used, is Options.Drawer.
	Drawer bool

	dir   string
	paper receipt.Paper

	mu    sync.Mutex
	state printing.State
	last  int                // the number given last
	jobs  []printing.Printed // oldest first

	drawers [2]printing.CashDrawer
}

// NewVirtual opens a virtual printer with a roll of paper. The jobs that the
// folder holds are still there and numbers go on after them.
func NewVirtual(dir string, paper receipt.Paper) (*Virtual, error) {
	if paper.Width < 1 {
		return nil, fmt.Errorf("paper of %d dots is no paper", paper.Width)
	}
	// Coupons name customers: nobody else on the machine may read them.
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the virtual printer's folder: %w", err)
	}
	jobs, err := readFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the virtual printer's folder: %w", err)
	}
	v := &Virtual{dir: dir, paper: paper, state: printing.OK, jobs: jobs, drawers: newDrawers}
	if len(jobs) > 0 {
		v.last = jobs[len(jobs)-1].N
	}
	v.prune()
	return v, nil
}

// State is how the printer says it is.
func (v *Virtual) State() printing.State {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.state
}

// SetState makes the printer run out of paper, and so on. It must be Valid.
func (v *Virtual) SetState(s printing.State) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.state = s
}

// Print keeps each page as a picture: all of them or none.
func (v *Virtual) Print(ctx context.Context, job printing.Job) error {
	if v.Plan != nil {
		if state := v.Plan(); state != "" {
			v.SetState(state)
		}
	}
	if err := v.State().Err(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := job.Check(v.paper); err != nil {
		return err
	}
	var papers []picture
	for _, page := range job.Pages {
		p, err := v.draw(page, job.Kind)
		if err != nil {
			return err
		}
		defer os.Remove(p.temporary) // gone already when all went well
		papers = append(papers, p)
	}
	if err := v.keep(ctx, papers); err != nil {
		return err
	}
	v.openDrawers(drawersOf(job, Options{Drawer: v.Drawer}.of(job.Kind)))
	return nil
}

// picture is a paper that has no number yet.
type picture struct {
	temporary string // the file
	printing.Printed
}

func (v *Virtual) draw(page receipt.Page, kind printing.Kind) (picture, error) {
	paper, err := page.Raster(v.paper)
	if err != nil {
		return picture{}, err
	}
	if paper.Height == 0 {
		paper = receipt.NewBitmap(v.paper.Width, 1) // there is no picture without height
	}
	temporary, err := writePicture(v.dir, paper)
	if err != nil {
		return picture{}, fmt.Errorf("keeping the print: %w", err)
	}
	return picture{temporary, printing.Printed{
		Kind: kind, CreatedAt: time.Now().UTC().Truncate(time.Millisecond), Width: paper.Width, Height: paper.Height,
	}}, nil
}

// keep gives finished pictures their numbers, unless the printer broke meanwhile.
func (v *Virtual) keep(ctx context.Context, papers []picture) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := errors.Join(ctx.Err(), v.state.Err()); err != nil {
		return err
	}
	var done []printing.Printed
	for i, p := range papers {
		p.N = v.last + 1 + i
		if err := os.Rename(p.temporary, filepath.Join(v.dir, fileName(p.Printed))); err != nil {
			for _, other := range done {
				_ = os.Remove(filepath.Join(v.dir, fileName(other)))
			}
			return fmt.Errorf("keeping the print: %w", err)
		}
		done = append(done, p.Printed)
	}
	v.last += len(done)
	v.jobs = append(v.jobs, done...)
	v.prune()
	return nil
}

// prune throws the oldest jobs away. One that can't be removed is forgotten all
// the same and tried again at the next start.
func (v *Virtual) prune() {
	for len(v.jobs) > kept {
		_ = os.Remove(filepath.Join(v.dir, fileName(v.jobs[0])))
		v.jobs = v.jobs[1:]
	}
}

// Jobs are the jobs kept, newest first.
func (v *Virtual) Jobs() []printing.Printed {
	v.mu.Lock()
	defer v.mu.Unlock()
	jobs := slices.Clone(v.jobs)
	slices.Reverse(jobs)
	return jobs
}

// Picture is job n's paper as PNG; printing.ErrNoJob when it is not kept.
func (v *Virtual) Picture(n int) ([]byte, error) {
	name, ok := v.find(n)
	if !ok {
		return nil, printing.ErrNoJob
	}
	data, err := os.ReadFile(filepath.Join(v.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, printing.ErrNoJob // somebody emptied the folder
	}
	if err != nil {
		return nil, fmt.Errorf("reading print job %d: %w", n, err)
	}
	return data, nil
}

func (v *Virtual) find(n int) (name string, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	i := slices.IndexFunc(v.jobs, func(j printing.Printed) bool { return j.N == n })
	if i < 0 {
		return "", false
	}
	return fileName(v.jobs[i]), true
}
