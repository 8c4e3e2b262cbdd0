package configure_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/configure"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

var secret = []byte("what the hubs of a test know")

// house is an account whose hubs share a store.
type house struct {
	t     *testing.T
	files *store.Store
	made  fleet.Founded
	admin fleet.Actor
}

func newHouse(t *testing.T) *house {
	t.Helper()
	files, err := store.Open(t.Context(), t.TempDir(), "")
	must(t, err)
	t.Cleanup(func() { files.Close() })
	h := &house{t: t, files: files}
	h.made, err = fleet.NewDesk(files.Fleet(), secret).Found(t.Context(), fleet.Foundation{Account: "Conta", Tenant: "Cliente", Shop: "Loja", Person: "ana"})
	must(t, err)
	h.admin = h.made.Person.Actor()
	return h
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hub is one of them, with what it remembers.
type hub struct {
	*house
	fleet *fleet.Desk
	desk  *settings.Desk
	board *links.Board
}

func (h *house) hub() *hub {
	b := &hub{
		house: h, fleet: fleet.NewDesk(h.files.Fleet(), secret), board: links.New(nil),
		desk: settings.NewDesk(settings.Config{Book: h.files.Settings(), Key: secret, Names: tunnel.Settings, IsSecret: tunnel.SecretSetting}),
	}
	c := configure.New(configure.Config{Desk: b.desk, Fleet: b.fleet, Board: b.board, Each: time.Millisecond, Whole: time.Hour, Log: func(string, error) {}})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); c.Run(ctx) }()
	h.t.Cleanup(func() {
		cancel()
		<-ended
		b.board.Close()
	})
	return b
}

func (b *hub) decide(of fleet.Place, terminal string, pairs ...string) {
	b.t.Helper()
	values := map[string]*string{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = &pairs[i+1]
	}
	_, err := b.desk.Make(b.t.Context(), b.admin, settings.Wanted{Place: of, Terminal: terminal, Values: values})
	must(b.t, err)
}

// stands waits until a terminal is known to be like this at a hub, and gives its report.
func (b *hub) stands(x *terminal, want settings.State, trouble string) (r settings.Report) {
	b.t.Helper()
	waittest.Until(b.t, fmt.Sprint("the terminal is ", want, " ", trouble), func() bool {
		all, reports, err := b.desk.Standing(b.t.Context(), b.admin)
		must(b.t, err)
		r = reports[x.member.Terminal]
		m, err := b.files.Fleet().Terminal(b.t.Context(), x.member.Terminal)
		must(b.t, err)
		return all.Of(m).StateOf(r) == want && strings.Contains(r.Trouble, trouble) && (trouble != "" || r.Trouble == "")
	})
	return r
}

// terminal takes what it is sent, or answers as it is told to.
type terminal struct {
	member tunnel.Membership

	mu     sync.Mutex
	has    tunnel.SettingsReport
	values map[string]string
	asked  int
	sent   int
	answer http.HandlerFunc // instead; nil: as a terminal does

	hold func(*http.Request) // before it answers, set before it dials; nil: it is quick
}

// join makes one in the only shop there is.
func (h *house) join(name string) *terminal {
	h.t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	must(h.t, err)
	desk := fleet.NewDesk(h.files.Fleet(), secret)
	code, _, err := desk.MakeCode(h.t.Context(), h.admin, h.made.Shop.ID, name)
	must(h.t, err)
	m, err := desk.Join(h.t.Context(), code, fleet.Joining{PublicKey: public, Version: "1"})
	must(h.t, err)
	return &terminal{member: tunnel.Membership{Terminal: m.ID, Key: key}, values: map[string]string{}}
}

func (x *terminal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.answer != nil {
		x.answer(w, r)
		return
	}
	if r.Method == http.MethodGet {
		x.asked++
		json.NewEncoder(w).Encode(x.has) //nolint:errcheck // a recorder
		return
	}
	x.sent++
	var set tunnel.SettingsSet
	if json.NewDecoder(r.Body).Decode(&set) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	x.has.Mark, x.values = set.Mark, set.Values
	for name, sealed := range set.Secrets {
		text, err := x.member.OpenSetting(set.Mark, name, sealed)
		if err != nil {
			text = err.Error()
		}
		if x.values == nil {
			x.values = map[string]string{}
		}
		x.values[name] = text
	}
	json.NewEncoder(w).Encode(x.has) //nolint:errcheck // a recorder
}

func (x *terminal) value(name string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.values[name]
}

func (x *terminal) counts() (asked, sent int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.asked, x.sent
}

func (x *terminal) answers(with http.HandlerFunc) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.answer = with
}

// dial has the terminal come to a hub.
func (x *terminal) dial(b *hub) *hubtest.Link {
	l := hubtest.NewLink(x.member.Terminal, func(r *http.Request) (*http.Response, error) {
		if x.hold != nil {
			x.hold(r)
		}
		w := httptest.NewRecorder()
		x.ServeHTTP(w, r)
		return w.Result(), nil
	})
	b.board.Add(l)
	return l
}

