package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
)

// Of an epoch that is a copy of others only what they lack is read: each line is kept once, each payment counts once, with its whole
// history, and what the restoring lost goes on to count.
func testCopied(t *testing.T, h *hub) {
	resume := func(epoch string, origins ...records.Origin) map[records.Kind]records.Cursor {
		t.Helper()
		all, err := h.records.Resume(t.Context(), home.Account, "m1", epoch, origins)
		ok(t, err)
		return all
	}
	h.commit(t, ledger(0, 4))
	h.commit(t, logs(0, 3, 1, 2, 3))
	read := resume(epochA)
	same(t, "when the last line was written", read[records.Ledger].Recorded, noon.Add(4*time.Second))
	same(t, "when the last entry was written", read[records.Log].Recorded, noon.Add(3*time.Second))
	// The copy is of after the second line; the log's of later than anything that was read.
	origin := records.Origin{Epoch: epochA, Ledger: 2, Log: 9}
	fresh := resume(epochB, origin)
	same(t, "where the copy's ledger begins", fresh[records.Ledger], records.Cursor{Terminal: "m1", Epoch: epochB, Kind: records.Ledger, Number: 2})
	same(t, "where the copy's log begins", fresh[records.Log].Number, 3)
	same(t, "where a wiped one begins", resume(epochC)[records.Ledger].Number, 0)

	s3, x2 := payment(3, 2, "reversed") // goes on with one of before
	s4, x3 := payment(4, 3, "approved") // has the number of one that was lost
	x2.Epoch, x3.Epoch, x3.CreatedAt = epochB, epochB, x3.CreatedAt.Add(time.Hour)
	x2.Returns = []records.Return{{At: s3.At, Amount: "10.50"}}
	b := records.Batch{
		Place: home, Before: fresh[records.Ledger], After: 4, Origins: []records.Origin{origin}, Resumed: true,
		Steps: []records.Step{s3, s4}, Transactions: []records.Transaction{x2, x3},
	}
	c := h.commit(t, b)
	same(t, "the same page again", h.commit(t, b), c)
	same(t, "the cursor as it is kept", resume(epochB, origin)[records.Ledger], c)
	entries := at(logs(3, 4, 4), "m1", epochB, home)
	entries.Origins, entries.Resumed = b.Origins, true
	same(t, "the log's cursor", h.commit(t, entries).Number, 4)
	gaps, _, err := h.records.Gaps(t.Context(), whole, "m1", records.Mark{}, 0)
	ok(t, err)
	same(t, "gaps", len(gaps), 0)

	var got []string
	for _, x := range h.transactions(t, records.TransactionFilter{}) {
		got = append(got, fmt.Sprintf("%s/%d %s", x.Epoch[9:13], x.Attempt, x.Status))
	}
	same(t, "transactions", got, []string{"5555/3 approved", "1111/4 approved", "1111/3 approved", "5555/2 reversed", "1111/1 approved"})
	rows, err := h.records.Closings(t.Context(), whole, records.ClosingFilter{})
	ok(t, err)
	same(t, "sums", fmt.Sprint(rows[0].Gross, rows[0].Reversed), "{5 52.50} {1 10.50}")
	for _, w := range []struct {
		epoch   string
		attempt int64
		want    []int64
	}{{epochB, 1, []int64{1}}, {epochB, 2, []int64{2, 3}}, {epochB, 3, []int64{4}}, {epochA, 2, []int64{2}}, {epochA, 3, []int64{3}}} {
		same(t, fmt.Sprintf("the history of %s/%d", w.epoch[9:13], w.attempt), h.history(t, "m1", w.epoch, w.attempt), w.want)
	}

	// A copy of the copy, made before all of it was read.
	again := resume(epochC, records.Origin{Epoch: epochB, Ledger: 9, Log: 9}, origin)
	same(t, "where a copy of the copy begins", []int64{again[records.Ledger].Number, again[records.Log].Number}, []int64{4, 4})
	again = resume(epochC, records.Origin{Epoch: "0b54be40-dddd-4aaa-8bbb-cccccccccccc", Ledger: 9, Log: 9}, origin)
	same(t, "where one begins whose origin was never read", []int64{again[records.Ledger].Number, again[records.Log].Number}, []int64{2, 3})
	b.Origins = []records.Origin{{Epoch: "no UUID"}}
	_, err = h.records.Commit(t.Context(), b)
	is(t, err, records.ErrBadBatch)
}

