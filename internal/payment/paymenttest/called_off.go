package paymenttest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

// caller is one who calls off what is asked for a reference, once the time has come.
type caller struct {
	reference string

	mu     sync.Mutex
	desk   *payment.Desk
	prompt int // to be shown before; 0: not by prompts
	came   bool
	err    error
}

// callOff makes the wish, and says it twice.
func (c *caller) callOff() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.came {
		return
	}
	c.came = true
	if err := c.desk.Cancel(operation.Wish{Reference: "of the last customer"}); !errors.Is(err, operation.ErrOther) && !errors.Is(err, operation.ErrNone) {
		c.err = fmt.Errorf("a wish for another's operation: %w", err)
		return
	}
	c.err = c.desk.Cancel(operation.Wish{Reference: c.reference})
	if again := c.desk.Cancel(operation.Wish{Reference: c.reference}); c.err == nil && again != nil && !errors.Is(again, operation.ErrNone) {
		c.err = fmt.Errorf("the same wish again: %w", again)
	}
}

// sees is the caller looking at what is shown. True: it has just called it off, and nobody does anything about it any more.
func (c *caller) sees() bool {
	c.mu.Lock()
	c.prompt--
	now := c.prompt == 0
	c.mu.Unlock()
	if !now {
		return false
	}
	c.callOff()
	return c.said() == nil
}

func (c *caller) said() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// callOffAtEachStep has the caller call the scene off at every step that it takes, at every prompt that it shows, and at
// moments between.
func (m *terminal) callOffAtEachStep(scene Scene) {
	inTime, late := 0, 0
	count := func(wished, calledOff bool) bool {
		switch {
		case calledOff:
			inTime++
		case wished:
			late++
		}
		return wished && !m.t.Failed()
	}
	for n := 1; count(m.calledOff(scene, fmt.Sprint("at step ", n), func(c *caller) (stop func()) {
		m.process.interruptAfter(n, c.callOff)
		return func() { m.process.interruptAfter(-1, nil) }
	})); n++ {
	}
	for n := 1; count(m.calledOff(scene, fmt.Sprint("at prompt ", n), func(c *caller) (stop func()) {
		c.prompt = n
		return func() {}
	})); n++ {
	}
	// What takes no time in the bubble is over by then.
	for n := 1; n <= 30 && count(m.calledOff(scene, fmt.Sprint("at moment ", n), func(c *caller) (stop func()) {
		timer := time.AfterFunc(time.Duration(n)*130*time.Millisecond, c.callOff)
		return func() { timer.Stop() }
	})); n++ {
	}
	m.t.Logf("%d called off, %d too late", inTime, late)
	if inTime == 0 || late == 0 {
		m.t.Error("the wishes came all in time, or all too late")
	}
	m.stop()
	m.start(-1)
	m.settled()
	m.compare()
}

// calledOff plays a scene that is called off when the caller's time has come, if that comes before the end.
func (m *terminal) calledOff(scene Scene, when string, arm func(*caller) (stop func())) (wished, calledOff bool) {
	reference := "called off " + when
	if scene.Kind == payment.Refund {
		m.must(paying, reference, payment.Approved)
	}
	c := &caller{reference: reference, desk: m.desk}
	m.setCaller(c)
	stop := arm(c)
	a := m.operate(scene, reference)
	stop()
	m.setCaller(nil)
	c.mu.Lock()
	wished = c.came
	c.mu.Unlock()

	end, off := m.fixture.end(m.t, scene).Final, payment.Cancelled
	if scene.Kind == payment.Refund {
		off = payment.Approved // the payment stays
	}
	may := []payment.Status{end}
	err := c.said()
	switch {
	case !wished, errors.Is(err, operation.ErrCommitted), errors.Is(err, operation.ErrNone):
	case err == nil:
		may = append(may, off) // it is a wish: what had happened by then stands
	default:
		m.t.Errorf("%s: the wish was answered %v", when, err)
	}
	if !a.ended || a.err != nil || !slices.Contains(may, a.status) {
		m.t.Errorf("%s: answered %q, %v, ended %v; want one of %q", when, a.status, a.err, a.ended, may)
	}
	m.settled()
	if got := m.stands(scene, reference); got != a.status {
		m.t.Errorf("%s: the caller was told %q, and finds %q", when, a.status, got)
	}
	m.compare()
	m.retry(scene, reference)
	return wished, a.status == off && off != end
}

func (m *terminal) setCaller(c *caller) {
	m.mu.Lock()
	m.caller = c
	m.mu.Unlock()
}
