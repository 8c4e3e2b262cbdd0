package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/maquininha/maquininha/internal/printing"
)

// openDrawer opens the cash drawer at the printer. It is a print without paper.
func (api *API) openDrawer(r *http.Request) (any, error) {
	err := api.Printing.Print(r.Context(), printing.Job{Kind: printing.Drawer, Drawers: []int{1}})
	if errors.Is(err, printing.ErrFailed) {
		return nil, fmt.Errorf("%w: %w", errDrawer, err)
	}
	if err != nil {
		return nil, err
	}
	return done("Gaveta aberta")
}
