// Package apidoc carries the description of the terminal's HTTP interface, and the page at its root.
package apidoc

import (
	_ "embed"
	"net/http"

	"github.com/maquininha/maquininha/internal/docpage"
)

// The description is written in openapi.yaml and lies compressed in the binary, which may have 25 MiB. A test says when they differ.
//
//go:generate gzip -9 -n -k -f openapi.yaml

//go:embed openapi.yaml.gz
var packed []byte

//go:embed landing.html
var landing []byte

// Spec returns the OpenAPI description of the service, in YAML.
func Spec() []byte { return docpage.Unpack(packed) }

// NewPages returns the documentation of the terminal. Any other path goes to notFound.
func NewPages(notFound http.Handler) *docpage.Pages {
	return docpage.New("maquininha", packed, notFound)
}

// Landing serves the page at the root.
func Landing() http.Handler { return docpage.Landing(landing) }
