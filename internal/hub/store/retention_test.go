package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/retention"
)

// forget goes through a kind, some at a time, and tells how many went.
func (h *hub) forget(t *testing.T, k retention.Kind, before time.Time, limit int) (total int) {
	t.Helper()
	for at := (retention.Mark{}); ; {
		n, next, err := h.store.Retention().Forget(t.Context(), k, before, at, limit)
		ok(t, err)
		if total += n; next == (retention.Mark{}) {
			return total
		}
		if n > limit+1 { // one more has the same time here
			t.Errorf("%d of %s at once, with a limit of %d", n, k, limit)
		}
		at = next
	}
}

func testForgetLogs(t *testing.T, h *hub) {
	b := logs(0, 4, 1, 2, 3, 4)
	b.Entries[1].At = b.Entries[0].At
	h.commit(t, b)
	same(t, "from before all of them", h.forget(t, retention.Logs, b.Entries[0].At, 1), 0)
	n, _, err := h.store.Retention().Forget(t.Context(), retention.Logs, b.Entries[3].At, retention.Mark{}, 1)
	ok(t, err)
	same(t, "those of the oldest moment", n, 2)
	same(t, "the rest", h.forget(t, retention.Logs, b.Entries[3].At, 1), 1)
	same(t, "nothing left", h.forget(t, retention.Logs, b.Entries[3].At, 1), 0)
	same(t, "what stays", len(h.entries(t, records.EntryFilter{})), 1)
	same(t, "the last goes too", h.forget(t, retention.Logs, years, 1), 1)
	c, err := h.records.Cursor(t.Context(), "m1", epochA, records.Log)
	ok(t, err)
	same(t, "the cursor stands", c.Number, 4)
	same(t, "and has what the terminal compares", c.Recorded, b.Entries[3].At)
	same(t, "what comes next", h.commit(t, logs(4, 5, 5)).Number, 5)
}

func testForgetOperations(t *testing.T, h *hub) {
	var ids []string
	for i := range 5 {
		o, _, err := h.operations.Begin(t.Context(), request(fmt.Sprint(i), ""))
		ok(t, err)
		ids = append(ids, o.ID)
	}
	for _, id := range ids[:3] {
		ok(t, h.operations.Finish(t.Context(), id, 200, nil, []byte("x")))
	}
	ok(t, h.operations.Send(t.Context(), ids[3]))
	same(t, "from before", h.forget(t, retention.Operations, time.Now().Add(-time.Hour), 2), 0)
	same(t, "what has ended", h.forget(t, retention.Operations, time.Now().Add(time.Hour), 2), 3)
	list, err := h.operations.List(t.Context(), whole, operations.Filter{}, 0)
	ok(t, err)
	same(t, "what waits or runs stays", len(list), 2)
}

func testForgetAudit(t *testing.T, h *hub) {
	a := h.found(t).Person.Actor()
	for i := range 6 {
		_, err := h.fleet.MakeTenant(t.Context(), a, fmt.Sprint("Cliente ", i))
		ok(t, err)
	}
	lines := func() []fleet.Change {
		all, err := h.fleet.Audit(t.Context(), a, fleet.AuditFilter{})
		ok(t, err)
		return all
	}
	before := lines()
	same(t, "from before", h.forget(t, retention.Audit, time.Now().Add(-time.Hour), 2), 0)
	at := before[2].At // there are two newer ones
	same(t, "all but the newest", h.forget(t, retention.Audit, at, 2), len(before)-3)
	same(t, "what stays", lines(), before[:3])
	same(t, "all", h.forget(t, retention.Audit, time.Now().Add(time.Hour), 2), 3)
	last, err := h.fleet.LastChange(t.Context())
	ok(t, err)
	same(t, "numbers go on", last, before[0].Number)
	_, err = h.fleet.MakeTenant(t.Context(), a, "Cliente 7")
	ok(t, err)
	news, err := h.fleet.News(t.Context(), last)
	ok(t, err)
	same(t, "and other hubs hear of what comes", news[0].Number, last+1)
}

// years is when all of it is old.
var years = noon.AddDate(3, 0, 0)

// seconds after noon.
func seconds(n int) time.Time { return noon.Add(time.Duration(n) * time.Second) }

// Payments go with their history and what was given back, once nothing was done about them for so long. One without an end stays, and so
// does the newest of an epoch.
func testForgetTransactions(t *testing.T, h *hub) {
	b := page(h.resume(t, "m1", epochA), home, line{1, 1, "approved", 0}, line{2, 2, "pending", 0}, line{3, 3, "approved", 0}, line{4, 4, "refused", 0}, line{5, 5, "approved", 0})
	b.Transactions[0].Returns = []records.Return{{At: seconds(1), Amount: "1.00"}}
	h.commit(t, b)
	h.commit(t, page(h.resume(t, "m1", epochA), home, line{6, 3, "reversed", 0}, line{7, 7, "approved", 0}))
	other := fleet.Place{Account: "b", Tenant: "t", Shop: "s"}
	h.commit(t, at(ledger(0, 3), "m2", own("m2", epochA), other))
	h.commit(t, at(ledger(0, 1), "m3", own("m3", epochA), home))
	for limit := 1; limit <= 3; limit++ {
		same(t, "from before", h.forget(t, retention.Transactions, seconds(1), limit), 0)
	}
	same(t, "in both accounts", h.forget(t, retention.Transactions, seconds(6), 2), 5)
	same(t, "what stays", h.listed(t), []string{"t m1 1111/7 approved", "t m1 1111/3 reversed", "t m1 1111/2 pending", "t m3 1111/1 approved"})
	for attempt, want := range map[int64][]int64{1: nil, 3: {3, 6}, 4: nil} {
		same(t, "a history", h.history(t, "m1", epochA, attempt), want)
	}
	same(t, "sums", h.sums(t), []string{"t m1 2-1", "t m3 1-0"})
	same(t, "later", h.forget(t, retention.Transactions, years, 100), 1)
	same(t, "again", h.forget(t, retention.Transactions, years, 1), 0)
	same(t, "what stays for good", h.listed(t), []string{"t m1 1111/7 approved", "t m1 1111/2 pending", "t m3 1111/1 approved"})

	// Reading goes on where it was, and a terminal that joins again has a line to show.
	claims, err := h.records.Claims(t.Context(), home.Account, "m9", epochA, nil)
	ok(t, err)
	same(t, "what it must show", []int64{int64(len(claims)), claims[0].Number}, []int64{1, 7})
	same(t, "where it is read on", h.resume(t, "m9", epochA).Number, 7)
	h.commit(t, page(h.resume(t, "m1", epochA), home, line{8, 2, "approved", 0}, line{9, 9, "approved", 0}))
	same(t, "what came to its end", h.forget(t, retention.Transactions, years, 100), 2)
}

