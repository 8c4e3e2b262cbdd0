package sale_test

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/store"
)

// watched is a screen that counts.
type watched struct {
	mu      sync.Mutex
	changes int
	endings []ended
}

type ended struct {
	State  sale.State
	Ending sale.Ending
}

func (w *watched) Changed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.changes++
}

func (w *watched) SaleEnded(s sale.State, _ sale.View, e sale.Ending) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endings = append(w.endings, ended{s, e})
}

func (w *watched) seen() (changes int, endings []ended) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changes, slices.Clone(w.endings)
}

// deskModel is what a desk on a real store should be: slices and a pointer.
type deskModel struct {
	dir    string
	store  *store.Store
	desk   *sale.Desk
	screen *watched

	open    *modelSale
	history []modelSale
	changes int
	endings []ended
}

type modelSale struct {
	session  sale.Session
	state    sale.State
	items    []sale.Item
	payments []sale.Payment
	adjusted map[sale.List][]sale.Adjustment
}

func newDeskModel(t *rapid.T, dir string) *deskModel {
	m := &deskModel{dir: dir, screen: &watched{}}
	m.start(t)
	return m
}

func (m *deskModel) start(t *rapid.T) {
	var err error
	if m.store, err = store.Open(m.dir); err != nil {
		t.Fatal(err)
	}
	if m.desk, err = sale.NewDesk(m.store.Sales(), m.screen); err != nil {
		t.Fatal(err)
	}
}

// Restart is the service stopping and starting again.
func (m *deskModel) Restart(t *rapid.T) {
	if err := m.store.Close(); err != nil {
		t.Fatal(err)
	}
	m.start(t)
}

// expect holds an operation's error against the model's; nil means that the model has changed too.
func (m *deskModel) expect(t *rapid.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) || (want == nil) != (got == nil) {
		t.Fatalf("got error %v, want %v", got, want)
	}
	if want == nil {
		m.changes++
	}
}

func (m *deskModel) Open(t *rapid.T) {
	session := genSession().Draw(t, "session")
	err := m.desk.Open(session)
	if m.open != nil {
		m.expect(t, err, sale.ErrAlreadyOpen)
		return
	}
	m.expect(t, err, nil)
	m.open = &modelSale{session: session, adjusted: map[sale.List][]sale.Adjustment{}}
}

func (m *deskModel) Edit(t *rapid.T) {
	next := genSession().Draw(t, "session")
	which := rapid.IntRange(0, 3).Draw(t, "field")
	var patch sale.SessionPatch
	switch which {
	case 0:
		patch.CustomerDocument = sale.Set(next.CustomerDocument)
	case 1:
		patch.CustomerName = sale.Set(next.CustomerName)
	case 2:
		patch.SellerName = sale.Set(next.SellerName)
	default:
		patch = sale.SessionPatch{
			CustomerDocument: sale.Set(next.CustomerDocument), CustomerName: sale.Set(next.CustomerName),
			SellerName: sale.Set(next.SellerName), AdditionalInfo: sale.Set(next.AdditionalInfo), Total: sale.Set(next.Total),
		}
	}
	err := m.desk.Edit(patch)
	if m.open == nil {
		m.expect(t, err, sale.ErrNoneOpen)
		return
	}
	m.expect(t, err, nil)
	switch s := &m.open.session; which {
	case 0:
		s.CustomerDocument = next.CustomerDocument
	case 1:
		s.CustomerName = next.CustomerName
	case 2:
		s.SellerName = next.SellerName
	default:
		*s = next
	}
}

// itemAt finds an item of the model's cart.
func (m *deskModel) itemAt(id string) int {
	if m.open == nil {
		return -1
	}
	return slices.IndexFunc(m.open.items, func(i sale.Item) bool { return i.ID == id })
}

func (m *deskModel) paymentAt(id string) int {
	if m.open == nil {
		return -1
	}
	return slices.IndexFunc(m.open.payments, func(p sale.Payment) bool { return p.ID == id })
}

// drawID is an id of the pool or one the desk has made.
func (m *deskModel) drawID(t *rapid.T) string {
	ids := slices.Clone(pool)
	if m.open != nil {
		for _, i := range m.open.items {
			ids = append(ids, i.ID)
		}
		for _, p := range m.open.payments {
			ids = append(ids, p.ID)
		}
		for _, list := range m.open.adjusted {
			for _, a := range list {
				ids = append(ids, a.ID)
			}
		}
		slices.Sort(ids) // the same draw gives the same id again
	}
	return rapid.SampledFrom(ids).Draw(t, "id")
}

func (m *deskModel) AddItem(t *rapid.T) {
	i := genItem().Draw(t, "item")
	i.ID = rapid.SampledFrom(append([]string{"", ""}, pool...)).Draw(t, "id")
	fault := spoil(t, &i)
	id, err := m.desk.AddItem(i)
	switch {
	case fault != nil:
		m.expect(t, err, fault)
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case i.ID != "" && m.itemAt(i.ID) >= 0:
		m.expect(t, err, sale.ErrItemExists)
	default:
		m.expect(t, err, nil)
		if id == "" || (i.ID != "" && id != i.ID) || m.itemAt(id) >= 0 {
			t.Fatalf("item got id %q, asked %q", id, i.ID)
		}
		i.ID = id
		m.open.items = append(m.open.items, i)
	}
}

