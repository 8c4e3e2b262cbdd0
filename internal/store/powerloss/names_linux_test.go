package powerloss

import (
	"path/filepath"
	"testing"

	"modernc.org/sqlite/lib"
)

// The shim says that a file's first sync is one of its folder exactly where SQLite really makes it one.
func TestFolderIsSyncedWhereSQLiteDoes(t *testing.T) {
	d := newDisk(t, Lying)
	db := openFile(t, filepath.Join(d.dir, "a.db"))
	_, err := db.Exec("CREATE TABLE a (b)")
	must(t, err)
	shim.mu.Lock()
	defer shim.mu.Unlock()
	files := map[bool]int{}
	for pFile, h := range shim.handles {
		if h.disk != d {
			continue
		}
		// No sync is passed on, so the mark that SQLite has set at the opening is still there.
		marked := at[sqlite3.TunixFile](pFile).FctrlFlags&sqlite3.UNIXFILE_DIRSYNC != 0
		files[marked]++
		if log := h.file == d.live["a.db-wal"]; log != marked {
			t.Errorf("the log: %t, marked: %t", log, marked)
		}
		if marked && h.names {
			t.Error("the log was synced, but not its name")
		}
	}
	if files[true] != 1 || files[false] != 1 {
		t.Errorf("%d files are marked, %d not", files[true], files[false])
	}
}
