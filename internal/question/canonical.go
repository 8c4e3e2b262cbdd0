package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/brazil"
)

// Reason is why an answer is not accepted.
type Reason string

// The reasons. The question's own limits go with TooShort and TooLong.
const (
	Required     Reason = "required"
	TooShort     Reason = "too short"
	TooLong      Reason = "too long"
	BadText      Reason = "not one line of text"
	BadMask      Reason = "not as the mask"
	NotDigits    Reason = "not only digits"
	BadPhone     Reason = "not a phone number"
	BadCPF       Reason = "not a CPF"
	BadCNPJ      Reason = "not a CNPJ"
	BadCPFOrCNPJ Reason = "neither a CPF nor a CNPJ"
	BadEmail     Reason = "not an e-mail address"
	BadCEP       Reason = "not a CEP"
	BadDate      Reason = "not a date"
	BadTime      Reason = "not a time of day"
	BadMoney     Reason = "not an amount of money"
	NoMatch      Reason = "not as the regex"
	NotAnOption  Reason = "not one of the options"
)

// Invalid is the error of an answer that the person must correct. It never
// holds the answer itself: people's documents do not belong in logs.
type Invalid struct {
	Reason Reason
}

func (e *Invalid) Error() string {
	return "invalid answer: " + string(e.Reason)
}

// Canonical returns the answer a caller gets for what a person typed or chose,
// or an *Invalid error. A question that is not required accepts an empty
// answer, whatever its other rules.
func (q Question) Canonical(input string) (string, error) {
	// The value of an option is the caller's own, and may be anything.
	if !q.Type.HasOptions() && !isOneLine(input) {
		return "", &Invalid{BadText}
	}
	if !q.keepsSpaces() {
		input = strings.TrimSpace(input)
	}
	if input == "" && !q.Required {
		return "", nil
	}
	// Blanks are free text, but no answer to what must be answered.
	if q.Required && strings.TrimSpace(input) == "" {
		return "", &Invalid{Required}
	}

	value, reason := q.read(input)
	if reason == "" {
		reason = q.limit(value)
	}
	if reason != "" {
		return "", &Invalid{reason}
	}
	return value, nil
}

// keepsSpaces reports whether spaces around the answer are part of it.
func (q Question) keepsSpaces() bool {
	return q.Type == Text || q.Type == Regex || q.Type.HasOptions()
}

// readers are the types whose answers can be read without their question.
var readers = map[Type]struct {
	parse  func(string) (string, bool)
	reason Reason
}{
	Number:    {parseNumber, NotDigits},
	Phone:     {brazil.ParsePhone, BadPhone},
	CPF:       {brazil.ParseCPF, BadCPF},
	CNPJ:      {brazil.ParseCNPJ, BadCNPJ},
	CPFOrCNPJ: {parseCPFOrCNPJ, BadCPFOrCNPJ},
	Email:     {parseEmail, BadEmail},
	CEP:       {brazil.ParseCEP, BadCEP},
	Date:      {parseDate, BadDate},
	Time:      {parseTime, BadTime},
	Money:     {parseMoney, BadMoney},
}

// read returns the canonical form of what is not empty, or why it has none.
func (q Question) read(input string) (string, Reason) {
	if q.Type.HasOptions() {
		if !q.offers(input) {
			return "", NotAnOption
		}
		return input, ""
	}
	if q.Type == Text && q.Mask != "" {
		value, ok := masked(q.Mask, input)
		if !ok {
			return "", BadMask
		}
		return value, ""
	}
	// A mask on digits only guides the typing: the answer is what was typed, not what it looked like.
	if q.Type == Number && q.Mask != "" {
		if digits, ok := unmasked(q.Mask, input); ok {
			input = digits
		}
	}
	reader, ok := readers[q.Type]
	if !ok {
		return input, "" // free text; the rule of a Regex is among the limits
	}
	value, ok := reader.parse(input)
	if !ok {
		return "", reader.reason
	}
	return value, ""
}

func (q Question) offers(value string) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return o.Value == value })
}

// limit returns which of the question's own rules the canonical value breaks.
func (q Question) limit(value string) Reason {
	length := utf8.RuneCountInString(value)
	switch {
	case length < q.MinLength:
		return TooShort
	case length > q.MaxLength:
		return TooLong
	case q.Regex != "" && !matchesWhole(q.Regex, value):
		return NoMatch
	}
	return ""
}

func isOneLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
