package store_test

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/store"
)

// piece is a part of a backup.
type piece struct{ name, content string }

// export is what a backup would have.
func (h *hub) export(t *testing.T) (all []piece, counts store.Counts) {
	t.Helper()
	counts, err := store.Export(t.Context(), h.folder, h.address, func(name string, content []byte) error {
		all = append(all, piece{name, string(content)})
		return nil
	})
	ok(t, err)
	return all, counts
}

func pieces(all []piece) func(store.Take) error {
	return func(take store.Take) error {
		for _, p := range all {
			if err := take(p.name, []byte(p.content)); err != nil {
				return err
			}
		}
		return nil
	}
}

// restored is a hub that a backup was put into.
func restored(t *testing.T, make database, all []piece) *hub {
	t.Helper()
	h := &hub{fresh: make}
	h.folder, h.address = make(t)
	_, err := store.Import(t.Context(), h.folder, h.address, pieces(all))
	ok(t, err)
	h.open(t)
	return h
}

// fill leaves something in every table.
func (h *hub) fill(t *testing.T) (who fleet.Actor, waiting, sent operations.Operation) {
	t.Helper()
	who = h.found(t).Person.Actor()
	m := h.join(t, who, "", `Caixa "ção" <🧾>`)
	ok(t, h.fleet.RevokeTerminal(t.Context(), who, m.ID))
	h.join(t, who, "", "Caixa 2")
	h.commit(t, ledger(0, 70)) // more than go into one statement
	h.commit(t, at(ledger(0, 3), "m2", epochB, home))
	h.commit(t, logs(0, 9, 2, 3, 9))
	copied := []records.Origin{{Epoch: epochA, Ledger: 70}}
	b := page(h.resume(t, "m1", epochC, copied...), home, line{number: 71, attempt: 70, status: "reversed"})
	b.Origins = copied
	h.commit(t, b)
	var err error
	waiting, _, err = h.operations.Begin(t.Context(), request("waits", "corpo \x00\xff"))
	ok(t, err)
	sent, _, err = h.operations.Begin(t.Context(), request("sent", ""))
	ok(t, err)
	ok(t, h.operations.Send(t.Context(), sent.ID))
	ok(t, h.operations.Finish(t.Context(), sent.ID, 200, map[string]string{"Content-Type": "x"}, []byte{0, 255, '"'}))
	return who, waiting, sent
}

// What is exported goes into an empty database of either kind, and is the same there. Of what was waiting to be sent nobody can tell any
// more whether it was.
func testBackup(t *testing.T, h *hub) {
	who, waiting, sent := h.fill(t)
	before, counts := h.export(t)
	if counts["transactions"] != 74 || counts["terminals"] != 2 || counts["steps"] != 74 || counts["entries"] != 3 || counts["gaps"] != 2 || counts["returns"] != 1 || counts["origins"] != 1 {
		t.Errorf("%v", counts)
	}
	tenants, err := h.fleet.Tenants(t.Context(), who.Scope)
	ok(t, err)
	kinds := []database{h.fresh}
	switch {
	case h.address != "":
		kinds = append(kinds, func(t *testing.T) (string, string) { return t.TempDir(), "" })
	case postgres != nil && !testing.Short():
		kinds = append(kinds, postgres(t))
	}
	for _, kind := range kinds {
		to := restored(t, kind, before)
		after, _ := to.export(t)
		moved := movedTo(t, after)
		want := slices.Clone(before)
		for i, p := range want {
			if strings.HasPrefix(p.name, "operations/") {
				want[i].content = strings.Replace(p.content, `"waiting"`, `"running"`, 1)
			}
			table, _, _ := strings.Cut(p.name, "/")
			switch table {
			case "event_number", "change_number": // who reads on from a number may have read more than the backup has
				want[i].content = "[\"last\"]\n[" + moved + "]\n"
			case "place_numbers":
				want[i].content = `["kind","place","last"]` + "\n"
				for _, kind := range []string{"events", "changes"} {
					for _, id := range []string{who.Account, tenants[0].ID} {
						want[i].content += `["` + kind + `","` + id + `",` + moved + "]\n"
					}
				}
			}
		}
		sameRows(t, after, want)
		same(t, "the listed", to.listed(t), h.listed(t))
		same(t, "the sums", to.sums(t), h.sums(t))
		left, err := to.operations.Recover(t.Context())
		ok(t, err)
		same(t, "what may be sent again", len(left), 0)
		got, err := to.operations.Find(t.Context(), whole, "m1", waiting.ID)
		ok(t, err)
		same(t, "what was waiting", got.State, operations.Broken)
		got, err = to.operations.Find(t.Context(), whole, "m1", sent.ID)
		ok(t, err)
		same(t, "an answer", got.Answer, []byte{0, 255, '"'})
		// It goes on where it was: the next page of a ledger, the next line of the audit log.
		to.commit(t, at(ledger(3, 2), "m2", epochB, home))
		to.join(t, who, "", "Caixa 3")
	}
}

// movedTo is the number that a restore has let all of them count on from.
func movedTo(t *testing.T, all []piece) string {
	t.Helper()
	of := slices.IndexFunc(all, func(p piece) bool { return strings.HasPrefix(p.name, "event_number/") })
	_, row, _ := strings.Cut(all[of].content, "\n")
	text := strings.Trim(row, "[]\n")
	if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < 27_000_000_000_000 || n > 1<<53 {
		t.Fatalf("events go on from %q", row)
	}
	return text
}

