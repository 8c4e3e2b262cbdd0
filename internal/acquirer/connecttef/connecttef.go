// Package connecttef is paid through the local API of Connect TEF: a manager on this computer, or the Smart POS itself, that takes
// operations over HTTP and talks to the customer.
//
// Each operation has an identification of ours, which follows from the attempt in the ledger: what became of it is asked by that
// alone. A payment is asked for once; nobody says what a second request of the same identification does. One that has left can't be
// called off: the manager has no such call.
package connecttef

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Acquirer fills payment.Acquirer and payment.LateReceiver.
type Acquirer struct {
	config   Config
	caller   remote.Caller
	requests remote.Requests
	refunds  remote.Refunds // reversals and undoings by their identification

	mu     sync.Mutex
	posted time.Time // since when nothing has been asked for; at first since the start
}

// New calls nobody.
func New(c Config) (*Acquirer, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	by, err := remote.Transport{Timeout: c.Timeout, Network: c.Network}.Client()
	if err != nil {
		return nil, fmt.Errorf("connecttef: %w", err)
	}
	return &Acquirer{
		config: c, requests: remote.Requests{Name: c.Name, Book: c.Book}, posted: time.Now(),
		caller: remote.Caller{
			Base: c.URL, HTTP: by, Timeout: c.Timeout, Backoff: c.Pace.Repeating(), Refused: parseProblem,
			Headers: map[string]string{"Content-Type": "application/json"}, // its pages want it of every call
		},
	}, nil
}

// Close lets go of the connections.
func (a *Acquirer) Close() error {
	a.caller.HTTP.CloseIdleConnections()
	return nil
}

// Confirm has nothing to do: what was executed stands without anybody's word.
func (a *Acquirer) Confirm(context.Context, payment.Transaction) error { return nil }

// ReversesParts is never so: a refund names a sale, and nobody says how it would name part of one.
func (a *Acquirer) ReversesParts(payment.Transaction) bool { return false }

// Identification is the payment's name at Connect TEF.
func (a *Acquirer) Identification(t payment.Transaction) string {
	t.Reversals = nil // the sale is the payment's, whatever is under way with it now
	return remote.Digest(a.config.Terminal, t, "payment")
}

// Reversal is the name of the reversal under way. What it gives back is part of it: a ledger restored from a backup has forgotten
// its newest reversals, and another must not find one of them.
func (a *Acquirer) Reversal(t payment.Transaction) string {
	return remote.Digest(a.config.Terminal, t, fmt.Sprintf("refund %s %s", t.Moving().Cents(), t.LastReversal().ID))
}

// undoing names a try to give back what nobody was told of.
func (a *Acquirer) undoing(t payment.Transaction, try int) string {
	t.Reversals = nil
	return remote.Digest(a.config.Terminal, t, fmt.Sprintf("undo %d", try))
}

const (
	path       = "/api/v1/operacao"
	salePath   = path + "?tipoOperacao=0"
	refundPath = path + "?tipoOperacao=1"
)

// post asks for an operation, once. Its error is a *remote.Failure, or what is wrong with the answer.
func (a *Acquirer) post(ctx context.Context, q remote.Request) (operation, error) {
	raw, err := a.caller.Do(ctx, remote.Call{Method: http.MethodPost, Path: q.Path, Body: q.Body, Tries: 1})
	a.mu.Lock()
	a.posted = time.Now()
	a.mu.Unlock()
	if err != nil {
		return operation{}, err
	}
	o, known, err := parseOperation(raw, q.Key)
	switch {
	case err != nil:
		return operation{}, err
	case !known:
		return operation{}, errNotTold
	}
	return o, a.known(q)
}

// known keeps that the manager has an operation: should it ever deny that, it has forgotten.
func (a *Acquirer) known(q remote.Request) error {
	q.ID = q.Key
	return a.requests.Keep(q)
}

// landed tells that whatever was asked for has arrived, or never will.
func (a *Acquirer) landed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Since(a.posted) >= a.config.Pace.Landing
}

// see looks an operation up by our name for it; false: the manager says that it has none.
func (a *Acquirer) see(ctx context.Context, id string, tries int) (operation, bool, error) {
	o, known, err := a.look(ctx, id, tries)
	if isUnknown(err) {
		err = nil
	}
	return o, known, err
}

// look is see that has what it says against an operation that it has not.
func (a *Acquirer) look(ctx context.Context, id string, tries int) (operation, bool, error) {
	raw, err := a.caller.Do(ctx, remote.Call{Method: http.MethodGet, Path: path + "?identificacao=" + id, Tries: tries})
	if err != nil {
		return operation{}, false, err
	}
	return parseOperation(raw, id)
}

// greet is a look before anything leaves: somebody has to be there. How it says that it has no such operation is not for this look to
// judge; a refusal is as good.
func (a *Acquirer) greet(ctx context.Context, id string) (operation, bool, error) {
	o, known, err := a.see(ctx, id, 2)
	if p := remote.Complained(err); p != nil && p.Own && !p.Transient() {
		err = nil
	}
	return o, known, err
}

// follow looks until the operation is over or the context ends.
func (a *Acquirer) follow(ctx context.Context, id string) (operation, bool) {
	return remote.Until(ctx, a.config.Pace.Polling(), func(ctx context.Context) (operation, bool, error) {
		o, known, err := a.see(ctx, id, 1)
		return o, known && o.executed, err
	})
}
