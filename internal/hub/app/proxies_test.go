package app

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestCallersBehindProxies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		trusted, peer string
		said          []string
		want          string
	}{
		{"", "127.0.0.1:5", []string{"198.51.100.7"}, "127.0.0.1:5"},
		{"10.0.0.0/8", "127.0.0.1:5", []string{"198.51.100.7"}, "127.0.0.1:5"}, // no proxy of ours: anybody may say this
		{"127.0.0.0/8", "127.0.0.1:5", nil, "127.0.0.1:5"},
		{"127.0.0.0/8", "127.0.0.1:5", []string{"198.51.100.7"}, "198.51.100.7:0"},
		{"127.0.0.0/8", "127.0.0.1:5", []string{"203.0.113.1, 198.51.100.7"}, "198.51.100.7:0"}, // the caller's own words come first
		{"127.0.0.0/8", "127.0.0.1:5", []string{"203.0.113.1", "198.51.100.7"}, "198.51.100.7:0"},
		{"127.0.0.0/8,10.0.0.0/8", "127.0.0.1:5", []string{"203.0.113.1, 198.51.100.7, 10.1.2.3"}, "198.51.100.7:0"},
		{"127.0.0.0/8 10.0.0.0/8", "127.0.0.1:5", []string{"10.9.9.9,10.1.2.3"}, "10.9.9.9:0"},
		{"127.0.0.0/8", "127.0.0.1:5", []string{"198.51.100.7:4711"}, "198.51.100.7:0"},
		{"127.0.0.0/8", "[::ffff:127.0.0.1]:5", []string{"2001:db8::1"}, "[2001:db8::1]:0"},
		{"::ffff:127.0.0.1/104", "127.0.0.1:5", []string{"198.51.100.7"}, "198.51.100.7:0"},
		{"::ffff:127.0.0.1/128", "[::ffff:127.0.0.1]:5", []string{"198.51.100.7"}, "198.51.100.7:0"},
		{"::ffff:10.0.0.1/104", "127.0.0.1:5", []string{"198.51.100.7"}, "127.0.0.1:5"},
		{"::1/128", "[::1]:5", []string{"[2001:db8::1]:80"}, "[2001:db8::1]:0"},
		{"127.0.0.0/8", "127.0.0.1:5", []string{"198.51.100.7, unknown"}, "127.0.0.1:5"},
		{"127.0.0.0/8", "127.0.0.1:5", []string{""}, "127.0.0.1:5"},
		{"127.0.0.0/8", "@", []string{"198.51.100.7"}, "@"},
	} {
		trusted, err := parseNetworks("trusted-proxies", c.trusted)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.RemoteAddr = c.peer
		if c.said != nil {
			r.Header["X-Forwarded-For"] = c.said
		}
		behindProxies(trusted, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr })).ServeHTTP(httptest.NewRecorder(), r)
		if got != c.want || r.RemoteAddr != c.peer {
			t.Errorf("%s at %s saying %q: %s, want %s", c.peer, c.trusted, c.said, got, c.want)
		}
	}
	for _, wrong := range []string{"10.0.0.1", "x", "10.0.0.0/99", "::ffff:127.0.0.1/80"} {
		if (Config{Proxies: wrong}).Check() == nil {
			t.Errorf("%s is taken for a network", wrong)
		}
	}
}
