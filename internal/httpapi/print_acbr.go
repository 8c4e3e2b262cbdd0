package httpapi

import (
	"mime"
	"net/http"
	"strings"

	"github.com/maquininha/maquininha/internal/acbr"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/printing"
)

func (api *API) printACBr(r *http.Request) (any, error) {
	data, err := readBody(r, api.Limits.JSON)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, errNoContent
	}
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // one that can't be read says nothing
	document, err := api.readACBr(r, acbr.Decode(data, parameters["charset"]))
	if err != nil {
		return nil, err
	}
	for _, w := range document.Warnings {
		api.Story.Remark(r.Context(), "tags ACBr: "+w)
	}
	return api.print(r, printing.Job{Kind: printing.ACBr, Pages: document.Pages, Drawers: document.Drawers})
}

// readACBr lays a text out. One with pictures waits for its turn, as every picture that has to be decoded.
func (api *API) readACBr(r *http.Request, text string) (acbr.Document, error) {
	if strings.Contains(strings.ToLower(text), "<bmp>") {
		leave, err := api.decoding.take(r, api.stopping)
		if err != nil {
			return acbr.Document{}, err
		}
		defer leave()
		if api.Device.Gate.Busy() { // since it came, another has begun to print
			return acbr.Document{}, operation.ErrBusy
		}
	}
	document, err := acbr.Read(text)
	if err != nil {
		return document, api.notPrinted(r, printing.ACBr, err)
	}
	return document, nil
}
