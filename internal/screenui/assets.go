package screenui

import (
	"embed"
	"io/fs"
	"net/http"
	"sync"

	"github.com/maquininha/maquininha/internal/pagekit"
)

//go:embed all:page
var embedded embed.FS

// page is made when somebody first opens it: a program that only prints does not pay for its hashes.
var page = sync.OnceValue(func() *pagekit.Page {
	own, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err) // the files are part of the program
	}
	return pagekit.New(own)
})

// serveAsset answers with a file, or 404.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	if !page().Serve(w, r) {
		refuse(w, http.StatusNotFound, "Não encontrado")
	}
}
