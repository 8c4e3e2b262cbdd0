package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/thorough"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// openAt opens the store in the folder until the test ends or closes it.
func openAt(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	if v, err := s.Setting("username"); v != "" || err != nil {
		t.Fatalf("a setting nobody made: %q, %v", v, err)
	}
	must(t, s.SetSettings(map[string]string{"username": "admin", "hash": "$x$é\n"}))
	must(t, s.SetSettings(map[string]string{"username": "loja", "empty": ""}))
	must(t, s.SetSettings(nil), s.Close())

	s = openAt(t, dir)
	for name, want := range map[string]string{"username": "loja", "hash": "$x$é\n", "empty": "", "other": ""} {
		if v, err := s.Setting(name); v != want || err != nil {
			t.Errorf("%s is %q (%v), want %q", name, v, err, want)
		}
	}
	if all, err := s.Settings(); err != nil || len(all) != 3 || all["username"] != "loja" || all["hash"] != "$x$é\n" {
		t.Errorf("all of them: %q (%v)", all, err)
	}
}

func TestFilesAreTheUsersOwn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes here: the folder's access list counts")
	}
	dir := t.TempDir()
	s := openAt(t, dir)
	must(t, s.SetSettings(map[string]string{"a": "b"}))
	files, err := os.ReadDir(dir)
	must(t, err)
	if len(files) < 2 {
		t.Fatalf("only %v: the write-ahead log is missing", files)
	}
	for _, f := range files {
		info, err := f.Info()
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", f.Name(), info.Mode())
		}
	}
}

func TestWritesAreSynced(t *testing.T) {
	s := openAt(t, t.TempDir())
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
		var got string
		must(t, s.commit.do(func(b *batch) error { return b.one("PRAGMA " + pragma).Scan(&got) }))
		if got != want {
			t.Errorf("the writer's %s is %s, want %s", pragma, got, want)
		}
	}
	if _, err := s.db.reader.Exec(`INSERT INTO setting VALUES ('a', 'b')`); err == nil {
		t.Error("a reader can write")
	}
}

