package printer

import (
	"context"

	"github.com/maquininha/maquininha/internal/printing"
)

// None is a terminal without a printer.
type None struct{}

// Print always fails with printing.ErrNoPrinter.
func (None) Print(context.Context, printing.Job) error { return printing.ErrNoPrinter }
