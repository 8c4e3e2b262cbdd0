package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/httpapi"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/waittest"
)

// What concerns the hub as a whole is for those who see the whole of its first account.
func TestWhoReadsTheHubsMetrics(t *testing.T) {
	h := newHub(t)
	tenant, shop := h.founded.Tenant.ID, h.founded.Shop.ID
	for name, c := range map[string]struct {
		authorization string
		want          int
	}{
		"nobody":                {"", 401},
		"who reads everything":  {h.key(t, fleet.Wanted{Scope: fleet.Scope{Role: fleet.Reads}}), 200},
		"who sees one customer": {h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: fleet.Place{Tenant: tenant}, Role: fleet.Administers}}), 404},
		"who sees one shop":     {h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: fleet.Place{Tenant: tenant, Shop: shop}, Role: fleet.Reads}}), 404},
	} {
		if a := h.call(t, "GET", "/metrics", "", "Authorization", c.authorization); a.status != c.want {
			t.Errorf("%s: %d %s, want %d", name, a.status, a.body, c.want)
		}
	}
}

// When there are too many connections, those of callers who have signed in stay.
func TestWhoHasSignedInStays(t *testing.T) {
	h := newHub(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	limited := connection.Listener{Listener: l, Limiter: connection.NewLimiter(2, connection.Timeouts{}), Refusal: connection.CallersRefusal("GET")}
	server := connection.Track(&http.Server{Handler: h.Config.Handler})
	go server.Serve(limited) //nolint:errcheck // it ends with the test
	t.Cleanup(func() { server.Close() })
	dial := func() (net.Conn, *bufio.Reader) {
		conn, err := net.Dial("tcp", l.Addr().String())
		must(t, err)
		t.Cleanup(func() { conn.Close() })
		return conn, bufio.NewReader(conn)
	}
	caller, answers := dial()
	ask := func() error {
		r, _ := http.NewRequest("GET", "http://hub/api/v1/session", nil)
		r.SetBasicAuth(h.founded.Key.ID, h.founded.Secret)
		must(t, r.Write(caller))
		resp, err := http.ReadResponse(answers, r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	must(t, ask())
	_, stranger := dial()
	closed := make(chan string, 2)
	go func() { stranger.ReadByte(); closed <- "the stranger" }()         //nolint:errcheck // its end is all that counts
	go func() { answers.ReadByte(); closed <- "the one who signed in" }() //nolint:errcheck // as above
	dial()
	is(t, "who was closed for the third", waittest.Receive(t, "a connection is closed", closed), "the stranger")
}

// No more than so many operations run at one terminal; what runs already can be asked for.
func TestOperationsAreBounded(t *testing.T) {
	h := newHub(t)
	let := make(chan struct{})
	hold := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-let:
		case <-r.Context().Done():
		}
		io.WriteString(w, "{}") //nolint:errcheck // a test
	}
	x, other := h.join(t, "", hold), h.join(t, "", hold)
	begin := func(id, key string) answer {
		return h.call(t, "POST", "/terminals/"+id+"/print/text", `[]`, "Prefer", "respond-async", "Idempotency-Key", key)
	}
	const most = 16
	var first answer
	for n := range most {
		a := begin(x.id, fmt.Sprint("k", n))
		if a.status != 202 {
			t.Fatalf("operation %d: %d %s", n, a.status, a.body)
		}
		if n == 0 {
			first = a
		}
	}
	if a := begin(x.id, "one more"); a.status != 503 || !strings.Contains(a.body, "Muitas operações em andamento, tente novamente em instantes") || a.header.Get("X-Maquininha-Hub") != "" {
		t.Errorf("one more: %d %s", a.status, a.body)
	}
	if a := h.call(t, "POST", "/terminals/"+x.id+"/ask", `{}`, "Prefer", "respond-async"); a.status != 503 {
		t.Errorf("one more without a key: %d %s", a.status, a.body)
	}
	if a := begin(x.id, "k0"); a.status != 202 || a.header.Get("Location") != first.header.Get("Location") {
		t.Errorf("one that runs: %d %s", a.status, a.body)
	}
	if a := begin(other.id, "k0"); a.status != 202 {
		t.Errorf("another terminal: %d %s", a.status, a.body)
	}
	close(let)
	waittest.Until(t, "there is room again", func() bool { return begin(x.id, "one more").status == 202 })
}

// A customer that takes all it can get leaves others what they need.
func TestACustomersShare(t *testing.T) {
	h := newHub(t)
	tenant, err := h.fleet.MakeTenant(t.Context(), h.admin, "Outro")
	must(t, err)
	greedy := h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: tenant.Place, Role: fleet.Reads}})
	other := h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Tenant.Place, Role: fleet.Reads}})
	listen := func(authorization string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", h.URL+"/api/v1/events", nil)
		must(t, err)
		r.Header.Set("Authorization", authorization)
		resp, err := h.Client().Do(r)
		must(t, err)
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	const most = 200
	for n := range most {
		if got := listen(greedy); got.StatusCode != 200 {
			t.Fatalf("stream %d: %d", n, got.StatusCode)
		}
	}
	refused := listen(greedy)
	text, err := io.ReadAll(refused.Body)
	must(t, err)
	if refused.StatusCode != 503 || !strings.Contains(string(text), "Muitas requisições deste cliente") {
		t.Errorf("one more: %d %s", refused.StatusCode, text)
	}
	is(t, "another customer's stream", listen(other).StatusCode, 200)
	is(t, "the house's own", listen("Bearer "+h.founded.Secret).StatusCode, 200)
}

