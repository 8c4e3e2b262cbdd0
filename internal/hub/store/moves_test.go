package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
)

// moved is a terminal that was moved from a customer to another.
type moved struct {
	*hub
	terminal fleet.Terminal
	from, to fleet.Place
	at       time.Time
	cursor   map[records.Kind]records.Cursor
	clockOff time.Duration
	told     []string // notices, by the name of the place
}

func (h *hub) moving(t *testing.T) *moved {
	t.Helper()
	f := h.found(t)
	tenant, err := h.fleet.MakeTenant(t.Context(), f.Person.Actor(), "Farmácia")
	ok(t, err)
	shop, err := h.fleet.MakeShop(t.Context(), f.Person.Actor(), tenant.ID, "Norte")
	ok(t, err)
	m := &moved{hub: h, terminal: h.join(t, f.Person.Actor(), f.Shop.ID, "Caixa 1"), from: f.Shop.Place, to: shop.Place, at: time.Now(), cursor: map[records.Kind]records.Cursor{}}
	for _, kind := range []records.Kind{records.Ledger, records.Log} {
		m.cursor[kind] = records.Cursor{Terminal: m.terminal.ID, Epoch: epochA, Kind: kind}
	}
	h.records.Notice = func(_ context.Context, x records.Transaction) (records.Notice, bool) {
		m.told = append(m.told, fmt.Sprint(x.Attempt, " ", x.Status, " ", m.name(x.Place)))
		return records.Notice{}, false
	}
	return m
}

func (m *moved) move(t *testing.T) {
	t.Helper()
	ok(t, m.fleet.MoveTerminal(t.Context(), fleet.Actor{Scope: fleet.Scope{Place: fleet.Place{Account: m.from.Account}, Role: fleet.Administers}}, m.terminal.ID, m.to.Shop))
}

func (m *moved) name(p fleet.Place) string {
	return map[fleet.Place]string{m.from: "old", m.to: "new"}[p]
}

// stepAt is a step of the ledger, so long after the moving by the terminal's clock.
type stepAt struct {
	attempt int64
	status  string
	after   time.Duration
}

// read keeps a page of the ledger. The hub believes that the terminal is where it was at first: the page may be read while it is moved.
func (m *moved) read(t *testing.T, lines ...stepAt) {
	t.Helper()
	b := records.Batch{Place: m.from, Before: m.cursor[records.Ledger], ClockOff: m.clockOff}
	b.After = b.Before.Number
	for _, l := range lines {
		b.After++
		s, x := payment(b.After, l.attempt, l.status)
		s.At = m.at.Add(l.after)
		x.Place, x.Terminal, x.CreatedAt, x.UpdatedAt = m.from, m.terminal.ID, s.At, s.At
		if l.status == "reversed" {
			x.Returns = []records.Return{{At: s.At, Amount: x.Amount}}
		}
		b.Steps, b.Transactions = append(b.Steps, s), append(b.Transactions, x)
	}
	m.cursor[records.Ledger] = m.commit(t, b)
	same(t, "the cursor", m.cursor[records.Ledger].Number, b.After)
}

// sold are the attempts that are seen at a place, and what came of them.
func (m *moved) sold(t *testing.T, at fleet.Place) (all []string) {
	t.Helper()
	ok(t, m.records.EachTransaction(t.Context(), fleet.Scope{Place: at, Role: fleet.Reads}, records.TransactionFilter{}, func(x records.Transaction) error {
		all = append([]string{fmt.Sprint(x.Attempt, " ", x.Status)}, all...)
		return nil
	}))
	return all
}

