package escpos_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/receipt"
)

func TestPrintersThatSayWhoTheyAre(t *testing.T) {
	for _, c := range []struct {
		id   escpos.Identity
		want string
	}{
		{escpos.Identity{Text: "EPSON TM-T20X Receipt"}, "tm-t20"},
		{escpos.Identity{Text: "MFG:EPSON;MDL:TM-T88V;CMD:ESC/POS"}, "tm-t88"},
		{escpos.Identity{Text: "EPSON TM-U220"}, "epson"},
		{escpos.Identity{Text: "MP-4200 TH"}, "mp-4200"},
		{escpos.Identity{Text: "Bematech MP-2800 TH"}, "mp-2800"},
		{escpos.Identity{Text: "BEMATECH MP-100S TH"}, "bematech"},
		{escpos.Identity{USB: "0b1b:0003"}, "mp-4200"},
		{escpos.Identity{USB: "0B1B:0007", Text: "Bematech"}, "mp-2800"},
		{escpos.Identity{Text: "Daruma DR800 L"}, "daruma"},
		{escpos.Identity{Text: "ELGIN i9"}, "elgin"},
		{escpos.Identity{USB: "20d1:7008"}, "elgin"},
		{escpos.Identity{USB: "0dd4:018e"}, "custom"},
		{escpos.Identity{Text: "POS-58 Thermal Printer"}, "pos-58"},
		{escpos.Identity{USB: "2d84:1234"}, "labels"},
		{escpos.Identity{Text: "Elgin L42 PRO"}, "elgin-l42"},
		{escpos.Identity{Text: "ZDesigner ZPL"}, "zebra"},
		// What says too little is no model.
		{escpos.Identity{}, ""},
		{escpos.Identity{Text: "Caixa"}, ""},
		{escpos.Identity{Text: "Generic / Text Only"}, ""},
		{escpos.Identity{Text: "HP LaserJet P1102w"}, ""},
		{escpos.Identity{Text: "Elgin VOX"}, ""}, // another language
		{escpos.Identity{USB: "0416:5011"}, ""},  // an id that many clones share
		{escpos.Identity{Text: "Google Cloud Print"}, ""},
	} {
		got, ok := escpos.Recognise(c.id)
		if got.Name != c.want || ok != (c.want != "") || got.Labels != (c.want == "labels" || c.want == "elgin-l42" || c.want == "zebra") {
			t.Errorf("%+v is %q, %v, want %q", c.id, got.Name, ok, c.want)
		}
	}
}

func TestModels(t *testing.T) {
	names := map[string]bool{}
	for _, m := range escpos.Models {
		if got, ok := escpos.ModelNamed(m.Name); !ok || got.Name != m.Name || names[m.Name] || m.Title == "" {
			t.Errorf("%q is %q", m.Name, got.Name)
		}
		names[m.Name] = true
		if m.Labels != (m.Dialect.Name == "") || m.Labels != (m.Paper == receipt.Paper{}) {
			t.Errorf("%s: labels %v, dialect %q, paper %v", m.Name, m.Labels, m.Dialect.Name, m.Paper)
		}
	}
	for _, d := range escpos.Dialects { // a family of that name, to have any of them where no model is known
		if !names[d.Name] {
			t.Errorf("no model is named as the dialect %s", d.Name)
		}
	}
	for name, want := range map[string]receipt.Paper{
		"TM-T88V": {Width: 512, DPI: 180}, "tm-t20x": receipt.Paper80, "pos58": receipt.Paper58, "Elgin i9": receipt.Paper80, "Sunmi V2": receipt.Paper58,
	} {
		if m, ok := escpos.ModelNamed(name); !ok || m.Paper != want {
			t.Errorf("%s has paper %v, want %v", name, m.Paper, want)
		}
	}
	if m, ok := escpos.ModelNamed("impressora"); ok {
		t.Errorf("it was taken for %s", m.Name)
	}
}
