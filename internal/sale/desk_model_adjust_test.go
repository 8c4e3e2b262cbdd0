package sale_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/sale"
)

var adjustmentErrors = map[sale.List]struct{ exists, unknown error }{
	sale.Discounts: {sale.ErrDiscountExists, sale.ErrDiscountUnknown}, sale.Additions: {sale.ErrAdditionExists, sale.ErrAdditionUnknown},
}

// drawList is the discounts or the additions.
func drawList(t *rapid.T) sale.List {
	return rapid.SampledFrom([]sale.List{sale.Discounts, sale.Additions}).Draw(t, "list")
}

func (m *deskModel) adjustmentAt(list sale.List, id string) int {
	if m.open == nil {
		return -1
	}
	return slices.IndexFunc(m.open.adjusted[list], func(a sale.Adjustment) bool { return a.ID == id })
}

// drawAdjustment is an adjustment as a caller sends it, sometimes with a minus sign, and as it must be kept.
func drawAdjustment(t *rapid.T) (sent, kept sale.Adjustment) {
	kept = genAdjustment().Draw(t, "adjustment")
	sent = kept
	if rapid.Bool().Draw(t, "negative") && kept.Value.Sign() > 0 {
		sent.Value = dec("-" + kept.Value.String())
	}
	return sent, kept
}

func (m *deskModel) AddAdjustment(t *rapid.T) {
	list := drawList(t)
	sent, kept := drawAdjustment(t)
	sent.ID = rapid.SampledFrom(append([]string{"", ""}, pool...)).Draw(t, "id")
	id, err := m.desk.AddAdjustment(list, sent)
	switch {
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case sent.ID != "" && m.adjustmentAt(list, sent.ID) >= 0:
		m.expect(t, err, adjustmentErrors[list].exists)
	default:
		m.expect(t, err, nil)
		if id == "" || (sent.ID != "" && id != sent.ID) || m.adjustmentAt(list, id) >= 0 {
			t.Fatalf("%s got id %q, asked %q", list, id, sent.ID)
		}
		kept.ID = id
		m.open.adjusted[list] = append(m.open.adjusted[list], kept)
	}
}

func (m *deskModel) EditAdjustment(t *rapid.T) {
	list, id := drawList(t), m.drawID(t)
	sent, kept := drawAdjustment(t)
	err := m.desk.EditAdjustment(list, id, sale.AdjustmentPatch{
		Description: sale.Set(sent.Description), Value: sale.Set(sent.Value), AdditionalInfo: sale.Set(sent.AdditionalInfo),
	})
	at := m.adjustmentAt(list, id)
	switch {
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case at < 0:
		m.expect(t, err, adjustmentErrors[list].unknown)
	default:
		m.expect(t, err, nil)
		kept.ID = id
		m.open.adjusted[list][at] = kept
	}
}

func (m *deskModel) RemoveAdjustment(t *rapid.T) {
	list, id := drawList(t), m.drawID(t)
	err := m.desk.RemoveAdjustment(list, id)
	at := m.adjustmentAt(list, id)
	switch {
	case m.open == nil:
		m.expect(t, err, sale.ErrNoneOpen)
	case at < 0:
		m.expect(t, err, adjustmentErrors[list].unknown)
	default:
		m.expect(t, err, nil)
		m.open.adjusted[list] = slices.Delete(m.open.adjusted[list], at, at+1)
	}
}

// Clear empties a list, or takes the line of that name out of it.
func (m *deskModel) Clear(t *rapid.T) {
	list := rapid.SampledFrom([]sale.List{sale.Items, sale.Payments, sale.Discounts, sale.Additions}).Draw(t, "list")
	at := m.adjustmentAt(list, "clear")
	switch list {
	case sale.Items:
		at = m.itemAt("clear")
	case sale.Payments:
		at = m.paymentAt("clear")
	}
	all, err := m.desk.Clear(list)
	if m.open == nil {
		m.expect(t, err, sale.ErrNoneOpen)
		return
	}
	m.expect(t, err, nil)
	if all != (at < 0) {
		t.Fatalf("cleared all of %s: %t, the line clear is at %d", list, all, at)
	}
	switch list {
	case sale.Items:
		m.open.items = clearedAt(m.open.items, at)
	case sale.Payments:
		m.open.payments = clearedAt(m.open.payments, at)
	default:
		m.open.adjusted[list] = clearedAt(m.open.adjusted[list], at)
	}
}

func clearedAt[T any](lines []T, at int) []T {
	if at < 0 {
		return nil
	}
	return slices.Delete(lines, at, at+1)
}

func (m *deskModel) ClearAll(t *rapid.T) {
	err := m.desk.ClearAll()
	if m.open == nil {
		m.expect(t, err, sale.ErrNoneOpen)
		return
	}
	m.expect(t, err, nil)
	m.open.items, m.open.payments = nil, nil
	clear(m.open.adjusted)
	m.open.session.Total = nil
}
