//go:build unix

package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/waittest"
)

// shown is what a page that opens now is told of the printer and its paper.
func (o operator) shown(t *testing.T) (state string, papers int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.base+"/feed", nil)
	must(t, err)
	resp, err := o.client.Do(req)
	must(t, err)
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var told struct {
			Printer *struct{ State string }
			Paper   []any
		}
		data, found := strings.CutPrefix(lines.Text(), "data:")
		if found && json.Unmarshal([]byte(data), &told) == nil && told.Printer != nil {
			return told.Printer.State, len(told.Paper)
		}
	}
	t.Fatal("the feed says nothing of the printer: ", lines.Err())
	return "", 0
}

func (o operator) printerState(t *testing.T) string {
	t.Helper()
	state, _ := o.shown(t)
	return state
}

const oneText = `[{"text":{"value":"oi"}}]`

func TestPrintingOnANetworkPrinter(t *testing.T) {
	t.Parallel()
	for _, mode := range []app.Mode{app.Emulator, app.Production} {
		fake := escpostest.Listen(t, 384)
		c := config(t.TempDir())
		c.Mode, c.Printer = mode, app.Printer{Address: "tcp://" + fake.Address, Copies: 2, Drawer: true, DrawerPin: 5}
		term := start(t, c)
		op := operatorOf(t, term)
		if s := op.settings(t); s.Printer != c.Printer.Address || !strings.Contains(strings.Join(s.Fixed, " "), "printer") {
			t.Errorf("settings: %+v", s)
		}
		if welcome := term.app.Welcome(); !strings.Contains(welcome, "Rede "+fake.Address) {
			t.Errorf("welcome: %s", welcome)
		}
		if s := op.printerState(t); s != "unknown" {
			t.Errorf("before the first print the printer is %s", s)
		}
		term.ok(t, "POST", "/print/text", oneText)
		if sheets := fake.Sheets(); len(sheets) != 2 || sheets[0].Width != 384 {
			t.Errorf("%d sheets, want two copies", len(sheets))
		}
		fake.Look(func(m *escpostest.Machine, _ []byte) {
			if !slices.Equal(m.Pins, []byte{1}) {
				t.Errorf("drawers at %v, want the one at pin 5", m.Pins)
			}
		})
		if s := op.printerState(t); s != "ok" {
			t.Errorf("after a print the printer is %s", s)
		}
		fake.SetStatus(escpos.PaperOut)
		if status, body := term.call(t, "POST", "/print/text", oneText); status != 500 || !strings.Contains(body, "Erro ao imprimir") {
			t.Errorf("without paper: %d %s", status, body)
		}
		if s := op.printerState(t); s != "paperOut" {
			t.Errorf("without paper the printer is %s", s)
		}
		fake.SetStatus(0)
		term.ok(t, "POST", "/print/text", oneText)
		must(t, term.stop())
	}
}

// A script that says how the printer is leaves it the printer that the screen and the emulator show.
func TestThePrinterOfAScriptIsShown(t *testing.T) {
	t.Parallel()
	c := config(t.TempDir())
	states := make(chan printing.State, 3)
	c.Play = &app.Play{Print: func() printing.State { return <-states }}
	term := start(t, c)
	op := operatorOf(t, term)
	for _, job := range []struct {
		script printing.State
		status int
		shown  string
		papers int
	}{{"", 200, "ok", 1}, {printing.PaperOut, 500, "paperOut", 1}, {printing.OK, 200, "ok", 2}} {
		states <- job.script
		if status, body := term.call(t, "POST", "/print/text", oneText); status != job.status {
			t.Errorf("printing: %d %s, want %d", status, body, job.status)
		}
		if state, papers := op.shown(t); state != job.shown || papers != job.papers {
			t.Errorf("the screen shows a printer that is %s with %d papers, want %s with %d", state, papers, job.shown, job.papers)
		}
		if jobs := get[[]any](t, term.caller, "/emulator/printer/jobs"); len(jobs) != job.papers {
			t.Errorf("the emulator has %d jobs, want %d", len(jobs), job.papers)
		}
	}
}

func TestANetworkPrinterChosenOnTheScreen(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 576)
	data := t.TempDir()
	term := start(t, unconfigured(data))
	op := operatorOf(t, term)
	for _, wrong := range []string{"tcp://", "file:/dev/usb/lp0", "virtual", "tcp://a b"} {
		op.want(t, 422, "POST", "/settings/first", strings.Replace(firstStart, "virtual-384", wrong, 1))
	}
	op.want(t, 204, "POST", "/settings/first", strings.Replace(firstStart, "virtual-384", "tcp://"+fake.Address, 1))
	caller := term.as("caixa", "segrêdo-123")
	waittest.Until(t, "the real printer is in", func() bool {
		status, body := caller.call(t, "POST", "/print/text", oneText)
		if status != 200 && status != 503 { // the service that stops says so
			t.Fatalf("%d %s", status, body)
		}
		return len(fake.Sheets()) > 0
	})
	must(t, term.stop())

	term = start(t, unconfigured(data))
	op = operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	if text := op.want(t, 200, "GET", "/settings", ""); !strings.Contains(text, `"label":"Rede `+fake.Address) || !strings.Contains(text, "virtual-576") {
		t.Errorf("kept: %s", text)
	}
}

func TestPrintersThatCannotBe(t *testing.T) {
	t.Parallel()
	for mode, address := range map[app.Mode]string{app.Production: "virtual", app.Emulator: "laser"} {
		c := config(t.TempDir())
		c.Mode, c.Printer.Address = mode, address
		if _, err := app.New(c); err == nil || !strings.Contains(err.Error(), "--printer") {
			t.Errorf("%s in %s: %v", address, mode, err)
		}
	}
	c := config(t.TempDir())
	c.Mode = app.Production
	if welcome := start(t, c).app.Welcome(); !strings.Contains(welcome, "nenhuma configurada") {
		t.Errorf("production without a printer does not say so: %s", welcome)
	}
}
