package httpapi_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/apptest/behindhub"
)

// directOnly is for what is not the same through a hub, and says why.
func directOnly(t testing.TB, why string) {
	t.Helper()
	if behindhub.Wanted() {
		t.Skip("directly only: " + why)
	}
}

// startBehindHub runs the terminal as start does, and has callers come through a hub.
func (m *terminal) startBehindHub() {
	m.t.Helper()
	hub := behindhub.Common(m.t)
	m.path = hub.Join(m.t, m.config.Data)
	hub.AwaitGone(m.t, m.path)
	s := apptest.Start(m.t, m.config)
	m.base, m.user, m.secret, m.client, m.stop = hub.Plain()+m.path, hub.User, hub.Password, s.Client, s.Stop
	hub.Await(m.t, m.path)
}

// atTerminal is a request as the terminal has it.
func (m *terminal) atTerminal(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	r.URL.Path, r.URL.RawPath = strings.TrimPrefix(r.URL.Path, m.path), strings.TrimPrefix(r.URL.RawPath, m.path)
	return r
}

// host is where a connection of the test's own is opened.
func (m *terminal) host() string {
	u, err := url.Parse(m.base)
	if err != nil {
		m.t.Fatal(err)
	}
	return u.Host
}

var requestLine = regexp.MustCompile(`([A-Z]+) (/\S*) HTTP/`)

// verbatim is what a test says byte by byte, to the terminal where it is reached: with its path and the credentials for it.
func (m *terminal) verbatim(text string) string {
	if m.path == "" {
		return text
	}
	head, body := text, ""
	if most := 256 << 10; len(text) > most { // what is longer is one request
		head, body = text[:most], text[most:]
	}
	head = requestLine.ReplaceAllString(head, "$1 "+m.path+"$2 HTTP/")
	return strings.ReplaceAll(head, basic(testUser+":"+testPassword).value, basic(m.user+":"+m.secret).value) + body
}
