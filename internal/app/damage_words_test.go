package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/maquininha/maquininha/internal/store"
)

func TestWhyUnreadable(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("%w: row 3 missing from index", store.ErrUnreadable), "está danificado (row 3 missing from index)"},
		{fmt.Errorf("%w: schema 9", store.ErrNewer), "é de uma versão mais nova do programa"},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, "sem permissão"},
	} {
		if got := WhyUnreadable(test.err); got.Error() != test.want || !errors.Is(got, test.err) {
			t.Errorf("%v: %q", test.err, got)
		}
	}
}

// What SQLite says of a file is known by its code.
func TestWhyUnreadableByTheFileItself(t *testing.T) {
	whole := t.TempDir()
	s, err := store.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(whole, store.MainFile))
	if err != nil {
		t.Fatal(err)
	}
	spoiled := append([]byte(nil), good...)
	for i := 100; i < len(spoiled); i++ {
		spoiled[i] = 0xa5
	}
	for want, content := range map[string][]byte{
		"não é um banco de dados":    []byte("this is a text, and one long enough to hold what the header of a database would be if it were one: it is none"),
		"está danificado por dentro": spoiled,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, store.MainFile), content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := store.OpenReader(dir)
		if err == nil {
			_, err = store.CheckMain(dir)
		}
		if err == nil || WhyUnreadable(err).Error() != want {
			t.Errorf("want %q: %v", want, err)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, store.MainFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := store.OpenReader(dir); err == nil || WhyUnreadable(err).Error() != "não é um arquivo comum" {
		t.Errorf("a folder: %v", err)
	}
}
