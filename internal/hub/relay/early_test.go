package relay

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// stolen is a terminal behind HTTP/2 that sends what it likes.
type stolen struct {
	hostile
	server *httptest.Server
}

func (s stolen) Route(context.Context, string) (http.RoundTripper, bool) { return s, true }
func (s stolen) RoundTrip(r *http.Request) (*http.Response, error) {
	r.URL.Scheme, r.URL.Host = "https", s.server.Listener.Addr().String()
	return s.server.Client().Transport.RoundTrip(r)
}

// What a terminal sends before its answer stays at the hub: a cookie in it would be the hub's, and a switch of protocols the end of the
// caller's connection.
func TestEarlyAnswersStayHere(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "session=stolen")
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusSwitchingProtocols)
		w.Header().Del("Set-Cookie")
		io.WriteString(w, "answer") //nolint:errcheck // a test
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	y := New(Config{Links: stolen{server: server}})
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		y.Serve(w, r, r, Target{Terminal: fleet.Terminal{ID: "x"}, Caller: Caller{Actor: fleet.Actor{ID: "k"}}, Path: r.URL.Path})
	}))
	t.Cleanup(hub.Close)
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(code int, h textproto.MIMEHeader) error {
		t.Errorf("the caller is told %d %v", code, h)
		return nil
	}})
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, hub.URL+"/status", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || string(body) != "answer" {
		t.Errorf("%d %q %v", resp.StatusCode, body, err)
	}
}