// What was recorded before a terminal was moved stays with the shop that it was in, however late it is read, and nobody else sees it.
func testRecordsMove(t *testing.T, h *hub) {
	m := h.moving(t)
	m.read(t, stepAt{1, "approved", -3 * time.Hour})
	m.move(t)
	m.read(t, stepAt{2, "approved", -time.Hour}, stepAt{1, "reversed", time.Hour}, stepAt{3, "approved", 2 * time.Hour})
	same(t, "what the old shop sold", m.sold(t, m.from), []string{"1 reversed", "2 approved"})
	same(t, "what the new one did", m.sold(t, m.to), []string{"3 approved"})
	same(t, "what is told", m.told, []string{"1 approved old", "2 approved old", "1 reversed old", "3 approved new"})
	for place, want := range map[fleet.Place]string{m.from: "21.00 and 10.50 back", m.to: "10.50 and 0 back"} {
		sums, err := h.records.Closings(t.Context(), fleet.Scope{Place: place, Role: fleet.Reads}, records.ClosingFilter{})
		ok(t, err)
		same(t, "the closing of "+m.name(place), fmt.Sprint(sums[0].Gross.Amount, " and ", sums[0].Reversed.Amount, " back"), want)
	}

	log := at(logs(0, 6, 1, 2, 5, 6), m.terminal.ID, epochA, m.from)
	for i, after := range []time.Duration{-time.Hour, -time.Minute, time.Hour, 2 * time.Hour} {
		log.Entries[i].At = m.at.Add(after)
	}
	m.commit(t, log)
	for place, want := range map[fleet.Place][]int64{m.from: {2, 1}, m.to: {6, 5}} {
		scope := fleet.Scope{Place: place, Role: fleet.Reads}
		var ids []int64
		ok(t, h.records.EachEntry(t.Context(), scope, records.EntryFilter{Terminal: m.terminal.ID}, func(e records.Entry) error {
			ids = append(ids, e.ID)
			return nil
		}))
		same(t, "the log of "+m.name(place), ids, want)
		gaps, _, err := h.records.Gaps(t.Context(), scope, m.terminal.ID, records.Mark{}, 0)
		ok(t, err)
		same(t, "gaps of "+m.name(place), len(gaps), map[string]int{"new": 1}[m.name(place)])
	}

	// The new shop has the terminal, and the old one what it sold there.
	for attempt, whose := range map[int64]fleet.Place{1: m.from, 2: m.from, 3: m.to} {
		for _, place := range []fleet.Place{m.from, m.to, {Account: m.from.Account, Tenant: m.from.Tenant}, {Account: m.to.Account, Tenant: m.to.Tenant}} {
			scope := fleet.Scope{Place: place, Role: fleet.Reads}
			_, err := h.records.Find(t.Context(), scope, m.terminal.ID, fmt.Sprint("r", attempt))
			steps, failure := h.records.History(t.Context(), scope, m.terminal.ID, epochA, attempt)
			ok(t, failure)
			if scope.Holds(whose) {
				ok(t, err)
			} else {
				is(t, err, records.ErrNotFound)
			}
			same(t, "a history is seen by its own", len(steps) > 0, scope.Holds(whose))
		}
	}
}

// A clock that is off by as much as the hub knows changes nothing; one that is set back does not lead back to the shop of before.
func testMoveClock(t *testing.T, h *hub) {
	m := h.moving(t)
	m.clockOff = 5 * time.Hour
	m.read(t, stepAt{1, "approved", time.Hour})
	m.move(t)
	m.read(t, stepAt{2, "approved", 4 * time.Hour}, stepAt{3, "approved", 6 * time.Hour})
	m.clockOff = 0
	m.read(t, stepAt{4, "approved", -50 * 365 * 24 * time.Hour})
	same(t, "what the old shop sold", m.sold(t, m.from), []string{"1 approved", "2 approved"})
	same(t, "what the new one did", m.sold(t, m.to), []string{"4 approved", "3 approved"})
}

// Of a database, or a backup, from before moves were kept the audit log tells them.
func testMovesOfBefore(t *testing.T, h *hub) {
	to := restored(t, h.fresh, []piece{
		{"schema", "12"},
		{"accounts/000001", `["id","name","created_at"]` + "\n" + `["a","Conta",1]`},
		{"tenants/000001", `["id","account_id","name","created_at"]` + "\n" + `["t","a","Cliente",1]` + "\n" + `["u","a","Outro",1]`},
		{"shops/000001", `["id","account_id","tenant_id","name","created_at"]` + "\n" + `["s","a","t","Um",1]` + "\n" + `["v","a","u","Dois",1]`},
		{"terminals/000001", `["id","account_id","tenant_id","shop_id","name","public_key","joined_at","revoked_at","version","seen_at","condition"]` + "\n" +
			`["m","a","u","v","Caixa",["AA=="],1,null,"1",null,"{}"]`},
		{"changes/000001", `["number","account_id","tenant_id","shop_id","at","who","what","target"]` + "\n" +
			`[1,"a","t","s",10,"x","entrou","m"]` + "\n" + `[2,"a","t","s",20,"x","outro","n"]` + "\n" + `[3,"a","t","s",30,"x","nome","m"]` + "\n" + `[4,"a","u","v",40,"x","passou","m"]`},
	})
	stays, err := to.store.Records().Stays(t.Context(), "m")
	ok(t, err)
	same(t, "where it was", stays, []fleet.Stay{
		{Place: fleet.Place{Account: "a", Tenant: "t", Shop: "s"}, Until: time.UnixMicro(40).UTC()}, {Place: fleet.Place{Account: "a", Tenant: "u", Shop: "v"}},
	})
}
