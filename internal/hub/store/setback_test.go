package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
)

const (
	epochC = "0b54be40-9999-4aaa-8bbb-cccccccccccc"
	epochD = "0b54be40-dddd-4aaa-8bbb-cccccccccccc"
	epochE = "0b54be40-eeee-4aaa-8bbb-cccccccccccc"
)

var elsewhere = fleet.Place{Account: home.Account, Tenant: "t2", Shop: "s2"}

// line is a step of an attempt, with what it leaves.
type line struct {
	number, attempt int64
	status          string
	later           time.Duration // than the number says
}

// page is a batch of lines, in the words of a terminal.
func page(before records.Cursor, p fleet.Place, lines ...line) records.Batch {
	b := records.Batch{Before: before, After: before.Number, Resumed: before.At.IsZero()}
	for _, l := range lines {
		s, x := payment(l.number, l.attempt, l.status)
		s.At, x.CreatedAt, x.UpdatedAt = s.At.Add(l.later), x.CreatedAt.Add(l.later), x.UpdatedAt.Add(l.later)
		if l.status == "reversed" {
			x.Returns = []records.Return{{At: s.At, Amount: x.Amount}}
		}
		b.Steps, b.Transactions, b.After = append(b.Steps, s), append(b.Transactions, x), l.number
	}
	return at(b, before.Terminal, before.Epoch, p)
}

// resume is where a terminal's ledger is read on.
func (h *hub) resume(t *testing.T, terminal, epoch string, origins ...records.Origin) records.Cursor {
	t.Helper()
	all, err := h.records.Resume(t.Context(), home.Account, terminal, epoch, origins)
	ok(t, err)
	return all[records.Ledger]
}

// sums are the closings of all, by customer and terminal.
func (h *hub) sums(t *testing.T) (all []string) {
	t.Helper()
	rows, err := h.records.Closings(t.Context(), whole, records.ClosingFilter{})
	ok(t, err)
	for _, r := range rows {
		all = append(all, fmt.Sprintf("%s %s %d-%d", r.Tenant, r.Terminal, r.Gross.Count, r.Reversed.Count))
	}
	return all
}

// listed are all transactions, newest first.
func (h *hub) listed(t *testing.T) (all []string) {
	t.Helper()
	for _, x := range h.transactions(t, records.TransactionFilter{}) {
		all = append(all, fmt.Sprintf("%s %s %s/%d %s", x.Tenant, x.Terminal, x.Epoch[9:13], x.Attempt, x.Status))
	}
	return all
}

// rejoined is a terminal that sold three times, left, joined again as m9, gave one back and sold once more.
func (h *hub) rejoined(t *testing.T) {
	t.Helper()
	h.commit(t, ledger(0, 3))
	h.commit(t, page(h.resume(t, "m9", epochA), elsewhere, line{4, 2, "reversed", 0}, line{5, 4, "approved", 0}))
	same(t, "sums of before", h.sums(t), []string{"t m1 3-1", "t2 m9 1-0"})
}

// A terminal that left and joined again has its whole disk set back: its history comes anew, in an epoch that nobody has read. Each
// payment counts once, where it was paid, and goes on there; what was lost with the disk, paid or given back, goes on to count.
func testSetBack(t *testing.T, h *hub) {
	h.rejoined(t)
	old := []line{{1, 1, "approved", 0}, {2, 2, "approved", 0}, {3, 3, "approved", 0}, {4, 2, "reversed", 0}}
	c := h.commit(t, page(h.resume(t, "m9", epochC), elsewhere, append(old, line{5, 4, "approved", time.Hour})...))
	same(t, "sums", h.sums(t), []string{"t m1 3-1", "t2 m9 2-0"})
	same(t, "transactions", h.listed(t), []string{
		"t2 m9 9999/4 approved", "t2 m9 1111/4 approved", "t m1 9999/3 approved", "t m1 9999/2 reversed", "t m1 9999/1 approved",
	})
	same(t, "the history of what was read again", []any{h.history(t, "m1", epochC, 2), h.history(t, "m9", epochC, 2)}, []any{[]int64{2, 4}, []int64(nil)})
	c = h.commit(t, page(c, elsewhere, line{6, 1, "reversed", time.Hour}))
	same(t, "when the last line was written", []time.Time{c.Recorded, h.resume(t, "m9", epochC).Recorded}, []time.Time{noon.Add(time.Hour + 6*time.Second), c.Recorded})
	same(t, "sums, once more was given back", h.sums(t), []string{"t m1 3-2", "t2 m9 2-0"})

	// And again, to a moment before the last time.
	c = h.commit(t, page(h.resume(t, "m9", epochD), elsewhere, old[:2]...))
	same(t, "sums, half read", h.sums(t), []string{"t m1 3-2", "t2 m9 2-0"})
	h.commit(t, page(c, elsewhere, old[2], old[3], line{5, 4, "approved", 2 * time.Hour}))
	same(t, "sums after the second time", h.sums(t), []string{"t m1 3-2", "t2 m9 3-0"})

	// It joins a third time, and is set back before anything was read: only the epoch of before is named.
	origin := records.Origin{Epoch: epochD}
	b := page(h.resume(t, "m10", epochE, origin), home, append(old, line{5, 4, "approved", 2 * time.Hour}, line{6, 5, "approved", 3 * time.Hour})...)
	b.Origins = []records.Origin{origin}
	h.commit(t, b)
	same(t, "sums after the third", h.sums(t), []string{"t m1 3-2", "t m10 1-0", "t2 m9 3-0"})
}

