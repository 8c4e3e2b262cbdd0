package cli

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/rig"
)

// Check tries the port for other hubs, and each of those that run at the same database; doctor says the same.
func TestCheckLooksAtOtherHubs(t *testing.T) {
	database, dir := hubtest.StartPostgres(t).Database(t), t.TempDir()
	says := func(args []string, want ...string) {
		t.Helper()
		said, _ := checked(t, args...)
		for _, w := range want {
			if !strings.Contains(said, w) {
				t.Errorf("%v: no %q in\n%s", args, w, said)
			}
		}
	}
	at := func(name string, more ...string) []string {
		return append([]string{"--data", filepath.Join(dir, name), "--listen", "127.0.0.1:0", "--database", database}, more...)
	}
	first, second := rig.FreeAddress(), rig.FreeAddress()
	says(at("a", "--peer-address", first), "✓ Hubs          "+first+" está livre", "✓ Outros hubs   nenhum no ar") // nothing is there yet
	hub, err := app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: filepath.Join(dir, "a"), Database: database, PeerAddress: first})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- hub.Run(ctx) }()

	says(at("a", "--peer-address", first), "✓ Hubs          "+first+" atende: é o hub que está no ar", "✓ Outros hubs   nenhum no ar")
	says(at("a", "--peer-address", second), "✓ Hubs          "+second+" está livre", "! Outros hubs   o hub desta pasta está no ar, mas não tem a vez", "✓ Outros hubs   "+first+" é alcançado")
	says(at("b", "--peer-address", second), "✓ Hubs          "+second+" está livre", "✓ Outros hubs   "+first+" é alcançado")
	says(at("b", "--peer-address", first), "✗ Hubs          "+first+" está em uso por outro programa; escolha outro endereço com --peer-address")
	says(at("b", "--peer-address", second, "--http", second), "✗ Hubs          "+second+" é também a porta de --http")
	says(at("b"), "✗ Outros hubs   há 1 hub no ar neste banco ("+first+"): este precisa de --peer-address")
	if files := examined(t, at("a", "--peer-address", first)...); !strings.Contains(files["conferencia.txt"], "✓ Hubs") || !strings.Contains(files["rede.txt"], first) {
		t.Error(files["conferencia.txt"], files["rede.txt"])
	}

	// One that holds a lease, and where somebody else answers, or nobody.
	s, err := store.Open(t.Context(), "", database)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // a test
	all, err := store.HubsAt(t.Context(), database)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	for run, address := range map[string]string{"x": second, "y": first} {
		if err := s.Leases().Take(t.Context(), leases.Hub{Run: run, Identity: all[0].Identity, Address: address, KeyHash: []byte(run)}, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	says(at("b", "--peer-address", rig.FreeAddress()), "✗ Outros hubs   "+second+" não é alcançado daqui: ", "✗ Outros hubs   "+first+" não é alcançado daqui: outro hub responde neste endereço", "✓ Outros hubs   "+first+" é alcançado")
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
