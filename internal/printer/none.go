package printer

import (
	"context"

	"github.com/maquininha/maquininha/internal/printing"
)

// None is a terminal without a printer.
type None struct{ noPictures }

// Print always fails with printing.ErrNoPrinter.
func (None) Print(context.Context, printing.Job) error { return printing.ErrNoPrinter }

// State is printing.NoPrinter.
func (None) State() printing.State { return printing.NoPrinter }

// noPictures is a printer that keeps none of what it prints.
type noPictures struct{}

func (noPictures) Jobs() []printing.Printed    { return nil }
func (noPictures) Picture(int) ([]byte, error) { return nil, printing.ErrNoJob }
