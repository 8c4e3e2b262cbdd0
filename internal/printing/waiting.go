package printing

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/operation"
)

// Waiting is a job that failed for a reason that somebody in the shop can end. Its caller was told so; only a person who asks
// for it prints it after that, and any later print that succeeds takes its place: the caller has sent it again.
type Waiting struct {
	ID   uint64 // no other ever has the same
	Kind Kind
	Why  State // PaperOut, CoverOpen or Offline
}

// waiting is the one that is kept.
type waiting struct {
	Waiting
	job Job
}

// ErrNotWaiting means that a job is not waiting any more.
var ErrNotWaiting = errors.New("no such job is waiting")

// Waiting returns the job that waits for a person, if there is one.
func (d *Desk) Waiting() (Waiting, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting == nil {
		return Waiting{}, false
	}
	return d.waiting.Waiting, true
}

// PrintWaiting prints the job that waits. One that fails again waits on.
func (d *Desk) PrintWaiting(ctx context.Context, id uint64) error {
	d.mu.Lock()
	kept := d.waiting
	d.mu.Unlock()
	if kept == nil || kept.ID != id {
		return ErrNotWaiting
	}
	return d.print(ctx, kept.job, func() {
		if d.Again != nil {
			d.Again(kept.job)
		}
	})
}

// ForgetWaiting lets the job go that waits; 0 is any.
func (d *Desk) ForgetWaiting(id uint64) {
	d.mu.Lock()
	forgets := d.waiting != nil && (id == 0 || d.waiting.ID == id)
	if forgets {
		d.waiting = nil
	}
	d.mu.Unlock()
	if forgets && d.Changed != nil {
		d.Changed()
	}
}

// keep keeps a job that failed for a person's attention, and lets one go when another has come out.
func (d *Desk) keep(job Job, err error) {
	if job.Kind == Drawer {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.waiting = nil
		return
	}
	for _, why := range []State{PaperOut, CoverOpen, Offline} {
		if errors.Is(err, why.Err()) {
			d.waiting = &waiting{Waiting{operation.NewID(), job.Kind, why}, job}
			return
		}
	}
}
