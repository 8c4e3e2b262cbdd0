package printer_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// twoSlips is a job of two papers, the second cut off whole, that opens the second drawer.
func twoSlips() printing.Job {
	slip := func(text string, full bool) receipt.Page {
		return receipt.Page{Elements: []receipt.Element{receipt.Line{Runs: []receipt.Run{{Text: text}}}}, FullCut: full}
	}
	return printing.Job{Kind: printing.ACBr, Pages: []receipt.Page{slip("VIA LOJA", false), slip("VIA CLIENTE", true)}, Drawers: []int{2}}
}

func TestSeveralPapersOnAPrinter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		options          printer.Options
		sheets, fullCuts int
		pins             []byte
	}{
		{"as it is", printer.Options{Cut: true}, 2, 1, []byte{1}},
		{"copies of the whole", printer.Options{Cut: true, Copies: 2}, 4, 2, []byte{1}},
		{"the usual drawer too", printer.Options{Cut: true, Drawer: true}, 2, 1, []byte{0, 1}},
		{"the usual drawer at the other pin", printer.Options{Cut: true, Drawer: true, DrawerPin: 5}, 2, 1, []byte{1, 0}},
		{"without a knife", printer.Options{Feed: 4}, 0, 0, []byte{1}},
	} {
		c.options.Paper = receipt.Paper58
		fake := escpostest.Listen(t, 384)
		address, err := printer.ParseAddress("tcp://" + fake.Address)
		if err != nil {
			t.Fatal(err)
		}
		device, err := printer.Open(address, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if err := device.Print(t.Context(), twoSlips()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		sheets := fake.Sheets()
		var sent []byte
		fake.Look(func(m *escpostest.Machine, all []byte) {
			sent = all
			if len(sheets) != c.sheets || m.FullCuts != c.fullCuts || !slices.Equal(m.Pins, c.pins) {
				t.Errorf("%s: %d sheets, %d cut off whole, drawers at %v", c.name, len(sheets), m.FullCuts, m.Pins)
			}
			if !c.options.Cut && m.Fed != 8 {
				t.Errorf("%s: fed by %d lines, want 4 a paper", c.name, m.Fed)
			}
		})
		for i, want := range sheets {
			if page, err := twoSlips().Pages[i%2].Raster(receipt.Paper58); err != nil || !bytes.Equal(page.Bits, want.Bits) {
				t.Errorf("%s: paper %d is another (%v)", c.name, i+1, err)
			}
		}
		var written bytes.Buffer
		if err := printer.Write(&written, twoSlips(), c.options); err != nil || !bytes.Contains(sent, written.Bytes()[2:50]) {
			t.Errorf("%s: what would be sent is not what was (%v)", c.name, err)
		}
	}
}

// A printer with one drawer opens that one, whatever the pin.
func TestTheOnlyDrawer(t *testing.T) {
	t.Parallel()
	for _, pin := range []int{2, 5} {
		var written bytes.Buffer
		o := printer.Options{Paper: receipt.Paper58, Dialect: escpos.Daruma, DrawerPin: pin}
		if err := printer.Write(&written, printing.Job{Kind: printing.Drawer, Drawers: []int{1}}, o); err != nil || !bytes.Contains(written.Bytes(), escpos.Daruma.Drawers[0]) {
			t.Errorf("pin %d: %q, %v", pin, written.Bytes(), err)
		}
	}
}

func TestADrawerWithoutPaper(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	if err := printer.Write(&written, printing.Job{Kind: printing.ACBr, Drawers: []int{1, 2}}, printer.Options{Paper: receipt.Paper58, Cut: true, Feed: 4}); err != nil {
		t.Fatal(err)
	}
	if got, want := written.String(), "\x1b@\x1bp\x00\x19\xfa\x1bp\x01\x19\xfa"; got != want {
		t.Errorf("sent % x, want % x", got, want)
	}
}
