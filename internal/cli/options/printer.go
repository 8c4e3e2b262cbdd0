package options

import (
	"cmp"

	"github.com/maquininha/maquininha/internal/configfile"
)

// Printing are how a printer prints, whoever prints on it.
type Printing struct {
	Cut    bool `name:"printer-cut" default:"true" negatable:"" env:"MAQUININHA_PRINTER_CUT" toml:"printer.cut" help:"Corta o papel depois de imprimir (padrão); --no-printer-cut não corta."`
	Feed   int  `name:"printer-feed" default:"3" env:"MAQUININHA_PRINTER_FEED" toml:"printer.feed" placeholder:"LINHAS" help:"Linhas que o papel avança depois de imprimir."`
	Copies int  `name:"printer-copies" default:"1" env:"MAQUININHA_PRINTER_COPIES" toml:"printer.copies" placeholder:"N" help:"Vias de cada impressão."`
	Drawer bool `name:"printer-drawer" env:"MAQUININHA_PRINTER_DRAWER" toml:"printer.drawer" help:"Abre a gaveta antes de cada impressão."`
}

// Check refuses what no printer can do.
func (f Printing) Check(dpiFlag string, dpi int) error {
	return cmp.Or(within(dpiFlag, dpi, 100, 600), within("printer-feed", f.Feed, 0, 255), within("printer-copies", f.Copies, 1, 10))
}

// CheckWidth refuses paper on which no coupon can be read: the narrowest roll has some 25 mm at 203 dpi, the widest is a
// sheet at 300.
func CheckWidth(flag string, dots int) error { return within(flag, dots, 200, 2000) }

func within(flag string, value, least, most int) error {
	if value < least || value > most {
		return configfile.Refuse(flag, "deve estar entre %d e %d", least, most)
	}
	return nil
}
