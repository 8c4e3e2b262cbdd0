//go:build unix && (!race || everything)

package app_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// A terminal that is killed while its hub sends it one set after the other has the values of one of them, whole, and one that it
// answered for is not lost.
func TestKilledWhileItTakesSettings(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	hub := tunneltest.New(t)
	_, err := app.JoinHub(t.Context(), data, tunnel.Invitation{Address: hub.URL, Code: tunneltest.Code, Pin: hub.Pin(), Version: "1"})
	must(t, err)
	answered, sent := 0, 0
	for range rounds(t) {
		p := serve(t, data, withSecret())
		conn := waittest.Receive(t, "the terminal dials", hub.Accepted)
		most := sent + 1 + rand.IntN(20)
		for killed := false; ; {
			sent++
			body := fmt.Sprintf(`{"mark":"%d","values":{"name":"%d","colour":"#%06x"}}`, sent, sent, sent)
			if sent >= most && !killed {
				killed = true
				time.AfterFunc(time.Duration(rand.IntN(int(3*time.Millisecond))), func() { _ = p.cmd.Process.Kill() }) // at any moment: nothing is waited for
			}
			r, err := http.NewRequestWithContext(t.Context(), "PUT", "http://terminal"+tunnel.SettingsPath, strings.NewReader(body))
			must(t, err)
			resp, err := conn.RoundTrip(r)
			if err != nil {
				break
			}
			var got tunnel.SettingsReport
			err = json.NewDecoder(resp.Body).Decode(&got)
			resp.Body.Close()
			if err != nil {
				break
			}
			if resp.StatusCode != 200 || len(got.Refused) > 0 {
				t.Fatalf("%d %+v", resp.StatusCode, got)
			}
			answered = sent
		}
		p.exit(t)
		files, err := store.Open(data)
		must(t, err)
		kept, err := files.Settings()
		must(t, err, files.Close())
		if kept["hub_settings"] == "" && answered == 0 { // killed before it had kept the first
			continue
		}
		var last struct{ Mark string }
		must(t, json.Unmarshal([]byte(kept["hub_settings"]), &last))
		var n int
		fmt.Sscan(last.Mark, &n) //nolint:errcheck // it is compared
		if n < answered || n > sent || kept["shop_name"] != last.Mark || kept["screen_colour"] != fmt.Sprintf("#%06x", n) {
			t.Fatalf("set %s, answered %d of %d: %v", last.Mark, answered, sent, kept)
		}
	}
	t.Logf("%d sets were sent, %d answered", sent, answered)
}
