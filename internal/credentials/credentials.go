// Package credentials keeps the caller's user and password: as a hash on disk, and in memory as a keyed digest,
// so that a request does not pay for the hash.
package credentials

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/crypto/bcrypt"
)

// Hash returns what may be stored of a password.
func Hash(password string) (string, error) { return hash(password, cost) }

func hash(password string, cost int) (string, error) {
	h, err := bcrypt.GenerateFromPassword(condense(password), cost)
	return string(h), err
}

// Fits reports whether a hash is that of a password; it takes as long as a hash does.
func Fits(hash, password string) bool {
	return bcrypt.CompareHashAndPassword([]byte(hash), condense(password)) == nil
}

// condense makes any password fit: bcrypt looks at 72 bytes only.
func condense(password string) []byte {
	sum := sha256.Sum256([]byte(password))
	return []byte(base64.RawStdEncoding.EncodeToString(sum[:]))
}

// Generate makes a password a person can copy from a screen: no letters that look like digits.
func Generate() string {
	text := strings.ToLower(rand.Text()) // base32: no 0, 1, 8 or 9
	return text[0:5] + "-" + text[5:10] + "-" + text[10:15] + "-" + text[15:20]
}

// Keeper tells whether a pair is the right one. Its methods may be called from anywhere.
type Keeper struct{ right atomic.Pointer[pair] }

// FromHash keeps a pair of which only the hash is known.
func FromHash(user, hash string) (*Keeper, error) {
	if _, err := bcrypt.Cost([]byte(hash)); err != nil {
		return nil, fmt.Errorf("stored password hash: %w", err)
	}
	p := newPair(user)
	p.hash = []byte(hash)
	return keeperOf(p), nil
}

// FromPassword keeps a pair whose password is at hand; it never hashes.
func FromPassword(user, password string) *Keeper {
	p := newPair(user)
	p.remember(p.digest(user, password))
	return keeperOf(p)
}

func keeperOf(p *pair) *Keeper {
	k := &Keeper{}
	k.right.Store(p)
	return k
}

// Become takes another keeper's pair in place of its own: from here on only that one is right.
func (k *Keeper) Become(other *Keeper) { k.right.Store(other.right.Load()) }

// Allows reports whether this is the right pair, in a time that does not tell how wrong it is.
func (k *Keeper) Allows(user, password string) bool { return k.right.Load().is(user, password) }

// pair is the right user and password, as far as they are known.
type pair struct {
	key   [32]byte
	known atomic.Pointer[[sha256.Size]byte] // digest of the right pair, once somebody has shown it

	user     string
	hash     []byte
	checking sync.Mutex // one hash at a time: guessing must not take the whole machine
}

func newPair(user string) *pair {
	p := &pair{user: user}
	rand.Read(p.key[:])
	return p
}

func (p *pair) is(user, password string) bool {
	d := p.digest(user, password)
	if right := p.known.Load(); right != nil {
		return subtle.ConstantTimeCompare(d[:], right[:]) == 1
	}
	p.checking.Lock()
	defer p.checking.Unlock()
	if right := p.known.Load(); right != nil {
		return subtle.ConstantTimeCompare(d[:], right[:]) == 1
	}
	// The hash is computed for a wrong user too, or the time would tell that the user is wrong.
	passwordFits := Fits(string(p.hash), password)
	userFits := subtle.ConstantTimeCompare([]byte(user), []byte(p.user)) == 1
	if !passwordFits || !userFits {
		return false
	}
	p.remember(d)
	return true
}

func (p *pair) remember(right [sha256.Size]byte) { p.known.Store(&right) }

// digest is keyed with a secret of this process; the lengths keep "ab"+"c" and "a"+"bc" apart.
func (p *pair) digest(user, password string) [sha256.Size]byte {
	var room [256]byte
	buf := append(room[:0], p.key[:]...)
	buf = binary.BigEndian.AppendUint64(buf, uint64(len(user)))
	buf = append(buf, user...)
	buf = append(buf, password...)
	return sha256.Sum256(buf)
}
