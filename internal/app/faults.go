//go:build faults

package app

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// A build with these in it is for the crash campaigns alone.
const (
	// crashAt is a point of the ledger, as "after sent 2" or "before reversal acknowledged": the process is killed there. At "start" it is before it serves anybody.
	crashAt = "MAQUININHA_CRASH_AT"
	// ledgerLoses is a step that is never written, to see that the campaign finds out.
	ledgerLoses = "MAQUININHA_LEDGER_LOSES"
	// hubPause is how long the terminal waits at most before it dials its hub again: links are cut more often than in any shop.
	hubPause = "MAQUININHA_HUB_PAUSE"
	// landingTime is how long what a killed terminal has asked ControlPay for may take to arrive: on one machine it comes at once, and
	// nothing is sold meanwhile.
	landingTime = "MAQUININHA_LANDING"
)

// longestHubPause is the product's own where the environment says nothing; landing too.
func longestHubPause() time.Duration { return told(hubPause) }

func landing() time.Duration { return told(landingTime) }

func told(variable string) time.Duration {
	d, _ := time.ParseDuration(os.Getenv(variable)) // 0: it says nothing
	return d
}

// crashing is a ledger that ends the process at one of its points, as a power cut would.
type crashing struct {
	payment.Ledger
	before bool
	step   string
	loses  string

	mu   sync.Mutex
	left int // until the point counts
}

// faulty is the ledger with the fault that the environment asks for.
func faulty(l payment.Ledger) payment.Ledger {
	c := &crashing{Ledger: l, loses: os.Getenv(ledgerLoses), left: 1}
	words := strings.Fields(os.Getenv(crashAt))
	if slices.Equal(words, []string{"start"}) {
		die()
	}
	if len(words) > 1 {
		c.before, words = words[0] == "before", words[1:]
		if n, err := strconv.Atoi(words[len(words)-1]); err == nil {
			c.left, words = n, words[:len(words)-1]
		}
		c.step = strings.Join(words, " ")
	}
	return c
}

// Begin keeps a new attempt, or dies.
func (c *crashing) Begin(t payment.Transaction) (id int64, err error) {
	return id, c.through(string(t.State), func() error {
		id, err = c.Ledger.Begin(t)
		return err
	})
}

// Append keeps a step, or dies.
func (c *crashing) Append(t payment.Transaction, note string) error {
	was, err := c.Get(t.ID)
	if err != nil {
		return err
	}
	step := string(t.State)
	if t.State == was.State {
		step = "acknowledged"
	}
	if len(t.Reversals) > 0 {
		step = "reversal " + step
	}
	return c.through(step, func() error { return c.Ledger.Append(t, note) })
}

func (c *crashing) through(step string, write func() error) error {
	here := c.reached(step)
	if here && c.before {
		die()
	}
	if step == c.loses {
		return nil
	}
	err := write()
	if here {
		die()
	}
	return err
}

func (c *crashing) reached(step string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if step != c.step {
		return false
	}
	c.left--
	return c.left == 0
}

// die leaves no time for anything.
func die() {
	killSelf()
	select {}
}
