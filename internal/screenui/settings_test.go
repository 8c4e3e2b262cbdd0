package screenui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// drawer is a small Settings that keeps everything in memory.
type drawer struct {
	mu      sync.Mutex
	setup   Setup
	pin     string
	changes []Change
	tries   int
	err     error
	hub     Hub
}

func (d *drawer) Setup() Setup {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.setup
}

func (*drawer) Name() string   { return "Loja" }
func (*drawer) Logo() []byte   { return nil }
func (*drawer) User() string   { return "admin" }
func (*drawer) Look() Look     { return Look{Theme: "light"} }
func (*drawer) Locale() string { return "pt-BR" }
func (*drawer) Choices() Choices {
	return Choices{User: "admin", Printers: []Choice{{"none", "Nenhuma"}}}
}

func (d *drawer) Change(c Change) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return d.err
	}
	if d.changes = append(d.changes, c); c.SetUp {
		d.setup.Needed = false
	}
	if c.PIN != nil {
		d.pin, d.setup.PIN = *c.PIN, true
	}
	return nil
}

func (d *drawer) Unlocks(pin string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tries++
	return pin == d.pin
}

// desk sends requests as one browser does.
type desk struct {
	mux    *http.ServeMux
	cookie *http.Cookie
}

func deskOf(d *drawer) *desk {
	mux := http.NewServeMux()
	mountSettings(mux, d, d.hub, new(payment.Desk))
	return &desk{mux: mux}
}

func (k *desk) send(method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if k.cookie != nil {
		r.AddCookie(k.cookie)
	}
	w := httptest.NewRecorder()
	k.mux.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		k.cookie = c
	}
	return w
}

func (k *desk) want(t *testing.T, status int, method, path, body string) string {
	t.Helper()
	w := k.send(method, path, body)
	if w.Code != status {
		t.Fatalf("%s %s %s: %d %s, want %d", method, path, body, w.Code, w.Body, status)
	}
	return w.Body.String()
}

func TestTheDoorOfTheSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &drawer{setup: Setup{PIN: true}, pin: "1234"}
		k := deskOf(d)
		k.want(t, 403, "GET", "/settings", "")
		k.want(t, 403, "POST", "/settings", `{"name":"x"}`)
		k.want(t, 422, "POST", "/settings/unlock", `{"pin":"4321"}`)
		k.want(t, 422, "POST", "/settings/unlock", `{}`)
		k.want(t, 204, "POST", "/settings/unlock", `{"pin":"1234"}`)
		if c := k.cookie; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || len(c.Value) < 20 {
			t.Errorf("cookie %v", c)
		}
		k.want(t, 204, "POST", "/settings", `{"name":"x"}`)
		if text := k.want(t, 200, "GET", "/settings", ""); strings.Contains(text, "1234") || !strings.Contains(text, `"fixed":[]`) {
			t.Errorf("shown: %s", text)
		}
		for range 3 { // each use lets it stay open longer
			time.Sleep(4 * time.Minute)
			k.want(t, 200, "GET", "/settings", "")
		}
		time.Sleep(5 * time.Minute)
		k.want(t, 403, "GET", "/settings", "")
		k.want(t, 204, "POST", "/settings/unlock", `{"pin":"1234"}`)
		stolen := &desk{mux: k.mux, cookie: k.cookie}
		k.want(t, 204, "POST", "/settings/lock", "")
		stolen.want(t, 403, "GET", "/settings", "")
		guess := &desk{mux: k.mux, cookie: &http.Cookie{Name: lockCookie, Value: ""}}
		guess.want(t, 403, "GET", "/settings", "")
	})
}

func TestTheLogoIsBehindTheSameDoor(t *testing.T) {
	d := &drawer{setup: Setup{Needed: true, PIN: true}, pin: "1234"}
	k := deskOf(d)
	k.want(t, 404, "GET", "/settings/logo", "") // at the first start everybody may look
	k.want(t, 403, "POST", "/settings/logo", "png")
	k.want(t, 403, "DELETE", "/settings/logo", "")
	d.setup.Needed = false
	k.want(t, 403, "GET", "/settings/logo", "")
	k.want(t, 204, "POST", "/settings/unlock", `{"pin":"1234"}`)
	k.want(t, 404, "GET", "/settings/logo", "")
	k.want(t, 400, "POST", "/settings/logo", "")
	k.want(t, 413, "POST", "/settings/logo", strings.Repeat("x", maxLogo+1))
	k.want(t, 204, "POST", "/settings/logo", "\x89PNG")
	k.want(t, 204, "DELETE", "/settings/logo", "")
	if len(d.changes) != 2 || *d.changes[0].Logo != "\x89PNG" || *d.changes[1].Logo != "" {
		t.Errorf("changes %+v", d.changes)
	}
	d.err = Refusal{Field: "logo", Message: "O logotipo não é uma imagem PNG"}
	if text := k.want(t, 422, "POST", "/settings/logo", "GIF89a"); !strings.Contains(text, `"field":"logo"`) {
		t.Error(text)
	}
}

// hubOf is a hub that has refused, or taken, what was asked.
type hubOf struct {
	link  HubLink
	asked Invitation
	err   error
}

func (h *hubOf) Link() HubLink { return h.link }

