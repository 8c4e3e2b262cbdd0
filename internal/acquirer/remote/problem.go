package remote

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Problem is an answer that is no success, as a driver reads it.
type Problem interface {
	error
	Transient() bool     // the same request may be answered otherwise later
	Unsure() bool        // it may have been acted on all the same
	Wait() time.Duration // as the other side asks for
}

// Complaint fills Problem as most services mean their statuses. A driver whose service says more has a type of its own around it.
type Complaint struct {
	Who    string // the service
	Status int
	Text   string // its words, fit to be read; empty: none
	// Own means that it is in the service's own form. Any other may be of somebody between, or of a wrong address, and proves
	// nothing about an operation.
	Own   bool
	Pause time.Duration // as it asks in Retry-After
}

// Complain reads of an answer what is alike everywhere. The words are the service's own to find.
func Complain(who string, a Answer) Complaint {
	return Complaint{Who: who, Status: a.Status, Pause: RetryAfter(a.Header)}
}

func (c *Complaint) Error() string {
	if c.Text == "" {
		return fmt.Sprintf("%s answered %d", c.Who, c.Status)
	}
	return fmt.Sprintf("%s answered %d: %s", c.Who, c.Status, c.Text)
}

// Transient is its own fault, or our haste.
func (c *Complaint) Transient() bool {
	return c.Status >= 500 || c.Status == http.StatusTooManyRequests
}

// Unsure is its own fault, which may have come too late.
func (c *Complaint) Unsure() bool { return c.Status >= 500 }

// Wait is what it asks for in Retry-After.
func (c *Complaint) Wait() time.Duration { return c.Pause }

// Denied tells that it does not take who asks for somebody who may.
func (c *Complaint) Denied() bool {
	return c.Status == http.StatusUnauthorized || c.Status == http.StatusForbidden
}

// Absent tells that the service itself says that there is no such thing.
func (c *Complaint) Absent() bool { return c.Status == http.StatusNotFound && c.Own }

func (c *Complaint) complaint() *Complaint { return c }

// Complained is what the other side said against a call; nil: the error is another.
func Complained(err error) *Complaint {
	var c interface{ complaint() *Complaint }
	if !errors.As(err, &c) {
		return nil
	}
	return c.complaint()
}

// ErrSomebodyElse means that what answers at the address is not the service.
var ErrSomebodyElse = errors.New("somebody else answers at the address")

// ErrUnproven means that what answers may be the service, and that nothing in its answers proves it.
var ErrUnproven = errors.New("nothing proves that the service answers")

// Strange adds ErrSomebodyElse to an error that is not in the service's own words. Who denies us need not say more than that.
func Strange(err error) error {
	if c := Complained(err); c != nil && !c.Own && !c.Transient() && !c.Denied() {
		return errors.Join(ErrSomebodyElse, err)
	}
	return err
}

// Refusals are what the person at the terminal reads of a call without effect, where the service has no words.
type Refusals struct{ Down, Denied, Otherwise string }

// Of makes a refusal of a call that came to nothing.
func (r Refusals) Of(err error) *Refusal {
	c := Complained(err)
	switch {
	case c == nil, c.Transient() && c.Text == "":
		return &Refusal{Message: r.Down}
	case c.Denied() && r.Denied != "":
		return &Refusal{Message: r.Denied, Said: true}
	}
	return &Refusal{Message: cmp.Or(c.Text, r.Otherwise), Said: true}
}
