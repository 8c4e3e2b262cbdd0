//go:build linux

package app_test

import (
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cupstest"
	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// An installed printer is found on the screen, chosen there with its model, and prints a test page.
func TestAnInstalledPrinterChosenOnTheScreen(t *testing.T) {
	fake := escpostest.Listen(t, 512)
	server := cupstest.Start(t, map[string]string{"caixa": "socket://" + fake.Address + "/?waiteof=false"})
	t.Setenv("CUPS_SERVER", server.Socket)
	term := start(t, unconfigured(t.TempDir()))
	op := operatorOf(t, term)
	op.want(t, 204, "POST", "/settings/first", strings.Replace(firstStart, "virtual-384", "virtual-576", 1))
	op.want(t, 403, "GET", "/settings/printers", "")
	op.want(t, 403, "POST", "/settings/printers/test", "")
	op.want(t, 204, "POST", "/settings/unlock", `{"pin":"4711"}`)
	if found := op.want(t, 200, "GET", "/settings/printers", ""); !strings.Contains(found, `{"id":"cups:caixa","way":"queue","name":"caixa"`) {
		t.Error(found)
	}
	caller := term.as("caixa", "segrêdo-123")
	op.want(t, 204, "POST", "/settings/printers/test", "")
	if kept := get[jobs](t, caller, "/emulator/printer/jobs"); len(kept) != 1 || kept[0].WidthDots != 576 {
		t.Errorf("on the virtual printer: %+v", kept)
	}
	for _, bad := range []string{"file:/etc/passwd", "file:/dev/null", "windows:Caixa", "cups:", "caixa"} {
		op.want(t, 422, "POST", "/settings", `{"printer":"`+bad+`"}`)
	}
	op.want(t, 422, "POST", "/settings", `{"printerModel":"cafeteira"}`)
	op.want(t, 422, "POST", "/settings", `{"printerModel":"zebra"}`)

	op.want(t, 204, "POST", "/settings", `{"printer":"cups:caixa","printerModel":"tm-t88"}`)
	waittest.Until(t, "the test page comes out of the queue", func() bool { // first there is a restart
		op.send(t, "POST", "/settings/unlock", `{"pin":"4711"}`)
		status, _ := op.send(t, "POST", "/settings/printers/test", "")
		return status == 204 && len(fake.Sheets()) == 1
	})
	if s := fake.Sheets(); s[0].Width != 512 {
		t.Errorf("paper of %d dots", s[0].Width)
	}
	server.Run(t, "cupsdisable", "caixa")
	if said := op.want(t, 422, "POST", "/settings/printers/test", ""); !strings.Contains(said, "A impressora não responde") || !strings.Contains(said, `"offline"`) {
		t.Error(said)
	}
	if said := op.want(t, 200, "GET", "/settings", ""); !strings.Contains(said, `{"id":"cups:caixa","label":"Instalada: caixa"}`) || !strings.Contains(said, `"printerModel":"tm-t88"`) {
		t.Error(said)
	}
}

// The roll follows from the model unless it is set, and the bytes from the model in any case.
func TestPaperFollowsTheModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model      string
		width, dpi int
		want       int
		language   escpostest.Language
	}{
		{"TM-T88V", 0, 0, 512, escpostest.Epson},
		{"pos-58", 0, 0, 384, escpostest.Epson},
		{"pos-58", 576, 203, 576, escpostest.Epson},
		{"daruma", 0, 0, 576, escpostest.Daruma},
		{"mp-4200", 0, 0, 576, escpostest.Bematech},
	} {
		fake := escpostest.ListenOf(t, c.language, c.want)
		conf := config(t.TempDir())
		conf.PaperWidth, conf.Printer.Address, conf.Printer.Model, conf.Printer.DPI = c.width, "tcp://"+fake.Address, c.model, c.dpi
		term := start(t, conf)
		term.ok(t, "POST", "/print/text", `[{"text":{"value":"oi"}}]`)
		if s := fake.Sheets(); len(s) != 1 || s[0].Width != c.want {
			t.Errorf("%s: %d sheets", c.model, len(s))
		}
		fake.SetStatus(escpos.PaperOut)
		if status, said := term.call(t, "POST", "/print/text", `[{"text":{"value":"oi"}}]`); status != 500 {
			t.Errorf("%s, without paper: %d %s", c.model, status, said)
		}
	}
}
