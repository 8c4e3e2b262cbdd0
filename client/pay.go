package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Pay charges the customer and waits for the outcome: an approved Transaction, or an error that is ErrRefused or ErrCancelled. It
// charges at most once for a reference: calling it again with the same Payment, even after a crash of the caller, answers
// what was approved before.
func (c *Client) Pay(ctx context.Context, p Payment) (Transaction, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return Transaction{}, fmt.Errorf("montando o pagamento: %w", err)
	}
	post := call{method: http.MethodPost, path: "/transaction", body: body, held: true}
	if p.Reference == "" {
		post.onceOnly = true
		t, err := c.operate(ctx, post)
		if lost(err) {
			return Transaction{}, &UnknownOutcomeError{Err: err}
		}
		return t, err
	}
	s := c.search(p.Reference)
	return s.run(ctx, post, func(ctx context.Context, t Transaction, _ error) (Transaction, verdict, error) {
		switch d := t.Details; {
		case d.Status == Approved && d.Amount.Equal(p.Amount):
			return t, found, nil
		case d.Status == Refused || d.Status == Cancelled:
			older, err := s.older(ctx, d.CreatedAt)
			if err != nil {
				return t, undecided, err
			}
			if !older {
				return t, found, &Error{Status: http.StatusForbidden, Code: http.StatusForbidden, Message: t.Message, Method: post.method, Path: post.path}
			}
		}
		// Not there, an earlier attempt, or something else under this reference: the terminal is to judge.
		return t, again, nil
	})
}

// Reverse gives back all that is left of a payment. The Transaction returned is reversed; a refusal is ErrRefused.
func (c *Client) Reverse(ctx context.Context, reference string) (Transaction, error) {
	post := call{method: http.MethodPost, path: path("transaction", reference, "reversal"), held: true}
	return c.search(reference).run(ctx, post, func(_ context.Context, t Transaction, cause error) (Transaction, verdict, error) {
		var said *Error
		switch {
		case t.Details.Status == Reversed:
			return t, found, nil
		case errors.As(cause, &said) && said.Is(ErrUnknownOutcome):
			return t, found, cause // settled meanwhile: it was not given back
		}
		return t, again, nil
	})
}

// ReversePart gives part of a payment back. It does so at most once for an ID: calling it again with the same Refund, even after a
// crash of the caller, answers what was given back before. A refusal is ErrRefused; ErrConflict means that the acquirer can't, or
// that less is left.
func (c *Client) ReversePart(ctx context.Context, reference string, r Refund) (Transaction, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return Transaction{}, fmt.Errorf("montando o estorno: %w", err)
	}
	post := call{method: http.MethodPost, path: path("transaction", reference, "reversal"), body: body, held: true}
	if r.ID == "" {
		post.onceOnly = true
		t, err := c.operate(ctx, post)
		if lost(err) {
			return Transaction{}, &UnknownOutcomeError{Reference: reference, Err: err}
		}
		return t, err
	}
	return c.search(reference).run(ctx, post, func(_ context.Context, t Transaction, cause error) (Transaction, verdict, error) {
		var said *Error
		switch {
		case slices.ContainsFunc(t.Details.Reversals, func(made MadeReversal) bool { return made.ID == r.ID && made.Amount.Equal(r.Amount) }):
			return t, found, nil
		case errors.As(cause, &said) && said.Is(ErrUnknownOutcome):
			return t, found, cause // settled meanwhile: it was not given back
		}
		return t, again, nil
	})
}

// operate sends a payment or a reversal.
func (c *Client) operate(ctx context.Context, k call) (Transaction, error) {
	text, err := c.patiently(ctx, k)
	if err != nil {
		return Transaction{}, err
	}
	var t Transaction
	if err := json.Unmarshal(text, &t); err != nil {
		return Transaction{}, fmt.Errorf("%w: resposta que não é do terminal: %w", ErrNoAnswer, err)
	}
	return t, nil
}

