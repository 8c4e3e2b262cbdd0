package sale_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/sale"
)

func (s *modelSale) sameAs(t *rapid.T, v sale.View) {
	t.Helper()
	want := sale.View{
		Session: s.session, Items: s.items, Payments: s.payments, Discounts: s.adjusted[sale.Discounts], Additions: s.adjusted[sale.Additions],
	}
	if diff := cmp.Diff(want, v, exactly, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(sale.View{}, "Number", "OpenedAt")); diff != "" {
		t.Fatal(diff)
	}
	if age := time.Since(v.OpenedAt); age < 0 || age > time.Hour {
		t.Fatalf("opened at %v", v.OpenedAt)
	}
	sameSummary(t, v)
}

// Check compares desk and model, after every step.
func (m *deskModel) Check(t *rapid.T) {
	v, err := m.desk.Current()
	if m.open == nil {
		if !errors.Is(err, sale.ErrNoneOpen) {
			t.Fatalf("Current: %v, want %v", err, sale.ErrNoneOpen)
		}
	} else {
		if err != nil {
			t.Fatal(err)
		}
		if v.Number != int64(len(m.history)+1) {
			t.Fatalf("sale number %d after %d", v.Number, len(m.history))
		}
		m.open.sameAs(t, v)
	}
	changes, endings := m.screen.seen()
	if changes != m.changes {
		t.Fatalf("the screen saw %d changes, want %d", changes, m.changes)
	}
	if diff := cmp.Diff(m.endings, endings); diff != "" {
		t.Fatal(diff)
	}
}

// checkHistory reads the file itself: what ended is kept whole, and nothing else is there.
func (m *deskModel) checkHistory(t *rapid.T) {
	db, err := sql.Open("sqlite", filepath.Join(m.dir, "maquininha.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	want := m.history
	if m.open != nil {
		now := *m.open
		now.state = sale.Open
		want = append(slices.Clone(want), now)
	}
	var kept int
	if err := db.QueryRow(`SELECT count(*) FROM sale`).Scan(&kept); err != nil || kept != len(want) {
		t.Fatalf("%d sales kept, want %d (%v)", kept, len(want), err)
	}
	for n, s := range want {
		got := modelSale{}
		var openedAt string
		var closedAt *string
		var total *string
		err := db.QueryRow(`SELECT state, opened_at, closed_at, customer_document, customer_name, seller_name, additional_info, total FROM sale WHERE number = ?`, n+1).
			Scan(&got.state, &openedAt, &closedAt, &got.session.CustomerDocument, &got.session.CustomerName, &got.session.SellerName, &got.session.AdditionalInfo, &total)
		if err != nil {
			t.Fatal(err)
		}
		if total != nil {
			got.session.Total = decPtr(*total)
		}
		if (closedAt == nil) != (s.state == sale.Open) || (closedAt != nil && *closedAt < openedAt) {
			t.Fatalf("sale %d, %s: opened %s, closed %v", n+1, s.state, openedAt, closedAt)
		}
		if got.state != s.state || !cmp.Equal(got.session, s.session, exactly) {
			t.Fatalf("sale %d is kept as %+v, want %+v", n+1, got, s)
		}
		items := linesOf(s.items, func(i sale.Item) string {
			return fmt.Sprint(i.ID, " ", i.Canceled, " ", i.Quantity, " ", i.UnitPrice, " ", i.Total)
		})
		if kept := keptLines(t, db, "item", n+1, func(l keptLine) string {
			return fmt.Sprint(l.ID, " ", l.Canceled, " ", l.Quantity, " ", l.UnitPrice, " ", l.Total)
		}); !slices.Equal(kept, items) {
			t.Fatalf("sale %d keeps items %q, want %q", n+1, kept, items)
		}
		payments := linesOf(s.payments, func(p sale.Payment) string { return fmt.Sprint(p.ID, " ", p.Value) })
		if kept := keptLines(t, db, "payment", n+1, func(l keptLine) string { return fmt.Sprint(l.ID, " ", l.Value) }); !slices.Equal(kept, payments) {
			t.Fatalf("sale %d keeps payments %q, want %q", n+1, kept, payments)
		}
		for _, list := range []sale.List{sale.Discounts, sale.Additions} {
			want := linesOf(s.adjusted[list], func(a sale.Adjustment) string { return fmt.Sprint(a.ID, " ", a.Value) })
			if kept := keptLines(t, db, string(list), n+1, func(l keptLine) string { return fmt.Sprint(l.ID, " ", l.Value) }); !slices.Equal(kept, want) {
				t.Fatalf("sale %d keeps %ss %q, want %q", n+1, list, kept, want)
			}
		}
	}
}

// keptLine is what the file tells of a line.
type keptLine struct {
	ID                                string
	Canceled                          bool
	Quantity, UnitPrice, Total, Value json.Number
}

func keptLines(t *rapid.T, db *sql.DB, table string, number int, line func(keptLine) string) (lines []string) {
	rows, err := db.Query(`SELECT line FROM `+table+` WHERE place >> 32 = ? ORDER BY place`, number)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text []byte
		var kept keptLine
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line(kept))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

func linesOf[T any](all []T, line func(T) string) (lines []string) {
	for _, v := range all {
		lines = append(lines, line(v))
	}
	return lines
}
