// Package apidoc carries the description of the hub's HTTP interface.
package apidoc

import (
	_ "embed"
	"net/http"

	"github.com/maquininha/maquininha/internal/docpage"
)

// The description is written in openapi.yaml and lies compressed in the binary. A test says when they differ.
//
//go:generate gzip -9 -n -k -f openapi.yaml

//go:embed openapi.yaml.gz
var packed []byte

// Spec returns the OpenAPI description of the hub, in YAML.
func Spec() []byte { return docpage.Unpack(packed) }

// NewPages returns the documentation of the hub. Any other path goes to notFound.
func NewPages(notFound http.Handler) *docpage.Pages {
	return docpage.New("maquininha-hub", packed, notFound)
}
