package httpapi

import (
	"context"
	"errors"
	"sync"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// What a customer may have of the hub at once: no other is to wait for it, nor the house whose customers they are. Who sees a whole account
// runs the hub, or pays who does, and has what the hub as a whole has.
const (
	mostCalls     = 2000 // passed on to terminals, held ones as well
	mostStrangers = 100  // such calls without credentials, for the terminals' documentation
	mostStreams   = 200  // of events
	mostBodies    = 200  // that come in
	mostQuestions = 4    // to the database
	mostWaiting   = 100  // with such a question
	mostExports   = 2
)

// errCrowded means that a customer has more under way than is a customer's share.
var errCrowded = errors.New("this customer has too much under way")

// turns are how many of something each customer has under way.
type turns struct {
	most    int // at once
	waiting int // for a turn; more are refused

	mu sync.Mutex
	of map[string]*turn // who has none is not remembered
}

type turn struct {
	taken   chan struct{}
	holders int // that have one or wait
}

func newTurns(most, waiting int) *turns {
	return &turns{most: most, waiting: waiting, of: map[string]*turn{}}
}

// enter takes a turn of a customer, until leave is called.
func (t *turns) enter(ctx context.Context, s fleet.Scope) (leave func(), err error) {
	if s.Tenant == "" {
		return func() {}, nil
	}
	mine, room := t.hold(s.Tenant)
	if !room {
		return nil, errCrowded
	}
	select {
	case mine.taken <- struct{}{}:
		return func() {
			<-mine.taken
			t.release(s.Tenant)
		}, nil
	case <-ctx.Done():
		t.release(s.Tenant)
		return nil, ctx.Err()
	}
}

func (t *turns) hold(tenant string) (*turn, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine := t.of[tenant]
	if mine == nil {
		mine = &turn{taken: make(chan struct{}, t.most)}
		t.of[tenant] = mine
	}
	if mine.holders >= t.most+t.waiting {
		return nil, false
	}
	mine.holders++
	return mine, true
}

func (t *turns) release(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine := t.of[tenant]
	if mine.holders--; mine.holders == 0 {
		delete(t.of, tenant)
	}
}
