package store

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
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

// What was done in a menu outlives the process until nothing is left of it, and its number is used for nothing else.
func TestAdministrations(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	l, err := s.Ledger()
	must(t, err)
	since := time.Now().Truncate(time.Microsecond)
	a := payment.Administration{Number: 4711, Acquirer: "tef a", State: payment.AdministrationSent, Since: since}
	done := payment.Administration{Number: 4712, Acquirer: "tef a", State: payment.AdministrationDone, Token: "kept", Since: since.Add(-time.Hour)}
	must(t, l.KeepAdministration(a), l.KeepAdministration(done), s.Close())
	s = openAt(t, dir)
	l, err = s.Ledger()
	must(t, err)
	if last, err := l.LastNumber(); err != nil || last != 4712 {
		t.Errorf("last number %d, %v", last, err)
	}
	if open, err := l.OpenAdministrations(); err != nil || len(open) != 1 || open[0].Number != a.Number || !open[0].Since.Equal(since) {
		t.Errorf("open: %+v, %v", open, err)
	}
	a.State, a.Token = payment.AdministrationDecided, "token"
	must(t, l.KeepAdministration(a))
	if got, err := l.Administration(4711); err != nil || got.State != a.State || got.Token != a.Token {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := l.Administration(1); !errors.Is(err, payment.ErrNotFound) {
		t.Error(err)
	}
	if all, err := l.Administrations(since.Add(-time.Minute)); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	must(t, s.Close())
}
