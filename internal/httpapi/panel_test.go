package httpapi_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/waittest"
)

// fromPanel asks as the screen's page does: without credentials, and for answers without CORS headers.
func (c *counter) fromPanel(method, path string, body any) *answer {
	c.t.Helper()
	a := c.panel.unchecked(method, path, body, header{"Authorization", ""})
	for name := range a.header {
		if strings.HasPrefix(name, "Access-Control-") || name == "Www-Authenticate" {
			c.t.Errorf("%s: the answer has %s", a.what, name)
		}
	}
	if ct := a.header.Get("Content-Type"); !strings.HasPrefix(ct, "application/json") {
		c.t.Errorf("%s: answered with %q", a.what, ct)
	}
	return a
}

func TestPanelHasTheEmulatorAndTheLogAndNothingElse(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	c.fromPanel("POST", "/emulator/printer", `{"state":"paperOut"}`).is(200, "Impressora alterada com sucesso")
	if got := <-c.states; got != printing.PaperOut {
		t.Errorf("the printer is %q", got)
	}
	c.fromPanel("POST", "/emulator/printer", `{"state":"burning"}`).isInvalid("state")
	c.fromPanel("POST", "/emulator/foreground", `{"active":false}`).ok()
	c.fromPanel("PUT", "/emulator/printer", nil).is(405, "Método não permitido")
	var seen screenSeen
	c.fromPanel("GET", "/emulator/screen", nil).ok().into(&seen)
	if seen.Active || len(seen.Notifications) != 0 {
		t.Errorf("screen %+v", seen)
	}
	for _, what := range []string{
		"GET /", "GET /docs", "GET /status", "POST /sale", "POST /restart", "GET /logs/zip/download", "GET /emulator", "GET /emulator/nada",
		"GET /emulator//screen", "GET /emulator/../status",
	} {
		method, path, _ := strings.Cut(what, " ")
		c.fromPanel(method, path, nil).is(404, "Rota não encontrada")
	}
	var entries []logEntry
	c.fromPanel("GET", "/logs?level=info", nil).ok().into(&entries)
	var messages []string
	for _, e := range entries {
		words := strings.Fields(e.Message)
		messages = append(messages, strings.Join(words[:3], " "))
	}
	if diff := cmp.Diff([]string{"POST /emulator/foreground 200", "POST /emulator/printer 200"}, messages); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// What a newcomer tries at the panel is a command as a caller sends it, without credentials; nothing else of the interface is there.
func TestPanelTriesWhatCallersSend(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	defer c.screen.Foreground.OpenPage().Close()
	c.fromPanel("POST", "/try/sale", `{"customerName":"Ana"}`).is(200, "Venda iniciada com sucesso")
	c.fromPanel("POST", "/try/sale", nil).is(409, "Já existe uma venda ativa!")
	c.fromPanel("POST", "/try/ask/cancel", nil).is(200, "Pergunta cancelada com sucesso")
	for _, path := range []string{"/try/restart", "/try/emulator/reset", "/try/logs", "/try/transaction/1", "/try/", "/try/try/sale", "/try/../sale", "/try/metrics"} {
		c.fromPanel("POST", path, nil).is(404, "Rota não encontrada")
	}
	c.fromPanel("GET", "/try/transaction", nil).is(405, "Método não permitido")
	var all []exchangeSeen
	c.fromPanel("GET", "/emulator/requests", nil).ok().into(&all)
	var paths []string
	for _, x := range all {
		paths = append(paths, x.Path)
	}
	if len(paths) < 3 || paths[len(paths)-1] != "/sale" || paths[len(paths)-3] != "/ask/cancel" {
		t.Errorf("exchanges %q", paths)
	}
}

func TestPanelSeesTheCallersExchangesNotItsOwn(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	defer c.screen.Foreground.OpenPage().Close()
	c.call("POST", "/ask/cancel", nil).ok()
	c.fromPanel("POST", "/emulator/foreground", `{"active":null}`).ok()
	var all []exchangeSeen
	c.fromPanel("GET", "/emulator/requests", nil).ok().into(&all)
	if len(all) != 1 || all[0].Path != "/ask/cancel" {
		t.Errorf("exchanges %+v", all)
	}
}

func TestPanelStreamEndsWithTheService(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	resp, err := c.panel.client.Do(c.panel.request("GET", "/logs/stream", nil, header{"Authorization", ""}))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	c.fromPanel("POST", "/emulator/foreground", `{"active":true}`).ok()
	lines := bufio.NewScanner(resp.Body)
	if !lines.Scan() || !strings.Contains(lines.Text(), "POST /emulator/foreground 200") {
		t.Fatalf("the stream says %q", lines.Text())
	}
	c.api.Close()
	watchdog := time.AfterFunc(waittest.Limit, func() { resp.Body.Close() })
	defer watchdog.Stop()
	for lines.Scan() {
	}
	if lines.Err() != nil {
		t.Errorf("the stream ended with %v", lines.Err())
	}
}

func TestProductionHasNoPanel(t *testing.T) {
	t.Parallel()
	c := openCounter(t, func(c *httpapi.Config) { c.Emulator = nil })
	for _, path := range []string{"/emulator/screen", "/emulator/requests", "/logs", "/logs/stream", "/"} {
		c.fromPanel("GET", path, nil).is(404, "Rota não encontrada")
	}
	c.fromPanel("POST", "/try/sale", nil).is(404, "Rota não encontrada")
	c.fromPanel("POST", "/emulator/reset", nil).is(404, "Rota não encontrada")
}
