package printing_test

import (
	"context"
	"errors"
	"image"
	"slices"
	"strconv"
	"testing"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// counter is a desk with a printer that fails as told, and what its callers see of the jobs that wait.
type counter struct {
	t       *testing.T
	gate    *operation.Gate
	desk    *printing.Desk
	fails   error
	printed []printing.Job
	changes int
	again   []string
	dropped []string
}

func newCounter(t *testing.T) *counter {
	c := &counter{t: t, gate: &operation.Gate{}}
	c.desk = printing.NewDesk(c.gate, recorder{&c.fails, &c.printed})
	c.desk.Changed = func() { c.changes++ }
	c.desk.Again = func(j printing.Job) { c.again = append(c.again, j.Name) }
	c.desk.Dropped = func(j printing.Job) { c.dropped = append(c.dropped, j.Name) }
	t.Cleanup(c.desk.Close)
	return c
}

// job is one that is told from others by what it says.
func job(name string) printing.Job {
	j := printing.OnePage(printing.Text, receipt.Page{Elements: []receipt.Element{receipt.Text{Value: name}}})
	j.Name = name
	return j
}

// prints has jobs printed while the printer is so.
func (c *counter) prints(how error, jobs ...printing.Job) {
	c.t.Helper()
	c.fails = how
	for _, j := range jobs {
		if err := c.desk.Print(c.t.Context(), j); !errors.Is(err, how) {
			c.t.Fatalf("printing %s: %v", j.Name, err)
		}
	}
}

// last is the newest of so many that wait.
func (c *counter) last(count int) (last printing.Waiting) {
	c.t.Helper()
	all := c.desk.Waiting()
	if len(all) != count {
		c.t.Fatalf("%+v wait, not %d", all, count)
	}
	if count > 0 {
		last = all[count-1]
	}
	return last
}

func names(jobs []printing.Job) (names []string) {
	for _, j := range jobs {
		names = append(names, j.Name)
	}
	return names
}

// A job that fails for want of paper waits, and only a person's wish prints it, or the caller's who sends it once more.
func TestJobWaitsForAPerson(t *testing.T) {
	c := newCounter(t)
	coupon := job("NFC-e 1")
	coupon.Kind = printing.XML
	c.prints(errors.New("the cable is cut"), coupon)
	c.last(0) // nobody in the shop knows what to do
	c.prints(printing.ErrPaperOut, printing.Job{Kind: printing.Drawer}, coupon)
	w := c.last(1)
	if w.Kind != printing.XML || w.Why != printing.PaperOut {
		t.Errorf("%+v waits", w)
	}
	c.fails = printing.ErrCoverOpen
	if err := c.desk.PrintWaiting(t.Context(), w.ID); !errors.Is(err, printing.ErrCoverOpen) || len(c.again) != 1 {
		t.Errorf("printed again without paper: %v, told of %v", err, c.again)
	}
	if now := c.last(1); now.ID != w.ID || now.Why != printing.CoverOpen {
		t.Errorf("%+v waits on", now)
	}
	if err := c.desk.PrintWaiting(t.Context(), w.ID+1000); err != printing.ErrNotWaiting {
		t.Errorf("a job that never was: %v", err)
	}
	c.fails = nil
	leave, err := c.gate.Enter()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.desk.PrintWaiting(t.Context(), w.ID); err != operation.ErrBusy || len(c.again) != 1 {
		t.Errorf("while busy: %v, told of %v", err, c.again)
	}
	leave()
	if err := c.desk.PrintWaiting(t.Context(), w.ID); err != nil || len(c.printed) != 1 || c.printed[0].Name != "NFC-e 1" {
		t.Errorf("printed %v: %v", names(c.printed), err)
	}
	c.last(0)
}

// All that failed wait: a touch prints them in their order, and one that comes out by itself is only its own.
func TestJobsWaitInOrder(t *testing.T) {
	c := newCounter(t)
	c.prints(printing.ErrOffline, job("a"), job("b"), job("c"))
	first := c.last(3)
	c.prints(printing.ErrPaperOut, job("b")) // the caller tries again, in vain
	if c.last(3) != first || c.desk.Waiting()[1].Why != printing.PaperOut {
		t.Errorf("%+v wait", c.desk.Waiting())
	}
	c.prints(nil, printing.Job{Kind: printing.Drawer}, job("b"), job("z"))
	c.last(2)
	c.prints(printing.ErrPaperOut, job("d"))
	c.fails, c.printed = nil, nil
	if err := c.desk.PrintWaiting(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if got := names(c.printed); !slices.Equal(got, []string{"a", "c"}) || !slices.Equal(c.again, got) {
		t.Errorf("printed %v, told of %v", got, c.again)
	}
	c.last(1) // it failed after what the person saw

	c.prints(printing.ErrPaperOut, job("e"), job("f"))
	before := c.changes
	c.desk.ForgetWaiting(first.ID)
	c.last(3)
	c.desk.ForgetWaiting(c.desk.Waiting()[1].ID)
	c.last(1)
	c.desk.ForgetWaiting(0)
	c.last(0)
	if c.desk.ForgetWaiting(0); c.changes != before+2 {
		t.Errorf("told of %d changes", c.changes-before)
	}
}

// A printer without paper for a day must not fill the memory: what failed first goes, and the log knows of it.
func TestSoManyJobsWait(t *testing.T) {
	c := newCounter(t)
	for i := range 12 {
		c.prints(printing.ErrPaperOut, job(strconv.Itoa(i)))
	}
	if c.last(10); !slices.Equal(c.dropped, []string{"0", "1"}) {
		t.Errorf("dropped %v", c.dropped)
	}
	large := func(name string) printing.Job {
		j := job(name)
		j.Pages[0].Add(receipt.Image{Picture: image.NewGray(image.Rect(0, 0, 5000, 8000))})
		return j
	}
	c.dropped = nil
	c.prints(printing.ErrPaperOut, large("large"))
	if c.last(10); !slices.Equal(c.dropped, []string{"2"}) {
		t.Errorf("dropped %v", c.dropped)
	}
	c.prints(printing.ErrPaperOut, large("larger"))
	if c.last(1); len(c.dropped) != 11 {
		t.Errorf("dropped %v", c.dropped)
	}
}

// recorder prints into a list, unless it fails.
type recorder struct {
	fails   *error
	printed *[]printing.Job
}

func (r recorder) Print(_ context.Context, job printing.Job) error {
	if *r.fails == nil && job.Kind != printing.Drawer {
		*r.printed = append(*r.printed, job)
	}
	return *r.fails
}
func (recorder) State() printing.State       { return printing.Unknown }
func (recorder) Jobs() []printing.Printed    { return nil }
func (recorder) Picture(int) ([]byte, error) { return nil, printing.ErrNoJob }

// A test page that failed does not wait for paper as a coupon does, and is refused while something else has the terminal.
func TestATestPageDoesNotWait(t *testing.T) {
	c := newCounter(t)
	c.fails = printing.ErrPaperOut
	if err := c.desk.Try(t.Context(), job("teste")); !errors.Is(err, printing.ErrPaperOut) || len(c.desk.Waiting()) != 0 {
		t.Errorf("%v, %d wait", err, len(c.desk.Waiting()))
	}
	c.fails = nil
	if err := c.desk.Try(t.Context(), job("teste")); err != nil || len(c.printed) != 1 {
		t.Errorf("%v, %d printed", err, len(c.printed))
	}
	leave, err := c.gate.Enter()
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if err := c.desk.Try(t.Context(), job("teste")); !errors.Is(err, operation.ErrBusy) {
		t.Errorf("while the terminal is taken: %v", err)
	}
}
