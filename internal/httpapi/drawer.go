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

type drawerBody struct {
	N        int    `json:"n"`
	Open     bool   `json:"open"`
	Openings int    `json:"openings"`
	OpenedAt *stamp `json:"openedAt"`
}

func (api *API) emulatorDrawers(*http.Request) (any, error) {
	drawers := api.Emulator.Drawers()
	body := make([]drawerBody, len(drawers))
	for i, d := range drawers {
		body[i] = drawerBody{N: d.N, Open: d.Open, Openings: d.Openings}
		if d.Openings > 0 {
			at := stampOf(d.OpenedAt)
			body[i].OpenedAt = &at
		}
	}
	return body, nil
}

func (api *API) emulatorCloseDrawers(*http.Request) (any, error) {
	api.Emulator.CloseDrawers()
	return done("Gaveta fechada com sucesso")
}