// spoil sometimes breaks a rule; the error is what the desk must say then.
func spoil(t *rapid.T, i *sale.Item) error {
	switch rapid.IntRange(0, 12).Draw(t, "spoil") {
	case 1:
		i.Quantity = dec("0.00")
		return operation.ErrNotPositive
	case 2:
		i.Total = dec("-0.01")
		return sale.ErrNegative
	}
	return nil
}

func (m *deskModel) EditItem(t *rapid.T) {
	id, next := m.drawID(t), genItem().Draw(t, "item")
	fault := spoil(t, &next)
	got, err := m.desk.EditItem(id, sale.ItemPatch{
		Code: sale.Set(next.Code), Description: sale.Set(next.Description), Canceled: sale.Set(next.Canceled),
		Quantity: sale.Set(next.Quantity), UnitPrice: sale.Set(next.UnitPrice), Discount: sale.Set(next.Discount),
		Addition: sale.Set(next.Addition), Total: sale.Set(next.Total), AdditionalInfo: sale.Set(next.AdditionalInfo),
	})
	at := m.itemAt(id)
	switch {
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case at < 0:
		m.expect(t, err, sale.ErrItemUnknown)
	case fault != nil:
		m.expect(t, err, fault)
	default:
		m.expect(t, err, nil)
		next.ID = id
		m.open.items[at] = next
		if diff := cmp.Diff(next, got, exactly); diff != "" {
			t.Fatal(diff)
		}
	}
}

func (m *deskModel) CancelItem(t *rapid.T) {
	id := m.drawID(t)
	err := m.desk.CancelItem(id)
	at := m.itemAt(id)
	switch {
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case at < 0:
		m.expect(t, err, sale.ErrItemUnknown)
	default:
		m.expect(t, err, nil)
		m.open.items[at].Canceled = true
	}
}

func (m *deskModel) RemoveItem(t *rapid.T) {
	id := m.drawID(t)
	err := m.desk.RemoveItem(id)
	at := m.itemAt(id)
	switch {
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case at < 0:
		m.expect(t, err, sale.ErrItemUnknown)
	default:
		m.expect(t, err, nil)
		m.open.items = slices.Delete(m.open.items, at, at+1)
	}
}

func (m *deskModel) AddPayment(t *rapid.T) {
	p := genPayment().Draw(t, "payment")
	p.ID = rapid.SampledFrom(append([]string{"", ""}, pool...)).Draw(t, "id")
	negative := rapid.IntRange(0, 9).Draw(t, "spoil") == 1
	if negative {
		p.Value = dec("-1")
	}
	id, err := m.desk.AddPayment(p)
	switch {
	case negative:
		m.expect(t, err, sale.ErrNegative)
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case p.ID != "" && m.paymentAt(p.ID) >= 0:
		m.expect(t, err, sale.ErrPaymentExists)
	default:
		m.expect(t, err, nil)
		if id == "" || (p.ID != "" && id != p.ID) || m.paymentAt(id) >= 0 {
			t.Fatalf("payment got id %q, asked %q", id, p.ID)
		}
		p.ID = id
		m.open.payments = append(m.open.payments, p)
	}
}

func (m *deskModel) EditPayment(t *rapid.T) {
	id, next := m.drawID(t), genPayment().Draw(t, "payment")
	unknown := rapid.IntRange(0, 9).Draw(t, "spoil") == 1
	if unknown {
		next.Type = ptr(sale.PaymentType("barter"))
	}
	err := m.desk.EditPayment(id, sale.PaymentPatch{
		Type: sale.Set(next.Type), Description: sale.Set(next.Description), Value: sale.Set(next.Value), AdditionalInfo: sale.Set(next.AdditionalInfo),
	})
	at := m.paymentAt(id)
	switch {
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case at < 0:
		m.expect(t, err, sale.ErrPaymentUnknown)
	case unknown:
		m.expect(t, err, sale.ErrUnknownType)
	default:
		m.expect(t, err, nil)
		next.ID = id
		m.open.payments[at] = next
	}
}

func (m *deskModel) RemovePayment(t *rapid.T) {
	id := m.drawID(t)
	err := m.desk.RemovePayment(id)
	at := m.paymentAt(id)
	switch {
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case at < 0:
		m.expect(t, err, sale.ErrPaymentUnknown)
	default:
		m.expect(t, err, nil)
		m.open.payments = slices.Delete(m.open.payments, at, at+1)
	}
}

func (m *deskModel) Finalize(t *rapid.T) { m.end(t, sale.Finalized, m.desk.Finalize) }

func (m *deskModel) Cancel(t *rapid.T) { m.end(t, sale.Cancelled, m.desk.Cancel) }

func (m *deskModel) end(t *rapid.T, state sale.State, end func(sale.Ending) (sale.View, error)) {
	// Rarely, so that sales get to hold something.
	if m.open != nil && rapid.IntRange(0, 3).Draw(t, "end") != 0 {
		t.Skip("not yet")
	}
	how := sale.Ending{Message: genText.Draw(t, "message"), MessageInterval: time.Second}
	last, err := end(how)
	if m.open == nil {
		m.expect(t, err, sale.ErrNoneOpen)
		return
	}
	m.expect(t, err, nil)
	m.open.sameAs(t, last)
	m.open.state = state
	m.history = append(m.history, *m.open)
	m.endings = append(m.endings, ended{state, how})
	m.open = nil
}