// A terminal that left and joined again, perhaps in another customer's shop, has another id and goes on in the same epoch: nothing is
// read twice, what was paid before stays where it was paid, and goes on there.
func testRejoined(t *testing.T, h *hub) {
	h.commit(t, ledger(0, 3))
	h.commit(t, logs(0, 2, 1, 2))
	all, err := h.records.Resume(t.Context(), home.Account, "m9", epochA, nil)
	ok(t, err)
	same(t, "where the ledger goes on", []any{all[records.Ledger].Number, all[records.Ledger].Recorded, all[records.Log].Number}, []any{int64(3), noon.Add(3 * time.Second), int64(2)})
	other, err := h.records.Resume(t.Context(), "another", "m9", epochA, nil)
	ok(t, err)
	same(t, "where it begins in another account", other[records.Ledger].Number, 0)

	s4, x2 := payment(4, 2, "reversed") // of before
	s5, x4 := payment(5, 4, "approved")
	x2.Returns = []records.Return{{At: s4.At, Amount: "10.50"}}
	b := at(records.Batch{Before: all[records.Ledger], After: 5, Resumed: true, Steps: []records.Step{s4, s5}, Transactions: []records.Transaction{x2, x4}}, "m9", epochA, elsewhere)
	c := h.commit(t, b)
	same(t, "the same page again", h.commit(t, b), c)
	var got []string
	for _, x := range h.transactions(t, records.TransactionFilter{}) {
		got = append(got, fmt.Sprintf("%s %s/%d %s", x.Tenant, x.Terminal, x.Attempt, x.Status))
	}
	same(t, "transactions", got, []string{"t2 m9/4 approved", "t m1/3 approved", "t m1/2 reversed", "t m1/1 approved"})
	gaps, _, err := h.records.Gaps(t.Context(), whole, "m9", records.Mark{}, 0)
	ok(t, err)
	same(t, "gaps", len(gaps), 0)
	rows, err := h.records.Closings(t.Context(), fleet.Scope{Place: fleet.Place{Account: home.Account, Tenant: home.Tenant}, Role: fleet.Reads}, records.ClosingFilter{})
	ok(t, err)
	same(t, "sums of the customer of before", fmt.Sprint(rows[0].Gross, rows[0].Reversed), "{3 31.50} {1 10.50}")
	resumed, err := h.records.Resume(t.Context(), home.Account, "m9", epochA, nil)
	ok(t, err)
	same(t, "when the last line was written", resumed[records.Ledger].Recorded, s5.At)
	same(t, "the history of what goes on", []any{h.history(t, "m1", epochA, 2), h.history(t, "m9", epochA, 2)}, []any{[]int64{2, 4}, []int64(nil)})

	// Then its data are restored, as they were after it had joined: what goes on there counts once too, where it was paid.
	origin := records.Origin{Epoch: epochA, Ledger: 4, Log: 2}
	all, err = h.records.Resume(t.Context(), home.Account, "m9", epochB, []records.Origin{origin})
	ok(t, err)
	s5, x1 := payment(5, 1, "reversed")
	x1.Returns = []records.Return{{At: s5.At, Amount: "10.50"}}
	s6, x5 := payment(6, 4, "approved") // has the number of one that was lost
	x5.CreatedAt = x5.CreatedAt.Add(time.Hour)
	h.commit(t, at(records.Batch{
		Before: all[records.Ledger], After: 6, Resumed: true, Origins: []records.Origin{origin}, Steps: []records.Step{s5, s6}, Transactions: []records.Transaction{x1, x5},
	}, "m9", epochB, elsewhere))
	got = nil
	for _, x := range h.transactions(t, records.TransactionFilter{}) {
		got = append(got, fmt.Sprintf("%s %s %s/%d %s", x.Tenant, x.Terminal, x.Epoch[9:13], x.Attempt, x.Status))
	}
	same(t, "transactions after the restoring", got, []string{
		"t2 m9 5555/4 approved", "t2 m9 1111/4 approved", "t m1 1111/3 approved", "t m1 1111/2 reversed", "t m1 5555/1 reversed",
	})
	same(t, "the history of one that goes on in the copy", h.history(t, "m1", epochB, 1), []int64{1, 5})
	same(t, "the history of one that does not", []any{h.history(t, "m1", epochB, 2), h.history(t, "m9", epochB, 2)}, []any{[]int64{2, 4}, []int64(nil)})
}

// history are the numbers of an attempt's lines.
func (h *hub) history(t *testing.T, terminal, epoch string, attempt int64) (numbers []int64) {
	t.Helper()
	steps, err := h.records.History(t.Context(), whole, terminal, epoch, attempt)
	ok(t, err)
	for _, s := range steps {
		numbers = append(numbers, s.Number)
	}
	return numbers
}
