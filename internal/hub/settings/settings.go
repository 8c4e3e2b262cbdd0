// Package settings knows what the hub decides of the terminals' settings: a set for a whole account, a tenant, a shop or one terminal, each in
// numbered versions; and what every terminal has made of them.
//
// Invariants: a version never changes once it was made; what a narrower set names wins over what a wider one does; secrets are sealed, and told
// to nobody but the terminals that they are for; a terminal counts as having a set only when it has said so.
package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

var (
	// ErrNotFound is also what is somebody else's.
	ErrNotFound = errors.New("no such set of settings")
	// ErrUnknown is the name of no setting that a hub may decide.
	ErrUnknown = errors.New("not a setting")
	// ErrBadValue is a value that no terminal could take: too long, or no text of one line.
	ErrBadValue = errors.New("not a value of a setting")
	// ErrNoSecret means that a secret is to stay as it was, and there was none.
	ErrNoSecret = errors.New("there is no secret to keep")
	// ErrStale means that there is a newer version than the one that was looked at.
	ErrStale = errors.New("there is a newer version of the set")
	// ErrFirst means that there is no version before.
	ErrFirst = errors.New("there is no version before")
)

// Set is a version of a set.
type Set struct {
	ID          string // of what it is for: the account, the tenant, the shop or the terminal
	fleet.Place        // where that is
	Terminal    string // empty: it is for more than one
	Version     int64  // from 1 on
	Values      map[string]string
	Secrets     map[string][]byte // sealed
	Comment     string
	Who         string
	At          time.Time
}

// owner is whom a secret is sealed for at rest: it stays readable from version to version.
func (s Set) owner(name string) string { return s.ID + " " + name }

// Names are all that a set decides, sorted.
func (s Set) Names() []string {
	var all []string
	for name := range s.Values {
		all = append(all, name)
	}
	for name := range s.Secrets {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// digest is another for every version, also where a hub was set back and gives a number again.
func (s Set) digest() [sha256.Size]byte {
	text, err := json.Marshal(struct {
		ID      string
		Version int64
		Values  map[string]string
		Secrets map[string][]byte
	}{s.ID, s.Version, s.Values, s.Secrets})
	if err != nil {
		panic(err) // texts and bytes only
	}
	return sha256.Sum256(text)
}

// Newest are the newest versions of sets, by what they are for.
type Newest struct {
	sets map[string]indexed
	sum  [sha256.Size]byte
}

type indexed struct {
	Set
	digest [sha256.Size]byte
}

func newest(all []Set) Newest {
	n := Newest{sets: map[string]indexed{}}
	sum := sha256.New()
	for _, s := range all {
		d := s.digest()
		n.sets[s.ID] = indexed{s, d}
		sum.Write(d[:])
	}
	sum.Sum(n.sum[:0])
	return n
}

// Same tells whether both are of the same versions.
func (n Newest) Same(other Newest) bool { return n.sum == other.sum }

// Layer is a set that a terminal's settings come from.
type Layer struct {
	ID      string `json:"id"`
	Version int64  `json:"version"`
}

// Effective is what the hub decides for one terminal. The zero value is nothing.
type Effective struct {
	Mark   string // another for every combination of versions
	Layers []Layer
	Values map[string]string

	secrets map[string]sealed
}

type sealed struct {
	text  []byte
	owner string
}

// Of is what is decided for a terminal: the account's set, over it the tenant's, the shop's and its own.
func (n Newest) Of(t fleet.Terminal) Effective {
	e := Effective{Values: map[string]string{}, secrets: map[string]sealed{}}
	sum := sha256.New()
	for _, id := range []string{t.Account, t.Tenant, t.Shop, t.ID} {
		s, is := n.sets[id]
		if !is {
			continue
		}
		e.Layers = append(e.Layers, Layer{s.ID, s.Version})
		sum.Write(s.digest[:])
		for name, value := range s.Values {
			e.Values[name] = value
		}
		for name, text := range s.Secrets {
			e.secrets[name] = sealed{text, s.owner(name)}
		}
	}
	if len(e.Layers) == 0 {
		return Effective{}
	}
	e.Mark = hex.EncodeToString(sum.Sum(nil)[:16])
	return e
}

// State is what a terminal has made of what is decided for it.
type State string

// Refused means that it has taken the set, but for some values.
const (
	None    State = "none"
	Pending State = "pending"
	Taken   State = "taken"
	Refused State = "refused"
)

// Report is what a terminal has said last.
type Report struct {
	Terminal string
	Mark     string            // of what it has; empty: nothing
	Layers   []Layer           // that this was made of
	Refused  map[string]string // why, by name
	At       time.Time         // when it took that
	Trouble  string            // why it has not what is newer, in Portuguese; empty: nothing is known to be wrong
}

// StateOf is how far a terminal is.
func (e Effective) StateOf(r Report) State {
	switch {
	case e.Mark == "":
		return None
	case r.Mark != e.Mark:
		return Pending
	case len(r.Refused) > 0:
		return Refused
	}
	return Taken
}
