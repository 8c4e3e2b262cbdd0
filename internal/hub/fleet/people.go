package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/credentials"
)

// SessionLasts is for how long somebody is signed in: a working day.
const SessionLasts = 12 * time.Hour

// signInName is the name as it is compared: nobody remembers which of its letters were capitals.
func signInName(name string) (string, error) {
	name, err := CleanName(name)
	return strings.ToLower(name), err
}

// MakePerson makes a person within what its maker sees, and gives the password, made here where none was given. ErrTaken:
// somebody has the name.
func (d *Desk) MakePerson(ctx context.Context, a Actor, w Wanted) (p Person, password string, err error) {
	name, err := signInName(w.Name)
	if err != nil {
		return Person{}, "", err
	}
	if w, err = d.grant(ctx, a, w); err != nil {
		return Person{}, "", err
	}
	p = Person{ID: NewID(), Scope: w.Scope, Name: name, CreatedAt: Now()}
	if password, p.Hash, err = d.hash(ctx, a.ID, w.Password); err != nil {
		return Person{}, "", err
	}
	if err := d.book.AddPerson(ctx, p, NewChange(a, p.Place, p.ID, fmt.Sprintf("Pessoa %q criada (%s)", name, p.Role))); err != nil {
		return Person{}, "", err
	}
	return p, password, nil
}

// People are those within what an administrator sees, revoked ones too.
func (d *Desk) People(ctx context.Context, a Actor) ([]Person, error) {
	if !a.May(Administers) {
		return nil, ErrForbidden
	}
	return d.book.People(ctx, a.Place)
}

// RevokePerson shuts a person out for ever, and ends the sessions.
func (d *Desk) RevokePerson(ctx context.Context, a Actor, id string) error {
	p, err := d.person(ctx, a, id)
	if err != nil {
		return err
	}
	defer d.forgetSessions(id)
	return d.book.RevokePerson(ctx, id, NewChange(a, p.Place, id, fmt.Sprintf("Pessoa %q revogada", p.Name)))
}

// SetPassword gives a person another password, made here where none is given, and ends the sessions. People may change
// their own, whatever their role, with the current one: who finds a page open must not keep the account.
func (d *Desk) SetPassword(ctx context.Context, a Actor, id, password, current string) (string, error) {
	p, err := d.person(ctx, a, id)
	if err != nil {
		return "", err
	}
	if a.ID == id {
		fits, err := d.fits(ctx, a.ID, p.Hash, current)
		if err == nil && !fits {
			err = ErrWrongPassword
		}
		if err != nil {
			return "", err
		}
	}
	password, hash, err := d.hash(ctx, a.ID, password)
	if err != nil {
		return "", err
	}
	defer d.forgetSessions(id)
	return password, d.book.SetPassword(ctx, id, hash, NewChange(a, p.Place, id, fmt.Sprintf("Senha da pessoa %q trocada", p.Name)))
}

// person is one that may be changed. A person who was revoked stays so.
func (d *Desk) person(ctx context.Context, a Actor, id string) (Person, error) {
	p, err := d.book.Person(ctx, id)
	if err == nil && a.ID != id {
		err = a.administers(p.Place)
	}
	if err == nil && !p.RevokedAt.IsZero() {
		err = ErrNotFound
	}
	return p, err
}

func (d *Desk) forgetSessions(person string) {
	d.sessions.forget(func(known Session) bool { return known.Person.ID == person })
}

// SignIn begins a session for who comes from an address. ErrNotFound: name and password are nobody's. Only who has these right is told that a code of the second factor is
// missing or wrong.
func (d *Desk) SignIn(ctx context.Context, from, name, password, code string) (Session, error) {
	name, _ = signInName(name) // what is no name is nobody's
	p, err := d.book.PersonNamed(ctx, name)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Session{}, err
	}
	fits, turnErr := d.fits(ctx, from, p.Hash, password)
	switch {
	case turnErr != nil:
		return Session{}, turnErr
	case err != nil || !fits:
		return Session{}, ErrNotFound
	}
	if err := d.prove(ctx, p, code); err != nil {
		return Session{}, err
	}
	at := Now()
	s := Session{Token: newSecret(), Person: p, ExpiresAt: at.Add(SessionLasts)}
	return s, d.book.AddSession(ctx, hashOf(s.Token), p.ID, s.ExpiresAt, at)
}

// fits compares a password, one at a time.
func (d *Desk) fits(ctx context.Context, from string, hash []byte, password string) (bool, error) {
	leave, err := d.turn(ctx, from)
	if err != nil {
		return false, err
	}
	defer leave()
	if len(hash) == 0 { // the time must not tell that there is nobody
		_, err := credentials.Hash(password)
		return false, err
	}
	return credentials.Fits(string(hash), password), nil
}

// Session is the session that a token belongs to. ErrNotFound: none that goes on.
func (d *Desk) Session(ctx context.Context, token string) (Session, error) {
	hash := hashOf(token)
	s, err := d.sessions.get(ctx, string(hash), func(ctx context.Context) (Session, error) { return d.book.Session(ctx, hash) })
	if err == nil && (!time.Now().Before(s.ExpiresAt) || !s.Person.RevokedAt.IsZero()) {
		err = ErrNotFound
	}
	if err != nil {
		return Session{}, err
	}
	s.Token = token
	return s, nil
}

// SignOut ends a session. One that is unknown has ended already.
func (d *Desk) SignOut(ctx context.Context, token string) error {
	hash := hashOf(token)
	defer d.sessions.drop(string(hash))
	return d.book.EndSession(ctx, hash)
}
