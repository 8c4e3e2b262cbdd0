package pixsim

import (
	"math/rand/v2"
	"slices"
	"time"
)

// Chaos has a share of the calls, refunds and customers misbehave. The same seed and the same requests give the same
// misbehaviour.
type Chaos struct {
	Share float64 // 0 to 1
	Seed  uint64
	Kinds []Misdeed // none: all but PaidLate, money that comes when its payment is over, and goes back later
}

const chaosDelay = 500 * time.Millisecond // of what is slow by chance

type chance struct {
	Chaos
	dice *rand.Rand
}

func (c Chaos) roll() *chance {
	if c.Kinds == nil {
		c.Kinds = slices.DeleteFunc(Misdeeds(), func(m Misdeed) bool { return m == PaidLate })
	}
	return &chance{c, rand.New(rand.NewPCG(c.Seed, 0))}
}

// take is a misbehaviour of one of the kinds that fits the call. Who asks for a token is left in peace: without one
// nothing could go wrong.
func (c *chance) take(call Call, kinds []Misdeed) (Misbehaviour, bool) {
	if c == nil || call == OnToken || c.dice.Float64() >= c.Share {
		return Misbehaviour{}, false
	}
	var fit []Misdeed
	for _, k := range c.Kinds {
		if on := k.only(); slices.Contains(kinds, k) && (on == OnAny || on == call) {
			fit = append(fit, k)
		}
	}
	if len(fit) == 0 {
		return Misbehaviour{}, false
	}
	return Misbehaviour{Kind: fit[c.dice.IntN(len(fit))], On: call, Times: 1, Delay: chaosDelay}, true
}
