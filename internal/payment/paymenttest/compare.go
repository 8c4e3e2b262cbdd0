package paymenttest

import (
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// compare holds both ledgers against each other, and against what the callers were told.
func (m *terminal) compare() {
	m.t.Helper()
	all := m.all()
	books := m.fixture.Books(all)
	for what, list := range map[string][]string{"protest": books.Protests, "left open": books.Open, "unknown to the ledger": books.Foreign} {
		for _, text := range list {
			m.t.Errorf("%s: %s", what, text)
		}
	}
	paid := map[string]int64{}
	for _, t := range all {
		want := money.Zero
		if t.Status() == payment.Approved {
			want = t.Left()
			if first, twice := paid[t.Request.Reference]; twice {
				m.t.Errorf("%s was charged twice: %d and %d", t.Request.Reference, first, t.ID)
			}
			paid[t.Request.Reference] = t.ID
		}
		if sum := books.Standing[t.ID]; sum.Cmp(want) != 0 {
			m.t.Errorf("%s is %s with %s left, and %s stands at the other side", t.Operation(), t.State, want, sum)
		}
		if !t.Resolved() {
			m.t.Errorf("%s is left as %s", t.Operation(), t.State)
		}
		m.mu.Lock()
		told, back := m.told[t.ID], m.toldBack[t.ID]
		m.mu.Unlock()
		if told != "" && told != t.Status() && (told != payment.Approved || len(t.Reversals) == 0) {
			m.t.Errorf("the caller was told %s of %s, which is %s", told, t.Operation(), t.State)
		}
		if t.GivenBack().Cmp(back) < 0 {
			m.t.Errorf("the caller was told that %s of %s went back, and it is %s", back, t.Operation(), t.GivenBack())
		}
		m.history(t)
	}
	for reference, id := range paid {
		if found, err := m.desk.Find(reference); err != nil || found.ID != id {
			m.t.Errorf("%s was paid by %d, the caller finds %d (%v)", reference, id, found.ID, err)
		}
	}
}

// history checks that every step was allowed, and that nothing was sent behind the ledger's back.
func (m *terminal) history(t payment.Transaction) {
	m.t.Helper()
	events, err := m.ledger.History(t.ID)
	if err != nil || len(events) == 0 {
		m.t.Fatalf("%d has no history: %v", t.ID, err)
	}
	sent := map[int]bool{} // by reversal; 0 is the payment
	var last payment.State
	for _, e := range events {
		_, number, _ := strings.Cut(e.Operation, "-r")
		reversal, _ := strconv.Atoi(number)
		if !e.State.MayFollow(last, reversal) {
			m.t.Errorf("%s went from %q to %q: %v", e.Operation, last, e.State, events)
		}
		sent[reversal] = sent[reversal] || e.State == payment.StateSent
		last = e.State
	}
	if last != t.State {
		m.t.Errorf("%s is %s, its history ends with %s", t.Operation(), t.State, last)
	}
	for reversal, was := range sent {
		operation := t
		operation.Reversals = t.Reversals[:reversal]
		if !was && m.fixture.Reached(operation) {
			m.t.Errorf("%s left without being sent: %v", operation.Operation(), events)
		}
	}
}
