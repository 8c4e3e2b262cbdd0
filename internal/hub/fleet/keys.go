package fleet

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
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
	NeedsReferences bool   // of a key
	Password        string // of a person; empty: one is made
}

// grant checks what is to be given, and fills in the account.
func (d *Desk) grant(ctx context.Context, a Actor, w Wanted) (Wanted, error) {
	if w.Account == "" {
		w.Account = a.Account
	}
	if w.Shop != "" && w.Tenant == "" { // its id alone says whose it is
		shop, err := d.shop(ctx, a, w.Shop)
		if err != nil {
			return w, err
		}
		w.Place = shop.Place
	}
	if err := a.administers(w.Place); err != nil {
		return w, err
	}
	if rank[w.Role] == 0 || !a.May(w.Role) {
		return w, ErrBadRole
	}
	return w, d.exists(ctx, a, w.Place)
}

// MakeKey makes a key within what its maker sees. The secret is told once.
func (d *Desk) MakeKey(ctx context.Context, a Actor, w Wanted) (k Key, secret string, err error) {
	name, err := cleanName(w.Name)
	if err != nil {
		return Key{}, "", err
	}
	if w, err = d.grant(ctx, a, w); err != nil {
		return Key{}, "", err
	}
	secret = newSecret()
	k = Key{ID: newID(), Scope: w.Scope, Name: name, Hash: hashOf(secret), NeedsReferences: w.NeedsReferences, CreatedAt: now()}
	if err := d.book.AddKey(ctx, k, change(a, k.Place, k.ID, fmt.Sprintf("Chave %q criada (%s)", name, k.Role))); err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// Keys are those within what an administrator sees, revoked ones too.
func (d *Desk) Keys(ctx context.Context, a Actor) ([]Key, error) {
	if !a.May(Administers) {
		return nil, ErrForbidden
	}
	return d.book.Keys(ctx, a.Place)
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
	return d.book.RevokeKey(ctx, id, change(a, k.Place, id, fmt.Sprintf("Chave %q revogada", k.Name)))
}

// CheckKey is the key that an id and a secret belong to. ErrNotFound: they belong to none that is good.
func (d *Desk) CheckKey(ctx context.Context, id, secret string) (Key, error) {
	k, err := d.keys.get(ctx, id, func(ctx context.Context) (Key, error) { return d.book.Key(ctx, id) })
	return good(k, secret, err)
}

// CheckToken is CheckKey for a secret alone, as bearer tokens are.
func (d *Desk) CheckToken(ctx context.Context, secret string) (Key, error) {
	hash := hashOf(secret)
	k, err := d.tokens.get(ctx, string(hash), func(ctx context.Context) (Key, error) { return d.book.KeyOf(ctx, hash) })
	return good(k, secret, err)
}

func good(k Key, secret string, err error) (Key, error) {
	if err != nil {
		return Key{}, err
	}
	if subtle.ConstantTimeCompare(k.Hash, hashOf(secret)) != 1 || !k.RevokedAt.IsZero() {
		return Key{}, ErrNotFound
	}
	return k, nil
}
