package ledger

import (
	"database/sql"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/rig"
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
	t.Parallel()
	for pragma, want := range map[string]string{
		"PRAGMA user_version = 1":   "inicie o serviço uma vez",
		"PRAGMA user_version = 999": "mais nova do programa; atualize-o",
	} {
		dir := t.TempDir()
		clitest.Keep(t, dir)
		alter(t, dir, pragma)
		for _, report := range []string{"transactions", "closing"} {
			if words := clitest.Complaint(t, report, "--data", dir); !strings.Contains(words, want) {
				t.Errorf("%s: %q, want %q", report, words, want)
			}
		}
	}
}

// A listing many times as large as what the process may take is written as it is read.
func TestListingsAreNotHeldInMemory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tx := clitest.Approved(time.Now(), "1", "")
	const few, many, slip = 100, 15_000, 5_000
	tx.Outcome.Receipt.Customer = strings.Repeat("x", slip)
	clitest.Keep(t, dir, tx)
	fill := func(from, to int) {
		t.Helper()
		alter(t, dir, `WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO ledger SELECT n.i, `+columnsButID(t, dir)+` FROM ledger, n WHERE id = 1`, from, to)
	}
	// peak is the most that a listing has taken when so much of it was read; it waits to write the rest then.
	peak := func(read int64) (mib float64) {
		t.Helper()
		cmd := clitest.Program(t, "transactions", "--data", dir, "--format", "json")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, out, read); err != nil {
			t.Fatal(err)
		}
		taken, err := rig.Measure(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, out); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		return taken.PeakMiB
	}
	fill(2, few)
	little := peak(1)
	fill(few+1, many)
	if more := peak(many*slip) - little; more > many*slip/2>>20 {
		t.Errorf("%.0f MiB more for %d MiB of transactions", more, many*slip>>20)
	} else {
		t.Logf("%.0f MiB for a few, %.0f MiB more for %d MiB", little, more, many*slip>>20)
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
