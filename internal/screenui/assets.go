package screenui

import (
	_ "embed"
	"net/http"
	"sync"

	"github.com/maquininha/maquininha/internal/packed"
	"github.com/maquininha/maquininha/internal/pagekit"
)

// The page is written in the files of page and lies packed in the binary. A test says when they differ.
//
//go:generate go run ../packed/folder page page.gz

//go:embed page.gz
var file []byte

// page is made when somebody first opens it: a program that only prints does not pay for its hashes.
var page = sync.OnceValue(func() *pagekit.Page { return pagekit.New(packed.Texts(file)) })

// serveAsset answers with a file, or 404.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	if !page().Serve(w, r) {
		refuse(w, http.StatusNotFound, "Não encontrado")
	}
}
