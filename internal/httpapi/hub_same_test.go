//go:build unix && (!race || everything)

package httpapi_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest/behindhub"
)

// The same terminal answers the same to the byte, headers too, whether it is asked directly or through its hub, over HTTPS or HTTP.
func TestTheSameThroughAHub(t *testing.T) {
	t.Parallel()
	directOnly(t, "it is both ways in one")
	direct := start(t, autopilot, func(c *app.Config) { c.Timeouts.HubLook = time.Millisecond })
	hub := behindhub.Common(t)
	text, err := os.ReadFile(hub.Certificate())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	direct.client = &http.Client{Transport: transport}
	through, plain := *direct, *direct
	through.user, through.secret, through.path = hub.User, hub.Password, hub.Before(t, direct.config.Data)
	plain.user, plain.secret, plain.path = hub.User, hub.Password, through.path
	through.base, plain.base = hub.Secure()+through.path, hub.Plain()+plain.path

	direct.call("POST", "/sale", `{"customerName":"Ana"}`).ok()
	direct.call("POST", "/sale/item", coffee).ok()
	direct.call("POST", "/transaction", `{"tPag":"03","amount":5.00,"referenceId":"r"}`).ok()
	checkDoor(t, direct, &through)
	tag := direct.unchecked("GET", "/docs/swagger-ui.css", nil).ok().header.Get("Etag")
	stranger := header{"Authorization", ""}
	foreign := header{"Origin", "https://pdv.exemplo"}
	for _, row := range []struct {
		method, path string
		body         any
		headers      []header
	}{
		{"GET", "/sale", nil, nil},
		{"HEAD", "/sale", nil, nil},
		{"GET", "/info", nil, []header{foreign}},
		{"GET", "/transaction/r", nil, nil},
		{"GET", "/transaction?status=approved&limit=1", nil, nil},
		{"GET", "/transaction/r%2Fs", nil, nil},
		{"POST", "/transaction", `{"tPag":"03","amount":5.00,"referenceId":"r"}`, nil},
		{"POST", "/transaction", `{"tPag":"03","amount":6.00,"referenceId":"r"}`, nil},
		{"POST", "/transaction", `{"tPag":"99","amount":`, nil},
		{"POST", "/sale", `{}`, nil},
		{"POST", "/sale/item", `{"code":5}`, nil},
		{"PATCH", "/sale/item/nenhum%20assim", `{}`, nil},
		{"DELETE", "/sale/item/..%2f", nil, nil},
		{"POST", "/print/image", []byte("nada"), nil},
		{"POST", "/print/xml", "<a/>", nil},
		{"POST", "/render/text", `[{"text":"Pedido"}]`, nil},
		{"POST", "/render/image", bytes.Repeat([]byte("x"), 17<<20), nil},
		{"POST", "/display/text", `{"content":1}`, nil},
		{"POST", "/ask", `{"question":{"type":"NADA"}}`, nil},
		{"POST", "/sale", `{}`, []header{{"Content-Encoding", "br"}}},
		{"POST", "/sale", `{}`, []header{foreign, {"Content-Type", "text/plain"}}},
		{"PUT", "/sale", nil, nil},
		{"GET", "/nada?x=%zz", nil, nil},
		{"GET", "//sale", nil, nil},
		{"GET", "/logs?search=nada-assim", nil, nil},
		{"GET", "/logs?limit=-1", nil, nil},
		{"GET", "/operation", nil, nil},
		{"OPTIONS", "/transaction", nil, []header{stranger, foreign, {"Access-Control-Request-Method", "POST"}, {"Access-Control-Request-Headers", "authorization"}}},
		{"GET", "/docs/guia", nil, []header{stranger}},
		{"GET", "/docs", nil, []header{stranger}},
		{"HEAD", "/docs", nil, []header{stranger}},
		{"GET", "/docs/nada", nil, []header{stranger}},
		{"GET", "/docs/nada", nil, nil},
		{"GET", "/openapi.bundle.yaml", nil, []header{stranger, {"Accept-Encoding", "gzip"}}},
		{"GET", "/docs/swagger-ui-bundle.js", nil, []header{{"Accept-Encoding", "gzip"}}},
		{"GET", "/docs/swagger-ui.css", nil, []header{{"If-None-Match", tag}}},
		{"GET", "/docs/swagger-ui.css", nil, []header{{"Range", "bytes=0-9"}}},
		{"POST", "/display/carousel", carousel(t, 60<<20), nil},
	} {
		want := same(direct.unchecked(row.method, row.path, row.body, row.headers...))
		for way, m := range map[string]*terminal{"HTTPS": &through, "HTTP": &plain} {
			if diff := cmp.Diff(want, same(m.unchecked(row.method, row.path, row.body, row.headers...))); diff != "" {
				t.Errorf("%s %s through the hub over %s: %s", row.method, row.path, way, diff)
			}
		}
	}
}

// The page at the root tells how the terminal is reached, and so differs: whoever comes through a hub is not sent to a screen that may be far away.
func checkDoor(t *testing.T, direct, through *terminal) {
	t.Helper()
	for _, who := range [][]header{nil, {{"Authorization", ""}}} {
		if a := direct.unchecked("GET", "/", nil, who...).ok(); !strings.Contains(string(a.body), ">Tela<") || strings.Contains(string(a.body), "/terminals/") {
			t.Errorf("at the terminal: %s", a.body)
		}
		if a := through.unchecked("GET", "/", nil, who...).ok(); strings.Contains(string(a.body), ">Tela<") || !strings.Contains(string(a.body), "/terminals/ID/status") {
			t.Errorf("through a hub: %s", a.body)
		}
	}
}

// exchange is an answer, but for the moment.
type exchange struct {
	Status int
	Header http.Header
	Body   string
}

func same(a *answer) exchange {
	h := a.header.Clone()
	h.Del("Date")
	return exchange{a.status, h, string(a.body)}
}
