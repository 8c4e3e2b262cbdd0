package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// What a caller sends reaches the terminal to the letter, but for what is the hub's own, and so does the answer.
func TestToTheLetter(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Motivo", "sem papel")
		w.Header().Set("Access-Control-Expose-Headers", "X-Motivo")
		w.WriteHeader(418)
		fmt.Fprintf(w, "%s %s %d %q %q", r.Method, r.RequestURI, len(body), r.Header.Get("Authorization")+r.Header.Get("Cookie"), r.Header.Get("X-Own"))
	})
	at := "/terminals/" + x.id
	large := strings.Repeat("x", 16<<20)
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/sale", "", `GET /sale 0 "" "yes"`},
		{"GET", "/", "", `GET / 0 "" "yes"`},
		{"DELETE", "/sale/item/a%2Fb%20c", "", `DELETE /sale/item/a%2Fb%20c 0 "" "yes"`},
		{"GET", "/logs?search=a;b&limit=1&x=%zz", "", `GET /logs?search=a;b&limit=1&x=%zz 0 "" "yes"`},
		{"POST", "/sale//x/../y", "{}", `POST /sale//x/../y 2 "" "yes"`},
		{"POST", "/print/image", large, fmt.Sprintf(`POST /print/image %d "" "yes"`, len(large))},
		{"POST", "/transaction", `{"referenceId":"a"}`, `POST /transaction 19 "" "yes"`},
	} {
		a := h.call(t, c.method, at+c.path, c.body, "X-Own", "yes", "Cookie", "a=b")
		if a.status != 418 || a.body != c.want || a.header.Get("X-Motivo") != "sem papel" || a.header.Get("X-Reference-Id") != "" {
			t.Errorf("%s %s: %d %.200s %v", c.method, c.path, a.status, a.body, a.header)
		}
	}
	for _, path := range []string{"/hub/watch", "/%68ub/ledger?after=0&limit=1", "/hub"} {
		if a := h.call(t, "GET", at+path, ""); a.status != 404 || !strings.Contains(a.body, "Rota não encontrada") {
			t.Errorf("%s is the hub's own, and answered with %d %s", path, a.status, a.body)
		}
	}
}

// Who may reach what: everything else does not exist.
func TestWhoMayCall(t *testing.T) {
	h := newHub(t)
	x := h.join(t, "", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "stranger "+r.Header.Get(tunnel.StrangerHeader))
	})
	shop, err := h.fleet.MakeShop(t.Context(), h.admin, h.founded.Tenant.ID, "Loja 2")
	must(t, err)
	elsewhere := h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: shop.Place, Role: fleet.Administers}})
	reads := h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Shop.Place, Role: fleet.Reads}})
	for _, c := range []struct {
		method, path, auth string
		want               int
	}{
		{"GET", "/sale", reads, 200},
		{"POST", "/sale", reads, 403},
		{"GET", "/sale", elsewhere, 404},
		{"GET", "/sale", "Bearer x", 401},
		{"GET", "/sale", "", 401},
		{"GET", "/docs", "", 200},
		{"GET", "/openapi.bundle.yaml", "", 200},
		{"OPTIONS", "/transaction", "", 200},
		{"OPTIONS", "/transaction", "Bearer x", 200},
		{"GET", "/docs", "Bearer x", 200},
		{"GET", "/docs", reads, 200},
		{"POST", "/docs", "", 401},
	} {
		a := h.call(t, c.method, "/terminals/"+x.id+c.path, "", "Authorization", c.auth, tunnel.StrangerHeader, "no")
		if a.status != c.want {
			t.Errorf("%s %s as %.10s: %d %s, want %d", c.method, c.path, c.auth, a.status, a.body, c.want)
		}
		shown := "stranger 1" // who has shown no credentials is not vouched for
		if c.auth == reads {
			shown = "stranger "
		}
		if a.status == http.StatusOK && a.body != shown {
			t.Errorf("%s %s as %.10s: %s", c.method, c.path, c.auth, a.body)
		}
	}
	if a := h.call(t, "GET", "/terminals/nobody/docs", "", "Authorization", ""); a.status != 401 {
		t.Errorf("an unknown terminal's documents: %d", a.status)
	}
	if a := h.call(t, "GET", "/terminals/nobody/sale", ""); a.status != 404 {
		t.Errorf("an unknown terminal: %d", a.status)
	}
}

