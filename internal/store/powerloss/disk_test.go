package powerloss

import (
	"bytes"
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite"
	"pgregory.net/rapid"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newDisk(t *testing.T, kind Kind) *Disk {
	t.Helper()
	d, err := New(t.TempDir(), kind)
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

func openFile(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	must(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// Each sector of a file is as it was at some moment since the last sync; with no change since, as it was then.
func TestSectorsSurviveOrNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 6 * sector
		f := &inode{synced: make([]byte, size)}
		now := make([]byte, size)
		versions := make([][][]byte, size/sector) // of each sector since the sync
		note := func() {
			for i := range versions {
				versions[i] = append(versions[i], bytes.Clone(now[i*sector:(i+1)*sector]))
			}
		}
		note()
		for n := range rapid.IntRange(0, 12).Draw(t, "changes") {
			if rapid.IntRange(0, 3).Draw(t, "sync") == 0 {
				f.sync()
				clear(versions)
				note()
				continue
			}
			// Whole sectors: parts of one may meet in any mixture.
			first := rapid.IntRange(0, size/sector-1).Draw(t, "first")
			count := rapid.IntRange(1, size/sector-first).Draw(t, "sectors")
			data := bytes.Repeat([]byte{byte(n + 1)}, count*sector)
			f.changes = append(f.changes, change{int64(first * sector), data})
			copy(now[first*sector:], data)
			note()
		}
		seed := rapid.Uint64().Draw(t, "seed")
		got, lost := f.survive(Honest, rand.New(rand.NewPCG(seed, 0)))
		for i := range versions {
			if !slices.ContainsFunc(versions[i], func(v []byte) bool { return bytes.Equal(v, got[i*sector:(i+1)*sector]) }) {
				t.Fatalf("sector %d is what it never was", i)
			}
		}
		if lost == 0 && len(f.changes) == 0 && !bytes.Equal(got, now) {
			t.Fatal("what was synced is gone")
		}
		if got, lost := f.survive(Battery, rand.New(rand.NewPCG(seed, 0))); lost != 0 || !bytes.Equal(got, now) {
			t.Fatalf("%d lost with a battery", lost)
		}
	})
}

func TestTruncation(t *testing.T) {
	f := &inode{synced: []byte("abcdef")}
	f.changes = []change{{offset: 2}, {4, []byte("x")}, {offset: 8}}
	f.sync()
	if want := "ab\x00\x00x\x00\x00\x00"; string(f.synced) != want {
		t.Errorf("%q, want %q", f.synced, want)
	}
}

// A write of several sectors comes back whole, not at all, and torn in both ways.
func TestTornWrites(t *testing.T) {
	f := &inode{changes: []change{{100, bytes.Repeat([]byte("x"), 2*sector)}}} // three sectors
	seen := map[string]bool{}
	for seed := range uint64(500) {
		got, lost := f.survive(Honest, rand.New(rand.NewPCG(seed, 0)))
		var pattern string
		for _, at := range []int{100, sector, 2 * sector} {
			if at < len(got) && got[at] == 'x' {
				pattern += "x"
			} else {
				pattern += "."
			}
		}
		if lost != 3-bytes.Count([]byte(pattern), []byte("x")) {
			t.Fatalf("%s with %d lost", pattern, lost)
		}
		seen[pattern] = true
	}
	if len(seen) != 8 {
		t.Errorf("only %v", sorted(seen))
	}
}

// A name is kept for sure only once the folder is synced.
func TestNames(t *testing.T) {
	old, file := &inode{}, &inode{}
	d := &Disk{live: map[string]*inode{"old": old}, kept: map[string]*inode{"old": old}}
	d.name("new", file)
	d.name("old", nil)
	outcomes := func() int {
		seen := map[[2]bool]bool{}
		for seed := range uint64(200) {
			names, _ := d.survivors(rand.New(rand.NewPCG(seed, 0)))
			seen[[2]bool{names["old"] == old, names["new"] == file}] = true
		}
		return len(seen)
	}
	if n := outcomes(); n != 4 {
		t.Errorf("%d outcomes before the sync", n)
	}
	d.syncNames()
	if n := outcomes(); n != 1 || d.kept["old"] != nil || d.kept["new"] != file {
		t.Errorf("%d outcomes after the sync", n)
	}
}

// The power can go in every step; then nothing more is read or written, and SQLite finds its way out of what is left.
func TestEveryStepCanBeTheLast(t *testing.T) {
	const outcomes = 4
	for n := 0; ; n++ {
		d := newDisk(t, Honest)
		d.CutIn(1 + n/outcomes)
		path := filepath.Join(d.dir, "a.db")
		db := openFile(t, path)
		_, err := db.Exec("CREATE TABLE a (b); INSERT INTO a VALUES (1)")
		if err == nil {
			if d.Dead() || d.Steps() > n/outcomes {
				t.Fatalf("nobody noticed that the power went in step %d of %d", 1+n/outcomes, d.Steps())
			}
			t.Logf("%d steps", d.Steps())
			must(t, db.Close())
			return
		}
		if !d.Dead() || d.Steps() != 1+n/outcomes {
			t.Fatalf("dead: %t after %d steps, want %d: %v", d.Dead(), d.Steps(), 1+n/outcomes, err)
		}
		if _, err := db.Exec("CREATE TABLE c (d)"); err == nil {
			t.Fatal("a dead disk answers")
		}
		db.Close()
		_, err = d.Restore(uint64(n))
		must(t, err)
		db = openFile(t, path)
		var verdict string
		must(t, db.QueryRow("PRAGMA integrity_check").Scan(&verdict))
		must(t, db.Close())
		if verdict != "ok" {
			t.Fatalf("cut in step %d, seed %d: %s", 1+n/outcomes, n, verdict)
		}
	}
}

func TestNothingIsRestoredUnderAnOpenFile(t *testing.T) {
	d := newDisk(t, Honest)
	db := openFile(t, filepath.Join(d.dir, "a.db"))
	must(t, db.Ping())
	if _, err := d.Restore(1); err == nil {
		t.Error("restored")
	}
	if err := d.Close(); err == nil {
		t.Error("taken away")
	}
	must(t, db.Close())
	_, err := d.Restore(1)
	must(t, err)
}

// Other folders have the disk that they had.
func TestOtherFolders(t *testing.T) {
	d := newDisk(t, Honest)
	d.Cut()
	path := filepath.Join(t.TempDir(), "b.db")
	db := openFile(t, path)
	_, err := db.Exec("CREATE TABLE a (b)")
	must(t, err)
	must(t, db.Close())
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
	if second, err := New(d.dir, Honest); err == nil {
		t.Errorf("two disks under one folder: %v", second)
	}
}

// What is there when the disk comes is kept.
func TestWhatWasThereBefore(t *testing.T) {
	dir := t.TempDir()
	db := openFile(t, filepath.Join(dir, "a.db"))
	_, err := db.Exec("CREATE TABLE a (b); INSERT INTO a VALUES (7)")
	must(t, err)
	must(t, db.Close())
	for seed := range uint64(10) {
		d, err := New(dir, Lying)
		must(t, err)
		d.Cut()
		_, err = d.Restore(seed)
		must(t, err)
		db := openFile(t, filepath.Join(dir, "a.db"))
		var b int
		must(t, db.QueryRow("SELECT b FROM a").Scan(&b))
		must(t, db.Close())
		must(t, d.Close())
		if b != 7 {
			t.Fatal(b)
		}
	}
}

func TestAppended(t *testing.T) {
	before := bytes.Repeat([]byte("a"), sector-1)
	seen := map[string]bool{}
	for data := range Appended(before, []byte("bc")) {
		if !bytes.HasPrefix(data, before) {
			t.Fatal("what was there before is gone")
		}
		seen[string(data[len(before):])] = true
	}
	if got, want := sorted(seen), []string{"", "\x00\x00", "\x00c", "b", "b\x00", "bc"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
