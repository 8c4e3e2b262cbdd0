package pix_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

var errDead = errors.New("the process is dead")

// death is a process that dies at its nth request: before it is sent, or before its answer is read.
type death struct {
	http.RoundTripper
	at     int64
	after  bool
	die    context.CancelFunc
	passed atomic.Int64
	dead   atomic.Bool
}

func (d *death) RoundTrip(r *http.Request) (*http.Response, error) {
	if d.dead.Load() {
		return nil, errDead
	}
	if d.passed.Add(1) != d.at {
		return d.RoundTripper.RoundTrip(r)
	}
	if d.after {
		if res, err := d.RoundTripper.RoundTrip(r); err == nil {
			res.Body.Close()
		}
	}
	d.dead.Store(true)
	d.die()
	return nil, errDead
}

// killedAt runs an operation in a process that dies at its nth request; false: it was over before that.
func (c *counter) killedAt(n int64, after bool, operation func(context.Context)) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	d := &death{at: n, after: after, die: cancel}
	c.reopenWith(func(t http.RoundTripper) http.RoundTripper { d.RoundTripper = t; return d })
	operation(ctx)
	c.reopen()
	return d.dead.Load()
}

// TestProcessDiesAtEveryStep kills the process at each request of a payment and of a reversal, then at each request of
// the settling, and settles with a fresh one. Whatever an operation that was cut short has returned is lost.
func TestProcessDiesAtEveryStep(t *testing.T) {
	for _, name := range []string{"payment", "cancellation", "reversal"} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", name, after), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					c := open(t, nil)
					deaths, id := 0, int64(0)
					for step := int64(1); ; step++ {
						alive := false
						for settleStep := int64(1); ; settleStep++ {
							id++
							tx, operate := c.scene(name, id)
							if alive = !c.killedAt(step, after, operate); !alive {
								deaths++
							}
							again := c.killedAt(settleStep, after, func(ctx context.Context) { _, _ = c.Settle(ctx, tx) })
							o := c.settle(tx)
							if name != "reversal" && o.Verdict != payment.Abandoned {
								t.Errorf("step %d: settled as %q", step, o.Verdict)
							}
							if !again {
								break
							}
							deaths++
						}
						if alive { // the whole operation passed, only its report was lost
							break
						}
					}
					t.Logf("%d deaths", deaths)
					if deaths < 10 {
						t.Error("hardly anybody died")
					}
				})
			})
		}
	}
}

// scene is an operation to be cut short.
func (c *counter) scene(name string, id int64) (payment.Transaction, func(context.Context)) {
	c.atCode = c.pays
	tx := attempt(id, "10")
	switch name {
	case "cancellation":
		c.atCode = cancels
	case "reversal":
		tx, paid := c.paid(id)
		back := giving(tx, paid, 1)
		return back, func(ctx context.Context) { _, _ = c.Reverse(ctx, c.charge(back)) }
	}
	return tx, func(ctx context.Context) { _, _ = c.Pay(ctx, c.charge(tx)) }
}
