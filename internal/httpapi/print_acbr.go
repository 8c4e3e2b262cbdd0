package httpapi

import (
	"mime"
	"net/http"
	"strings"

	"github.com/maquininha/maquininha/internal/acbr"
	"github.com/maquininha/maquininha/internal/printing"
)

func (api *API) acbrJob(r *http.Request, body []byte, to use) (printing.Job, error) {
	if len(body) == 0 {
		return printing.Job{}, errNoContent
	}
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // one that can't be read says nothing
	text := acbr.Decode(body, parameters["charset"])
	if strings.Contains(strings.ToLower(text), "<bmp>") { // it waits for its turn, as every picture that has to be decoded
		leave, err := api.decode(r, to)
		if err != nil {
			return printing.Job{}, err
		}
		defer leave()
	}
	document, err := acbr.Shop{Logo: api.couponStyle().Logo}.Read(text)
	if err != nil {
		return printing.Job{}, &unreadable{printing.ACBr, err}
	}
	api.remark(r, "tags ACBr: ", document.WarningsOn(to.paper))
	return printing.Job{Kind: printing.ACBr, Pages: document.Pages, Drawers: document.Drawers}, nil
}
