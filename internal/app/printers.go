package app

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/screenui"
)

// printers fills screenui.Printers.
type printers struct {
	settings *settings
	log      *slog.Logger
}

// Found are the queues of the system, what is plugged in and who answers in the networks of this machine. Printers of labels are none.
func (p printers) Found(ctx context.Context) (all []screenui.FoundPrinter) {
	found, err := printer.Installed(ctx)
	if err != nil {
		p.log.Warn("filas de impressão não listadas: " + portuguese.Error(err))
	}
	found = append(found, printer.Plugged()...)
	there, err := printer.OnNetwork(ctx, printer.LocalNetworks()...)
	if err != nil {
		p.log.Warn("impressoras da rede não procuradas: " + portuguese.Error(err))
	}
	for _, f := range append(found, there...) {
		address, err := printer.ParseAddress(f.Address)
		if err != nil || f.Model.Labels {
			continue
		}
		all = append(all, screenui.FoundPrinter{ID: f.Address, Way: string(f.Way), Name: address.Where(), Said: f.Said, State: string(f.State)})
	}
	return all
}

// TestPage is for the printer in use.
func (p printers) TestPage() printing.Job {
	s := p.settings
	model := cmp.Or(s.model().Title, "como ela diz que é, ou ESC/POS")
	return printing.TestPage(printerChoice(s.printer()).Label, model, s.paper(), time.Now())
}
