package store

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckVersions returns ErrNewer if a newer version of the program has written a file of the folder. It changes nothing. All files are looked at
// before one is opened to write: bringing the first up to date, only to refuse the second, would keep the newer program from its own data.
// What else may be wrong with them is for those who open them to say.
func CheckVersions(dir string) error {
	for _, file := range []struct{ name, schema string }{{MainFile, "main"}, {LogsFile, "logs"}} {
		path := filepath.Join(dir, file.name)
		have, known := peekVersion(path)
		if !known {
			continue
		}
		if err := notNewer(have, schema(file.schema)); err != nil {
			return fmt.Errorf("opening %s: %w", path, err)
		}
	}
	return nil
}

// peekVersion is the number of a database's schema, as far as it can be read.
func peekVersion(path string) (have int, known bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return 0, false // a pipe would hold the start
	}
	for _, how := range peeks(path) {
		db, err := sql.Open("sqlite", peekDSN(path, how))
		if err != nil {
			return 0, false
		}
		err = db.QueryRow("PRAGMA user_version").Scan(&have)
		db.Close()
		if err == nil {
			return have, true
		}
	}
	return 0, false
}

// notNewer refuses a schema that this program does not know yet.
func notNewer(have int, schema fs.FS) error {
	steps, err := fs.Glob(schema, "*.sql")
	if err != nil {
		return err
	}
	if have > len(steps) {
		return fmt.Errorf("%w: schema %d, known up to %d", ErrNewer, have, len(steps))
	}
	return nil
}
