package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// alter runs a statement on the data as no program of ours would.
func alter(t *testing.T, dir, statement string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "maquininha.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatal(err)
	}
}

func TestReportsOnOtherVersionsData(t *testing.T) {
	for pragma, want := range map[string]string{
		"PRAGMA user_version = 1":   "inicie o serviço uma vez",
		"PRAGMA user_version = 999": "mais nova do programa; atualize-o",
	} {
		dir := t.TempDir()
		keep(t, dir)
		alter(t, dir, pragma)
		for _, report := range []string{"transactions", "closing"} {
			if words := complaint(t, report, "--data", dir); !strings.Contains(words, want) {
				t.Errorf("%s: %q, want %q", report, words, want)
			}
		}
	}
}

// A listing many times as large as what the process may take is written as it is read.
func TestListingsAreNotHeldInMemory(t *testing.T) {
	dir := t.TempDir()
	tx := approved(time.Now(), "1", "")
	const rows, slip = 15_000, 5_000
	tx.Outcome.Receipt.Customer = strings.Repeat("x", slip)
	keep(t, dir, tx)
	peak := func() int {
		t.Helper()
		cmd := program(t, "transactions", "--data", dir, "--format", "json")
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		return int(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10
	}
	alone := peak()
	alter(t, dir, `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO ledger SELECT n.i, `+columnsButID(t, dir)+` FROM ledger, n WHERE id = 1`, rows)
	if more := peak() - alone; more > rows*slip/2 {
		t.Errorf("%d MB more for %d MB of transactions", more>>20, rows*slip>>20)
	} else {
		t.Logf("%d MB for one, %d MB more for %d MB", alone>>20, more>>20, rows*slip>>20)
	}
}

// columnsButID are those of the ledger in their order.
func columnsButID(t *testing.T, dir string) string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "maquininha.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var names string
	if err := db.QueryRow(`SELECT group_concat(name) FROM pragma_table_info('ledger') WHERE name <> 'id'`).Scan(&names); err != nil {
		t.Fatal(err)
	}
	return names
}