func sameRows(t *testing.T, got, want []piece) {
	t.Helper()
	have := rowsOf(got)
	for table, rows := range rowsOf(want) {
		for i, row := range rows {
			if i >= len(have[table]) || have[table][i] != row {
				t.Fatalf("%s: row %d of %d should be %s, of\n%s", table, i, len(rows), row, strings.Join(have[table][:min(i+1, len(have[table]))], "\n"))
			}
		}
		if len(have[table]) != len(rows) {
			t.Fatalf("%s: %d rows too many", table, len(have[table])-len(rows))
		}
	}
}

// rowsOf are the lines of pieces, by table; databases give rows in any order.
func rowsOf(all []piece) map[string][]string {
	rows := map[string][]string{}
	for _, p := range all {
		table, _, _ := strings.Cut(p.name, "/")
		rows[table] = append(rows[table], strings.Split(p.content, "\n")...)
	}
	for _, lines := range rows {
		slices.Sort(lines)
	}
	return rows
}

// A backup is of one moment, whatever is written while it is made.
func testBackupIsOneMoment(t *testing.T, h *hub) {
	h.fill(t)
	before, _ := h.export(t)
	written, last := int64(3), ""
	var during []piece
	_, err := store.Export(t.Context(), h.folder, h.address, func(name string, content []byte) error {
		table, _, _ := strings.Cut(name, "/")
		if table != last && name != "schema" {
			h.commit(t, at(ledger(written, 2), "m2", epochB, home))
			written += 2
		}
		last = table
		during = append(during, piece{name, string(content)})
		return nil
	})
	ok(t, err)
	sameRows(t, during, before)
	// What came since is read again from where the backup's cursor is.
	to := restored(t, h.fresh, during)
	if c := to.commit(t, at(ledger(3, int(written)-3), "m2", epochB, home)); c.Number != written {
		t.Error(c)
	}
	same(t, "the listed", to.listed(t), h.listed(t))
	same(t, "the sums", to.sums(t), h.sums(t))
}

func testRestoreRefuses(t *testing.T, h *hub) {
	h.fill(t)
	all, _ := h.export(t)
	_, err := store.Import(t.Context(), h.folder, h.address, pieces(all))
	is(t, err, store.ErrNotEmpty)
	same(t, "what was there", len(h.listed(t)), 73)
	folder, address := h.fresh(t)
	_, err = store.Import(t.Context(), folder, address, pieces([]piece{{"schema", "1000"}}))
	is(t, err, store.ErrNewer)
	_, err = store.Export(t.Context(), folder, address, func(string, []byte) error { return errors.New("there is something") })
	is(t, err, store.ErrNoRecords)
}

// What fails in the middle leaves nothing behind.
func testRestoreFails(t *testing.T, h *hub) {
	h.fill(t)
	all, _ := h.export(t)
	folder, address := h.fresh(t)
	cut := errors.New("cut")
	_, err := store.Import(t.Context(), folder, address, func(take store.Take) error {
		return errors.Join(pieces(all[:len(all)/2])(take), cut)
	})
	is(t, err, cut)
	for _, bad := range []piece{{"sqlite_master/1", `["name"]`}, {"keys/1", `["id) SELECT 1; --"]`}, {"keys/1", "[\"id\"]\n[1,2]"}} {
		if _, err := store.Import(t.Context(), folder, address, pieces([]piece{all[0], bad})); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	_, err = store.Import(t.Context(), folder, address, pieces(all))
	ok(t, err)
}

// A backup that an older program made is brought up to date.
func TestRestoreOfAnOlderSchema(t *testing.T) {
	h := restored(t, func(t *testing.T) (string, string) { return t.TempDir(), "" }, []piece{
		{"schema", "1"},
		{"accounts/000001", "[\"id\",\"name\",\"created_at\"]\n[\"a\",\"Casa\",1]\n"},
		{"change_number/000001", "[\"last\"]\n[7]\n"},
		{"cursors/000001", `["terminal_id","epoch","kind","number","at","account_id","tenant_id","shop_id"]` + "\n" + `["m1","` + epochA + `","log",3,5,"a","t","s"]` + "\n"},
		{"entries/000001", `["terminal_id","epoch","id","account_id","tenant_id","shop_id","at","level","source","message","details"]` + "\n" + `["m1","` + epochA + `",3,"a","t","s",77,"info","api","x",""]` + "\n"},
	})
	c, err := h.records.Cursor(t.Context(), "m1", epochA, records.Log)
	ok(t, err)
	if c.Number != 3 || c.Recorded.UnixMicro() != 77 {
		t.Errorf("%+v", c)
	}
}

// A table that is added to the schema is in backups, or is said not to be.
func TestBackupsHaveEveryTable(t *testing.T) {
	folder := t.TempDir()
	s, err := store.Open(t.Context(), folder, "")
	ok(t, err)
	defer s.Close() //nolint:errcheck // it was only made
	db, err := sql.Open("sqlite", filepath.Join(folder, store.File))
	ok(t, err)
	defer db.Close()
	rows, err := db.QueryContext(context.Background(), `SELECT name FROM sqlite_master WHERE type = 'table'`)
	ok(t, err)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var name string
		ok(t, rows.Scan(&name))
		all = append(all, name)
	}
	counts, err := store.Export(t.Context(), folder, "", func(string, []byte) error { return nil })
	ok(t, err)
	known := append(slices.Collect(maps.Keys(counts)), "migrations", "sessions", "codes", "hubs", "link_number", "locations")
	slices.Sort(known)
	slices.Sort(all)
	same(t, "the tables", known, all)
}
