package remote

import (
	"cmp"
	"time"
)

// Pace is how fast a driver asks, and for how long. Zero values are the house's own.
type Pace struct {
	Poll        time.Duration // 1 s between looks at a payment …
	PollSlow    time.Duration // … 2 s once Hasty is over
	Hasty       time.Duration // 1 min
	Backoff     time.Duration // 250 ms before the first repetition, then twice as long each time
	MaxBackoff  time.Duration // 5 s; who wants a longer pause is not asked again
	Grace       time.Duration // 1 min after its expiry a payment that is not over is left to the recovery
	Patience    time.Duration // 30 s for a refund to be made, then Settle follows it
	RefundPause time.Duration // 1 min before an undoing that was not made is tried anew
	// Landing is how long what a process that died has asked for may take to arrive: only then does its absence mean that it
	// was never made. 10 s.
	Landing time.Duration
}

// Complete fills in what was left out.
func (p Pace) Complete() Pace {
	p.Poll = cmp.Or(p.Poll, time.Second)
	p.PollSlow = cmp.Or(p.PollSlow, 2*time.Second)
	p.Hasty = cmp.Or(p.Hasty, time.Minute)
	p.Backoff = cmp.Or(p.Backoff, 250*time.Millisecond)
	p.MaxBackoff = cmp.Or(p.MaxBackoff, 5*time.Second)
	p.Grace = cmp.Or(p.Grace, time.Minute)
	p.Patience = cmp.Or(p.Patience, 30*time.Second)
	p.RefundPause = cmp.Or(p.RefundPause, time.Minute)
	p.Landing = cmp.Or(p.Landing, 10*time.Second)
	return p
}

// Polling is how often a payment is looked at.
func (p Pace) Polling() Poll {
	return Poll{Fast: p.Poll, Slow: p.PollSlow, Haste: p.Hasty, MostWait: p.MaxBackoff}
}

// Repeating is how long to wait between repetitions.
func (p Pace) Repeating() Backoff { return Backoff{First: p.Backoff, Most: p.MaxBackoff} }
