package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/store"
)

var hubSecret = []byte("what the hub alone knows")

// database makes an empty one: a folder, or an address.
type database func(t *testing.T) (folder, address string)

// postgres starts a cluster for the databases of a test; nil where the system has none.
var postgres func(t *testing.T) database

// conform is what both databases do alike.
var conform = map[string]func(*testing.T, *hub){
	"founding": testFounding, "places": testPlaces, "codes": testCodes, "one code, many terminals": testCodeOnce,
	"terminals": testTerminals, "sightings": testSightings, "terminal filters": testTerminalFilters,
	"keys": testKeys, "scopes": testScopes, "people": testPeople, "second factors": testFactors, "ends and uses of keys": testKeyLives, "audit": testAudit,
	"settings": testSettings, "settings made at once": testSettingsAtOnce, "settings and moves": testSettingsMove, "settings of another customer": testSettingsOfAnother,
	"records and moves": testRecordsMove, "records of a clock that is off": testMoveClock, "moves of before": testMovesOfBefore,
	"webhooks": testWebhooks, "webhooks numbered at once": testWebhookNumbers, "webhooks of presence": testWebhookPresence, "webhooks of a customer": testWebhookQuota,
	"webhooks made elsewhere": testWebhookMadeElsewhere, "numbers of customers": testNumbersOfCustomers, "numbers of before": testNumbersOfBefore, "numbers of restores": testNumbersOfRestores, "numbers beyond the clock": testNumbersBeyondTheClock,
	"commit": testCommit, "commit at once": testCommitAtOnce, "epochs and gaps": testEpochsAndGaps, "a restored ledger": testRestored, "a copy of an epoch": testCopied, "joined again": testRejoined,
	"set back after joining again": testSetBack, "two lives of a payment": testParted, "undone in a later life": testUndone, "two ids at once": testTwoIDs, "another's epoch": testAnothersEpoch, "bad batches": testBadBatches,
	"hostile texts": testHostileTexts, "a large batch": testLargeBatch, "transactions": testTransactions, "transaction pages": testTransactionPages,
	"entries": testEntries, "closings": testClosings, "old logs": testForgetLogs, "old operations": testForgetOperations, "old audit": testForgetAudit, "old transactions": testForgetTransactions,
	"old payments in two lives": testForgetLives, "old payments that come up again": testForgottenAgain, "old lines that were an origin's": testForgottenOrigin, "sweep": testSweep,
	"operations": testOperations, "operations at once": testOperationsAtOnce, "operations after a death": testOperationsRecover, "operations of several hubs": testOperationsOfHubs,
	"locations": testLocations, "leases": testLeases, "a lone lease": testLoneLease, "news": testNews,
	"backup": testBackup, "backup while others write": testBackupIsOneMoment, "backup into what is not empty": testRestoreRefuses, "backup that fails": testRestoreFails,
	"reopened": testReopened, "newer": testNewer, "opened at once": testOpenedAtOnce,
}

func TestSQLite(t *testing.T) {
	runAll(t, func(t *testing.T) (string, string) { return t.TempDir(), "" })
}

func runAll(t *testing.T, make database) {
	for name, test := range conform {
		t.Run(name, func(t *testing.T) {
			h := &hub{fresh: make}
			h.folder, h.address = make(t)
			h.open(t)
			test(t, h)
		})
	}
}

// hub is the desks over a store that is empty at first.
type hub struct {
	folder, address string
	fresh           database // makes another of the same kind

	store      *store.Store
	fleet      *fleet.Desk
	records    *records.Desk
	operations *operations.Desk
}

func (h *hub) open(t *testing.T) {
	t.Helper()
	var err error
	if h.store, err = store.Open(t.Context(), h.folder, h.address); err != nil {
		t.Fatal(err)
	}
	s := h.store
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // the second time says nothing
	h.fleet, h.records, h.operations = fleet.NewDesk(s.Fleet(), hubSecret), records.NewDesk(s.Records()), operations.NewDesk(s.Operations())
}

func (h *hub) reopen(t *testing.T) {
	t.Helper()
	ok(t, h.store.Close())
	h.open(t)
}

