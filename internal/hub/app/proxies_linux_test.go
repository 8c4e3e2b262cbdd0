package app_test

import (
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Who guesses codes is slowed down by his own address, whichever of the trusted proxies he comes by.
func TestGuessesBehindProxies(t *testing.T) {
	t.Parallel()
	hub := start(t, app.Config{Listen: "127.0.0.1:0", Plain: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data"), Version: "9.9", Proxies: "127.0.0.0/8"})
	proxy := 1
	waittest.Until(t, "guesses of one caller add up", func() bool {
		proxy++ // each guess comes by another one: by itself none of them is slowed down
		from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, byte(proxy>>8), byte(proxy))}}
		client := &http.Client{Transport: &http.Transport{DialContext: from.DialContext, DisableKeepAlives: true}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+hub.Plain().String()+"/join", strings.NewReader(fmt.Sprintf(`{"code":"ABCD2345","publicKey":%q,"name":"x","version":"1"}`, strings.Repeat("A", 43)+"=")))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", "198.51.100.7")
		began := time.Now()
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusNotFound {
			t.Fatal(resp.Status)
		}
		return time.Since(began) >= time.Second
	})
}