// lost means that the operation may have happened, although no answer says so.
func lost(err error) bool {
	var said *Error
	if errors.As(err, &said) {
		return said.Status >= http.StatusInternalServerError && !said.harmless()
	}
	return errors.Is(err, ErrNoAnswer)
}

type verdict int

const (
	undecided verdict = iota
	found
	again
)

// judge says what a settled transaction means for the operation whose answer was lost because of cause.
type judge func(ctx context.Context, t Transaction, cause error) (Transaction, verdict, error)

// search finds out how an operation ended whose answer was lost.
type search struct {
	client    *Client
	reference string
	sent      time.Time // when the operation was asked for first
	heard     time.Time // when the terminal last was at work on it, or the answer was lost
	pause     time.Duration
}

func (c *Client) search(reference string) *search {
	return &search{client: c, reference: reference, sent: time.Now(), pause: firstPause}
}

// run sends the operation, and after a lost answer looks for its outcome or sends it once more.
func (s *search) run(ctx context.Context, post call, decide judge) (Transaction, error) {
	t, err := s.client.operate(ctx, post)
	s.heard = time.Now()
	post.onceOnly = true // from here on, busy may well be our own operation
	for lost(err) || errors.Is(err, ErrUnknownOutcome) {
		cause := err
		var v verdict
		t, v, err = s.look(ctx, cause, decide)
		if v == found {
			return t, err
		}
		if v == undecided {
			return Transaction{}, &UnknownOutcomeError{Reference: s.reference, Err: err}
		}
		if time.Since(s.heard) > s.client.recovery || wait(ctx, s.pause) != nil {
			return Transaction{}, &UnknownOutcomeError{Reference: s.reference, Err: errors.Join(ctx.Err(), cause)}
		}
		s.pause = min(2*s.pause, longestPause)
		began := time.Now()
		t, err = s.client.operate(ctx, post)
		s.heard = s.heard.Add(time.Since(began)) // the customer's time is not the search's
		if errors.Is(err, ErrBusy) || errors.Is(err, ErrUnreachable) {
			err = &UnknownOutcomeError{Reference: s.reference, Err: err}
		}
	}
	return t, err
}

// look asks until the terminal is at rest and knows the outcome. Undecided comes with what was in the way.
func (s *search) look(ctx context.Context, cause error, decide judge) (Transaction, verdict, error) {
	for {
		if ctx.Err() != nil {
			return Transaction{}, undecided, errors.Join(ctx.Err(), cause)
		}
		t, v, err := s.ask(ctx, cause, decide)
		var said *Error
		if v != undecided || errors.As(err, &said) && said.Status < http.StatusInternalServerError {
			return t, v, err
		}
		if time.Since(s.heard) > s.client.recovery {
			return t, undecided, errors.Join(err, cause)
		}
		if wait(ctx, s.pause) == nil {
			s.pause = min(2*s.pause, longestPause)
		}
	}
}

// ask looks once.
func (s *search) ask(ctx context.Context, cause error, decide judge) (Transaction, verdict, error) {
	info, err := s.client.Info(ctx)
	if err != nil {
		return Transaction{}, undecided, err
	}
	if info.Busy {
		s.heard = time.Now()
		return Transaction{}, undecided, ErrBusy
	}
	t, err := s.client.Transaction(ctx, s.reference)
	switch {
	case errors.Is(err, ErrNotFound):
		return Transaction{}, again, nil // a payment that never arrived; for a reversal the terminal says so itself
	case err != nil:
		return t, undecided, err
	case t.Details.Status == Pending:
		return t, undecided, ErrUnknownOutcome
	}
	return decide(ctx, t, cause)
}

// older tells whether an attempt began before ours was asked for, by the terminal's own clock. In doubt it was ours: a customer is
// not asked twice for it.
func (s *search) older(ctx context.Context, began time.Time) (bool, error) {
	status, err := s.client.Status(ctx)
	if err != nil {
		return false, err
	}
	now := status.StartedAt.Add(time.Duration(status.UptimeSeconds) * time.Second) // up to a second behind
	return began.Before(now.Add(-time.Since(s.sent))), nil
}
