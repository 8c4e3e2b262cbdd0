package powerloss

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"
)

var (
	trials    = flag.Int("powerloss.trials", 0, "how many `times` each power loss test tries; 0: a few")
	firstSeed = flag.Uint64("powerloss.seed", 0, "the `seed` of the first trial; 0: any")
)

// Tally is what came of some trials.
type Tally struct {
	Cuts   int
	Losing int // in which something was lost that had not been synced
}

// Restore is the disk's, counted.
func (c *Tally) Restore(d *Disk, seed uint64) error {
	lost, err := d.Restore(seed)
	c.Cuts++
	if lost > 0 {
		c.Losing++
	}
	return err
}

// Trials runs a trial with one seed after another, a few times or as often as -powerloss.trials says, until one
// fails. All that a trial does by chance should come from its seed.
func Trials(t *testing.T, few int, trial func(t *testing.T, seed uint64, tally *Tally)) {
	t.Helper()
	n, seed := *trials, *firstSeed
	if n == 0 {
		n = few
	}
	if seed == 0 {
		seed = rand.Uint64()
	}
	var tally Tally
	defer func() {
		if t.Failed() {
			t.Logf("again with -powerloss.seed=%d", seed)
		}
	}()
	start := time.Now()
	for range n {
		if trial(t, seed, &tally); t.Failed() {
			return
		}
		seed++
	}
	t.Logf("%d trials, power cut %d times, something unsynced lost in %d; %.0f cuts a second",
		n, tally.Cuts, tally.Losing, float64(tally.Cuts)/time.Since(start).Seconds())
	if tally.Losing == 0 && n >= few { // one alone, run again, may have nothing to lose
		t.Error("nothing was ever lost: nothing was tested")
	}
}
