package records

import (
	"cmp"
	"slices"
	"time"
)

// Life is what one epoch knows of a payment. After older data were put back a payment may have several: the one that was lost, as far as
// it was read, and the one that goes on without knowing of it.
type Life struct {
	Epoch   string
	Status  string
	Updated time.Time // when its newest step was made
	Steps   []Step    // all that led there, those that it shares with other epochs too
}

// Standing is the life that a payment is shown and counted by; the one that was read last comes first. One that goes on where another
// ended replaces it. Of two that parted, what moved money has happened whether the other one knows of it or not: an approval gives way to
// a reversal only. Else the newer one stands.
func Standing(lives []Life) Life {
	stands := lives[0]
	for _, l := range lives[1:] {
		if !stands.replaces(l) && (l.replaces(stands) || l.outweighs(stands)) {
			stands = l
		}
	}
	return stands
}

// replaces tells of a life that has the other's newest step among its own. A line is read with its payment as that stands by then, so
// that the other may be ahead of its newest step: who takes an approval back must have had it.
func (l Life) replaces(other Life) bool {
	if l.money() < other.money() && !slices.ContainsFunc(l.Steps, func(s Step) bool { return s.State == approved }) {
		return false
	}
	return slices.ContainsFunc(l.Steps, func(s Step) bool { return s.At.Equal(other.Updated) })
}

func (l Life) outweighs(other Life) bool {
	return cmp.Or(l.money()-other.money(), l.Updated.Compare(other.Updated)) > 0
}

// money is how much a status says about it.
func (l Life) money() int { return slices.Index([]string{approved, reversed}, l.Status) }
