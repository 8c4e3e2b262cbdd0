package cielo

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

var errForgotten = errors.New("the order that was placed is denied: it may have been paid")

// discard deletes a draft. Not gone means that it was placed after all.
func (a *Acquirer) discard(ctx context.Context, q remote.Request) (o order, gone bool, err error) {
	q.Path = orderPath(q.ID) // the last that is asked about it, so that its absence means something
	if err := a.requests.Keep(q); err != nil {
		return order{}, false, err
	}
	_, asked := a.caller.Do(ctx, remote.Call{Method: http.MethodDelete, Path: q.Path, Tries: 1})
	if asked == nil {
		return order{}, true, nil
	}
	o, err = a.see(ctx, q.ID, remote.MaxTries)
	switch {
	case isGone(err):
		err = a.denied(ctx, q)
		return order{}, err == nil, err
	case err == nil && o.state == draft:
		err = asked
	}
	return o, false, err
}

// denied is nil where an order that is denied is gone: we had asked for its deletion, and it is missing in a list too. Any other may be
// paid on a device, whoever it is that denies it: what answers at a wrong address has a code and a message as well.
func (a *Acquirer) denied(ctx context.Context, q remote.Request) error {
	if q.Path != orderPath(q.ID) {
		return errForgotten
	}
	all, err := a.search(ctx, q.Key, remote.MaxTries)
	if err != nil || slices.ContainsFunc(all, func(o order) bool { return o.id == q.ID }) {
		return errors.Join(errForgotten, err)
	}
	return nil
}
