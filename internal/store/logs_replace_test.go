package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

// entriesFrom are so many entries with ids from first on.
func entriesFrom(first int64, n int) []logbook.Entry {
	all := make([]logbook.Entry, n)
	for i := range all {
		all[i] = logbook.Entry{ID: first + int64(i), At: time.Now(), Level: logbook.Info, Source: logbook.App, Message: fmt.Sprintf("entry %d", first+int64(i))}
	}
	return all
}

// spoil writes over the pages of a part of a file.
func spoil(t *testing.T, path string, from, to float64) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	const page = 4096
	pages := float64(len(data) / page)
	first, last := int(from*pages), int(to*pages)
	copy(data[first*page:], bytes.Repeat([]byte{0xA5}, (last-first)*page))
	must(t, os.WriteFile(path, data, 0o600))
}

// Damage in old entries is met by whoever searches them: that search fails, the file is kept, and the log goes on.
func TestStorageBeginsAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs.db")
	var kept []string
	open := func() *ReplaceableLogs {
		s, err := OpenReplaceableLogs(path, func(to string, why error) {
			if !errors.Is(why, ErrUnreadable) {
				t.Errorf("put aside for %v", why)
			}
			kept = append(kept, to)
		})
		must(t, err)
		return s
	}
	s := open()
	must(t, s.Append(entriesFrom(1, 2*volumeSize)), s.Close())
	if err := s.Append(entriesFrom(1, 1)); err == nil {
		t.Error("a closed storage takes entries")
	}
	spoil(t, path, 0.2, 0.3)
	damaged, err := os.ReadFile(path)
	must(t, err)

	s = open()
	defer s.Close()
	last, err := s.Last()
	if must(t, err); last != 2*volumeSize || len(kept) != 0 {
		t.Fatalf("opened up to %d, kept %v", last, kept)
	}
	find := func() (n int, err error) {
		err = s.Find(context.Background(), logbook.Query{Search: "entry"}, func(logbook.Entry) error { n++; return nil })
		return n, err
	}
	// Many come upon it at once; the file is put aside once.
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() { find() })                                                         //nolint:errcheck // one of them fails
		all.Go(func() { s.After(context.Background(), int64(i)*1000, 500) })              //nolint:errcheck // likewise
		all.Go(func() { s.Trim(context.Background(), time.Now().Add(-time.Hour), 5000) }) //nolint:errcheck // likewise
	}
	all.Wait()
	if len(kept) != 1 {
		t.Fatalf("kept %v", kept)
	}
	if now, err := os.ReadFile(kept[0]); err != nil || len(now) < len(damaged) {
		t.Errorf("kept are %d bytes of %d: %v", len(now), len(damaged), err)
	}
	must(t, s.Append(entriesFrom(last+1, 10)))
	if n, err := find(); n != 10 || err != nil {
		t.Errorf("%d entries in the new file, %v", n, err)
	}
}

// A new file that can't be made, on a full disk say, is tried again.
func TestStorageTriesAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs.db")
	s, err := OpenReplaceableLogs(path, func(string, error) {
		must(t, os.Mkdir(path, 0o700)) // in the way of the new one
	})
	must(t, err)
	if err := s.replace(s.logs, ErrUnreadable); err == nil {
		t.Fatal("opened a folder")
	}
	if err := s.Append(entriesFrom(1, 1)); err == nil {
		t.Fatal("stored in a folder")
	}
	must(t, os.Remove(path))
	must(t, s.Append(entriesFrom(1, 1)), s.Close())
}

// Nothing is closed under a search, and a search whose reader does not read holds up nobody: it ends when it goes on.
func TestNothingIsClosedUnderASearch(t *testing.T) {
	for name, end := range map[string]func(*ReplaceableLogs) error{
		"begun anew": func(s *ReplaceableLogs) error { return s.replace(s.logs, ErrUnreadable) },
		"closed":     (*ReplaceableLogs).Close,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := OpenReplaceableLogs(filepath.Join(t.TempDir(), "logs.db"), func(string, error) {})
			must(t, err, s.Append(entriesFrom(1, 3*chunkSize)))
			defer s.Close()
			reading, goOn, over := make(chan struct{}), make(chan struct{}), make(chan error)
			go func() {
				n := 0
				over <- s.Find(context.Background(), logbook.Query{Search: "entry"}, func(logbook.Entry) error {
					if n++; n == 1 {
						close(reading)
						<-goOn
					}
					return nil
				})
			}()
			<-reading
			must(t, end(s))
			close(goOn)
			if err := <-over; !errors.Is(err, errReplaced) {
				t.Errorf("the search ended with %v", err)
			}
		})
	}
}

func TestWriteAheadLogHeader(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	must(t, s.SetSettings(map[string]string{"a": "b"}))
	wal, err := os.ReadFile(filepath.Join(dir, MainFile+"-wal"))
	must(t, err)
	sound := [32]byte(wal)
	if !isWAL(sound) || !isWAL([32]byte{}) {
		t.Error("a sound header, or one that was never written, is refused")
	}
	for i := range sound {
		bent := sound
		bent[i] ^= 0x10
		if isWAL(bent) {
			t.Errorf("a header with byte %d bent is accepted", i)
		}
	}
}

// Nothing that is put aside overwrites what was put aside before.
func TestPutAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), MainFile)
	at := time.Now()
	names := map[string]string{}
	for i := range 3 {
		content := fmt.Sprint(i)
		must(t, os.WriteFile(path, []byte(content), 0o600), os.WriteFile(path+"-wal", []byte(content), 0o600))
		kept, err := PutAside(path, at)
		must(t, err)
		names[kept] = content
	}
	for name, content := range names {
		for _, suffix := range []string{"", "-wal"} {
			if got, err := os.ReadFile(name + suffix); string(got) != content || err != nil {
				t.Errorf("%s is %q, %v", name+suffix, got, err)
			}
		}
	}
	if len(names) != 3 {
		t.Errorf("kept as %v", names)
	}
}
