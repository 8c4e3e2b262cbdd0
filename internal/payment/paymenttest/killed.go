package paymenttest

import (
	"fmt"
	"slices"

	"github.com/maquininha/maquininha/internal/payment"
)

// killAtEachStep kills the process at every step of the scene, and then once more somewhere in its recovery.
func (m *terminal) killAtEachStep(scene Scene) {
	kills := 0
	for steps := 1; !m.t.Failed(); steps++ {
		reference := fmt.Sprint("killed at ", steps)
		if scene.Kind != payment.Payment {
			m.must(paying, reference, payment.Approved)
		}
		m.process.killAfter(steps)
		a := m.operate(scene, reference)
		alive := m.process.killAfter(-1)
		if !alive {
			kills++
			m.stop()
			m.start(1 + steps%13)
			if !m.settled() || !m.process.killAfter(-1) {
				kills++
				m.stop()
				m.start(-1)
				m.settled()
			}
		}
		m.killed(scene, reference, a)
		m.retry(scene, reference)
		if m.t.Failed() {
			m.t.Errorf("killed after %d steps", steps)
		}
		if alive {
			break // it was over before the kill: so are the kills
		}
	}
	m.t.Logf("%d kills", kills)
	if kills < 8 {
		m.t.Error("hardly anybody was killed")
	}
	m.stop()
	m.start(-1)
	m.settled()
	m.compare()
}

// killed checks what became of an operation that was perhaps never answered.
func (m *terminal) killed(scene Scene, reference string, a answer) {
	m.t.Helper()
	may := []payment.Status{m.fixture.end(m.t, scene).Final}
	switch {
	case a.ended && a.err != nil:
		m.t.Errorf("answered %v", a.err)
	case a.ended:
	case scene.Kind != payment.Payment:
		may = append(may, payment.Approved)
	default:
		may = append(may, payment.Cancelled, payment.Refused, "") // undone, never paid as nobody was told to, or killed before the ledger had it
	}
	if got := m.stands(scene, reference); !slices.Contains(may, got) {
		m.t.Errorf("%s ended as %q, want one of %q", reference, got, may)
	}
	m.compare()
}