// Who hangs up on one side is gone on the other, and what breaks says what it was.
func TestHangUps(t *testing.T) {
	h := newHub(t)
	came, gone := make(chan struct{}, 10), make(chan struct{}, 10)
	x := h.join(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/logs/stream" {
			io.WriteString(w, "data: 1\n\n")
			http.NewResponseController(w).Flush() //nolint:errcheck // a test
		}
		came <- struct{}{}
		<-r.Context().Done()
		gone <- struct{}{}
	})
	at := "/terminals/" + x.id

	ctx, cancel := context.WithCancel(t.Context())
	r, _ := http.NewRequestWithContext(ctx, "POST", h.URL+at+"/ask", strings.NewReader("{}"))
	r.SetBasicAuth(h.founded.Key.ID, h.founded.Secret)
	failed := make(chan error, 1)
	go func() {
		_, err := h.Client().Do(r) //nolint:bodyclose // it fails
		failed <- err
	}()
	waittest.Receive(t, "the question is at the terminal", came)
	cancel()
	waittest.Receive(t, "the terminal knows that the caller has gone", gone)
	waittest.Receive(t, "the caller is told", failed)

	r, _ = http.NewRequestWithContext(t.Context(), "GET", h.URL+at+"/logs/stream", nil)
	r.SetBasicAuth(h.founded.Key.ID, h.founded.Secret)
	resp, err := h.Client().Do(r)
	must(t, err)
	defer resp.Body.Close()
	first := make([]byte, len("data: 1\n\n"))
	if _, err := io.ReadFull(resp.Body, first); err != nil || string(first) != "data: 1\n\n" {
		t.Fatalf("a stream is held back: %q %v", first, err)
	}
	waittest.Receive(t, "the stream is at the terminal", came)

	broken := make(chan answer, 1)
	go func() {
		a, err := h.try(t, "POST", at+"/ask", "{}")
		if err != nil {
			a.body = err.Error()
		}
		broken <- a
	}()
	waittest.Receive(t, "the question is at the terminal", came)
	link, ok := h.board.Find(x.id)
	if !ok {
		t.Fatal("no link")
	}
	link.Close() //nolint:errcheck // a test
	a := waittest.Receive(t, "the caller is told that the link broke", broken)
	if a.status != 502 || a.header.Get("X-Maquininha-Hub") != "broken" || !strings.Contains(a.body, "Conexão com o terminal perdida; consulte pelo referenceId") {
		t.Errorf("a broken link: %d %s %v", a.status, a.body, a.header)
	}
	if _, err := io.ReadAll(resp.Body); err == nil {
		t.Error("a stream that broke looks as if it had ended")
	}

	x.stop()
	a = h.call(t, "POST", at+"/ask", "{}")
	if a.status != 503 || a.header.Get("X-Maquininha-Hub") != "absent" || a.body != `{"code":503,"message":"Terminal fora do ar"}`+"\n" {
		t.Errorf("an absent terminal: %d %s %v", a.status, a.body, a.header)
	}
}

// A payment without a reference gets one, which the caller knows before the wait begins.
func TestReferencesGiven(t *testing.T) {
	h := newHub(t)
	bodies, pay := make(chan string, 10), make(chan struct{}, 10)
	x := h.join(t, "", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body)
		<-pay
		w.Header().Set("Access-Control-Expose-Headers", "X-Motivo")
		io.WriteString(w, "{}")
	})
	h1 := h.Client().Transport.(*http.Transport).Clone()
	h1.Protocols, h1.TLSClientConfig.NextProtos = new(http.Protocols), []string{"http/1.1"}
	h1.Protocols.SetHTTP1(true)
	for _, c := range []struct {
		name, body, agent, header string
		http1, told               bool
	}{
		{"HTTP/2", `{"amount":10.00,"tPag":"03"}`, "", "", false, true},
		{"curl", ` {"referenceId":null} `, "curl/8.5.0", "", true, true},
		{"Python, which takes 103 for the answer", "\xef\xbb\xbf{\"referenceId\":\"\"}", "python-requests/2.31", "", true, false},
		{"nothing else", `{}`, "Go-http-client/1.1", "", true, true},
		{"a proxy, which may take it too", `{}`, "curl/8.5.0", "X-Forwarded-For", true, false},
		{"nginx", `{}`, "curl/8.5.0", "Connection", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			told := make(chan string, 1)
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(code int, header textproto.MIMEHeader) error {
				told <- fmt.Sprint(code, header.Get("X-Reference-Id"))
				return nil
			}})
			r, _ := http.NewRequestWithContext(ctx, "POST", h.URL+"/terminals/"+x.id+"/transaction", strings.NewReader(c.body))
			r.SetBasicAuth(h.founded.Key.ID, h.founded.Secret)
			if c.agent != "" {
				r.Header.Set("User-Agent", c.agent)
			}
			if c.header != "" {
				r.Header.Set(c.header, "upgrade")
			}
			client := h.Client()
			if c.http1 {
				client = &http.Client{Transport: h1}
			}
			answered := make(chan *http.Response, 1)
			go func() {
				resp, err := client.Do(r)
				if err != nil {
					t.Error(err)
					close(bodies) // nobody waits for it
				}
				answered <- resp
			}()
			sent := waittest.Receive(t, "the payment is at the terminal", bodies)
			early := ""
			if c.told {
				early = waittest.Receive(t, "the caller is told", told)
			}
			pay <- struct{}{}
			resp := waittest.Receive(t, "the answer", answered)
			defer resp.Body.Close()
			reference := resp.Header.Get("X-Reference-Id")
			var got map[string]any
			if err := json.Unmarshal([]byte(strings.TrimPrefix(sent, "\xef\xbb\xbf")), &got); err != nil || got["referenceId"] != reference || reference == "" {
				t.Errorf("%s was sent with reference %q: %v", sent, reference, err)
			}
			if c.told && early != "103"+reference && early != "103 "+reference {
				t.Errorf("told %q, want 103 %s", early, reference)
			}
			if len(told) > 0 {
				t.Errorf("told %q", <-told)
			}
			is(t, "what pages may read", resp.Header.Get("Access-Control-Expose-Headers"), "X-Motivo, X-Reference-Id")
		})
	}
	strict := h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Shop.Place, Role: fleet.Operates}, NeedsReferences: true})
	if a := h.call(t, "POST", "/terminals/"+x.id+"/transaction", `{"amount":1}`, "Authorization", strict); a.status != 400 || len(bodies) > 0 {
		t.Errorf("a key that needs references: %d %s", a.status, a.body)
	}
	pay <- struct{}{}
	if a := h.call(t, "POST", "/terminals/"+x.id+"/transaction", `{"amount":`, "Authorization", strict); a.status != 200 || <-bodies != `{"amount":` {
		t.Errorf("what is no JSON is the terminal's to refuse: %d %s", a.status, a.body)
	}
}
