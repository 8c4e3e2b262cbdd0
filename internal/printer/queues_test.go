//go:build linux

package printer_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/cupstest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
)

func TestInstalledPrinters(t *testing.T) {
	server := cupstest.Start(t, map[string]string{"caixa": "socket://127.0.0.1:9/", "cozinha_MP-4200": "usb://Bematech/MP-4200"})
	server.Run(t, "cupsdisable", "-r", "papel enroscado", "caixa")
	t.Setenv("CUPS_SERVER", server.Socket)
	found, err := printer.Installed(t.Context())
	if err != nil || len(found) != 2 {
		t.Fatalf("%v %+v", err, found)
	}
	if f := found[0]; f.Address != "cups:caixa" || f.Way != printer.ByQueue || f.State != printing.Offline || f.Why != "papel enroscado" || f.Model.Name != "" {
		t.Errorf("%+v", f)
	}
	if f := found[1]; f.Address != "cups:cozinha_MP-4200" || f.State != printing.Unknown || f.Model.Name != "mp-4200" {
		t.Errorf("%+v", f)
	}
	t.Setenv("CUPS_SERVER", "/nao/ha")
	if found, err := printer.Installed(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("without a server: %v %+v", err, found)
	}
}
