package httpapi_test

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/httpapi"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// fuzzed are the routes that read a body or a query. Passwords are left out: each is hashed for a while.
var fuzzed = []string{
	"POST /join", "POST /api/v1/codes", "POST /api/v1/tenants", "POST /api/v1/shops", "POST /api/v1/keys", "PATCH /api/v1/terminals/x",
	"GET /api/v1/terminals", "GET /api/v1/transactions", "GET /api/v1/closings", "GET /api/v1/logs", "GET /api/v1/gaps", "GET /api/v1/operations", "GET /api/v1/audit",
	"POST /terminals/x/transaction", "GET /terminals/x/transaction", "POST /api/v1/settings", "GET /api/v1/settings/terminals",
}

// Whatever a stranger, a terminal that wants to join, or a caller sends: the answer is JSON, and none that tells of a database away.
func FuzzRequests(f *testing.F) {
	files, err := store.Open(f.Context(), f.TempDir(), "")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { files.Close() })
	desk, kept, ops := fleet.NewDesk(files.Fleet(), nil), records.NewDesk(files.Records()), operations.NewDesk(files.Operations())
	founded, err := desk.Found(f.Context(), fleet.Foundation{Account: "Conta", Tenant: "Cliente", Shop: "Loja 1", Person: "ana", Password: "segredo-longo"})
	if err != nil {
		f.Fatal(err)
	}
	board := links.New(nil)
	api := httpapi.New(httpapi.Config{
		Fleet: desk, Records: kept, Operations: ops, Webhooks: webhooks.NewDesk(webhooks.Config{Book: files.Webhooks()}),
		Settings: settings.NewDesk(settings.Config{Book: files.Settings(), Names: tunnel.Settings, IsSecret: tunnel.SecretSetting}), Board: board, Relay: relay.New(relay.Config{Links: board, Records: kept, Operations: ops}), ID: "hub-1",
		Key: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)),
	})
	for i := range fuzzed {
		f.Add(i, `{"code":"ABCD2345","publicKey":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","name":"Caixa\u0000 1","version":"1","shop":"x","tenant":"x","role":"reads"}`, "limit=1&after=x&since=2026-11-16&search=a")
		f.Add(i, `[]`, "offset=-1&limit=99999999999&state=busy")
		f.Add(i, `{"name":1}`, "%zz")
		f.Add(i, "\xef\xbb\xbf{}", "after=MTIz&status=approved&method=credit&words=%00%ff")
	}
	var asked atomic.Uint32
	f.Fuzz(func(t *testing.T, which int, body, query string) {
		method, path, _ := strings.Cut(fuzzed[uint(which)%uint(len(fuzzed))], " ")
		r := httptest.NewRequestWithContext(t.Context(), method, "/", strings.NewReader(body))
		r.URL = &url.URL{Path: path, RawQuery: query}
		n := asked.Add(1)
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", n>>16&0xff, n>>8&0xff, n&0xff) // who guesses codes is slowed by address
		r.SetBasicAuth(founded.Key.ID, founded.Secret)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if text := w.Body.Bytes(); w.Code >= http.StatusInternalServerError || len(text) > 0 && !json.Valid(text) {
			t.Errorf("%s %s?%q %q: %d %s", method, path, query, body, w.Code, text)
		}
	})
}
