package store

import (
	"slices"
	"testing"
)

// What is owed outlives the process until it is paid, and each acquirer has its own.
func TestDebts(t *testing.T) {
	dir := t.TempDir()
	open := func() (*Store, *Ledger) {
		s := openAt(t, dir)
		l, err := s.Ledger()
		must(t, err)
		return s, l
	}
	s, l := open()
	must(t, l.Owe("tef a", "first"), l.Owe("tef a", "second"), l.Owe("tef a", "first"), l.Owe("tef b", "first"), s.Close())
	s, l = open()
	for _, step := range []struct {
		paid, name string
		want       []string
	}{{"", "tef a", []string{"first", "second"}}, {"first", "tef a", []string{"second"}}, {"", "tef b", []string{"first"}}, {"", "pix", nil}} {
		if step.paid != "" {
			must(t, l.Paid(step.name, step.paid))
		}
		if got, err := l.Owed(step.name); err != nil || !slices.Equal(got, step.want) {
			t.Errorf("%s: %q, %v; want %q", step.name, got, err, step.want)
		}
	}
	must(t, s.Close())
}
