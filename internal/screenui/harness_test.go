package screenui_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Most of a test is waiting for a page or a person: more of them than there are cores go side by side.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "4"); err != nil { // unless the command line says otherwise
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		apptest.RemoveProgram()
		os.Exit(code)
	}))
}

const (
	testUser     = apptest.User
	testPassword = apptest.Password
)

// terminal is the whole service on real sockets with a real store, its caller and the person before it.
type terminal struct {
	t      testing.TB
	api    string
	screen string
	config app.Config
	client *http.Client
	said   string // at its start
	stop   func()
}

type object = map[string]any

// start runs a terminal until the test ends. Nobody stands in for the people.
func start(t testing.TB, options ...func(*app.Config)) *terminal {
	t.Helper()
	c := apptest.Config(t)
	c.SkipSetup = true
	for _, o := range options {
		o(&c)
	}
	s := apptest.Start(t, c)
	s.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &terminal{
		t: t, api: "http://" + s.API.String(), screen: "http://" + local(s.Screen), config: c, said: s.Welcome, client: s.Client, stop: s.Stop,
	}
}

// placed has a terminal that starts again do so where it was, for pages and callers that know no other address.
func placed(c *app.Config) { c.Listen, c.Screen = rig.FreeAddress(), rig.FreeAddress() }

// local is the address as this machine reaches it.
func local(address net.Addr) string {
	tcp := address.(*net.TCPAddr)
	if tcp.IP.IsUnspecified() {
		return "127.0.0.1:" + strconv.Itoa(tcp.Port)
	}
	return address.String()
}

// again stops a terminal and starts one with its data.
func (m *terminal) again() *terminal {
	m.t.Helper()
	m.stop()
	return start(m.t, func(c *app.Config) { *c = m.config })
}

// lasting has results stay until they are dismissed: a busy machine may come too late for the few seconds that people need.
func lasting(c *app.Config) { c.Play = &app.Play{ResultsStay: time.Hour} }

func production(c *app.Config) { c.Mode = app.Production }

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) object() (o object) {
	_ = json.Unmarshal(a.body, &o) // no JSON is an empty object
	return o
}

func (m *terminal) do(method, url string, body any, set func(*http.Request)) answer {
	m.t.Helper()
	var text io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		text = strings.NewReader(body)
	case []byte:
		text = bytes.NewReader(body)
	default:
		encoded, err := json.Marshal(body)
		if err != nil {
			m.t.Fatal(err)
		}
		text = bytes.NewReader(encoded)
	}
	r, err := http.NewRequest(method, url, text)
	if err != nil {
		m.t.Fatal(err)
	}
	set(r)
	resp, err := m.client.Do(r)
	if err != nil {
		m.t.Fatalf("%s %s: %v", method, url, err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		m.t.Fatalf("%s %s: %v", method, url, err)
	}
	return answer{resp.StatusCode, resp.Header, got}
}

// call is the caller's side.
func (m *terminal) call(method, path string, body any) answer {
	m.t.Helper()
	return m.do(method, m.api+path, body, func(r *http.Request) { r.SetBasicAuth(testUser, testPassword) })
}

// must is a call that succeeds.
func (m *terminal) must(method, path string, body any) object {
	m.t.Helper()
	a := m.call(method, path, body)
	if a.status != http.StatusOK {
		m.t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	return a.object()
}

// hold is a call that stays open until the people have done their part.
func (m *terminal) hold(path string, body any) <-chan answer {
	held := make(chan answer, 1)
	go func() { held <- m.call("POST", path, body) }()
	return held
}

// ends is the answer of a call that was held.
func (m *terminal) ends(held <-chan answer) answer {
	m.t.Helper()
	defer func() {
		if m.t.Failed() { // what it is that did not end
			m.t.Logf("the screen shows %s", m.do("GET", m.api+"/emulator/screen", nil, func(r *http.Request) { r.SetBasicAuth(testUser, testPassword) }).body)
		}
	}()
	return waittest.Receive(m.t, "the caller's answer", held)
}

// until waits until something is so in the service.
func (m *terminal) until(what string, is func() bool) {
	m.t.Helper()
	waittest.Until(m.t, what, is)
}

func (m *terminal) active() bool { return m.must("GET", "/info", nil)["isActive"] == true }

func paying(tPag string, amount float64) object { return object{"tPag": tPag, "amount": amount} }

// touch is the page's side, as its own page sends it.
func (m *terminal) touch(path string, body any) answer {
	m.t.Helper()
	return m.do("POST", m.screen+path, body, func(r *http.Request) { r.Header.Set("Origin", m.screen) })
}

// follow opens a feed, as a page does; it ends with the test, or when closed.
func (m *terminal) follow() *feed {
	m.t.Helper()
	f, refused := m.mayFollow()
	if f == nil {
		m.t.Fatalf("no feed: %d %s", refused.status, refused.body)
	}
	return f
}

// mayFollow is follow where the terminal may refuse.
func (m *terminal) mayFollow() (f *feed, refused answer) {
	m.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", m.screen+"/feed", nil)
	if err != nil {
		m.t.Fatal(err)
	}
	resp, err := m.client.Do(r)
	if err != nil {
		cancel()
		m.t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		defer cancel()
		defer resp.Body.Close()
		said, err := io.ReadAll(resp.Body)
		if err != nil {
			m.t.Fatal(err)
		}
		return nil, answer{resp.StatusCode, resp.Header, said}
	}
	f = &feed{t: m.t, state: object{}, events: make(chan event, 1000), ended: make(chan struct{})}
	go func() {
		defer close(f.ended)
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 16<<20)
		var e event
		for lines.Scan() {
			switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
			case "event":
				e.name = value
			case "data":
				_ = json.Unmarshal([]byte(value), &e.body)
				f.events <- e
				e = event{}
			}
		}
	}()
	f.close = func() {
		cancel()
		<-f.ended
	}
	m.t.Cleanup(f.close)
	f.until("hello", func() bool { return f.hello != nil && len(f.state) > 0 })
	return f, answer{}
}

type event struct {
	name string
	body object
}

// feed is what a page knows.
type feed struct {
	t      testing.TB
	hello  object
	state  object
	items  []any // as told, one by one
	whole  int   // how often everything was told
	events chan event
	ended  chan struct{}
	close  func()
}

// until takes events in until something is so.
func (f *feed) until(what string, is func() bool) {
	f.t.Helper()
	late := time.After(waittest.Limit)
	for !is() {
		select {
		case e := <-f.events:
			switch e.name {
			case "hello":
				f.hello = e.body
			case "state":
				maps.Copy(f.state, e.body)
			case "lines":
				if e.body["whole"] == true {
					f.items, f.whole = nil, f.whole+1
				}
				f.items = append(f.items, e.body["items"].([]any)...)
			}
		case <-f.ended:
			if len(f.events) == 0 { // or it has said more
				f.t.Fatalf("the feed ended before: %s; the page knows %s", what, f.known())
			}
		case <-late:
			f.t.Fatalf("never: %s; the page knows %s", what, f.known())
		}
	}
}

func (f *feed) known() []byte {
	text, _ := json.Marshal(f.state)
	return text
}

func (f *feed) view(want string) {
	f.t.Helper()
	f.until("view "+want, func() bool { return f.state["view"] == want })
}

// part is an object of the state, nil when it is null.
func (f *feed) part(key string) object {
	o, _ := f.state[key].(object)
	return o
}
