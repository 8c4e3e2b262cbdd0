package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/nginxtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// The guide's own configuration of nginx stands before two hubs: terminals and callers come in by it, also while one of them is down.
func TestBehindTheGuidesBalancer(t *testing.T) {
	program := nginxtest.Find(t)
	database := hubtest.StartPostgres(t).Database(t)
	f := startSeveral(t, 2, patient, func(int) string { return database }, newCounter())
	f.answers(t, "the terminal answers", 1)
	front := startNginx(t, program, f)
	through := func(path string) (int, string) {
		resp, body, err := f.asks(t.Context(), "GET", "https://"+front+path, nil)
		if err != nil {
			return 0, err.Error()
		}
		return resp.StatusCode, body
	}
	status := "/terminals/" + f.terminal.ID + "/status"
	answers := func() bool { code, _ := through(status); return code == http.StatusOK }
	waittest.Until(t, "nginx answers", answers)
	for range 10 { // by turns at both
		if code, body := through(status); code != http.StatusOK {
			t.Error(code, body)
		}
	}
	f.door.point(front) // the terminal, too, dials nginx from here on; TLS is ended there with the same key
	f.door.cut(true)
	waittest.Until(t, "the terminal has come in by nginx", answers)
	for i := range f.hubs {
		f.hubs[i].stop()
		waittest.Until(t, "the terminal answers by the other hub", answers)
		f.hubs[i] = start(t, f.configs[i])
		f.answers(t, "the hub is back", i)
	}
}

// startNginx runs it as the guide has it, but for names and addresses, and gives where it listens.
func startNginx(t *testing.T, program string, f *fleetOf) string {
	t.Helper()
	chapter, err := os.ReadFile("../../../docs/guia/varios-hubs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(chapter), "```text\n")
	config, _, _ := strings.Cut(rest, "```")
	front := place()
	var swaps []string
	for _, swap := range [][2]string{
		{"listen 443 ssl", "listen " + front + " ssl"},
		{"/etc/ssl/hub.pem", filepath.Join(f.configs[0].Data, certificate.OwnFiles[0])},
		{"/etc/ssl/hub.key", filepath.Join(f.configs[0].Data, certificate.OwnFiles[1])},
		{"10.0.0.5:9061", f.configs[0].Plain},
		{"10.0.0.6:9061", f.configs[1].Plain},
	} {
		if !strings.Contains(config, swap[0]) {
			t.Fatalf("the chapter's configuration has no %q", swap[0])
		}
		swaps = append(swaps, swap[0], swap[1])
	}
	nginxtest.Start(t, program, t.TempDir(), strings.NewReplacer(swaps...).Replace(config))
	return front
}
