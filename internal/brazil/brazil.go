// Package brazil knows the identifiers of Brazilian daily life: CPF, CNPJ, CEP,
// phone numbers, and the BR Code a PIX payment starts from.
//
// Every Parse function takes what a person typed, punctuated or not, and
// returns the canonical form: no punctuation, no spaces, letters in upper
// case. Canonical forms are what is stored, compared and sent; every Format
// function takes one and returns what a person reads.
//
// Only separators that people really use are passed over. Any other character
// makes the input invalid: dropping it could turn a typing error into somebody
// else's document, and letters belong to the CNPJ since 2026.
package brazil

import "strings"

// Samples are canonical and valid, and belong to nobody: for tests, examples
// and whoever must answer a question without a person.
const (
	SampleCPF   = "52998224725"
	SampleCNPJ  = "11222333000181"
	SampleCEP   = "01310100"
	SamplePhone = "11987654321"
)

// bare returns typed without the given separators and without spaces.
func bare(typed, separators string) string {
	return strings.Map(func(r rune) rune {
		// The no-break space comes with numbers pasted from web pages.
		if r == ' ' || r == '\u00a0' || strings.ContainsRune(separators, r) {
			return -1
		}
		return r
	}, typed)
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// allEqual reports whether s repeats one character. Such documents often pass
// the check digits, and are what people type to get past a question.
func allEqual(s string) bool {
	return s == strings.Repeat(s[:1], len(s))
}

// checkDigit is the modulo 11 digit that CPF and CNPJ share: weights from 2 to
// heaviest, starting at the right and over again, each character worth its
// ASCII code less 48, so that a digit is worth itself and a letter 17 or more.
func checkDigit(body string, heaviest int) byte {
	sum, weight := 0, 2
	for i := len(body) - 1; i >= 0; i-- {
		sum += int(body[i]-'0') * weight
		if weight++; weight > heaviest {
			weight = 2
		}
	}
	if rest := sum % 11; rest >= 2 {
		return byte('0' + 11 - rest)
	}
	return '0'
}

// checked reports whether s ends in the two check digits of what precedes them.
func checked(s string, heaviest int) bool {
	first, second := len(s)-2, len(s)-1
	return s[first] == checkDigit(s[:first], heaviest) &&
		s[second] == checkDigit(s[:second], heaviest)
}
