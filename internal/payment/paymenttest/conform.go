package paymenttest

import (
	"errors"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// The scenes in which all goes well.
var (
	paying     = Scene{Kind: payment.Payment, Case: Approve}
	giving     = Scene{Kind: payment.Refund, Case: Approve}
	givingPart = Scene{Kind: payment.Refund, Case: Approve, Part: true}
	refused    = Scene{Kind: payment.Payment, Case: Refuse}
)

// partCases are those in which a part could be taken for the whole, or for another part.
var partCases = []Case{Approve, Refuse, LostAfter, Late}

// end is how the scene ends: as it must, or as the driver says where it has a choice. A part ends as the whole does.
func (s Fixture) end(t *testing.T, scene Scene) End {
	t.Helper()
	scene.Part = false
	always := map[Scene]payment.Status{
		paying: payment.Approved, refused: payment.Refused,
		{Kind: payment.Payment, Case: CustomerCancels}: payment.Cancelled, {Kind: payment.Payment, Case: OperatorCancels}: payment.Cancelled,
		giving: payment.Reversed, {Kind: payment.Refund, Case: Refuse}: payment.Approved,
		{Kind: payment.Refund, Case: CustomerCancels}: payment.Approved, {Kind: payment.Refund, Case: OperatorCancels}: payment.Approved,
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
	ConformInScenes(t, open)
	ConformKilled(t, open)
}

// ConformInScenes is Conform for processes that live.
func ConformInScenes(t *testing.T, open func(t *testing.T, dir string) Fixture) {
	var scenes []Scene
	for _, kind := range []payment.Kind{payment.Payment, payment.Refund} {
		for _, c := range Cases {
			scenes = append(scenes, Scene{Kind: kind, Case: c})
		}
	}
	for _, c := range partCases {
		scenes = append(scenes, Scene{Kind: payment.Refund, Case: c, Part: true})
	}
	for _, scene := range scenes {
		run(t, scene.name(), scene, open, func(m *terminal) { m.play(scene) })
	}
}

// ConformKilled kills the process at each step of what it does.
func ConformKilled(t *testing.T, open func(t *testing.T, dir string) Fixture) {
	for _, scene := range []Scene{paying, refused, giving, givingPart} {
		run(t, "killed at each step/"+scene.name(), scene, open, func(m *terminal) { m.killAtEachStep(scene) })
	}
}

func (s Scene) name() string {
	if s.Part {
		return string(s.Kind) + " of a part/" + string(s.Case)
	}
	return string(s.Kind) + "/" + string(s.Case)
}

// run runs a test of a scene, unless it can't happen to the driver.
func run(t *testing.T, name string, scene Scene, open func(t *testing.T, dir string) Fixture, test func(*terminal)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		lacks := ""
		atTerminal(t, open, func(m *terminal) {
			whole := scene
			whole.Part = false
			switch lacks = m.fixture.Lacks[whole]; {
			case lacks != "":
			case scene.Part && m.fixture.WholeOnly != "":
				if lacks = m.fixture.WholeOnly; scene == givingPart {
					m.refusesParts()
				}
			default:
				test(m)
			}
		})
		if lacks != "" {
			t.Skip("not applicable:", lacks)
		}
	})
}

// refusesParts has the caller ask for what the driver can't do: nothing happens.
func (m *terminal) refusesParts() {
	m.must(paying, "sale", payment.Approved)
	if a := m.operate(givingPart, "sale"); !errors.Is(a.err, payment.ErrWholeOnly) {
		m.t.Errorf("%q, %v; want %v", a.status, a.err, payment.ErrWholeOnly)
	}
	m.compare()
	m.must(giving, "sale", payment.Reversed)
	m.compare()
}

// ConformMenu has the operator do something about a sale in the acquirer's own menu, as the fixture plays and ends those scenes.
func ConformMenu(t *testing.T, open func(t *testing.T, dir string) Fixture) {
	for _, c := range []Case{Approve, Refuse, CustomerCancels, Silent, LostBefore, LostAfter, Late, Duplicate} {
		scene := Scene{Kind: payment.Menu, Case: c}
		run(t, scene.name(), scene, open, func(m *terminal) { m.play(scene) })
	}
	killed := Scene{Kind: payment.Menu, Case: Approve}
	run(t, "killed at each step/"+killed.name(), killed, open, func(m *terminal) { m.killAtEachStep(killed) })
}

// ConformCalledOff has the caller call operations off at each step of them.
func ConformCalledOff(t *testing.T, open func(t *testing.T, dir string) Fixture) {
	for _, scene := range []Scene{paying, giving} {
		run(t, string(scene.Kind), scene, open, func(m *terminal) { m.callOffAtEachStep(scene) })
	}
}

// play plays the scene, lets it settle, and has the caller try again.
func (m *terminal) play(scene Scene) {
	const sale = "sale"
	want := m.fixture.end(m.t, scene)
	if scene.Kind != payment.Payment {
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
	if got := m.stands(scene, sale); got != want.Final {
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
	case scene.Part:
		m.must(givingPart, reference, payment.Reversed)
		if t, err := m.desk.Find(reference); err != nil || t.GivenBack().Cmp(partAmount) != 0 {
			m.t.Errorf("%s went back, %v; want %s", t.GivenBack(), err, partAmount)
		}
		m.compare()
		m.must(giving, reference, payment.Reversed) // all that is left
	case m.stands(scene, reference) == payment.Approved:
		m.must(giving, reference, payment.Reversed)
	default:
		if a := m.operate(giving, reference); !errors.Is(a.err, payment.ErrReversed) {
			m.t.Errorf("reversed again: %q, %v", a.status, a.err)
		}
	}
	m.compare()
}
