package question

import (
	"regexp"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/brazil"
)

// placeholder stands for one digit in a mask; every other character for itself.
const placeholder = "#"

// masked returns input as the mask writes it. It takes an input that already
// looks so, or the bare digits, all of them: anything between the two could be
// read in more than one way once a mask has digits of its own.
func masked(mask, input string) (string, bool) {
	if fitsMask(mask, input) {
		return input, true
	}
	if !onlyDigits(input) || len(input) != strings.Count(mask, placeholder) {
		return "", false
	}
	return fillMask(mask, input), true
}

func fitsMask(mask, input string) bool {
	want, got := []rune(mask), []rune(input)
	if len(want) != len(got) {
		return false
	}
	for i, r := range want {
		if r == '#' && !onlyDigits(string(got[i])) || r != '#' && r != got[i] {
			return false
		}
	}
	return true
}

// unmasked is the digits in the mask's places, where the input is as the mask shows it.
func unmasked(mask, input string) (string, bool) {
	if !fitsMask(mask, input) {
		return "", false
	}
	var digits strings.Builder
	got := []rune(input)
	for i, r := range []rune(mask) {
		if r == '#' {
			digits.WriteRune(got[i])
		}
	}
	return digits.String(), true
}

// fillMask puts the digits in the mask's places, over again where there are
// more places than digits.
func fillMask(mask, digits string) string {
	next := 0
	return strings.Map(func(r rune) rune {
		if r != '#' {
			return r
		}
		digit := digits[next%len(digits)]
		next++
		return rune(digit)
	}, mask)
}

func onlyDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// parseNumber keeps leading zeros: what is asked for as a number is often a
// code.
func parseNumber(typed string) (string, bool) {
	return typed, onlyDigits(typed)
}

func parseCPFOrCNPJ(typed string) (string, bool) {
	if cpf, ok := brazil.ParseCPF(typed); ok {
		return cpf, true
	}
	return brazil.ParseCNPJ(typed)
}

// parseDate takes a date as Brazilians write it or as ISO 8601 does. Eight bare
// digits are refused: 20101112 is a date both ways.
func parseDate(typed string) (string, bool) {
	for _, layout := range []string{"02/01/2006", time.DateOnly} {
		if date, err := time.Parse(layout, typed); err == nil && date.Year() > 0 {
			return date.Format(time.DateOnly), true
		}
	}
	return "", false
}

func parseTime(typed string) (string, bool) {
	for _, layout := range []string{"15:04", "1504"} {
		if clock, err := time.Parse(layout, typed); err == nil {
			return clock.Format("15:04"), true
		}
	}
	return "", false
}

// An amount is written the Brazilian way, where a dot before three digits
// groups thousands, or the way callers and scripts write decimals. No text is
// both: decimals are one or two digits, groups three.
var (
	brazilianMoney = regexp.MustCompile(`^([1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$`)
	decimalMoney   = regexp.MustCompile(`^(\d+)\.(\d{1,2})$`)
)

func parseMoney(typed string) (string, bool) {
	if amount, found := strings.CutPrefix(typed, "R$"); found {
		typed = strings.TrimSpace(amount)
	}
	parts := brazilianMoney.FindStringSubmatch(typed)
	if parts == nil {
		parts = decimalMoney.FindStringSubmatch(typed)
	}
	if parts == nil {
		return "", false
	}
	whole := strings.TrimLeft(strings.ReplaceAll(parts[1], ".", ""), "0")
	if whole == "" {
		whole = "0"
	}
	cents := (parts[2] + "00")[:2]
	return whole + "." + cents, true
}

// The addresses that people have: no quoted local parts, no address literals,
// no letters outside ASCII, because what receives them would not take those.
var email = regexp.MustCompile("^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+" +
	"(?:\\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+)*" +
	`@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+` +
	`[a-zA-Z](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])$`)

// parseEmail leaves upper and lower case alone: only the mailbox's own server
// knows whether they matter.
func parseEmail(typed string) (string, bool) {
	const maxLocal, maxAddress = 64, 254
	return typed, len(typed) <= maxAddress && strings.Index(typed, "@") <= maxLocal &&
		email.MatchString(typed)
}