// Of one epoch each line is read once, also where the terminal is there under its old id again: read on behind what the other one has.
func testTwoIDs(t *testing.T, h *hub) {
	h.commit(t, ledger(0, 2))
	late := h.resume(t, "m1", epochA)
	fresh := h.resume(t, "m9", epochA)
	h.commit(t, page(late, home, line{3, 3, "approved", 0})) // on its way when the terminal left
	_, err := h.records.Commit(t.Context(), page(fresh, elsewhere, line{3, 3, "approved", 0}, line{4, 4, "approved", 0}))
	is(t, err, records.ErrBehind)
	h.commit(t, page(h.resume(t, "m9", epochA), elsewhere, line{4, 4, "approved", 0}, line{5, 5, "approved", 0}))
	back := h.resume(t, "m1", epochA)
	same(t, "where the old id goes on", back, records.Cursor{Terminal: "m1", Epoch: epochA, Kind: records.Ledger, Number: 5, Recorded: noon.Add(5 * time.Second)})
	h.commit(t, page(back, home, line{6, 4, "reversed", 0}, line{7, 6, "approved", 0}))
	same(t, "sums", h.sums(t), []string{"t m1 4-0", "t2 m9 2-1"})
	both := []records.Cursor{h.resume(t, "m1", epochA), h.resume(t, "m9", epochA)}
	for _, err := range atOnce(2, func(i int) error {
		_, err := h.records.Commit(t.Context(), page(both[i], home, line{8, 7, "approved", 0}))
		return err
	}) {
		if err != nil {
			is(t, err, records.ErrBehind)
		}
	}
	same(t, "what both read at once", len(h.transactions(t, records.TransactionFilter{Reference: "r7"})), 1)
}

// A stolen terminal that names another's epochs takes nothing of it, hides nothing and changes nothing.
func testAnothersEpoch(t *testing.T, h *hub) {
	h.rejoined(t)
	before := h.listed(t)
	claims, err := h.records.Claims(t.Context(), home.Account, "m66", epochA, nil)
	ok(t, err)
	s5, _ := payment(5, 4, "approved")
	same(t, "what it must show", claims, []records.Claim{{Epoch: epochA, Step: s5}})
	s2, _ := payment(2, 2, "approved")
	claims, err = h.records.Claims(t.Context(), home.Account, "m66", epochC, []records.Origin{{Epoch: epochA, Ledger: 2}, {Epoch: epochD, Ledger: 7}, {Epoch: epochA}})
	ok(t, err)
	same(t, "what it must show of origins", claims, []records.Claim{{Epoch: epochA, Step: s2}})
	claims, err = h.records.Claims(t.Context(), home.Account, "m9", epochA, nil)
	ok(t, err)
	same(t, "what the terminal itself must show", len(claims), 0)
	claims, err = h.records.Claims(t.Context(), "another", "m66", epochA, nil)
	ok(t, err)
	same(t, "what there is to show in another account", len(claims), 0)

	// It names the epoch, has nothing in common with it, and makes up payments of its numbers: another moment, reference or amount.
	origin := records.Origin{Epoch: epochA}
	b := page(h.resume(t, "m66", epochC, origin), elsewhere, line{1, 1, "reversed", time.Hour}, line{2, 2, "cancelled", 0}, line{3, 3, "reversed", 0}, line{4, 4, "cancelled", time.Hour})
	b.Origins = []records.Origin{origin}
	b.Transactions[1].Amount, b.Transactions[2].Reference = "999.00", "x"
	c := h.commit(t, b)
	h.commit(t, page(c, elsewhere, line{5, 1, "cancelled", 0}, line{6, 2, "cancelled", 0}, line{7, 3, "cancelled", 0}))
	theirs := fleet.Place{Account: "another", Tenant: home.Tenant, Shop: home.Shop}
	h.commit(t, page(records.Cursor{Terminal: "m77", Epoch: epochA, Kind: records.Ledger}, theirs, line{1, 1, "cancelled", 0}, line{2, 2, "cancelled", 0}))
	var after []string
	for _, x := range h.transactions(t, records.TransactionFilter{}) {
		if x.Terminal != "m66" {
			after = append(after, fmt.Sprintf("%s %s %s/%d %s", x.Tenant, x.Terminal, x.Epoch[9:13], x.Attempt, x.Status))
		}
	}
	same(t, "the other's transactions", after, before)
	// Its victim goes on as if nothing were.
	h.commit(t, page(h.resume(t, "m9", epochA), elsewhere, line{6, 1, "reversed", 0}))
	same(t, "sums", h.sums(t)[:1], []string{"t m1 3-2"})
}
