package printing

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/maquininha/maquininha/internal/operation"
)

// Waiting is a job that failed for a reason that somebody in the shop can end. Its caller was told so; only a person who asks
// for it prints it after that. The same once more takes its place: the caller has sent it again.
type Waiting struct {
	ID   uint64 // no other ever has the same
	Kind Kind
	Why  State // PaperOut, CoverOpen or Offline
}

// waiting is one that is kept.
type waiting struct {
	Waiting
	job Job
}

// These bound what waits: what failed first goes first. The newest stays whatever it takes.
const (
	maxWaiting      = 10
	maxWaitingBytes = 64 << 20
)

// ErrNotWaiting means that a job is not waiting any more.
var ErrNotWaiting = errors.New("no such job is waiting")

// Waiting returns the jobs that wait for a person, in the order in which they failed.
func (d *Desk) Waiting() []Waiting {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]Waiting, len(d.waiting))
	for i, w := range d.waiting {
		list[i] = w.Waiting
	}
	return list
}

// PrintWaiting prints the jobs that wait, up to that one, in their order. One that fails again waits on, with those behind it.
func (d *Desk) PrintWaiting(ctx context.Context, id uint64) error {
	return d.take(func() error {
		jobs := d.waitingUpTo(id)
		if len(jobs) == 0 {
			return ErrNotWaiting
		}
		for _, w := range jobs {
			if d.Again != nil {
				d.Again(w.job)
			}
			if err := d.put(ctx, w.job); err != nil {
				return err
			}
		}
		return nil
	})
}

// waitingUpTo returns the jobs that wait up to that one, none where it does not wait.
func (d *Desk) waitingUpTo(id uint64) []waiting {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.waiting[:d.behind(id)])
}

// behind is where the jobs begin that failed after that one.
func (d *Desk) behind(id uint64) int {
	return 1 + slices.IndexFunc(d.waiting, func(w waiting) bool { return w.ID == id })
}

// ForgetWaiting lets the jobs go that wait, up to that one; 0 is all.
func (d *Desk) ForgetWaiting(id uint64) {
	d.mu.Lock()
	n := d.behind(id)
	if id == 0 {
		n = len(d.waiting)
	}
	d.waiting = slices.Delete(d.waiting, 0, n)
	d.mu.Unlock()
	if n > 0 && d.Changed != nil {
		d.Changed()
	}
}

// keep keeps a job that failed for a person's attention, and lets it go when it has come out.
func (d *Desk) keep(job Job, err error) {
	if job.Kind == Drawer {
		return
	}
	var gone []waiting
	defer func() {
		for _, w := range gone {
			if d.Dropped != nil {
				d.Dropped(w.job)
			}
		}
	}()
	d.mu.Lock()
	defer d.mu.Unlock()
	same := slices.IndexFunc(d.waiting, func(w waiting) bool { return w.job.same(job) })
	if err == nil {
		if same >= 0 {
			d.waiting = slices.Delete(d.waiting, same, same+1)
		}
		return
	}
	for _, why := range []State{PaperOut, CoverOpen, Offline} {
		if errors.Is(err, why.Err()) {
			if same >= 0 {
				d.waiting[same].Why = why
				return
			}
			gone = d.makeRoom(job.held())
			d.waiting = append(d.waiting, waiting{Waiting{operation.NewID(), job.Kind, why}, job})
			return
		}
	}
}

// makeRoom lets go of what failed first until there is room for one more job, and returns what went.
func (d *Desk) makeRoom(bytes int) (gone []waiting) {
	for _, w := range d.waiting {
		bytes += w.job.held()
	}
	n := 0
	for ; n < len(d.waiting) && (len(d.waiting)-n >= maxWaiting || bytes > maxWaitingBytes); n++ {
		bytes -= d.waiting[n].job.held()
	}
	gone = slices.Clone(d.waiting[:n])
	d.waiting = slices.Delete(d.waiting, 0, n)
	return gone
}

// same tells whether two jobs put the same on paper.
func (j Job) same(other Job) bool {
	return j.Kind == other.Kind && reflect.DeepEqual(j.Pages, other.Pages)
}

// held is what the pictures of the job take, in bytes.
func (j Job) held() (bytes int) {
	for _, page := range j.Pages {
		bytes += page.Held()
	}
	return bytes
}