// Strangers who hold calls for a terminal's documentation take none of its customer's.
func TestStrangersTakeNoCallsOfACustomer(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	came, let := make(chan struct{}), make(chan struct{})
	x := h.join(t, h.founded.Shop.ID, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/docs/" {
			came <- struct{}{}
			<-let
		}
		io.WriteString(w, "{}") //nolint:errcheck // a test
	})
	ask := func(path, authorization string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/terminals/"+x.id+path, http.NoBody)
		must(t, err)
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		resp, err := h.Client().Do(r)
		must(t, err)
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body) //nolint:errcheck // the status is all that counts
		return resp.StatusCode
	}
	customer := h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Tenant.Place, Role: fleet.Reads}})
	is(t, "a customer's first", ask("/status", customer), 200) // until the terminal has spoken, a link takes no more than a hundred, the hub's own too
	const strangers = 100
	statuses := make(chan int, strangers)
	for range strangers {
		go func() { statuses <- ask("/docs/", "") }()
	}
	for n := range strangers {
		select {
		case <-came:
		case status := <-statuses:
			t.Fatalf("a stranger was answered %d, with %d calls at the terminal", status, n)
		}
	}
	is(t, "one more stranger", ask("/docs/", ""), 503)
	is(t, "a customer's own", ask("/status", customer), 200)
	close(let)
	for range strangers {
		is(t, "a stranger", <-statuses, 200)
	}
}

// Bodies that come slowly hold up nobody, and not for ever however often a piece comes.
func TestSlowBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files, err := store.Open(t.Context(), t.TempDir(), "")
		must(t, err)
		defer files.Close()
		desk := fleet.NewDesk(files.Fleet(), nil)
		founded, err := desk.Found(t.Context(), fleet.Foundation{Account: "Conta", Tenant: "Cliente", Shop: "Loja 1", Person: "ana", Password: "segredo-longo"})
		must(t, err)
		_, secret, err := desk.MakeKey(t.Context(), founded.Person.Actor(), fleet.Wanted{Name: "x", Scope: fleet.Scope{Place: founded.Tenant.Place, Role: fleet.Administers}})
		must(t, err)
		api := httpapi.New(httpapi.Config{Fleet: desk})
		defer api.Close()
		call := func(method string, body io.Reader) (int, time.Duration) {
			r := httptest.NewRequest(method, "/api/v1/shops", body)
			r.Header.Set("Authorization", "Bearer "+secret)
			w, began := httptest.NewRecorder(), time.Now()
			connection.BoundBodies(api, connection.BodyTimeouts{}).ServeHTTP(w, r)
			return w.Code, time.Since(began)
		}
		type end struct {
			status int
			took   time.Duration
		}
		const slow = 120
		ends := make(chan end, slow)
		for range slow {
			go func() {
				status, took := call("POST", &dribble{pieces: 1000})
				ends <- end{status, took}
			}()
		}
		synctest.Wait()
		if status, took := call("GET", http.NoBody); status != 200 || took != 0 {
			t.Errorf("another of the same customer: %d after %v", status, took)
		}
		for range slow {
			if e := <-ends; e.status != 400 || e.took > time.Minute {
				t.Fatalf("a slow one: %d after %v", e.status, e.took)
			}
		}
	})
}

// dribble is a body of which a byte comes every ten seconds.
type dribble struct{ pieces int }

func (d *dribble) Read(p []byte) (int, error) {
	time.Sleep(10 * time.Second)
	if d.pieces--; d.pieces < 0 {
		return 0, io.EOF
	}
	p[0] = ' '
	return 1, nil
}
