package main

import (
	"cmp"
	"fmt"

	"github.com/maquininha/maquininha/internal/app"
)

// printerFlags are how a printer prints, whoever prints on it.
type printerFlags struct {
	Cut    bool `name:"printer-cut" default:"true" negatable:"" env:"MAQUININHA_PRINTER_CUT" toml:"printer.cut" help:"Corta o papel depois de imprimir (padrão); --no-printer-cut não corta."`
	Feed   int  `name:"printer-feed" default:"3" env:"MAQUININHA_PRINTER_FEED" toml:"printer.feed" placeholder:"LINHAS" help:"Linhas que o papel avança depois de imprimir."`
	Copies int  `name:"printer-copies" default:"1" env:"MAQUININHA_PRINTER_COPIES" toml:"printer.copies" placeholder:"N" help:"Vias de cada impressão."`
	Drawer bool `name:"printer-drawer" env:"MAQUININHA_PRINTER_DRAWER" toml:"printer.drawer" help:"Abre a gaveta antes de cada impressão."`
}

// check refuses what no printer can do.
func (f printerFlags) check(dpiFlag string, dpi int) error {
	return cmp.Or(within(dpiFlag, dpi, 100, 600), within("--printer-feed", f.Feed, 0, 255), within("--printer-copies", f.Copies, 1, 10))
}

// checkWidth refuses paper on which no coupon can be read: the narrowest roll has some 25 mm at 203 dpi, the widest is a
// sheet at 300.
func checkWidth(flag string, dots int) error { return within(flag, dots, 200, 2000) }

func within(flag string, value, least, most int) error {
	if value < least || value > most {
		return fmt.Errorf("%s deve estar entre %d e %d", flag, least, most)
	}
	return nil
}

// configured is the printer as the service knows it.
func (f printerFlags) configured(address string, dpi int) app.Printer {
	return app.Printer{Address: address, DPI: dpi, NoCut: !f.Cut, Feed: f.Feed, Copies: f.Copies, Drawer: f.Drawer}
}
