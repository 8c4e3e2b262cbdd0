package tef

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// clear deletes all but the response.
func (a *Acquirer) clear() error {
	_, tmpErr := a.req.Remove(a.files.Temporary)
	_, reqErr := a.req.Remove(a.files.Request)
	_, stsErr := a.resp.Remove(a.files.Status)
	return errors.Join(tmpErr, reqErr, stsErr)
}

// send hands a request over and returns when the manager has acknowledged it. errInactive and errFiles: it never took
// it and never will; any other error: it may have.
func (a *Acquirer) send(ctx context.Context, m intpos.Message) error {
	return a.sendUnless(ctx, nil, m)
}

// sendUnless is send for a request that is taken back when it is called off before the manager has taken it up:
// errCalledOff says that it was.
func (a *Acquirer) sendUnless(ctx context.Context, calledOff <-chan struct{}, m intpos.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := a.clear(); err != nil {
		return fmt.Errorf("%w: %w", errFiles, err)
	}
	if err := a.req.Put(a.files.Request, m.Encode()); err != nil {
		if there, _ := a.req.Remove(a.files.Request); there {
			return fmt.Errorf("writing the request: %w", err) // it failed and was there: who knows who saw it
		}
		return fmt.Errorf("%w: %w", errFiles, err)
	}
	taken, ctxErr := a.acknowledged(ctx, calledOff, m, statusWait)
	if taken {
		return nil
	}
	// A manager started later must not find it.
	withdrawn, err := a.req.Remove(a.files.Request)
	switch {
	case ctxErr != nil:
		return ctxErr
	case err != nil:
		return fmt.Errorf("withdrawing the request: %w", err)
	}
	wait := lastMoment
	if !withdrawn && isClosed(calledOff) {
		wait = statusWait // it is the manager's, and has its time to say so
	}
	taken, ctxErr = a.acknowledged(ctx, nil, m, wait)
	switch {
	case taken:
		return nil
	case ctxErr != nil:
		return ctxErr
	case withdrawn && isClosed(calledOff):
		return errCalledOff
	case withdrawn:
		return errInactive
	}
	return errSilent
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// acknowledged waits for the status file of the request and deletes it. Who does not want it any more does not wait.
func (a *Acquirer) acknowledged(ctx context.Context, calledOff <-chan struct{}, m intpos.Message, wait time.Duration) (bool, error) {
	for limit := time.Now().Add(wait); ; {
		status, whole, _, err := a.resp.Read(a.files.Status)
		if err == nil && whole {
			_, _ = a.resp.Remove(a.files.Status) // one that stays is deleted before the next request
			if answers(status, m) {
				return true, nil
			}
		}
		if !time.Now().Before(limit) || isClosed(calledOff) {
			return false, nil
		}
		if err := pauseUnless(ctx, calledOff); err != nil {
			return false, err
		}
	}
}

// answers tells whether a file echoes the operation and the id of the request.
func answers(r, request intpos.Message) bool {
	told, asked := strings.ToUpper(r.Get(intpos.Command)), request.Get(intpos.Command)
	return (told == asked || told == intpos.Sale && asked == intpos.Pix) && intpos.Same(r.Get(intpos.ID), request.Get(intpos.ID))
}

// await waits for the response to the request for as long as it takes. The answers of others are resolved meanwhile.
func (a *Acquirer) await(ctx context.Context, request intpos.Message) (intpos.Message, error) {
	for {
		// What can't be read now may be read later: the folder may be on another machine.
		r, whole, _, _ := a.resp.Read(a.files.Response)
		switch {
		case !whole:
		case answers(r, request):
			return r, nil
		default:
			if a.resolve(r) == nil {
				_ = a.discard(r)
				_ = a.payDebts(ctx)
			}
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// awaitUnlessLeft is await with a way out: a manager that was closed meanwhile never answers. Who sees that stops waiting, and the operation
// is settled like any other whose answer is lost.
func (a *Acquirer) awaitUnlessLeft(ctx context.Context, c payment.Charge, waiting payment.Prompt, request intpos.Message) (intpos.Message, error) {
	ctx, stop := context.WithCancelCause(ctx)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		select {
		case <-time.After(cmp.Or(a.config.Leave, leaveWait)):
		case <-ctx.Done():
			return
		}
		waiting.Leavable = true
		if action, err := c.Ask(ctx, waiting); err == nil && action.Kind == payment.ActLeave {
			stop(errLeft)
		}
	}()
	r, err := a.await(ctx, request)
	stop(nil)
	<-asked
	if err != nil && errors.Is(context.Cause(ctx), errLeft) {
		err = errLeft
	}
	return r, err
}

func pause(ctx context.Context) error { return pauseUnless(ctx, nil) }

func pauseUnless(ctx context.Context, calledOff <-chan struct{}) error {
	select {
	case <-calledOff:
		return nil
	case <-time.After(pollPause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
