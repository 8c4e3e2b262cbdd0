package cardnames

import (
	"regexp"

	"github.com/maquininha/maquininha/internal/cardnumber"
)

// A run is digits with single separators; its groups are unbroken.
var (
	run   = regexp.MustCompile(`\d(?:(?:  ?|[.\-_])?\d){12,}`)
	group = regexp.MustCompile(`\d+`)
	// track is what follows on a card's number, once that is masked, on its magnetic stripe.
	track = regexp.MustCompile(`(\*\d{4})[=^D]\d+`)
)

const (
	shortestCard, longestCard = 13, 19
	keptFirst, keptLast       = 6, 4
)

// Mask hides the card numbers that a careless manager prints: all but the first six and the last four digits. Whole
// groups are tried together, since a card may have neighbours ("2 4111 1111 1111 1111"); what fails the cards' own
// check digit stays readable.
func Mask(text string) string {
	return track.ReplaceAllString(cardnumber.MaskPartly(run.ReplaceAllStringFunc(text, func(s string) string {
		masked := []byte(s)
		groups := group.FindAllStringIndex(s, -1)
		for first := range groups {
			digits := 0
			for last := first; last < len(groups); last++ {
				digits += groups[last][1] - groups[last][0]
				if digits > longestCard {
					break
				}
				from, to := groups[first][0], groups[last][1]
				if digits >= shortestCard && luhn(s[from:to], digits) {
					hide(masked[from:to], digits)
				}
			}
		}
		return string(masked)
	})), "$1")
}

func hide(card []byte, digits int) {
	seen := 0
	for i, c := range card {
		if c != '*' && !isDigit(c) {
			continue
		}
		seen++
		if seen > keptFirst && seen <= digits-keptLast {
			card[i] = '*'
		}
	}
}

func luhn(s string, digits int) bool {
	sum, place := 0, digits
	for i := range len(s) {
		if !isDigit(s[i]) {
			continue
		}
		d := int(s[i] - '0')
		if place%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		place--
	}
	return sum%10 == 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
