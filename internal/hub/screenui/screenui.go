// Package screenui is the page of the hub: the fleet, one terminal, records across terminals, joining, keys and people, audit. It
// serves the page's files and what only a page needs; everything else it asks of the hub's own interface, as any caller may.
package screenui

import (
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/maquininha/maquininha/internal/packed"
	"github.com/maquininha/maquininha/internal/pagekit"
)

// The page is written in the files of page and lies packed in the binary, as the terminal's does. A test says when they differ.
//
//go:generate go run ../../packed/folder page page.gz

//go:embed page.gz
var file []byte

var page = sync.OnceValue(func() *pagekit.Page { return pagekit.New(packed.Texts(file)) })

// UI serves the page.
type UI struct {
	version string
	mux     *http.ServeMux
}

// New returns the page of a hub of this version.
func New(version string) *UI {
	ui := &UI{version: version, mux: http.NewServeMux()}
	ui.mux.HandleFunc("/", ui.file)
	ui.mux.HandleFunc("GET /page/about", ui.about)
	ui.mux.HandleFunc("POST /page/qr", ui.qr)
	return ui
}

// ServeHTTP answers with files of the page, to this page only.
func (ui *UI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page().Protect(w.Header())
	ui.mux.ServeHTTP(w, r)
}

func (ui *UI) file(w http.ResponseWriter, r *http.Request) {
	if !page().Serve(w, r) {
		refuse(w, http.StatusNotFound, "Não encontrado")
	}
}

// about is for the head of the page, signed in or not; /status says the same.
func (ui *UI) about(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"version": ui.version})
}

// longestCode is of a text that somebody may have drawn: a line that joins is far shorter.
const longestCode = 1 << 10

// qr draws a text that the page has: it is not in an address, which others may keep.
func (ui *UI) qr(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestCode))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "Texto longo demais para um código")
		return
	}
	picture, err := pagekit.QR(string(text))
	if err != nil {
		refuse(w, http.StatusBadRequest, "Texto longo demais para um código")
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(picture) //nolint:errcheck // the page may be gone
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{status, message})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) //nolint:errcheck // the page may be gone
}
