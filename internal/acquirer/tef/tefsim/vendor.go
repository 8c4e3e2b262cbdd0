package tefsim

import (
	"fmt"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// vendor is how one manager answers, by the samples that its vendor publishes. All take whatever a correct client of any of them
// sends.
type vendor struct {
	network  string // field 010; empty: it names the card's product there
	brand    string // what 040 says of a Visa card; empty: 040 is not there
	extended bool   // copies in 710 to 715, 729, 737, 740
	reais    bool   // amounts with a comma
	unquoted bool   // receipt lines without quotes
	split    bool   // both copies in 029, with the length of the first in 041
	results  bool   // no 009, 047 instead; no 027
	bar      bool   // 027 has a bar in it
	confirms bool   // it waits for a confirmation whether or not there is a receipt
	ownTypes bool   // field 011 is a code of its own
	pixType  string // field 011 of a Pix
	short    bool   // the date has month and day only
	minutes  bool   // the time has no seconds
	more     []intpos.Field
}

// vendors are by the name of the profile. The empty one follows the request: it is extended if that is.
var vendors = map[string]vendor{
	"":        {network: "DEMO", brand: "VISA"},
	"paygo":   {network: "DEMO", brand: "VISA CREDITO", extended: true, more: []intpos.Field{{Number: intpos.NetworkIndex, Value: "060"}, {Number: "719", Value: "11222333000181"}, {Number: "741", Value: "CLIENTE TESTE"}}},
	"tefdial": {network: "DEMO", brand: "VISA", more: []intpos.Field{{Number: intpos.Network, Index: 1, Value: "16501555000157"}, {Number: intpos.Network, Index: 2, Value: "VISA"}}},
	"sitef": {
		reais: true, unquoted: true, split: true, ownTypes: true,
		more: []intpos.Field{
			{Number: intpos.Network, Index: 1, Value: "06"},
			{Number: intpos.Network, Index: 3, Value: "00001"},
			{Number: intpos.Network, Index: 4, Value: "411111"},
			{Number: intpos.Network, Index: 5, Value: "1111"},
			{Number: intpos.Brand, Value: "31122030"},
			{Number: intpos.HostCode, Value: "00"},
			{Number: intpos.AcquirerCNPJ, Value: "16501555000157"},
		},
	},
	"elgin": {
		unquoted: true, results: true, confirms: true, ownTypes: true, short: true,
		more: []intpos.Field{
			{Number: intpos.Network, Index: 1, Value: "103"},
			{Number: intpos.Network, Index: 3, Value: "21"},
			{Number: intpos.Network, Index: 4, Value: "411111"},
			{Number: "210", Index: 4, Value: track},
			{Number: "210", Index: 52, Value: "1"},
			{Number: "210", Index: 52, Value: "2"},
			{Number: "300", Index: 1, Value: "1230"},
			{Number: intpos.AcquirerCNPJ, Value: "16501555000157"},
		},
	},
	"connecttef": {
		network: "STONE", brand: "PAYWAVE/VISA", bar: true, confirms: true, pixType: "30", minutes: true,
		more: []intpos.Field{
			{Number: intpos.ConnectData, Index: 1, Value: "11222333000181"},
			{Number: intpos.ConnectData, Index: 2, Value: "VISA"},
			{Number: intpos.ConnectData, Index: 3, Value: "SIM00001"},
		},
	},
	"multiplus": {
		network: "STONE", brand: "VISA", more: []intpos.Field{
			{Number: intpos.Network, Index: 11, Value: "16501555000157"}, {Number: intpos.Network, Index: 12, Value: "025"}, {Number: "170", Value: "99"},
		},
	},
	"auttar": {network: "STONE", brand: "VISA"},
}

// Vendors are the names that Config.As knows.
var Vendors = []string{"paygo", "tefdial", "sitef", "elgin", "connecttef", "multiplus", "auttar"}

// track is what no terminal may ever show, log or keep.
const track = testCard + "=301210100000123"

// asksForPix tells whether a request means Pix, in any vendor's way.
func asksForPix(request intpos.Message) bool {
	return request.Get(intpos.Command) == intpos.Pix ||
		request.Get(intpos.Means) == "8" && request.Get(intpos.Wallet) == "4" ||
		request.Get(intpos.Type) == "30" || request.At(intpos.Choice, 1) == "5"
}

// kind is field 011.
func (v vendor) kind(request intpos.Message, o *operation) string {
	debit := request.Get(intpos.CardKind) == "2" || request.Get(intpos.Type) == "20" || request.At(intpos.Choice, 1) == "1"
	switch {
	case o.pix:
		return v.pixType
	case v.ownTypes:
		return "48"
	case debit:
		return "20"
	case count(request) != "":
		return "11"
	}
	return "10"
}

// count is the number of instalments that a request asks for.
func count(request intpos.Message) string {
	if n := request.Get(intpos.Installments); n != "" {
		return n
	}
	return request.At(intpos.Choice, 4)
}

// product is what field 010 says: the network, or the card's product.
func (v vendor) product(request intpos.Message, o *operation) string {
	switch {
	case v.network != "":
		return v.network
	case o.pix:
		return "PIX"
	case request.Get(intpos.CardKind) == "2":
		return "ELECTRON"
	}
	return "VISA"
}

func (v vendor) key(at string, nsu int64) string {
	if v.bar {
		return fmt.Sprintf("753|%06d", nsu)
	}
	return at + fmt.Sprintf("%06d", nsu)
}
