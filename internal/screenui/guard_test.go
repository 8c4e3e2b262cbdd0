package screenui_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
)

func TestGuardRefusesOtherPages(t *testing.T) {
	t.Parallel()
	m := start(t)
	port := m.screen[strings.LastIndex(m.screen, ":"):]
	for _, c := range []struct {
		name, method, path string
		header             map[string]string
		want               int
	}{
		{"own page", "POST", "/closing/dismiss", map[string]string{"Origin": m.screen}, 204},
		{"own page by name", "POST", "/closing/dismiss", map[string]string{"Host": "localhost" + port, "Origin": "http://localhost" + port}, 204},
		{"own page, no Origin", "POST", "/closing/dismiss", map[string]string{"Sec-Fetch-Site": "same-origin"}, 204},
		{"foreign Origin", "POST", "/closing/dismiss", map[string]string{"Origin": "http://example.com"}, 403},
		{"another port of this machine", "POST", "/closing/dismiss", map[string]string{"Origin": "http://127.0.0.1:1"}, 403},
		{"name of this machine, other port", "POST", "/emulator/reset", map[string]string{"Origin": "http://localhost:3000"}, 403},
		{"null Origin", "POST", "/closing/dismiss", map[string]string{"Origin": "null"}, 403},
		{"no Origin at all", "POST", "/closing/dismiss", nil, 403},
		{"cross-site form", "POST", "/payment/act", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"DNS rebinding", "POST", "/closing/dismiss", map[string]string{"Host": "evil.example" + port, "Origin": "http://evil.example" + port}, 403},
		{"DNS rebinding, reading", "GET", "/feed", map[string]string{"Host": "evil.example" + port}, 403},
		{"another address in Host", "GET", "/", map[string]string{"Host": "10.0.0.7" + port}, 403},
		{"feed of another page", "GET", "/feed", map[string]string{"Origin": "http://example.com"}, 403},
		{"picture in another page", "GET", "/qr/api.svg", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"picture in a page of the same site", "GET", "/qr/api.svg", map[string]string{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"link from elsewhere", "GET", "/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"link from elsewhere, deeper", "GET", "/logs", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403},
		{"address bar", "GET", "/", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"curl", "GET", "/", nil, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := m.do(c.method, m.screen+c.path, "{}", func(r *http.Request) {
				for name, value := range c.header {
					if name == "Host" {
						r.Host = value
					} else {
						r.Header.Set(name, value)
					}
				}
			})
			if a.status != c.want {
				t.Fatalf("%d %s, want %d", a.status, a.body, c.want)
			}
			if a.header.Get("X-Frame-Options") != "DENY" || !strings.Contains(a.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
				t.Errorf("an answer that another page may frame: %v", a.header)
			}
			if a.header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("an answer that other pages may read")
			}
		})
	}
}

// exposed has others reach the screen, as far as a test machine's network goes.
func exposed(c *app.Config) { c.Screen = "0.0.0.0:0" }

var tokenLink = regexp.MustCompile(`/\?token=([A-Z0-9]{26})\n`)

// tokenOf is the token in the link that is shown at start, with the code that a phone reads.
func tokenOf(t *testing.T, m *terminal) string {
	t.Helper()
	link := tokenLink.FindStringSubmatch(m.said)
	if link == nil || !strings.Contains(m.said, "▀") {
		t.Fatalf("no link and code at start:\n%s", m.said)
	}
	return link[1]
}

func TestExposedScreenAsksForTheToken(t *testing.T) {
	t.Parallel()
	m := start(t, exposed)
	for _, path := range []string{"/", "/feed", "/js/main.js", "/settings", "/emulator/screen", "/?token=wrong"} {
		if a := m.do("GET", m.screen+path, nil, func(*http.Request) {}); a.status != 401 || !strings.Contains(string(a.body), "autorizado") {
			t.Errorf("GET %s without the token: %d %s", path, a.status, a.body)
		}
	}
	if a := m.touch("/closing/dismiss", object{}); a.status != 401 {
		t.Errorf("a touch without the token: %d", a.status)
	}
	token := tokenOf(t, m)
	a := m.do("GET", m.screen+"/?token="+token+"&kiosk=1", nil, func(*http.Request) {})
	cookie := a.header.Get("Set-Cookie")
	if a.status != 200 || !strings.Contains(string(a.body), `url=/?kiosk=1"`) || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		t.Fatalf("the link: %d %v", a.status, a.header)
	}
	with := func(r *http.Request) { r.Header.Set("Cookie", strings.SplitN(cookie, ";", 2)[0]) }
	if a := m.do("GET", m.screen+"/", nil, with); a.status != 200 {
		t.Errorf("with the token: %d %s", a.status, a.body)
	}
	if a := m.do("POST", m.screen+"/closing/dismiss", "{}", func(r *http.Request) { with(r); r.Header.Set("Origin", "http://example.com") }); a.status != 403 {
		t.Errorf("another page with the token: %d", a.status)
	}
	if a := m.do("GET", m.screen+"/", nil, func(r *http.Request) { with(r); r.Host = "evil.example" }); a.status != 403 {
		t.Errorf("another name with the token: %d", a.status)
	}
	if again := m.again(); tokenOf(t, again) != token {
		t.Error("the devices of the shop must not need a new link after every start")
	}
}
