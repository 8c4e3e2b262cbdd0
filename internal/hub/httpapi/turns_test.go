package httpapi

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := func(tenant string) fleet.Scope { return fleet.Scope{Place: fleet.Place{Account: "a", Tenant: tenant}} }
		all := newTurns(1, 1)
		enter := func(ctx context.Context, tenant string) func() {
			t.Helper()
			leave, err := all.enter(ctx, of(tenant))
			if err != nil {
				t.Fatalf("%q: %v", tenant, err)
			}
			return leave
		}
		first := enter(t.Context(), "x")
		waiting := make(chan func())
		go func() { waiting <- enter(t.Context(), "x") }()
		synctest.Wait()
		if _, err := all.enter(t.Context(), of("x")); !errors.Is(err, errCrowded) {
			t.Errorf("a third: %v", err)
		}
		enter(t.Context(), "y")() // another customer waits for nobody
		enter(t.Context(), "")()  // nor does who sees all of them
		first()
		(<-waiting)()

		leave := enter(t.Context(), "x")
		gone, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := all.enter(gone, of("x"))
			failed <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("who has hung up: %v", err)
		}
		leave()
		if len(all.of) != 0 {
			t.Errorf("%d customers are remembered", len(all.of))
		}
	})
}
