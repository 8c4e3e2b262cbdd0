package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrMissing means that the file is gone, or empty, from a folder that has been in use. It is unreadable too.
var ErrMissing = fmt.Errorf("%w: missing or empty", ErrUnreadable)

// checkedAtStart is how large a file may be for the start to wait until all of it has been looked at: some 15 ms.
const checkedAtStart = 8 << 20

// checkFiles looks at what SQLite would pass over in silence: a file that is gone begins anew, and a write-ahead log
// that is no such thing is dropped, with all that was acknowledged in it.
func checkFiles(dir string) error {
	path := filepath.Join(dir, MainFile)
	// logs.db comes into being only after this file has all its tables.
	if size(path) == 0 && size(filepath.Join(dir, LogsFile)) > 0 {
		return fmt.Errorf("opening %s: %w", path, ErrMissing)
	}
	wal, err := os.Open(path + "-wal")
	if err != nil {
		return nil // SQLite says what is the matter, if anything is
	}
	defer wal.Close()
	var header [32]byte
	if _, err := io.ReadFull(wal, header[:]); err == nil && !isWAL(header) {
		return fmt.Errorf("opening %s-wal: %w", path, ErrForeignWAL)
	}
	return nil
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return 0
	}
	return info.Size()
}

// isWAL checks the header's own checksum. One of zeros is what a power cut leaves of the first write.
func isWAL(header [32]byte) bool {
	if header == [32]byte{} {
		return true
	}
	word := binary.LittleEndian.Uint32
	switch magic := binary.BigEndian.Uint32(header[:]); magic {
	case 0x377f0682:
	case 0x377f0683:
		word = binary.BigEndian.Uint32
	default:
		return false
	}
	var a, b uint32
	for i := 0; i < 24; i += 8 {
		a += word(header[i:]) + b
		b += word(header[i+4:]) + a
	}
	var sum [8]byte
	binary.BigEndian.PutUint32(sum[:], a)
	binary.BigEndian.PutUint32(sum[4:], b)
	return bytes.Equal(sum[:], header[24:])
}

// check has SQLite look at the whole file.
func (db *database) check(ctx context.Context, how string) error {
	var found string
	err := db.reader.QueryRowContext(ctx, "PRAGMA "+how+"(1)").Scan(&found)
	if err == nil && found != "ok" {
		err = fmt.Errorf("%w: %s", ErrUnreadable, found)
	}
	if err != nil {
		return fmt.Errorf("checking %s: %w", db.path, explain(err))
	}
	return nil
}

// Check reads every page and returns ErrUnreadable if one is damaged. It takes some 7 ms a megabyte.
func (s *Store) Check(ctx context.Context) error { return s.db.check(ctx, "quick_check") }

// Checked tells whether Open has looked at the whole file already.
func (s *Store) Checked() bool { return size(s.db.path) <= checkedAtStart }

// OnDamage has fn told, once, when a write meets damage.
func (s *Store) OnDamage(fn func(error)) { s.commit.onDamage(fn) }

// Aside is the name under which a file that cannot be used is kept beside the new one.
func Aside(path string, at time.Time) string {
	return path + ".damaged-" + at.Format("20060102-150405")
}

// PutAside gives a closed database another name, its write-ahead log with it, so that a new one can begin. It
// deletes nothing. It returns the new name.
func PutAside(path string, at time.Time) (string, error) {
	to := Aside(path, at)
	for n := 2; exists(to); n++ {
		to = fmt.Sprintf("%s-%d", Aside(path, at), n)
	}
	// The log first: a database without it is older, but one's log beside another is nonsense.
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return to, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