func (h *hubOf) Join(_ context.Context, i Invitation) error {
	h.asked = i
	return h.err
}

func (h *hubOf) Leave() error {
	h.link = HubLink{State: "none"}
	return h.err
}

func TestTheHubIsBehindTheSameDoor(t *testing.T) {
	since := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	h := &hubOf{link: HubLink{State: "down", Address: "https://hub.exemplo", Name: "Caixa 1", Since: since, Reason: "silent", Message: "não responde"}}
	d := &drawer{setup: Setup{Needed: true, PIN: true}, pin: "1234", hub: h}
	k := deskOf(d)
	for _, method := range []string{"GET", "POST", "DELETE"} { // at the first start, too: nobody has said who he is
		k.want(t, 403, method, "/settings/hub", "{}")
	}
	k.want(t, 204, "POST", "/settings/unlock", `{"pin":"1234"}`)
	shown := k.want(t, 200, "GET", "/settings/hub", "")
	for _, want := range []string{`"state":"down"`, `"reason":"silent"`, `"since":"2026-11-16T12:00:00Z"`, `"name":"Caixa 1"`} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %s in %s", want, shown)
		}
	}
	k.want(t, 400, "POST", "/settings/hub", "nonsense")
	k.want(t, 413, "POST", "/settings/hub", strings.Repeat("x", maxSettings+1))
	k.want(t, 204, "POST", "/settings/hub", `{"address":"a","code":"c","pin":"p"}`)
	if h.asked != (Invitation{"a", "c", "p"}) {
		t.Errorf("asked %+v", h.asked)
	}
	h.err = Refusal{Field: "pin", Reason: "pinDiffers", Message: "não é o do pin"}
	if text := k.want(t, 422, "POST", "/settings/hub", `{}`); !strings.Contains(text, `"field":"pin"`) || !strings.Contains(text, `"reason":"pinDiffers"`) {
		t.Error(text)
	}
	h.err = errors.New("disk full")
	k.want(t, 503, "DELETE", "/settings/hub", "")
	h.err = nil
	k.want(t, 204, "DELETE", "/settings/hub", "")
	if text := k.want(t, 200, "GET", "/settings/hub", ""); !strings.Contains(text, `"state":"none"`) || !strings.Contains(text, `"since":null`) {
		t.Error(text)
	}
}

func TestGuessingThePINIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &drawer{setup: Setup{PIN: true}, pin: "1234"}
		k := deskOf(d)
		// Many at once are no more guesses than one after the other.
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() { (&desk{mux: k.mux}).send("POST", "/settings/unlock", fmt.Sprintf(`{"pin":"%04d"}`, i)) })
		}
		wg.Wait()
		if d.tries != wrongAllowed {
			t.Errorf("%d guesses", d.tries)
		}
		w := k.send("POST", "/settings/unlock", `{"pin":"1234"}`)
		if w.Code != 429 || w.Header().Get("Retry-After") != "30" || !strings.Contains(w.Body.String(), `"seconds":30`) {
			t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		time.Sleep(30 * time.Second)
		k.want(t, 429, "POST", "/settings/unlock", `{"pin":"9999"}`)
		time.Sleep(29500 * time.Millisecond)
		k.want(t, 429, "POST", "/settings/unlock", `{"pin":"1234"}`)
		time.Sleep(500 * time.Millisecond)
		k.want(t, 204, "POST", "/settings/unlock", `{"pin":"1234"}`)
		for range wrongAllowed - 1 { // the right one begins the count anew
			k.want(t, 422, "POST", "/settings/unlock", `{"pin":"0000"}`)
		}
		k.want(t, 429, "POST", "/settings/unlock", `{"pin":"0000"}`)
	})
}

func TestFirstStartIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	d := &drawer{setup: Setup{Needed: true}}
	k := deskOf(d)
	k.want(t, 200, "GET", "/settings", "")
	whole := `{"user":"u","password":"12345678","pin":"1234","name":"Loja"}`
	for _, body := range []string{`{"password":"12345678","pin":"1234"}`, `{"user":"u","pin":"1234"}`, `{"user":"u","password":"12345678"}`, `{"password":"1","passwordAgain":"2"}`} {
		k.want(t, 422, "POST", "/settings/first", body)
	}
	d.err = errors.New("disk full")
	if text := k.want(t, 503, "POST", "/settings/first", whole); strings.Contains(text, "disk") {
		t.Errorf("said %s", text)
	}
	d.err = nil
	var wg sync.WaitGroup
	answers := make(chan int, 8)
	for range 8 {
		wg.Go(func() { answers <- (&desk{mux: k.mux}).send("POST", "/settings/first", whole).Code })
	}
	wg.Wait()
	close(answers)
	for code := range answers {
		if code != 204 && code != 409 {
			t.Errorf("answered %d", code)
		}
	}
	if len(d.changes) != 1 || !d.changes[0].SetUp || *d.changes[0].PIN != "1234" {
		t.Errorf("changed %+v", d.changes)
	}
	k.want(t, 403, "GET", "/settings", "")
	k.want(t, 409, "POST", "/settings/pin", `{"pin":"9999"}`)
	k.want(t, 400, "POST", "/settings/first", `nonsense`)
	k.want(t, 413, "POST", "/settings/unlock", `"`+strings.Repeat("x", maxSettings)+`"`)
}
