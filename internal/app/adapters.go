package app

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/desktop"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
)

// saleScreen fills sale.Screen.
type saleScreen struct {
	*screen.Model
	charged func(since time.Time) money.Decimal // by payments at this terminal that count
}

// handingOver is how long the end of a sale is seen at least where money goes back to the customer, unless the caller says.
const handingOver = 8 * time.Second

func (s saleScreen) SaleEnded(state sale.State, last sale.View, e sale.Ending) {
	sums := last.Summary().For(last.Session.Total)
	c := screen.Closing{
		Finalized: state == sale.Finalized, Message: e.Message, ShowMessage: e.ShowMessage,
		ShowCloseButton: e.ShowCloseButton, ButtonCloseText: e.ButtonCloseText, Interval: e.MessageInterval,
		Total: sums.Total, Paid: sums.Paid, Change: sums.Change,
	}
	back := c.Change
	if !c.Finalized {
		c.Paid = c.Paid.Add(s.unrecorded(last))
		back = c.Paid
	}
	if e.UsualInterval && back.Sign() > 0 {
		c.Interval = max(c.Interval, handingOver)
	}
	s.EndSale(c)
}

// unrecorded is what was charged at the terminal during a sale beyond what its caller recorded: somebody has to give it back
// all the same. Only cash is known not to have come through the terminal.
func (s saleScreen) unrecorded(last sale.View) money.Decimal {
	rest := s.charged(last.OpenedAt)
	for _, p := range last.Payments {
		if p.Type == nil || p.Type.Word() != "money" {
			rest = rest.Sub(p.Value)
		}
	}
	if rest.Sign() < 0 {
		return money.Zero
	}
	return rest
}

// chargedSince tells what payments have brought that were begun since then, without what was given back.
func (s *service) chargedSince(log *slog.Logger) func(time.Time) money.Decimal {
	return func(since time.Time) money.Decimal {
		sum := money.Zero
		err := s.Payments.List(context.Background(), payment.Filter{Since: since, Status: payment.Approved}, func(t payment.Found) error {
			sum = sum.Add(t.Left())
			return nil
		})
		if err != nil {
			log.Warn("os pagamentos da venda cancelada não puderam ser lidos: " + portuguese.Error(err))
		}
		return sum
	}
}

// coversClosing tells whether a payment or a question lies over the message that ends a sale.
func (s *service) coversClosing() bool {
	_, pays := s.Payments.Shown()
	_, ended := s.Payments.Ended()
	_, asks := s.Questions.Shown()
	_, succeeded := s.Questions.Success()
	return pays || ended || asks || succeeded
}

// notifyDesktop has the operating system say what no open page can.
func (s *service) notifyDesktop(log *slog.Logger) {
	pages := s.Screen.Foreground
	notifier := desktop.New(desktop.Options{
		Wanted: func() bool { return !pages.HasPages() },
		Failed: func(err error) { log.Warn("o sistema não mostrou a notificação: " + portuguese.Error(err)) },
	})
	s.Screen.Notified = notifier.Notify
	s.onClose(func() error { notifier.Close(); return nil })
}

// autopilotScreen fills autopilot.Screen.
type autopilotScreen struct{ *screen.Model }

// Changes leaves out what no person acts upon: items being scanned need not wake the autopilot.
func (c autopilotScreen) Changes() <-chan struct{} { return c.Prompts() }

func (c autopilotScreen) Unattended() bool {
	s := c.Foreground.State()
	return s.Autopilot && s.Active
}

// autopilotQuestions fills autopilot.Questions.
type autopilotQuestions struct {
	desk  *question.Desk
	delay time.Duration
	play  *Play

	asked uint64 // the question that the play has been asked about
	line  Line
}

// Waiting numbers each question of a form, not only the form.
func (a *autopilotQuestions) Waiting() (uint64, time.Duration, bool) {
	shown, ok := a.desk.Shown()
	if !ok {
		return 0, 0, false
	}
	if n := number(shown); n != a.asked {
		a.asked, a.line = n, a.play.answer(shown.Form.Questions[shown.Index])
	}
	return a.asked, or(a.line.After, a.delay), true
}

func number(s question.Shown) uint64 { return s.Serial<<12 + uint64(s.Index) }

// Answer says the person's line of the play, else a valid sample; where there is neither it cancels.
func (a *autopilotQuestions) Answer(asked uint64) {
	shown, ok := a.desk.Shown()
	if !ok || number(shown) != asked {
		return
	}
	value, ok := shown.Form.Questions[shown.Index].Sample()
	if a.line.Value != nil {
		value, ok = *a.line.Value, true
	}
	// Losing the race against a person is no fault: the question is gone either way.
	if ok && !a.line.Cancel {
		_ = a.desk.Answer(shown.Serial, shown.Index, value)
	} else {
		_ = a.desk.Dismiss(shown.Serial)
	}
}

