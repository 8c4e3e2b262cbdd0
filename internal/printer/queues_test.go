//go:build linux

package printer_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/cupstest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
)

// IPP says "none" where there is no reason. A queue that takes no jobs, or is well, gives none.
func TestAQueueWithoutReasons(t *testing.T) {
	server := cupstest.Start(t, map[string]string{"caixa": "socket://127.0.0.1:9/", "fechada": "socket://127.0.0.1:9/"})
	server.Run(t, "cupsreject", "-r", "", "fechada")
	t.Setenv("CUPS_SERVER", server.Socket)
	found, err := printer.Installed(t.Context())
	if err != nil || len(found) != 2 {
		t.Fatalf("%v %+v", err, found)
	}
	if found[0].State != printing.Unknown || found[1].State != printing.Offline {
		t.Errorf("%+v", found)
	}
	for _, f := range found {
		if f.Why != "" {
			t.Errorf("%s gives the reason %q", f.Address, f.Why)
		}
	}
}

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
