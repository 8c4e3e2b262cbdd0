package httpapi

import (
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/store"
)

func TestSerialsTellNothing(t *testing.T) {
	t.Parallel()
	s, other := newSerials(), newSerials()
	here, there := fleet.Place{Account: "a", Tenant: "t"}, fleet.Place{Account: "a", Tenant: "u"}
	small := 0
	for _, serial := range []uint64{0, 1, 2, 3, 1000, 1 << 26, 1<<52 - 1} {
		shown := s.show(here, serial)
		if got := s.read(here, shown); got != serial || shown >= 1<<53 {
			t.Errorf("%d is shown as %d and read as %d", serial, shown, got)
		}
		if shown == s.show(there, serial) || shown == other.show(here, serial) {
			t.Errorf("%d is the same to others", serial)
		}
		if shown < 1<<40 {
			small++
		}
	}
	if small > 1 {
		t.Errorf("%d of them are small numbers", small)
	}
}

// What happens at others is not told, nor that something does.
func TestStreamsTellNothingOfOthers(t *testing.T) {
	t.Parallel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	files, err := store.Open(t.Context(), t.TempDir(), "")
	must(err)
	t.Cleanup(func() { files.Close() })
	desk := fleet.NewDesk(files.Fleet(), nil)
	f, err := desk.Found(t.Context(), fleet.Foundation{Account: "Conta", Tenant: "Cliente", Shop: "Loja", Person: "ana"})
	must(err)
	code, _, err := desk.MakeCode(t.Context(), f.Person.Actor(), "", "Caixa")
	must(err)
	m, err := desk.Join(t.Context(), code, fleet.Joining{PublicKey: make([]byte, 32), Version: "1"})
	must(err)
	board := links.New(nil)
	t.Cleanup(board.Close)
	board.Changed(m.ID)
	api := New(Config{Fleet: desk, Board: board})
	t.Cleanup(api.Close)
	for tenant, sees := range map[string]bool{f.Tenant.ID: true, "another": false} {
		caller := relay.Caller{Actor: fleet.Actor{Scope: fleet.Scope{Place: fleet.Place{Account: f.Account.ID, Tenant: tenant}, Role: fleet.Reads}}}
		events, next, err := api.nextEvents(t.Context(), caller, 0, time.Now().Add(time.Minute))
		must(err)
		if strings.Contains(string(events), "event: serial\n") != sees || strings.Contains(string(events), m.ID) != sees || !sees && len(events) > 0 || next != board.Serial() {
			t.Errorf("%v: %q up to %d", sees, events, next)
		}
	}
}