// autopilotPayments fills autopilot.Payments: the emulator's bank knows what to do with its own operations, the steps of other
// acquirers are done one by one.
type autopilotPayments struct {
	bank  *emulator.Acquirer
	desk  *payment.Desk
	delay time.Duration
}

const (
	endRead = ^uint64(0)      // the serial of an end that waits for somebody to take note of it
	reading = 3 * time.Second // is how long that takes
)

// Waiting tells the two apart by the last bit.
func (c autopilotPayments) Waiting() (uint64, time.Duration, bool) {
	if serial, ok := c.bank.Waiting(); ok {
		if planned, ok := c.bank.Thinks(); ok {
			return serial << 1, planned, true
		}
		return serial << 1, c.delay, true
	}
	shown, ok := c.desk.Shown()
	if e, ended := c.desk.Ended(); !ok && ended && e.AwaitsPerson() {
		return endRead, reading, true
	}
	_, asked := actionFor(shown.Prompt)
	return shown.Serial<<1 | 1, c.delay, ok && asked
}

func (c autopilotPayments) Proceed(serial uint64) {
	if serial == endRead {
		c.desk.DismissEnded()
		return
	}
	if serial&1 == 0 {
		c.bank.Proceed(serial >> 1)
		return
	}
	shown, ok := c.desk.Shown()
	if action, asked := actionFor(shown.Prompt); ok && asked && shown.Serial == serial>>1 {
		_ = c.desk.Act(shown.Serial, action) // losing the race against a person is no fault
	}
}

// actionFor is what the autopilot does at a step, if it asks for anything.
func actionFor(p payment.Prompt) (payment.Action, bool) {
	switch p.Step {
	case payment.StepChoose:
		return payment.Action{Kind: payment.ActChoose, Method: p.Methods[0]}, true
	case payment.StepInstallments:
		return payment.Action{Kind: payment.ActInstallments, Installments: p.Installments[0]}, true
	case payment.StepConfirm:
		return payment.Action{Kind: payment.ActConfirm}, true
	}
	return payment.Action{}, false
}

// emulated fills httpapi.Emulator with the emulator's bank and printer.
type emulated struct {
	acquirer *emulator.Acquirer
	printer  *printer.Virtual
	changed  func() // the screen shows how the printer is
}

func newEmulated(data string, roll receipt.Paper) (*emulated, error) {
	paper, err := printer.NewVirtual(filepath.Join(data, "paper"), roll)
	if err != nil {
		return nil, err
	}
	bank, err := emulator.New(data)
	return &emulated{bank, paper, func() {}}, err
}

// SettlePayment plays the person: one who pays leaves the outcome to the acquirer, its script and the magic
// amounts; a refusal or a cancellation is what it says.
func (e *emulated) SettlePayment(r httpapi.AcquirerReply, paidVia payment.Method) bool {
	d := emulator.Decision{PaidVia: paidVia}
	if reply := replyOf(r); reply.Ending != emulator.Approve {
		d.Forced = &reply
	}
	return e.acquirer.Decide(d) == nil
}

// PresentCard plays the person with a card: one that says nothing of its outcome leaves that to the acquirer.
func (e *emulated) PresentCard(c httpapi.Card) bool {
	card := emulator.Card{Entry: emulator.Entry(c.Entry), PaidVia: c.Method}
	if c.Reply != nil {
		reply := replyOf(*c.Reply)
		card.Reply = &reply
	}
	return e.acquirer.PresentCard(card) == nil
}

func (e *emulated) ScriptAcquirer(r httpapi.AcquirerReply, times int) {
	e.acquirer.Script(replyOf(r), times)
	e.changed()
}

func replyOf(r httpapi.AcquirerReply) emulator.Reply {
	return emulator.Reply{Ending: emulator.Ending(r.Ending), Message: r.Message, Delay: r.Delay}
}

func (e *emulated) SetPrinter(s printing.State) {
	e.printer.SetState(s)
	e.changed()
}

func (e *emulated) Jobs() []printing.Printed      { return e.printer.Jobs() }
func (e *emulated) Picture(n int) ([]byte, error) { return e.printer.Picture(n) }

func (e *emulated) Drawers() []printing.CashDrawer { return e.printer.Drawers() }

func (e *emulated) CloseDrawers() {
	e.printer.CloseDrawers()
	e.changed()
}

func (e *emulated) Reset() {
	e.acquirer.Reset()
	e.printer.ForgetDrawers()
	e.SetPrinter(printing.OK)
}
