package paymenttest

import (
	"errors"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// The scenes in which all goes well.
var (
	paying  = Scene{payment.Payment, Approve}
	giving  = Scene{payment.Refund, Approve}
	refused = Scene{payment.Payment, Refuse}
)

// end is how the scene ends: as it must, or as the driver says where it has a choice.
func (s Fixture) end(t *testing.T, scene Scene) End {
	t.Helper()
	always := map[Scene]payment.Status{
		paying: payment.Approved, refused: payment.Refused,
		{payment.Payment, CustomerCancels}: payment.Cancelled, {payment.Payment, OperatorCancels}: payment.Cancelled,
		giving: payment.Reversed, {payment.Refund, Refuse}: payment.Approved,
		{payment.Refund, CustomerCancels}: payment.Approved, {payment.Refund, OperatorCancels}: payment.Approved,
	}
	if status, ok := always[scene]; ok {
		return End{status, status}
	}
	end, ok := s.Ends[scene]
	if !ok {
		t.Fatalf("the fixture does not say how %v ends", scene)
	}
	return end
}

// Conform runs every case, each on a new fixture.
func Conform(t *testing.T, open func(t *testing.T, dir string) Fixture) {
	for _, kind := range []payment.Kind{payment.Payment, payment.Refund} {
		for _, c := range Cases {
			scene := Scene{kind, c}
			t.Run(string(kind)+"/"+string(c), func(t *testing.T) {
				t.Parallel()
				lacks := ""
				atTerminal(t, open, func(m *terminal) {
					if lacks = m.fixture.Lacks[scene]; lacks == "" {
						m.play(scene)
					}
				})
				if lacks != "" {
					t.Skip("not applicable:", lacks)
				}
			})
		}
	}
	for _, scene := range []Scene{paying, refused, giving} {
		t.Run("killed at each step/"+string(scene.Kind)+"/"+string(scene.Case), func(t *testing.T) {
			t.Parallel()
			atTerminal(t, open, func(m *terminal) { m.killAtEachStep(scene) })
		})
	}
}

// play plays the scene, lets it settle, and has the caller try again.
func (m *terminal) play(scene Scene) {
	const sale = "sale"
	want := m.fixture.end(m.t, scene)
	if scene.Kind == payment.Refund {
		m.must(paying, sale, payment.Approved)
	}
	a := m.operate(scene, sale)
	switch {
	case !a.ended:
		a.status = payment.Pending
		m.start(-1)
	case errors.Is(a.err, payment.ErrUnknown):
		a.status = payment.Pending
	case a.err != nil:
		m.t.Fatal(a.err)
	}
	if a.status != want.Told {
		m.t.Errorf("told %q (%v), want %q", a.status, a.err, want.Told)
	}
	m.settled()
	time.Sleep(lull)
	m.settled()
	if got := m.stands(sale); got != want.Final {
		m.t.Errorf("ended as %q, want %q", got, want.Final)
	}
	again := []payment.Status{payment.Approved}
	if why := m.fixture.Lingers[scene]; why != "" {
		m.t.Log("open until the next operation:", why)
		again = append(again, payment.Refused)
	} else {
		m.compare()
	}
	if m.must(paying, "next", again...) != payment.Approved {
		m.must(paying, "next", payment.Approved)
	}
	m.compare()
	m.retry(scene, sale)
	m.stop()
	m.start(-1)
	m.settled()
	m.compare()
}

// retry is the caller asking for the same once more: nothing happens twice, and what did not happen may.
func (m *terminal) retry(scene Scene, reference string) {
	m.t.Helper()
	switch {
	case scene.Kind == payment.Payment:
		m.must(paying, reference, payment.Approved)
	case m.stands(reference) == payment.Approved:
		m.must(giving, reference, payment.Reversed)
	default:
		if a := m.operate(giving, reference); !errors.Is(a.err, payment.ErrReversed) {
			m.t.Errorf("reversed again: %q, %v", a.status, a.err)
		}
	}
	m.compare()
}
