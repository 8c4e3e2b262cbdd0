package question

import (
	"iter"
	"strings"

	"github.com/maquininha/maquininha/internal/brazil"
)

// longestSample bounds the work a question can ask of the autopilot. A
// question that wants more gets no sample.
const longestSample = 1000

// Sample returns an answer that the question accepts, for the autopilot: the
// default value, else a likely answer of the type or one built from the regex.
// It reports false when none is known, also where no answer would be accepted:
// the autopilot then cancels, so that the integrator sees what the form asks for.
func (q Question) Sample() (string, bool) {
	if q.Default != nil {
		if value, err := q.Canonical(*q.Default); err == nil {
			return value, true
		}
	}
	for candidate := range q.candidates() {
		if value, err := q.Canonical(candidate); err == nil && value != "" {
			return value, true
		}
	}
	return "", false
}

// candidates are answers worth trying, the likeliest first.
func (q Question) candidates() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, candidate := range q.usual() {
			if !yield(candidate) {
				return
			}
		}
		if q.Regex == "" || q.Type.HasOptions() {
			return
		}
		for example := range regexExamples(q.Regex, q.MinLength, q.MaxLength) {
			if !yield(example) {
				return
			}
		}
	}
}

// usual returns what people usually answer to the type, in the lengths the
// question may want.
func (q Question) usual() []string {
	const digits = "1234567890"
	switch q.Type {
	case Text, Regex:
		if q.Mask != "" {
			return []string{fillMask(q.Mask, digits)}
		}
		return []string{q.stretch("Resposta", 8, 0), q.stretch(digits, 1, 0)}
	case Number:
		return []string{q.stretch(digits, 1, 0)}
	case Phone:
		return []string{brazil.SamplePhone, "1133334444"}
	case CPF:
		return []string{brazil.SampleCPF}
	case CNPJ:
		return []string{brazil.SampleCNPJ, "12ABC34501DE35"}
	case CPFOrCNPJ:
		return []string{brazil.SampleCPF, brazil.SampleCNPJ}
	case Email:
		const domain = "@exemplo.com.br"
		return []string{q.stretch("cliente", 7, len(domain)) + domain, "a@b.co"}
	case CEP:
		return []string{brazil.SampleCEP, "20040002"}
	case Date:
		return []string{"2026-12-31"}
	case Time:
		return []string{"12:00"}
	case Money:
		const cents = ".00"
		return []string{q.stretch("10000000", 2, len(cents)) + cents, "1.00"}
	case List, Button:
		var values []string
		for _, option := range q.Options {
			values = append(values, option.Value)
		}
		return values
	}
	return nil
}

// stretch repeats and cuts ASCII text to the length nearest to liked that, with
// taken more characters beside it, is within the question's limits.
func (q Question) stretch(text string, liked, taken int) string {
	length := min(max(liked, q.MinLength-taken), q.MaxLength-taken)
	if length <= 0 || length > longestSample {
		return ""
	}
	return strings.Repeat(text, length/len(text)+1)[:length]
}