// What is decided at one hub reaches a terminal that hangs at another, is known at both, and is not sent again when the terminal changes hubs.
func TestTwoHubs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	here, there := h.hub(), h.hub()
	x := h.join("Caixa 1")
	first := x.dial(here)
	there.decide(h.made.Account.Place, "", "name", "Casa", "pin", "4711")
	there.stands(x, settings.Taken, "")
	here.stands(x, settings.Taken, "")
	if x.value("name") != "Casa" || x.value("pin") != "4711" {
		t.Errorf("it has %v", x.values)
	}
	first.Close() //nolint:errcheck // nothing can go wrong
	asked, sent := x.counts()
	x.dial(there)
	waittest.Until(t, "the other hub has asked", func() bool { now, _ := x.counts(); return now > asked })
	here.decide(h.made.Shop.Place, "", "name", "Centro")
	waittest.Until(t, "it has the shop's", func() bool { return x.value("name") == "Centro" })
	here.stands(x, settings.Taken, "")
	if _, now := x.counts(); now != sent+1 {
		t.Errorf("%d sets were sent after %d", now, sent)
	}

	// It is moved at a hub where it does not hang.
	north, err := here.fleet.MakeShop(t.Context(), h.admin, h.made.Tenant.ID, "Norte")
	must(t, err)
	here.decide(north.Place, "", "name", "Norte")
	must(t, here.fleet.MoveTerminal(t.Context(), h.admin, x.member.Terminal, north.ID))
	waittest.Until(t, "it has the new shop's", func() bool { return x.value("name") == "Norte" })
	r := there.stands(x, settings.Taken, "")
	if len(r.Layers) != 2 || r.Layers[1] != (settings.Layer{ID: north.ID, Version: 1}) {
		t.Errorf("it was made of %v", r.Layers)
	}
	_, err = there.desk.Back(t.Context(), h.admin, h.made.Account.ID, 0)
	if err == nil {
		t.Error("there is a version before the first")
	}
}

// Whatever a terminal answers, it is not written down to have what it has not said; others are looked after meanwhile.
func TestOddTerminals(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := h.hub()
	b.decide(h.made.Account.Place, "", "name", "Casa", "pin", "4711")
	says := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			w.Write([]byte(text)) //nolint:errcheck // a recorder
		}
	}
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		trouble string
	}{
		"old":       {says(404, ""), "atualize-o"},
		"busy":      {says(409, ""), "operação em andamento"},
		"broken":    {says(500, "x"), "não respondeu como esperado"},
		"no JSON":   {says(200, "<html>"), "não respondeu como esperado"},
		"endless":   {says(200, `{"mark":"`+strings.Repeat("x", 1<<20)), "não respondeu como esperado"},
		"stubborn":  {says(200, `{"mark":"another"}`), "não respondeu como esperado"},
		"forgetful": {says(200, `{}`), "não respondeu como esperado"},
	} {
		x := h.join(name)
		x.answers(c.answer)
		x.dial(b)
		if r := b.stands(x, settings.Pending, c.trouble); r.Mark != "" || len(r.Layers) > 0 {
			t.Errorf("%s is said to have %+v", name, r)
		}
	}

	held := make(chan struct{})
	slow := h.join("slow")
	slow.answers(func(w http.ResponseWriter, _ *http.Request) { <-held; w.WriteHeader(http.StatusNotFound) })
	slow.dial(b)
	quick := h.join("quick")
	quick.dial(b)
	b.stands(quick, settings.Taken, "")
	close(held)
	b.stands(slow, settings.Pending, "atualize-o")

	// What it refuses is kept as it may be shown, and of what it was not asked nothing is.
	fussy := h.join("fussy")
	fussy.has.Refused = map[string]string{"name": "longo\ndemais " + strings.Repeat("x", 1000), "sabor": "x"}
	fussy.dial(b)
	r := b.stands(fussy, settings.Refused, "")
	if why := r.Refused["name"]; len(r.Refused) != 1 || !strings.HasPrefix(why, "longo demais ") || len(why) != 200 {
		t.Errorf("refused: %v", r.Refused)
	}
}

// Secrets that were sealed by a hub with another key are said to be so, and nothing goes out without them.
func TestAnotherKey(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	stranger := settings.NewDesk(settings.Config{Book: h.files.Settings(), Key: []byte("another"), Names: tunnel.Settings, IsSecret: tunnel.SecretSetting})
	pin := "4711"
	_, err := stranger.Make(t.Context(), h.admin, settings.Wanted{Place: h.made.Account.Place, Values: map[string]*string{"pin": &pin}})
	must(t, err)
	b, x := h.hub(), h.join("Caixa 1")
	x.dial(b)
	b.stands(x, settings.Pending, "outra chave")
	if _, sent := x.counts(); sent != 0 {
		t.Errorf("%d sets were sent", sent)
	}
}

// What is decided while a terminal is still being told what was decided before reaches it right after that.
func TestDecidedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b, x := h.hub(), h.join("Caixa 1")
	told, held := make(chan struct{}, 2), make(chan struct{})
	x.hold = func(r *http.Request) {
		if r.Method == http.MethodPut {
			told <- struct{}{}
			<-held
		}
	}
	x.dial(b)
	b.decide(h.made.Account.Place, "", "name", "Primeiro")
	waittest.Receive(t, "it is being told", told)
	b.decide(h.made.Account.Place, "", "name", "Segundo")
	other := h.join("Caixa 2")
	other.dial(b)
	waittest.Until(t, "another terminal has the second, so that it was looked at", func() bool { return other.value("name") == "Segundo" })
	close(held)
	waittest.Until(t, "it has the second, too", func() bool { return x.value("name") == "Segundo" })
}
