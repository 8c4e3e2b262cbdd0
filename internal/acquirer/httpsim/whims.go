package httpsim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Call is a call that can be misbehaved on.
type Call string

// OnAny is all but the one that is spared.
const OnAny Call = ""

// Misbehaviour is what will go wrong the next times.
type Misbehaviour struct {
	Kind  Misdeed
	On    Call
	Times int
	Delay time.Duration
}

// Own is a misdeed that only one simulator knows.
type Own struct {
	Kind    Misdeed
	Meaning string // in Portuguese
	Only    Call   // at which alone it can happen; OnAny: at all of them
	Rare    bool   // chance does not choose it by itself
}

// Repertoire is all that a simulator can do wrong.
type Repertoire struct {
	Own    []Own
	Calls  []Call // of the API, and the people's own
	Spared Call   // is left in peace unless it is named: without it nothing could go wrong
	People Call   // no call of the API, but somebody at the counter
}

// Misdeeds are all the ways to misbehave.
func (r Repertoire) Misdeeds() []Misdeed {
	all := slices.Clone(Everywhere)
	for _, o := range r.Own {
		all = append(all, o.Kind)
	}
	return all
}

func (r Repertoire) own(m Misdeed) (Own, bool) {
	i := slices.IndexFunc(r.Own, func(o Own) bool { return o.Kind == m })
	if i < 0 {
		return Own{}, false
	}
	return r.Own[i], true
}

// Meaning says in Portuguese what goes wrong; empty: this is none of them.
func (r Repertoire) Meaning(m Misdeed) string {
	if o, ok := r.own(m); ok {
		return o.Meaning
	}
	return meanings[m]
}

func (r Repertoire) only(m Misdeed) Call {
	o, _ := r.own(m)
	return o.Only
}

// Chaos has a share of the calls and people misbehave. The same seed and the same requests give the same misbehaviour.
type Chaos struct {
	Share float64 // 0 to 1
	Seed  uint64
	Kinds []Misdeed // none: all but the rare
}

const chaosDelay = 500 * time.Millisecond // of what is slow by chance

// Whims are what goes wrong next: what was asked for first, then what chance says.
type Whims struct {
	repertoire Repertoire
	chaos      Chaos

	mu    sync.Mutex
	dice  *rand.Rand
	queue []Misbehaviour
}

// NewWhims has nothing asked for yet.
func NewWhims(r Repertoire, c Chaos) *Whims {
	if c.Kinds == nil {
		c.Kinds = slices.DeleteFunc(r.Misdeeds(), func(m Misdeed) bool { o, _ := r.own(m); return o.Rare })
	}
	return &Whims{repertoire: r, chaos: c, dice: rand.New(rand.NewPCG(c.Seed, 0))}
}

// Next has something go wrong. Those asked for earlier come first.
func (w *Whims) Next(m Misbehaviour) error {
	r := w.repertoire
	switch only := r.only(m.Kind); {
	case r.Meaning(m.Kind) == "":
		return fmt.Errorf("misbehaviour %q não existe; há %v", m.Kind, r.Misdeeds())
	case m.On != OnAny && !slices.Contains(r.Calls, m.On) || only == OnAny && m.On == r.People && m.On != OnAny:
		return fmt.Errorf("on %q não existe ou não serve aqui; há %v", m.On, r.Calls)
	case m.Times < 1 || m.Delay < 0:
		return errors.New("times deve ser ao menos 1, e ms não pode ser negativo")
	case only != OnAny:
		m.On = only
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = append(w.queue, m)
	return nil
}

// Behave forgets every misbehaviour asked for.
func (w *Whims) Behave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = nil
}

// Take is the next misbehaviour of one of these kinds for the call.
func (w *Whims) Take(call Call, kinds []Misdeed) (Misbehaviour, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.queue {
		m := &w.queue[i]
		if !slices.Contains(kinds, m.Kind) || m.On != call && (m.On != OnAny || call == w.repertoire.Spared) {
			continue
		}
		taken := *m
		if m.Times--; m.Times == 0 {
			w.queue = slices.Delete(w.queue, i, i+1)
		}
		return taken, true
	}
	return w.chance(call, kinds)
}

// chance is a misbehaviour of one of the kinds that fits the call.
func (w *Whims) chance(call Call, kinds []Misdeed) (Misbehaviour, bool) {
	if call == w.repertoire.Spared || w.dice.Float64() >= w.chaos.Share {
		return Misbehaviour{}, false
	}
	var fit []Misdeed
	for _, k := range w.chaos.Kinds {
		if on := w.repertoire.only(k); slices.Contains(kinds, k) && (on == OnAny || on == call) {
			fit = append(fit, k)
		}
	}
	if len(fit) == 0 {
		return Misbehaviour{}, false
	}
	return Misbehaviour{Kind: fit[w.dice.IntN(len(fit))], On: call, Times: 1, Delay: chaosDelay}, true
}
