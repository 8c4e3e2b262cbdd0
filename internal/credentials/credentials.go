// Package credentials keeps the caller's user and password: as a hash on disk, and in memory as a keyed digest,
// so that a request does not pay for the hash.
package credentials

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/bcrypt"
)

// Hash returns what may be stored of a password.
func Hash(password string) (string, error) { return hash(password, cost) }

func hash(password string, cost int) (string, error) {
	h, err := bcrypt.GenerateFromPassword(condense(password), cost)
	return string(h), err
}

// HashGenerated is Hash for what Generate made. No list holds a hundred random bits, so a slow hash would protect
// nothing, and wrong guesses stay cheap for the service too.
func HashGenerated(password string) string {
	salt := rand.Text()
	return generatedMark + salt + "$" + quickDigest(salt, password)
}

const generatedMark = "$sha256$"

func quickDigest(salt, password string) string {
	sum := sha256.Sum256([]byte(salt + "$" + password))
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

// Fits reports whether a hash is that of a password; it takes as long as a hash does.
func Fits(hash, password string) bool {
	if salt, digest, ok := quickParts(hash); ok {
		return subtle.ConstantTimeCompare([]byte(quickDigest(salt, password)), []byte(digest)) == 1
	}
	return bcrypt.CompareHashAndPassword([]byte(hash), condense(password)) == nil
}

// quickParts takes a hash of HashGenerated apart; false is any other.
func quickParts(hash string) (salt, digest string, ok bool) {
	rest, ok := strings.CutPrefix(hash, generatedMark)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "$")
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
	_, _, quick := quickParts(hash)
	if _, err := bcrypt.Cost([]byte(hash)); err != nil && !quick {
		return nil, errors.New("stored password hash: neither of the two kinds")
	}
	p := newPair(user)
	p.hash, p.quick = hash, quick
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

// Allows reports whether this is the right pair, in a time that does not tell how wrong it is. from is the address of
// whoever asks: where a hash must be paid for, addresses take turns. The context ends the wait for a turn.
func (k *Keeper) Allows(ctx context.Context, from, user, password string) bool {
	return k.right.Load().is(ctx, from, user, password)
}

// AllowsHeader is Allows for the value of an Authorization header. One that was right is known again by a digest of the
// whole: nothing is taken apart, nothing allocated.
func (k *Keeper) AllowsHeader(ctx context.Context, from, header string) bool {
	p := k.right.Load()
	d := p.digest(header, "")
	if shown := p.shown.Load(); shown != nil && subtle.ConstantTimeCompare(d[:], shown[:]) == 1 {
		return true
	}
	user, password, ok := basicPair(header)
	if !ok || !p.is(ctx, from, user, password) {
		return false
	}
	shown := d // a copy, so that the digest of every request stays on the stack
	p.shown.Store(&shown)
	return true
}

// basicPair takes the header apart.
func basicPair(header string) (user, password string, ok bool) {
	const scheme = "Basic "
	if len(header) < len(scheme) || !strings.EqualFold(header[:len(scheme)], scheme) {
		return "", "", false
	}
	text, err := base64.StdEncoding.DecodeString(header[len(scheme):])
	if err != nil {
		return "", "", false
	}
	return strings.Cut(string(text), ":")
}

// pair is the right user and password, as far as they are known.
type pair struct {
	key   [32]byte
	known atomic.Pointer[digest] // of the right pair, once somebody has shown it
	shown atomic.Pointer[digest] // of the header it last came in

	user  string
	hash  string
	quick bool      // the hash costs next to nothing
	turns Turnstile // one slow hash at a time: guessing must not take the whole machine
	wrong wrongs
}

type digest = [sha256.Size]byte

func newPair(user string) *pair {
	p := &pair{user: user}
	rand.Read(p.key[:])
	return p
}

func (p *pair) is(ctx context.Context, from, user, password string) bool {
	d := p.digest(user, password)
	if right := p.known.Load(); right != nil {
		return subtle.ConstantTimeCompare(d[:], right[:]) == 1
	}
	if p.quick {
		return p.check(d, user, password)
	}
	if p.wrong.has(d) || !p.turns.Enter(ctx, Origin(from)) {
		return false
	}
	defer p.turns.Leave()
	if right := p.known.Load(); right != nil {
		return subtle.ConstantTimeCompare(d[:], right[:]) == 1
	}
	if p.check(d, user, password) {
		return true
	}
	p.wrong.add(d)
	return false
}

// check pays for the hash, for a wrong user too, or the time would tell that the user is wrong.
func (p *pair) check(d digest, user, password string) bool {
	passwordFits := Fits(p.hash, password)
	userFits := subtle.ConstantTimeCompare([]byte(user), []byte(p.user)) == 1
	if !passwordFits || !userFits {
		return false
	}
	p.remember(d)
	return true
}

func (p *pair) remember(right digest) { p.known.Store(&right) }

// digest is keyed with a secret of this process; the lengths keep "ab"+"c" and "a"+"bc" apart.
func (p *pair) digest(user, password string) digest {
	var room [256]byte
	buf := append(room[:0], p.key[:]...)
	buf = binary.BigEndian.AppendUint64(buf, uint64(len(user)))
	buf = append(buf, user...)
	buf = append(buf, password...)
	return sha256.Sum256(buf)
}
