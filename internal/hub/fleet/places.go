package fleet

import (
	"context"
	"fmt"

	"github.com/maquininha/maquininha/internal/credentials"
)

// Foundation is what a hub begins with.
type Foundation struct {
	Account  string
	Tenant   string
	Shop     string
	Person   string // who administers it
	Password string // empty: one is made
}

// Founded is what Found has made, with the secrets that are told once.
type Founded struct {
	Account  Named
	Tenant   Named
	Shop     Named
	Person   Person
	Password string
	Key      Key
	Secret   string
}

// Found makes the first account with a tenant, a shop, a person and a key. ErrTaken: there is an account.
func (d *Desk) Found(ctx context.Context, f Foundation) (Founded, error) {
	at, account, tenant, shop := Now(), NewID(), NewID(), NewID()
	whole := Scope{Place{Account: account}, Administers}
	made := Founded{
		Account: Named{ID: account, Place: Place{account, "", ""}, CreatedAt: at},
		Tenant:  Named{ID: tenant, Place: Place{account, tenant, ""}, CreatedAt: at},
		Shop:    Named{ID: shop, Place: Place{account, tenant, shop}, CreatedAt: at},
		Person:  Person{ID: NewID(), Scope: whole, CreatedAt: at},
		Key:     Key{ID: NewID(), Scope: whole, Name: f.Person, CreatedAt: at},
	}
	for _, n := range []struct {
		to   *string
		name string
	}{{&made.Account.Name, f.Account}, {&made.Tenant.Name, f.Tenant}, {&made.Shop.Name, f.Shop}, {&made.Key.Name, f.Person}} {
		var err error
		if *n.to, err = CleanName(n.name); err != nil {
			return Founded{}, err
		}
	}
	var err error
	if made.Person.Name, err = signInName(f.Person); err != nil {
		return Founded{}, err
	}
	if made.Password, made.Person.Hash, err = d.hash(ctx, "hub", f.Password); err != nil {
		return Founded{}, err
	}
	made.Secret = newSecret()
	made.Key.Hash = hashOf(made.Secret)
	c := NewChange(Actor{ID: "hub", Name: "hub"}, made.Account.Place, account, fmt.Sprintf("Conta %q criada, com a pessoa %q e uma chave", made.Account.Name, made.Person.Name))
	return made, d.book.Found(ctx, made, c)
}

// Accounts are all there are: for the hub's own program, not for callers.
func (d *Desk) Accounts(ctx context.Context) ([]Named, error) { return d.book.Accounts(ctx) }

// Tenants are those that are seen. Who sees one shop sees the tenant it belongs to.
func (d *Desk) Tenants(ctx context.Context, s Scope) ([]Named, error) {
	return d.book.Tenants(ctx, Place{Account: s.Account, Tenant: s.Tenant})
}

// Shops are those that are seen.
func (d *Desk) Shops(ctx context.Context, s Scope) ([]Named, error) {
	return d.book.Shops(ctx, s.Place)
}

// MakeTenant adds a customer to the account. ErrTaken: it has one of this name.
func (d *Desk) MakeTenant(ctx context.Context, a Actor, name string) (Named, error) {
	if err := a.administers(Place{Account: a.Account}); err != nil {
		return Named{}, err
	}
	name, err := CleanName(name)
	if err != nil {
		return Named{}, err
	}
	id := NewID()
	n := Named{ID: id, Place: Place{Account: a.Account, Tenant: id}, Name: name, CreatedAt: Now()}
	return n, d.book.AddTenant(ctx, n, NewChange(a, n.Place, n.ID, fmt.Sprintf("Cliente %q criado", name)))
}

// MakeShop adds a shop to a tenant. ErrTaken: it has one of this name.
func (d *Desk) MakeShop(ctx context.Context, a Actor, tenant, name string) (Named, error) {
	name, err := CleanName(name)
	if err != nil {
		return Named{}, err
	}
	of, err := d.tenant(ctx, a, tenant)
	if err != nil {
		return Named{}, err
	}
	if err := a.administers(of.Place); err != nil {
		return Named{}, err
	}
	id := NewID()
	n := Named{ID: id, Place: Place{Account: a.Account, Tenant: of.ID, Shop: id}, Name: name, CreatedAt: Now()}
	return n, d.book.AddShop(ctx, n, NewChange(a, n.Place, n.ID, fmt.Sprintf("Loja %q criada", name)))
}

func (d *Desk) tenant(ctx context.Context, a Actor, id string) (Named, error) {
	all, err := d.Tenants(ctx, a.Scope)
	if err != nil {
		return Named{}, err
	}
	return find(all, id)
}

// shop finds a shop that somebody sees, the only one where none is named.
func (d *Desk) shop(ctx context.Context, a Actor, id string) (Named, error) {
	all, err := d.Shops(ctx, a.Scope)
	switch {
	case err != nil:
		return Named{}, err
	case id != "":
		return find(all, id)
	case len(all) == 0:
		return Named{}, ErrNotFound
	case len(all) > 1:
		return Named{}, ErrWhichShop
	}
	return all[0], nil
}

func find(all []Named, id string) (Named, error) {
	for _, n := range all {
		if n.ID == id {
			return n, nil
		}
	}
	return Named{}, ErrNotFound
}

// exists tells whether a place is one of an account's: what is made for it must not hang in the air.
func (d *Desk) exists(ctx context.Context, a Actor, p Place) error {
	var err error
	switch {
	case p.Shop != "":
		var shop Named
		if shop, err = d.shop(ctx, a, p.Shop); err == nil && shop.Place != p {
			err = ErrNotFound
		}
	case p.Tenant != "":
		_, err = d.tenant(ctx, a, p.Tenant)
	}
	return err
}

// hash makes what is kept of a password, and a password where there is none.
func (d *Desk) hash(ctx context.Context, from, password string) (string, []byte, error) {
	if password == "" {
		password = credentials.Generate() // hashed as slowly as others: the time must not tell who has which
	}
	const shortest, longest = 8, 1024
	if len(password) < shortest || len(password) > longest {
		return "", nil, ErrBadPassword
	}
	leave, err := d.turn(ctx, from)
	if err != nil {
		return "", nil, err
	}
	defer leave()
	h, err := credentials.Hash(password)
	return password, []byte(h), err
}

// turn waits until a password may be hashed. from is an address, or who asks: those of one wait for each other, and others for one of them.
func (d *Desk) turn(ctx context.Context, from string) (leave func(), err error) {
	if !d.hashing.Enter(ctx, credentials.Origin(from)) {
		return nil, ctx.Err()
	}
	return d.hashing.Leave, nil
}
