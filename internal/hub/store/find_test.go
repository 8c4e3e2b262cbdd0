package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
)

func testTransactions(t *testing.T, h *hub) {
	other := fleet.Place{Account: "a", Tenant: "t2", Shop: "s2"}
	b := ledger(0, 4)
	b.Transactions[1].Status, b.Transactions[2].Method = "refused", "17"
	h.commit(t, b)
	h.commit(t, at(ledger(0, 1), "m2", own("m2", epochA), other))
	h.commit(t, at(ledger(0, 1), "m3", epochA, fleet.Place{Account: "b", Tenant: "t", Shop: "s"}))
	for name, c := range map[string]struct {
		scope  fleet.Place
		filter records.TransactionFilter
		want   string
	}{
		"all of the account": {whole.Place, records.TransactionFilter{}, "m1/4 m1/3 m1/2 m2/1 m1/1"},
		"a tenant's":         {fleet.Place{Account: "a", Tenant: "t2"}, records.TransactionFilter{}, "m2/1"},
		"narrowed down":      {whole.Place, records.TransactionFilter{Within: other}, "m2/1"},
		"outside":            {home, records.TransactionFilter{Within: other}, ""},
		"another account":    {whole.Place, records.TransactionFilter{Within: fleet.Place{Account: "b"}}, ""},
		"terminal":           {whole.Place, records.TransactionFilter{Terminal: "m1"}, "m1/4 m1/3 m1/2 m1/1"},
		"a foreign terminal": {whole.Place, records.TransactionFilter{Terminal: "m3"}, ""},
		"status":             {whole.Place, records.TransactionFilter{Status: "refused"}, "m1/2"},
		"method":             {whole.Place, records.TransactionFilter{Method: "17"}, "m1/3"},
		"reference":          {whole.Place, records.TransactionFilter{Reference: "r1"}, "m2/1 m1/1"},
		"since":              {whole.Place, records.TransactionFilter{Since: noon.Add(3 * time.Second)}, "m1/4 m1/3"},
		"until":              {whole.Place, records.TransactionFilter{Until: noon.Add(3 * time.Second)}, "m1/2 m2/1 m1/1"},
		"nothing":            {whole.Place, records.TransactionFilter{Status: "x' OR '1'='1"}, ""},
	} {
		page, next, err := h.records.Transactions(t.Context(), fleet.Scope{Place: c.scope}, c.filter, records.Mark{}, 0)
		ok(t, err)
		var got []string
		for _, x := range page {
			got = append(got, fmt.Sprintf("%s/%d", x.Terminal, x.Attempt))
		}
		if text := strings.Join(got, " "); text != c.want || !next.IsZero() {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// Pages follow on each other without loss or doubles, also where many have the same time.
func testTransactionPages(t *testing.T, h *hub) {
	for _, m := range []string{"m1", "m2", "m3"} {
		b := ledger(0, 7)
		for i := range b.Transactions {
			b.Transactions[i].CreatedAt = noon
		}
		h.commit(t, at(b, m, own(m, epochA), home))
		h.commit(t, at(ledger(0, 2), m, own(m, epochB), home))
	}
	want := h.transactions(t, records.TransactionFilter{})
	same(t, "all", len(want), 27)
	for _, size := range []int{1, 4, 26, 27, 28} {
		var got []records.Transaction
		for after := (records.Mark{}); ; {
			page, next, err := h.records.Transactions(t.Context(), whole, records.TransactionFilter{}, after, size)
			ok(t, err)
			if got = append(got, page...); next.IsZero() {
				break
			}
			same(t, "the page's size", len(page), size)
			after, err = records.ParseMark(next.String())
			ok(t, err)
		}
		same(t, fmt.Sprintf("pages of %d", size), got, want)
	}
	for _, text := range []string{"x", "!", "MSAyIDM", records.Mark{Terminal: "m1"}.String() + "A"} {
		if _, err := records.ParseMark(text); err == nil {
			t.Errorf("the mark %q was taken", text)
		}
	}
}

func testEntries(t *testing.T, h *hub) {
	b := logs(0, 5, 1, 2, 3, 4, 5)
	b.Entries[1].Level, b.Entries[2].Source, b.Entries[3].Details = "error", "screen", "Cartão Recusado"
	h.commit(t, b)
	h.commit(t, at(logs(0, 1, 1), "m2", epochA, fleet.Place{Account: "b", Tenant: "t", Shop: "s"}))
	for name, c := range map[string]struct {
		filter records.EntryFilter
		want   string
	}{
		"all":             {records.EntryFilter{}, "5 4 3 2 1"},
		"terminal":        {records.EntryFilter{Terminal: "m1"}, "5 4 3 2 1"},
		"foreign":         {records.EntryFilter{Terminal: "m2"}, ""},
		"outside":         {records.EntryFilter{Within: fleet.Place{Account: "b"}}, ""},
		"level":           {records.EntryFilter{Level: "error"}, "2"},
		"source":          {records.EntryFilter{Source: "screen"}, "3"},
		"time":            {records.EntryFilter{Since: noon.Add(2 * time.Second), Until: noon.Add(4 * time.Second)}, "3 2"},
		"message":         {records.EntryFilter{Words: "IMPRESSAO 4"}, "4"},
		"details":         {records.EntryFilter{Words: "cartao recusado"}, "4"},
		"words and level": {records.EntryFilter{Words: "impressão", Level: "error"}, "2"},
		"a sign of SQL":   {records.EntryFilter{Words: "%"}, ""},
	} {
		var got []string
		for _, e := range h.entries(t, c.filter) {
			got = append(got, fmt.Sprint(e.ID))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
	same(t, "an entry", h.entries(t, records.EntryFilter{Words: "recusado"}), []records.Entry{b.Entries[3]})

	// By pages, with and without words.
	for _, words := range []string{"", "IMPRESSAO"} {
		var got []int64
		for after := (records.Mark{}); ; {
			page, next, err := h.records.Entries(t.Context(), whole, records.EntryFilter{Words: words}, after, 2)
			ok(t, err)
			for _, e := range page {
				got = append(got, e.ID)
			}
			if next.IsZero() {
				break
			}
			after = next
		}
		same(t, "pages", got, []int64{5, 4, 3, 2, 1})
	}
}

func testClosings(t *testing.T, h *hub) {
	b := ledger(0, 6)
	b.Transactions[0].Amount = "0.10"
	b.Transactions[1].Amount = "0.20"
	b.Transactions[2].Method = "17"
	b.Transactions[3].Status = "pending"
	b.Transactions[4].Status = "refused"
	b.Transactions[5].Status = "reversed"
	b.Transactions[5].Returns = []records.Return{{At: noon.Add(time.Hour), Amount: "10.50"}}
	b.Transactions[2].Returns = []records.Return{{At: noon.Add(time.Hour), Amount: "0.50"}, {At: noon.Add(30 * time.Hour), Amount: "1.00"}}
	h.commit(t, b)
	other := fleet.Place{Account: "a", Tenant: "t", Shop: "s2"}
	h.commit(t, at(ledger(0, 2), "m2", own("m2", epochA), other))
	h.commit(t, at(ledger(0, 2), "m3", epochA, fleet.Place{Account: "b", Tenant: "t", Shop: "s"}))
	day := records.ClosingFilter{Since: noon, Until: noon.Add(24 * time.Hour)}
	next := records.ClosingFilter{Since: day.Until, Until: day.Until.Add(24 * time.Hour)}
	shop := day
	shop.Within = other
	terminal := day
	terminal.Terminal = "m2"
	for name, c := range map[string]struct {
		filter records.ClosingFilter
		want   []string
	}{
		"the day":      {day, []string{"s/m1/03: 3 10.80 - 1 10.50 = 0.30, 1 10.50 pending", "s/m1/17: 1 10.50 - 1 0.50 = 10.00, 0 0.00 pending", "s2/m2/03: 2 21.00 - 0 0.00 = 21.00, 0 0.00 pending"}},
		"the next day": {next, []string{"s/m1/17: 0 0.00 - 1 1.00 = -1.00, 0 0.00 pending"}},
		"one shop":     {shop, []string{"s2/m2/03: 2 21.00 - 0 0.00 = 21.00, 0 0.00 pending"}},
		"one terminal": {terminal, []string{"s2/m2/03: 2 21.00 - 0 0.00 = 21.00, 0 0.00 pending"}},
	} {
		rows, err := h.records.Closings(t.Context(), whole, c.filter)
		ok(t, err)
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprintf("%s/%s/%s: %d %s - %d %s = %s, %d %s pending", r.Shop, r.Terminal, r.Method, r.Gross.Count, r.Gross.Amount.Cents(),
				r.Reversed.Count, r.Reversed.Amount.Cents(), r.Net().Cents(), r.Pending.Count, r.Pending.Amount.Cents()))
		}
		same(t, name, got, c.want)
	}
}
