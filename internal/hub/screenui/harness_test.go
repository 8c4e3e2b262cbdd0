package screenui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// hub is a whole one, and what its first screen said.
type hub struct {
	*app.App
	page     string // of people, as a reverse proxy reaches it
	password string
	key      []string // id and secret
}

func startHub(t *testing.T, set ...func(*app.Config)) hub {
	t.Helper()
	c := app.Config{Listen: "127.0.0.1:0", Plain: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data"), Version: "9.9"}
	for _, s := range set {
		s(&c)
	}
	a, err := app.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	said := func(name string) string {
		return regexp.MustCompile(name + `\s+(\S+)`).FindStringSubmatch(a.Welcome())[1]
	}
	_, port, _ := strings.Cut(a.Plain().String(), ":")
	return hub{a, "http://localhost:" + port, said("Senha"), strings.Split(said("Chave de API"), ":")}
}

// call asks the hub as a program does, and returns the id of what it answers with, if that has one.
func (h hub) call(t *testing.T, method, path, body string, headers ...string) (id string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, h.page+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(h.key[0], h.key[1])
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s (%v)", method, path, resp.StatusCode, text, err)
	}
	var made struct{ ID, Line string }
	_ = json.Unmarshal(text, &made) // no JSON has no id
	if made.Line != "" {
		return made.Line
	}
	return made.ID
}

var answersNothing = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, "{}") //nolint:errcheck // a test
})

// join uses a code as the line on the page says.
func (h hub) join(t *testing.T, line string) *hubtest.Terminal {
	t.Helper()
	i := tunnel.ReadLine(line)
	if !strings.HasPrefix(line, "maquininha join ") || i.Code == "" || i.Pin == "" {
		t.Fatalf("no line that joins: %q", line)
	}
	return hubtest.Join(t, i, answersNothing)
}

// joins has a terminal join a shop.
func (h hub) joins(t *testing.T, shop, name string) *hubtest.Terminal {
	t.Helper()
	return h.join(t, h.call(t, "POST", "/api/v1/codes", fmt.Sprintf(`{"shop":%q,"name":%q}`, shop, name)))
}

func shows(text string) chromedp.Action {
	quoted, _ := json.Marshal(text)
	return browsertest.Wait(fmt.Sprintf("document.body.innerText.includes(%s)", quoted))
}

func fill(selector, text string) chromedp.Action {
	return chromedp.Tasks{browsertest.Tap(selector), browsertest.Type(text)}
}

// pick chooses in a list.
func pick(selector, value string) chromedp.Action {
	return chromedp.Tasks{
		browsertest.Wait(fmt.Sprintf("[...document.querySelector(%q)?.options ?? []].some(o => o.value === %q)", selector, value)),
		chromedp.Evaluate(fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event("change", {bubbles: true})); })()`, selector, value), nil),
	}
}

func goTo(hash string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf("location.hash = %q", hash), nil)
}

func signIn(h hub, language string) chromedp.Action {
	return chromedp.Tasks{
		chromedp.Navigate(h.page), browsertest.Wait(`document.querySelector("[name=password]")`), pick(".languages", language), fill(`[name=name]`, "admin"), fill(`[name=password]`, h.password),
		browsertest.Tap(`[data-do=signin]`), browsertest.Wait(`document.querySelector(".hub-view h1")`),
	}
}