// A payment that is in two epochs goes when nothing was done about it in either.
func testForgetLives(t *testing.T, h *hub) {
	h.commit(t, ledger(0, 2))
	h.commit(t, at(ledger(0, 2), "m1", epochB, home))
	h.commit(t, page(h.resume(t, "m1", epochB), home, line{3, 1, "reversed", time.Hour}, line{4, 4, "approved", time.Hour}))
	before := []string{"t m1 5555/4 approved", "t m1 5555/2 approved", "t m1 5555/1 reversed"}
	same(t, "what is there", h.listed(t), before)
	same(t, "old in one of both", h.forget(t, retention.Transactions, noon.Add(30*time.Minute), 1), 1) // 5555/2; 1111/2 is the newest of its epoch
	same(t, "what stays", h.listed(t), []string{before[0], before[2]})
	same(t, "old in both", h.forget(t, retention.Transactions, years, 1), 2)
	same(t, "what stays then", h.listed(t), before[:1])
}

// A payment that is given back when it is long forgotten is one of then, not of today: its beginning comes with its line.
func testForgottenAgain(t *testing.T, h *hub) {
	h.commit(t, ledger(0, 2))
	same(t, "forgotten", h.forget(t, retention.Transactions, years, 100), 1)
	b := page(h.resume(t, "m1", epochA), home, line{3, 1, "reversed", 1000 * time.Hour})
	b.Transactions[0].CreatedAt = seconds(1)
	h.commit(t, b)
	same(t, "the payment", h.listed(t), []string{"t m1 1111/2 approved", "t m1 1111/1 reversed"})
	rows, err := h.records.Closings(t.Context(), whole, records.ClosingFilter{Since: noon.Add(time.Hour)})
	ok(t, err)
	same(t, "that day's sums", fmt.Sprint(rows[0].Gross.Count, rows[0].Reversed.Count), "0 1")
	same(t, "what is known of it", h.history(t, "m1", epochA, 1), []int64{3})
}

// A copy of an epoch whose lines are forgotten can't be shown to be one: it is read as a whole.
func testForgottenOrigin(t *testing.T, h *hub) {
	h.commit(t, ledger(0, 4))
	claims := func(upTo int64) []records.Claim {
		t.Helper()
		all, err := h.records.Claims(t.Context(), home.Account, "m1", epochB, []records.Origin{{Epoch: epochA, Ledger: upTo}})
		ok(t, err)
		return all
	}
	same(t, "a line of it", claims(2)[0].Number, 2)
	h.forget(t, retention.Transactions, years, 100)
	same(t, "none any more", claims(2), []records.Claim{{Epoch: epochA}})
	same(t, "the newest", claims(9)[0].Number, 4)
	same(t, "one of nothing", claims(0), nil)
}

// The desk goes by its rules, and counts.
func testSweep(t *testing.T, h *hub) {
	h.commit(t, ledger(0, 350))
	b := logs(0, 3, 1, 2, 3)
	b.Entries[2].At = time.Now()
	h.commit(t, b)
	forgotten := map[retention.Kind]int{}
	count := func(k retention.Kind, n int) { forgotten[k] += n }
	long := retention.NewDesk(h.store.Retention(), nil, count)
	ok(t, long.Sweep(t.Context()))
	same(t, "without rules", len(forgotten), 0)
	old := time.Since(noon) - time.Hour
	if old <= 0 {
		t.Fatal("noon is to come")
	}
	desk := retention.NewDesk(h.store.Retention(), retention.Rules{retention.Logs: old}, count)
	ok(t, desk.Sweep(t.Context()))
	same(t, "with one", forgotten, map[retention.Kind]int{retention.Logs: 2})
	desk = retention.NewDesk(h.store.Retention(), retention.Rules{retention.Transactions: old, retention.Audit: old, retention.Operations: old}, count)
	same(t, "not yet", desk.Last().IsZero(), true)
	ok(t, desk.Sweep(t.Context()))
	same(t, "with others", forgotten, map[retention.Kind]int{retention.Logs: 2, retention.Transactions: 349})
	same(t, "when", desk.Last().IsZero(), false)
	ok(t, h.store.Close())
	if desk.Sweep(t.Context()) == nil {
		t.Error("a closed store was swept")
	}
}
