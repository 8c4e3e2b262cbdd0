package tef

import (
	"cmp"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// authorization is what fiscal documents call cAut.
func authorization(r intpos.Message) string {
	given := cmp.Or(r.Get(intpos.Authorization), r.Get(intpos.AuthorizationToo))
	if nsu := r.Get(intpos.NSU); given == "" && isEndToEndID(nsu) {
		return nsu
	}
	return cardnames.Mask(given)
}

// brand is tBand by the first field that names a brand; one that is not in the list is among the others.
func (p Profile) brand(r intpos.Message) (code string) {
	for _, at := range p.BrandFields {
		switch named := cardnames.Brand(r.At(at.number, at.index)); named {
		case "":
		case cardnames.OtherBrand:
			code = named
		default:
			return named
		}
	}
	return code
}

// Where an acquirer's CNPJ stands among the lines of field 010: the first for older managers, the others where each card of a sale has
// its own.
var networkLines = []int{1, 11, 21, 31}

// acquirerCNPJ is whose CNPJ a fiscal document names. 400-001 and 719 are the shop's own.
func acquirerCNPJ(r intpos.Message) string {
	candidates := []string{r.Get(intpos.AcquirerCNPJ)}
	for _, line := range networkLines {
		candidates = append(candidates, r.At(intpos.Network, line))
	}
	for _, text := range candidates {
		if cnpj := strings.NewReplacer(".", "", "/", "", "-", "").Replace(text); len(cnpj) == 14 && strings.Trim(cnpj, "0123456789") == "" {
			return cnpj
		}
	}
	if index := number(r.Get(intpos.NetworkIndex)); index != "" {
		if cnpj := cardnames.CNPJByIndex(index); cnpj != "" {
			return cnpj
		}
	}
	return cardnames.CNPJ(r.Get(intpos.Network))
}
