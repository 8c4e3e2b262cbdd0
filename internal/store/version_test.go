package store

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// versioned is a folder of data, the database as an older version made it or as this one does, whose files then say that they are of these schemas.
func versioned(t *testing.T, older bool, versions map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if older {
		db, err := openDatabase(filepath.Join(dir, MainFile), beforeLast(t))
		must(t, err)
		must(t, db.close())
	} else {
		must(t, openAt(t, dir).Close())
	}
	logs, err := OpenLogs(filepath.Join(dir, LogsFile))
	must(t, err)
	must(t, logs.Close())
	for name, version := range versions {
		db, err := sql.Open("sqlite", filepath.Join(dir, name))
		must(t, err)
		_, err = db.Exec("PRAGMA user_version = " + version)
		must(t, err, db.Close())
	}
	return dir
}

// beforeLast is the schema of the version before this one.
func beforeLast(t *testing.T) fs.FS {
	t.Helper()
	steps, err := fs.Glob(schema("main"), "*.sql")
	must(t, err)
	files := fstest.MapFS{}
	for _, name := range steps[:len(steps)-1] {
		text, err := fs.ReadFile(schema("main"), name)
		must(t, err)
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

// contents are the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := os.ReadDir(dir)
	must(t, err)
	all := map[string]string{}
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		must(t, err)
		all[f.Name()] = string(content)
	}
	return all
}

// The log alone may be newer: the program touches nothing then, not even a database that it could bring up to date.
func TestNothingIsTouchedBesideANewerFile(t *testing.T) {
	for name, c := range map[string]struct {
		older    bool
		versions map[string]string
	}{
		"newer log":                 {false, map[string]string{LogsFile: "999"}},
		"newer log, older database": {true, map[string]string{LogsFile: "999"}},
		"newer database":            {false, map[string]string{MainFile: "999"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := versioned(t, c.older, c.versions)
			before := contents(t, dir)
			s, err := Open(dir)
			if err == nil {
				s.Close()
			}
			_, checked := CheckMain(dir)
			if !errors.Is(err, ErrNewer) || !errors.Is(checked, ErrNewer) || !errors.Is(CheckVersions(dir), ErrNewer) {
				t.Errorf("opened: %v, checked: %v", err, checked)
			}
			after := contents(t, dir)
			for file := range after {
				if before[file] != after[file] {
					t.Errorf("%s was changed", file)
				}
			}
			if len(after) != len(before) {
				t.Errorf("%d files, had %d", len(after), len(before))
			}
		})
	}
}

// A newer program that was killed has its version in the write-ahead log only.
func TestTheVersionInTheLogOfWrites(t *testing.T) {
	from := versioned(t, false, nil)
	db, err := sql.Open("sqlite", dsn(filepath.Join(from, LogsFile), "immediate", false))
	must(t, err)
	defer db.Close()
	_, err = db.Exec("PRAGMA user_version = 999")
	must(t, err)
	for _, suffixes := range [][]string{{"", "-wal", "-shm"}, {"", "-wal"}} {
		dir := t.TempDir()
		for _, suffix := range suffixes {
			content, err := os.ReadFile(filepath.Join(from, LogsFile+suffix))
			must(t, err, os.WriteFile(filepath.Join(dir, LogsFile+suffix), content, 0o600))
		}
		if err := CheckVersions(dir); !errors.Is(err, ErrNewer) {
			t.Errorf("%q: %v", suffixes, err)
		}
	}
}

func TestVersionsOfWhatIsNoDatabase(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, MainFile), []byte("garbage garbage garbage garbage garbage"), 0o600), os.Mkdir(filepath.Join(dir, LogsFile), 0o700), CheckVersions(dir))
	must(t, CheckVersions(filepath.Join(dir, "none")))
}
