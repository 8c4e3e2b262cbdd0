// Package tefip has the shapes that callers written against TEF IP's SDK read and send, where they are not the interface's own.
//
// They are all additions: what the interface answers stays, and the SDK's keys come beside it, so that its versions from 1.1 on
// and callers of the interface read the same answers. Only log entries differ outright: the SDK takes numbers there.
package tefip

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Name is what the switch and GET /info call it.
const Name = "tefip"

// LogsName is what the archive of the log, and the file in it, are called.
const LogsName = "tefip_logs"

// beside is an answer with the keys of another value after its own.
type beside struct{ answer, more any }

// Beside adds the keys of more to an answer. Both are written as objects, and have no key in common.
func Beside(answer, more any) json.Marshaler { return beside{answer, more} }

func (b beside) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // whoever encodes the whole says whether it is escaped
	if err := enc.Encode(b.answer); err != nil {
		return nil, err
	}
	out.Truncate(out.Len() - len("}\n"))
	end := out.Len()
	if err := enc.Encode(b.more); err != nil {
		return nil, err
	}
	out.Bytes()[end] = ','
	return out.Bytes(), nil
}

// Sale is what its callers expect a route of the sale to answer.
type Sale int

// The answers of the sale.
const (
	Message Sale = iota // as the interface has it
	Entity              // the line that was added or changed
	Coupon              // the whole sale
)

// SaleAnswer is what a route answers: lines that are added or changed come back themselves; after anything else that
// changes the sale, but for its end, the whole sale does.
func SaleAnswer(method, path string) Sale {
	below, ofSale := strings.CutPrefix(path, "/sale")
	switch {
	case !ofSale || method == "GET" || below == "/finalize" || below == "/cancel":
		return Message
	case below == "" || method == "DELETE" || strings.HasSuffix(below, "/cancel"):
		return Coupon
	}
	return Entity
}

// Answer is what is read beside id and value of an answer to a question.
type Answer struct {
	DisplayValue string `json:"displayValue"`
}

// White is the background of what is displayed without one.
const White = "#FFFFFF"

// LeavesOutBackground tells whether its callers may leave out the backgroundColor.
func LeavesOutBackground(path string) bool {
	return path == "/display/text" || path == "/display/carousel"
}

// UnsignedDiscount tells whether its callers may send the discount with a minus, which counts as without.
func UnsignedDiscount(path string) bool { return path == "/sale/item" || path == "/sale/item/{itemId}" }
