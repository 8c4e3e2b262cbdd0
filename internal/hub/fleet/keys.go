package fleet

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"time"
)

// newSecret is of 32 random bytes: no list holds them, so a quick hash is enough.
func newSecret() string {
	b := make([]byte, 32)
	rand.Read(b) //nolint:errcheck // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Wanted is a key or a person to be made.
type Wanted struct {
	Scope           // within that of who makes it; an empty account is his own
	Name            string
	NeedsReferences bool      // of a key
	ExpiresAt       time.Time // of a key; zero: never
	Password        string    // of a person; empty: one is made
}

// grant checks what is to be given, and fills in the account.
func (d *Desk) grant(ctx context.Context, a Actor, w Wanted) (Wanted, error) {
	var err error
	if w.Place, err = d.place(ctx, a, w.Place); err != nil {
		return w, err
	}
	if rank[w.Role] == 0 || !a.May(w.Role) {
		return w, ErrBadRole
	}
	return w, d.exists(ctx, a, w.Place)
}

// Within is a place that an administrator names, in full: without one, all that he sees.
func (d *Desk) Within(ctx context.Context, a Actor, p Place) (Place, error) {
	narrowed, ok := a.Narrow(p)
	if !ok {
		return Place{}, ErrNotFound
	}
	p, err := d.place(ctx, a, narrowed)
	if err != nil {
		return Place{}, err
	}
	return p, d.exists(ctx, a, p)
}

// place fills in what an id says by itself.
func (d *Desk) place(ctx context.Context, a Actor, p Place) (Place, error) {
	if p.Account == "" {
		p.Account = a.Account
	}
	if p.Shop != "" && p.Tenant == "" { // its id alone says whose it is
		shop, err := d.shop(ctx, a, p.Shop)
		if err != nil {
			return p, err
		}
		p = shop.Place
	}
	return p, a.administers(p)
}

// mostYears is how far ahead the end of a key may be; one beyond is a mistake, and no date that everybody can read.
const mostYears = 50

// MakeKey makes a key within what its maker sees. The secret is told once.
func (d *Desk) MakeKey(ctx context.Context, a Actor, w Wanted) (k Key, secret string, err error) {
	name, err := CleanName(w.Name)
	if err != nil {
		return Key{}, "", err
	}
	if w, err = d.grant(ctx, a, w); err != nil {
		return Key{}, "", err
	}
	if end := w.ExpiresAt; !end.IsZero() && (!end.After(time.Now()) || end.After(time.Now().AddDate(mostYears, 0, 0))) {
		return Key{}, "", ErrBadEnd
	}
	secret = newSecret()
	k = Key{
		ID: NewID(), Scope: w.Scope, Name: name, Hash: hashOf(secret), NeedsReferences: w.NeedsReferences, CreatedAt: Now(),
		ExpiresAt: w.ExpiresAt.UTC().Truncate(time.Microsecond),
	}
	if err := d.book.AddKey(ctx, k, NewChange(a, k.Place, k.ID, fmt.Sprintf("Chave %q criada (%s)", name, k.Role))); err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// Keys are those within what an administrator sees, revoked ones too.
func (d *Desk) Keys(ctx context.Context, a Actor) ([]Key, error) {
	if !a.May(Administers) {
		return nil, ErrForbidden
	}
	all, err := d.book.Keys(ctx, a.Place)
	unwritten := d.uses.all()
	for i, k := range all {
		if at := unwritten[k.ID]; at.After(k.UsedAt) {
			all[i].UsedAt = at
		}
	}
	return all, err
}

// RevokeKey takes a key back for ever.
func (d *Desk) RevokeKey(ctx context.Context, a Actor, id string) error {
	k, err := d.book.Key(ctx, id)
	if err != nil {
		return err
	}
	if err := a.administers(k.Place); err != nil {
		return err
	}
	is := func(known Key) bool { return known.ID == id }
	defer d.keys.forget(is)
	defer d.tokens.forget(is)
	return d.book.RevokeKey(ctx, id, NewChange(a, k.Place, id, fmt.Sprintf("Chave %q revogada", k.Name)))
}

// CheckKey is the key that an id and a secret belong to. ErrNotFound: they belong to none that is good.
func (d *Desk) CheckKey(ctx context.Context, id, secret string) (Key, error) {
	k, err := d.keys.get(ctx, id, func(ctx context.Context) (Key, error) { return d.book.Key(ctx, id) })
	return d.good(k, secret, err)
}

// CheckToken is CheckKey for a secret alone, as bearer tokens are.
func (d *Desk) CheckToken(ctx context.Context, secret string) (Key, error) {
	hash := hashOf(secret)
	k, err := d.tokens.get(ctx, string(hash), func(ctx context.Context) (Key, error) { return d.book.KeyOf(ctx, hash) })
	return d.good(k, secret, err)
}

func (d *Desk) good(k Key, secret string, err error) (Key, error) {
	if err != nil {
		return Key{}, err
	}
	expired := !k.ExpiresAt.IsZero() && !time.Now().Before(k.ExpiresAt)
	if subtle.ConstantTimeCompare(k.Hash, hashOf(secret)) != 1 || !k.RevokedAt.IsZero() || expired {
		return Key{}, ErrNotFound
	}
	d.uses.note(k.ID)
	return k, nil
}
