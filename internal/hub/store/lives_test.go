package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/records"
)

// book is how the hub counts at a terminal: what came in, what was given back, and how the payments stand.
func (h *hub) book(t *testing.T, terminal string) string {
	t.Helper()
	rows, err := h.records.Closings(t.Context(), whole, records.ClosingFilter{Terminal: terminal})
	ok(t, err)
	var text string
	for _, r := range rows {
		text += fmt.Sprintf("%d of %s, back %d of %s:", r.Gross.Count, r.Gross.Amount, r.Reversed.Count, r.Reversed.Amount)
	}
	for _, x := range h.transactions(t, records.TransactionFilter{Terminal: terminal}) {
		text += " " + x.Status
	}
	return text
}

// lived is a batch of one payment's lines, from its begin, in an epoch that nobody has seen. With the last something is given back.
func lived(terminal, epoch string, lines []line, back ...records.Return) records.Batch {
	b := page(records.Cursor{Terminal: terminal, Epoch: own(terminal, epoch), Kind: records.Ledger}, home, lines...)
	last := &b.Transactions[len(lines)-1]
	last.CreatedAt = b.Transactions[0].CreatedAt
	if back != nil {
		last.Returns = back
	}
	return b
}

// A whole disk was set back while a payment went on: both of its lives are here, and neither knows of the other. Money that moved has
// moved, in whichever.
func testParted(t *testing.T, h *hub) {
	later := noon.Add(time.Hour)
	begun := line{1, 1, "pending", 0}
	paid := line{1, 1, "approved", 0}
	for i, test := range []struct {
		name                string
		before              []line
		givenBack           []records.Return
		after               []line
		givenBackAfterwards []records.Return
		want                string
	}{
		{
			name:   "a reversal that is refused later, since it was made",
			before: []line{paid, {2, 1, "reversed", 0}}, after: []line{paid, {2, 1, "approved", time.Hour}},
			want: "1 of 10.50, back 1 of 10.50: reversed",
		},
		{
			name:   "parts that were given back in both",
			before: []line{paid, {2, 1, "approved", 0}}, givenBack: []records.Return{{At: noon, Amount: "3.00", NSU: "91"}},
			after: []line{paid, {2, 1, "approved", time.Hour}}, givenBackAfterwards: []records.Return{{At: later, Amount: "2.00", NSU: "92"}},
			want: "1 of 10.50, back 2 of 5.00: approved",
		},
		{
			name:   "parts that both know of",
			before: []line{paid, {2, 1, "approved", 0}}, givenBack: []records.Return{{At: noon, Amount: "3.00", NSU: ""}, {At: noon, Amount: "1.00", NSU: "91"}},
			after: []line{paid, {2, 1, "approved", time.Hour}}, givenBackAfterwards: []records.Return{{At: noon, Amount: "3.00", NSU: ""}, {At: later, Amount: "1.00", NSU: "91"}},
			want: "1 of 10.50, back 2 of 4.00: approved",
		},
		{
			name:   "parts of one number, as some acquirers give them",
			before: []line{paid, {2, 1, "approved", 0}}, givenBack: []records.Return{{At: noon, Amount: "3.00", NSU: "91"}},
			after: []line{paid, {2, 1, "approved", time.Hour}}, givenBackAfterwards: []records.Return{{At: later, Amount: "3.00", NSU: "91"}, {At: later, Amount: "3.00", NSU: "91"}},
			want: "1 of 10.50, back 2 of 6.00: approved",
		},
		{
			name:   "an approval that the copy does not know",
			before: []line{begun, {2, 1, "approved", 0}}, after: []line{begun, {2, 1, "cancelled", time.Hour}},
			want: "1 of 10.50, back 0 of 0: approved",
		},
		{
			name:   "an approval that only the copy knows",
			before: []line{begun, {2, 1, "cancelled", time.Hour}}, after: []line{begun, {2, 1, "approved", 0}},
			want: "1 of 10.50, back 0 of 0: approved",
		},
		{
			name:   "an approval that was taken back",
			before: []line{paid}, after: []line{paid, {2, 1, "cancelled", 0}},
			want: " cancelled",
		},
		{
			name:   "a refusal, and what was given up later",
			before: []line{begun, {2, 1, "refused", 0}}, after: []line{begun, {2, 1, "cancelled", time.Hour}},
			want: " cancelled",
		},
		{
			name:   "a reversal by a clock that was set back",
			before: []line{paid}, after: []line{paid, {2, 1, "reversed", -2 * time.Hour}},
			want: "1 of 10.50, back 1 of 10.50: reversed",
		},
	} {
		terminal := fmt.Sprintf("m%d", i)
		h.commit(t, lived(terminal, epochA, test.before, test.givenBack...))
		h.commit(t, lived(terminal, epochC, test.after, test.givenBackAfterwards...))
		same(t, test.name, h.book(t, terminal), test.want)
		h.commit(t, lived(terminal, epochD, test.before[:1]))
		same(t, test.name+", set back once more", h.book(t, terminal), test.want)
	}

	// A line was read with its payment as that stood by then: approved, by a step that was lost before it was read.
	b := lived("m9", epochA, []line{begun})
	b.Transactions[0].Status = "approved"
	h.commit(t, b)
	h.commit(t, lived("m9", epochC, []line{begun, {2, 1, "cancelled", time.Hour}}))
	same(t, "an approval ahead of its line", h.book(t, "m9"), "1 of 10.50, back 0 of 0: approved")
}

// An approval that a later life has undone is no more: its acquirer gave the money back. Of a card's payment that was confirmed it takes
// no notice.
func testUndone(t *testing.T, h *hub) {
	for i, test := range []struct {
		name, method, state, want string
	}{
		{"PIX", "pix", "confirmed", " cancelled"},
		{"a card's, not confirmed", "credit", "approved", " cancelled"},
		{"a card's, confirmed", "credit", "confirmed", "1 of 10.50, back 0 of 0: approved"},
	} {
		terminal := fmt.Sprintf("m%d", i)
		before := lived(terminal, epochA, []line{{1, 1, "pending", 0}, {2, 1, "approved", 0}})
		before.Steps[1].State = test.state
		after := lived(terminal, epochC, []line{{1, 1, "pending", 0}, {2, 1, "cancelled", time.Hour}})
		after.Steps[1].State = "undone"
		for _, b := range []records.Batch{before, after} {
			for j := range b.Transactions {
				b.Transactions[j].Method = test.method
			}
			h.commit(t, b)
		}
		same(t, test.name, h.book(t, terminal), test.want)
		h.commit(t, lived(terminal, epochD, []line{{1, 1, "pending", 0}}))
		same(t, test.name+", set back once more", h.book(t, terminal), test.want)
	}
}
