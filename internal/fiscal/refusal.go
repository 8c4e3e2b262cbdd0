package fiscal

import (
	"errors"
	"fmt"
	"strconv"
)

// Why a document is refused; test with errors.Is on what Parse returns.
var (
	ErrNotXML        = errors.New("not well-formed XML")
	ErrOtherFormat   = errors.New("not XML but something else")
	ErrEncoding      = errors.New("unsupported character encoding")
	ErrDTD           = errors.New("document type declarations and entities are not accepted")
	ErrUnsupported   = errors.New("not a document this terminal prints")
	ErrVersion       = errors.New("unsupported layout version")
	ErrNoProtocol    = errors.New("no authorization protocol")
	ErrNotAuthorized = errors.New("not authorized")
	ErrCancelled     = errors.New("cancelled")
	ErrIncomplete    = errors.New("incomplete document")
)

// Refusal is why a document can't be printed. Its text is one sentence for the caller, who reads Portuguese.
type Refusal struct {
	kind   error
	reason string
}

func (r *Refusal) Error() string { return r.reason }

// Unwrap gives the kind of refusal, one of this package's errors.
func (r *Refusal) Unwrap() error { return r.kind }

func refuse(kind error, format string, args ...any) *Refusal {
	return &Refusal{kind: kind, reason: fmt.Sprintf(format, args...)}
}

// quote shows a piece of the document, short and without surprises: it comes
// from outside and goes into a header and a log.
func quote(s string) string {
	const most = 44 // an access key
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}