// found makes the first account.
func (h *hub) found(t *testing.T) fleet.Founded {
	t.Helper()
	f, err := h.fleet.Found(t.Context(), fleet.Foundation{Account: "Casa de Software", Tenant: "Padaria", Shop: "Centro", Person: "Ana"})
	ok(t, err)
	return f
}

// join makes a terminal in a shop.
func (h *hub) join(t *testing.T, a fleet.Actor, shop, name string) fleet.Terminal {
	t.Helper()
	code, _, err := h.fleet.MakeCode(t.Context(), a, shop, name)
	ok(t, err)
	m, err := h.fleet.Join(t.Context(), code, fleet.Joining{PublicKey: publicKey, Version: "1.0"})
	ok(t, err)
	return m
}

var publicKey = make([]byte, 32)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got the error %v, want %v", err, want)
	}
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

// atOnce runs the same thing side by side, and gives what came of each.
func atOnce[T any](n int, do func(i int) T) []T {
	all := make([]T, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i] = do(i) })
	}
	wg.Wait()
	return all
}

func testReopened(t *testing.T, h *hub) {
	f := h.found(t)
	m := h.join(t, f.Person.Actor(), "", "Caixa 1")
	ok(t, h.store.Close())
	if err := h.fleet.Seen(t.Context(), fleet.Sighting{Terminal: m.ID}); err == nil {
		t.Error("a closed store takes writes")
	}
	h.open(t)
	got, err := h.fleet.Terminal(t.Context(), f.Person.Scope, m.ID)
	ok(t, err)
	same(t, "the terminal", got, m)
	_, err = h.fleet.CheckKey(t.Context(), f.Key.ID, f.Secret)
	ok(t, err)
}

func testNewer(t *testing.T, h *hub) {
	ok(t, h.store.Close())
	driver, where := "sqlite", filepath.Join(h.folder, store.File)
	if h.address != "" {
		driver, where = "pgx", h.address
	}
	db, err := sql.Open(driver, where)
	ok(t, err)
	_, err = db.Exec(`INSERT INTO migrations (number, at) VALUES (1000, 0)`)
	ok(t, errors.Join(err, db.Close()))
	_, err = store.Open(t.Context(), h.folder, h.address)
	is(t, err, store.ErrNewer)
}

// Hubs that start together at one database make its tables once.
func testOpenedAtOnce(t *testing.T, h *hub) {
	if h.address == "" {
		t.Skip("one hub a folder")
	}
	ok(t, h.store.Close())
	db, err := sql.Open("pgx", h.address)
	ok(t, err)
	_, err = db.Exec(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
	ok(t, errors.Join(err, db.Close()))
	for _, err := range atOnce(4, func(int) error {
		s, err := store.Open(context.Background(), "", h.address)
		if err != nil {
			return err
		}
		return s.Close()
	}) {
		ok(t, err)
	}
}

func TestSQLiteFile(t *testing.T) {
	folder := t.TempDir()
	s, err := store.Open(t.Context(), folder, "")
	ok(t, err)
	for _, name := range []string{store.File, store.File + "-wal"} {
		info, err := os.Stat(filepath.Join(folder, name))
		ok(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v: others can read what customers paid", name, info.Mode())
		}
	}
	ok(t, s.Close())
	ok(t, os.WriteFile(filepath.Join(folder, store.File), []byte("this is no database, and never was one"), 0o600))
	_, err = store.Open(t.Context(), folder, "")
	is(t, err, store.ErrUnreadable)
}

func TestAddressOfNoDatabase(t *testing.T) {
	if _, err := store.Open(t.Context(), "", "postgres://user:hunter2@host:port/x"); err == nil {
		t.Error("an address that is none was taken")
	}
	_, err := store.Open(t.Context(), "", "postgres://user:hunter2@127.0.0.1:1/x")
	if err == nil {
		t.Fatal("opened a database that is not there")
	}
	if text := err.Error(); len(text) == 0 || contains(text, "hunter2") {
		t.Errorf("the error tells the password: %s", text)
	}
}
