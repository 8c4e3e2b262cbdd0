//go:build !race || everything

package emulator_test

import (
	"context"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// customer is a simple model of a payment at the counter, in whole cents.
type customer struct {
	*counter
	done  <-chan ended
	count int64

	cents, requested int
	asked            payment.Method

	step      payment.Step
	method    payment.Method
	agreed    int
	card      *emulator.Card
	script    []emulator.Ending
	deadline  time.Time
	ending    emulator.Ending // once it is processing
	cancelled bool
}

func (m *customer) goTo(step payment.Step) {
	if m.step = step; step == payment.StepPix {
		m.deadline = time.Now().Add(5 * time.Minute)
	}
	if step == payment.StepProcessing {
		m.ending = m.bankSays()
	}
}

func (m *customer) bankSays() emulator.Ending {
	if m.card != nil && m.card.Reply != nil {
		return m.card.Reply.Ending
	}
	if len(m.script) > 0 {
		first := m.script[0]
		m.script = m.script[1:]
		return first
	}
	if m.cents == 51 {
		return emulator.Refuse
	}
	return emulator.Approve
}

func (m *customer) chooses(method payment.Method) {
	m.method = method
	switch {
	case method == payment.Pix:
		m.agreed = 1
		m.goTo(payment.StepPix)
	case method == payment.Credit && m.requested == 1 && m.cents >= 1000:
		m.goTo(payment.StepInstallments)
	case method == payment.Credit:
		m.agreed = m.requested
		m.goTo(payment.StepCard)
	default:
		m.agreed = 1
		m.goTo(payment.StepCard)
	}
}

func (m *customer) shows(card emulator.Card) {
	m.card = &card
	if m.method == "" {
		if m.method = card.PaidVia; m.method == "" {
			m.method = payment.Credit
		}
		if m.agreed = m.requested; m.method == payment.Debit {
			m.agreed = 1
		}
	}
	if card.Entry == emulator.Insert || m.method == payment.Debit || m.cents > 20000 {
		m.goTo(payment.StepPIN)
	} else {
		m.goTo(payment.StepProcessing)
	}
}

// jumps is somebody settling all at once.
func (m *customer) jumps(d emulator.Decision) {
	if m.method == "" {
		if m.method = d.PaidVia; m.method == "" {
			m.method = payment.Credit
		}
	}
	if m.asked == payment.AnyMethod && m.agreed == 0 {
		if m.agreed = m.requested; m.method != payment.Credit {
			m.agreed = 1
		}
	}
	if d.Forced != nil {
		m.step, m.ending = payment.StepProcessing, d.Forced.Ending // no script is used up
		return
	}
	m.goTo(payment.StepProcessing)
}

func (m *customer) waits() bool { return !m.cancelled && m.step != payment.StepProcessing }

// Each of these is something that may happen at any step.

func (m *customer) Act(t *rapid.T) {
	if !m.waits() {
		t.Skip()
	}
	a := payment.Action{Kind: payment.ActCancel}
	if rapid.IntRange(0, 4).Draw(t, "cancel") > 0 {
		switch m.step {
		case payment.StepChoose:
			a = payment.Action{Kind: payment.ActChoose, Method: rapid.SampledFrom([]payment.Method{payment.Credit, payment.Debit, payment.Pix}).Draw(t, "method")}
		case payment.StepInstallments:
			a = payment.Action{Kind: payment.ActInstallments, Installments: rapid.IntRange(1, min(12, m.cents/500)).Draw(t, "instalments")}
		case payment.StepPIN:
			a = typedPIN
		default:
			t.Skip()
		}
	}
	switch a.Kind {
	case payment.ActCancel:
		m.cancelled = true
	case payment.ActChoose:
		m.chooses(a.Method)
	case payment.ActInstallments:
		m.agreed = a.Installments
		m.goTo(payment.StepCard)
	case payment.ActPIN:
		m.goTo(payment.StepProcessing)
	}
	m.act(a)
}

func (m *customer) Present(t *rapid.T) {
	card := emulator.Card{
		Entry:   rapid.SampledFrom([]emulator.Entry{emulator.Insert, emulator.Tap, emulator.Swipe}).Draw(t, "entry"),
		PaidVia: rapid.SampledFrom([]payment.Method{"", payment.Credit, payment.Debit}).Draw(t, "via"),
	}
	if e := rapid.SampledFrom([]emulator.Ending{"", emulator.Approve, emulator.Refuse, emulator.Cancel, emulator.Timeout}).Draw(t, "outcome"); e != "" {
		card.Reply = &emulator.Reply{Ending: e}
	}
	err := m.PresentCard(card)
	wanted := m.waits() && (m.step == payment.StepCard || m.step == payment.StepChoose)
	if (err == nil) != wanted {
		t.Fatalf("at %s a card: %v", m.step, err)
	}
	if wanted {
		m.shows(card)
	}
}

func (m *customer) Settle(t *rapid.T) {
	d := emulator.Decision{PaidVia: rapid.SampledFrom([]payment.Method{"", payment.Debit, payment.Pix}).Draw(t, "via")}
	if e := rapid.SampledFrom([]emulator.Ending{"", "", emulator.Refuse, emulator.Cancel}).Draw(t, "forced"); e != "" {
		d.Forced = &emulator.Reply{Ending: e}
	}
	if err := m.Decide(d); (err == nil) != m.waits() {
		t.Fatalf("at %s: %v", m.step, err)
	}
	if m.waits() {
		m.jumps(d)
	}
}

func (m *customer) Pilot(t *rapid.T) {
	serial, waiting := m.Waiting()
	if waiting != m.waits() {
		t.Fatalf("at %s: waiting %v", m.step, waiting)
	}
	m.Acquirer.Proceed(serial + uint64(rapid.IntRange(0, 1).Draw(t, "another")))
	if now, still := m.Waiting(); waiting && (!still || now != serial) {
		m.jumps(emulator.Decision{})
	}
}

func (m *customer) Start(*rapid.T) { // the emulator's reset
	m.Reset()
	m.script = nil
	if m.waits() {
		m.jumps(emulator.Decision{Forced: &emulator.Reply{Ending: emulator.Cancel}})
	}
}

func (m *customer) Program(t *rapid.T) {
	e := rapid.SampledFrom([]emulator.Ending{emulator.Approve, emulator.Refuse, emulator.Offline, emulator.Timeout}).Draw(t, "next")
	m.Script(emulator.Reply{Ending: e}, 1)
	m.script = append(m.script, e)
}

func (m *customer) Dawdle(t *rapid.T) {
	time.Sleep(time.Duration(rapid.IntRange(1, 200).Draw(t, "seconds")) * time.Second)
	if m.waits() && m.step == payment.StepPix && !time.Now().Before(m.deadline) {
		m.cancelled = true
	}
}

// Check holds the counter against the model after each of them; a payment that is over makes place for the next.
func (m *customer) Check(t *rapid.T) {
	synctest.Wait()
	if m.waits() {
		if len(m.done) != 0 {
			t.Fatalf("ended at %s: %+v", m.step, <-m.done)
		}
		p := m.at(m.step)
		if p.Agreed != m.agreed || p.Method != m.method {
			t.Fatalf("the screen says %s in %d, the model %s in %d", p.Method, p.Agreed, m.method, m.agreed)
		}
		return
	}
	if len(m.done) == 0 {
		t.Fatalf("still waiting at %s", m.step)
	}
	e := <-m.done
	want := map[emulator.Ending]payment.Verdict{
		emulator.Approve: payment.Accepted, emulator.Refuse: payment.Declined, emulator.Offline: payment.Declined, emulator.Cancel: payment.Abandoned,
	}[m.ending]
	if m.cancelled {
		want = payment.Abandoned
	}
	switch {
	case want == "":
		if e.err == nil {
			t.Fatalf("%+v, want silence", e)
		}
	case e.err != nil || e.Verdict != want || e.PaidWith != m.method || e.Installments != m.agreed:
		t.Fatalf("ended %+v; want %s, %s in %d", e, want, m.method, m.agreed)
	}
	m.next(t)
}

func (m *customer) next(t *rapid.T) {
	m.asked = rapid.SampledFrom([]payment.Method{payment.Credit, payment.Debit, payment.Pix, payment.AnyMethod, payment.AnyMethod}).Draw(t, "asked")
	m.cents = rapid.SampledFrom([]int{51, 100, 999, 1000, 5999, 20000, 20001, 500000}).Draw(t, "cents")
	m.requested = rapid.SampledFrom([]int{1, 1, 1, 3}).Draw(t, "requested")
	m.method, m.agreed, m.card, m.ending, m.cancelled = m.asked, 0, nil, "", false
	m.count++
	tx := attempt(m.count, "1", m.asked)
	tx.Request.Amount = money.MustParse(strconv.Itoa(m.cents/100) + "." + strconv.Itoa(m.cents%100/10) + strconv.Itoa(m.cents%10))
	tx.Request.Installments = m.requested
	switch m.asked {
	case payment.AnyMethod:
		m.method = ""
		m.goTo(payment.StepChoose)
	case payment.Pix:
		m.goTo(payment.StepPix)
	default:
		m.goTo(payment.StepCard)
	}
	m.done = m.begin(context.Background(), tx)
}

func TestStepsAgainstAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "emulator")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		rapid.SyncTest(t, func(t *rapid.T) {
			m := &customer{counter: &counter{t: t, dir: dir, person: make(chan payment.Action)}}
			m.open()
			m.next(t)
			t.Repeat(map[string]func(*rapid.T){
				"": m.Check, "act": m.Act, "present": m.Present, "settle": m.Settle, "pilot": m.Pilot,
				"start": m.Start, "program": m.Program, "dawdle": m.Dawdle,
			})
			m.Reset()
			<-m.done
			m.Close()
		})
	})
}
