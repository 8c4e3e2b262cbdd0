package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// The primary database is killed while two hubs write, and its synchronous standby promoted by hand: nothing that a hub has answered is
// missing, and both go on, with both databases in their address as the guide has it.
func TestStandbyTakesOver(t *testing.T) {
	t.Parallel()
	main := hubtest.StartPostgres(t)
	address, err := url.Parse(main.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	standby, err := main.Standby()
	if standby != nil {
		t.Cleanup(func() {
			standby.Signal(syscall.SIGQUIT)
			standby.Remove() //nolint:errcheck // it is temporary
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	second, err := url.Parse(standby.Address(strings.TrimPrefix(address.Path, "/")))
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("host", query.Get("host")+","+second.Query().Get("host"))
	query.Set("target_session_attrs", "read-write")
	address.RawQuery = query.Encode()
	f := startSeveral(t, 2, patient, func(int) string { return address.String() }, newCounter())
	f.answers(t, "the terminal answers", 1)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var mu sync.Mutex
	var told []string // what hubs have said to be there
	var made atomic.Int64
	var callers sync.WaitGroup
	for i := range f.hubs {
		callers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				name := fmt.Sprintf("PDV %d-%d", i, n)
				resp, _, err := f.asks(ctx, "POST", "https://"+f.configs[i].Listen+"/api/v1/keys", strings.NewReader(`{"name":"`+name+`","role":"operates"}`))
				if err == nil && resp.StatusCode == http.StatusCreated {
					mu.Lock()
					told = append(told, name)
					mu.Unlock()
					made.Add(1)
				}
			}
		})
	}
	waittest.Until(t, "keys are made", func() bool { return made.Load() > 20 })
	main.Signal(syscall.SIGKILL)
	if err := standby.Promote(); err != nil {
		t.Fatal(err)
	}
	before := made.Load()
	waittest.Until(t, "keys are made again", func() bool { return made.Load() > before+20 })
	stop()
	callers.Wait()

	for i := range f.hubs {
		resp, body, err := f.asks(t.Context(), "GET", "https://"+f.configs[i].Listen+"/api/v1/keys", nil)
		var keys []struct{ Name string }
		if err != nil || resp.StatusCode != http.StatusOK || json.Unmarshal([]byte(body), &keys) != nil {
			t.Fatal(resp, body, err)
		}
		var names []string
		for _, k := range keys {
			names = append(names, k.Name)
		}
		for _, name := range told {
			if !slices.Contains(names, name) {
				t.Errorf("hub %d does not know %s", i, name)
			}
		}
		f.answers(t, "the terminal answers", i)
	}
}