// Folders of people have spaces, accents and signs that mean something in a URI.
func TestFolderNames(t *testing.T) {
	for _, name := range []string{"com espaço", "ação", "100%", "a?b=c", "a#b", "%41", "a&b;c", "'x'"} {
		if runtime.GOOS == "windows" && strings.Contains(name, "?") {
			continue // no name has one there
		}
		dir := filepath.Join(t.TempDir(), name)
		must(t, os.Mkdir(dir, 0o700))
		s := openAt(t, dir)
		must(t, s.SetSettings(map[string]string{"a": "b"}), s.Close())
		if _, err := os.Stat(filepath.Join(dir, "maquininha.db")); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func version(t *testing.T, path string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	must(t, db.QueryRow("PRAGMA user_version").Scan(&n))
	return n
}

func migrations(texts ...string) fstest.MapFS {
	files := fstest.MapFS{"README.md": {Data: []byte("not a migration")}}
	for i, text := range texts {
		files[fmt.Sprintf("%04d_step.sql", i+1)] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	reopen := func(schema fs.FS) {
		t.Helper()
		db, err := openDatabase(path, schema)
		must(t, err)
		defer db.close()
		_, err = db.writer.Exec(`INSERT INTO thing (name) VALUES ('x')`)
		must(t, err)
	}
	reopen(migrations(`CREATE TABLE thing (name TEXT)`))
	if v := version(t, path); v != 1 {
		t.Fatalf("fresh: version %d", v)
	}
	reopen(migrations(`CREATE TABLE thing (name TEXT)`)) // again would fail: the table exists
	two := migrations(`CREATE TABLE thing (name TEXT)`, `ALTER TABLE thing ADD COLUMN size INTEGER NOT NULL DEFAULT 7; CREATE INDEX by_size ON thing (size);`)
	reopen(two)
	reopen(two)
	if v := version(t, path); v != 2 {
		t.Fatalf("after the second step: version %d", v)
	}
	db, err := openDatabase(path, two)
	must(t, err)
	var count, size int
	must(t, db.reader.QueryRow(`SELECT count(*), sum(size) FROM thing`).Scan(&count, &size), db.close())
	if count != 4 || size != 28 {
		t.Errorf("%d rows of size %d came through", count, size)
	}
}

func TestEmbeddedSchemas(t *testing.T) {
	for _, name := range []string{"main", "logs"} {
		steps, err := fs.Glob(schema(name), "*.sql")
		must(t, err)
		path := filepath.Join(t.TempDir(), name+".db")
		for range 2 {
			db, err := openDatabase(path, schema(name))
			must(t, err)
			must(t, db.close())
			if v := version(t, path); v != len(steps) || v == 0 {
				t.Errorf("%s: version %d after %d steps", name, v, len(steps))
			}
		}
	}
}

// A migration that fails leaves the database as it was, for the version that wrote it to open.
func TestMigrationThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	one := migrations(`CREATE TABLE thing (name TEXT)`)
	db, err := openDatabase(path, one)
	must(t, err)
	must(t, db.close())
	if _, err := openDatabase(path, migrations(`CREATE TABLE thing (name TEXT)`, `CREATE TABLE other (a); INSERT INTO nowhere VALUES (1)`)); err == nil ||
		!strings.Contains(err.Error(), "0002_step.sql") {
		t.Fatalf("a broken migration: %v", err)
	}
	if v := version(t, path); v != 1 {
		t.Fatalf("version %d after a migration that failed", v)
	}
	db, err = openDatabase(path, one)
	must(t, err)
	var tables int
	must(t, db.reader.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE name = 'other'`).Scan(&tables), db.close())
	if tables != 0 {
		t.Error("half a migration was kept")
	}
}

func TestMigrationsOutOfSequence(t *testing.T) {
	for name, files := range map[string][]string{
		"gap": {"0001_a.sql", "0003_b.sql"}, "twice": {"0001_a.sql", "0001_b.sql"}, "from zero": {"0000_a.sql"}, "no number": {"first.sql"},
	} {
		schema := fstest.MapFS{}
		for _, f := range files {
			schema[f] = &fstest.MapFile{Data: []byte("SELECT 1")}
		}
		db, err := openDatabase(filepath.Join(t.TempDir(), "test.db"), schema)
		if err == nil {
			db.close()
			t.Errorf("%s was accepted", name)
		} else if errors.Is(err, ErrUnreadable) {
			t.Errorf("%s: the program's own fault is put on the data: %v", name, err)
		}
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	must(t, s.SetSettings(map[string]string{"a": "b"}), s.Close())
	path := filepath.Join(dir, "maquininha.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec("PRAGMA user_version = 999")
	must(t, err, db.Close())
	if s, err := Open(dir); !errors.Is(err, ErrUnreadable) {
		t.Fatalf("%v, %v", s, err)
	}
	if v := version(t, path); v != 999 {
		t.Errorf("refusing changed the version to %d", v)
	}
}

func TestGarbageIsRefusedAndKept(t *testing.T) {
	seed := filepath.Join(t.TempDir(), "seed")
	must(t, os.Mkdir(seed, 0o700))
	s := openAt(t, seed)
	must(t, s.Close())
	whole, err := os.ReadFile(filepath.Join(seed, "maquininha.db"))
	must(t, err)
	for name, content := range map[string]string{
		"text":           "this is no database\n",
		"zeros":          strings.Repeat("\x00", 8192),
		"noise":          strings.Repeat("\xde\xad\xbe\xef", 4096),
		"header only":    string(whole[:100]),
		"broken header":  "SQLite format 3\x00" + strings.Repeat("\xff", 8192),
		"encrypted-like": strings.Repeat("\x07\x01", 50) + string(whole[100:]),
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "maquininha.db")
		must(t, os.WriteFile(path, []byte(content), 0o600))
		if s, err := Open(dir); !errors.Is(err, ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
			if err == nil {
				s.Close()
			}
			continue
		}
		if kept, err := os.ReadFile(path); err != nil || string(kept) != content {
			t.Errorf("%s: the file was changed (%v)", name, err)
		}
	}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "maquininha.db"), 0o700))
	if _, err := Open(dir); err == nil {
		t.Errorf("a folder in the file's place: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that does not exist was opened")
	}
}

func TestSettingsModel(t *testing.T) {
	fewer(t, 100)
	s := openAt(t, t.TempDir())
	rapid.Check(t, func(t *rapid.T) {
		empty(t, s, "setting")
		kept := map[string]string{}
		for _, change := range rapid.SliceOfN(rapid.MapOfN(rapid.StringN(0, 2, -1), rapid.String(), 0, 4), 1, 4).Draw(t, "changes") {
			if err := s.SetSettings(change); err != nil {
				t.Fatal(err)
			}
			maps.Copy(kept, change)
		}
		for name, want := range kept {
			if v, err := s.Setting(name); v != want || err != nil {
				t.Fatalf("%q is %q (%v), want %q", name, v, err, want)
			}
		}
	})
}

// fewer runs a slow property less often, unless the command line says how often.
func fewer(t *testing.T, checks int) { thorough.Checks(t, max(checks/share, 1)) }

// empty gives a run a fresh table at less cost than a fresh file.
func empty(t *rapid.T, s *Store, tables ...string) {
	if err := s.commit.do(func(b *batch) error { return b.exec(`DELETE FROM ` + strings.Join(tables, `; DELETE FROM `)) }); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, s *Store, query string, args ...any) (n int) {
	t.Helper()
	must(t, s.db.reader.QueryRowContext(context.Background(), query, args...).Scan(&n))
	return n
}
