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
	Method  string
	Status  string
	Updated time.Time // when its newest step was made
	Steps   []Step    // all that led there, those that it shares with other epochs too
	Returns []Return
}

// Standing is the life that a payment is shown and counted by; the one that was read last comes first. One that goes on where another
// ended replaces it. Of two that parted, what moved money has happened whether the other one knows of it or not: an approval gives way to
// a reversal, or to its undoing. Else the newer one stands.
func Standing(lives []Life) Life {
	stands := lives[0]
	for _, l := range lives[1:] {
		if !stands.replaces(l) && (l.replaces(stands) || l.outweighs(stands)) {
			stands = l
		}
	}
	return stands
}

// replaces tells of a life that undid the other's approval, or that has the other's newest step among its own. A line is read with its
// payment as that stands by then, so that the other may be ahead of its newest step: who takes an approval back must have had it.
func (l Life) replaces(other Life) bool {
	if l.undid(other) {
		return true
	}
	if l.money() < other.money() && !l.had(approved) {
		return false
	}
	return slices.ContainsFunc(l.Steps, func(s Step) bool { return s.At.Equal(other.Updated) })
}

// undid tells of a life whose acquirer gave the money back that the other one had. A card's payment that was confirmed can't be undone:
// its acquirer takes no notice. PIX is given back at any time.
func (l Life) undid(other Life) bool {
	return l.money() < 0 && l.had("undone") && other.Status == approved && (l.Method == "pix" || !other.had("confirmed"))
}

func (l Life) had(state string) bool {
	return slices.ContainsFunc(l.Steps, func(s Step) bool { return s.State == state })
}

func (l Life) outweighs(other Life) bool {
	return cmp.Or(l.money()-other.money(), l.Updated.Compare(other.Updated)) > 0
}

// money is how much a status says about it; negative: nothing.
func (l Life) money() int { return slices.Index([]string{approved, reversed}, l.Status) }

// Repeated tells of each return of each life, in the order given, whether one before it has the same: each has it once at most.
func Repeated(lives []Life) [][]bool {
	all := make([][]bool, len(lives))
	var counted []Return
	for i, l := range lives {
		all[i] = make([]bool, len(l.Returns))
		unpaired := slices.Clone(counted)
		for _, is := range []func(a, b Return) bool{sameMoment, sameNumber} { // the surer first
			for j, r := range l.Returns {
				at := slices.IndexFunc(unpaired, func(other Return) bool { return is(other, r) })
				if !all[i][j] && at >= 0 {
					all[i][j], unpaired = true, slices.Delete(unpaired, at, at+1)
				}
			}
		}
		for j, r := range l.Returns {
			if !all[i][j] {
				counted = append(counted, r)
			}
		}
	}
	return all
}

func sameMoment(a, b Return) bool { return a.Amount == b.Amount && a.At.Equal(b.At) }

// sameNumber is by the acquirer's; of a return of before these were kept nothing but the amount is known.
func sameNumber(a, b Return) bool {
	return a.Amount == b.Amount && (a.NSU == b.NSU || a.NSU == "" || b.NSU == "")
}
