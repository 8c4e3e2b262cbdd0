// Package cardnumber finds card numbers in texts, and masks them: logs and what support sees must have none.
package cardnumber

import "strings"

// Mask masks the card numbers in a text, keeping the first six and the last
// four digits: enough to tell cards apart, not enough to use one. Keys of fiscal
// documents, product codes, UUIDs and times stay readable.
func Mask(s string) string {
	var masked []byte // a copy of s, made when there is something to mask
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			continue
		}
		end, digits := digitRun(s, i)
		if digits >= shortestCard {
			masked = maskCards(masked, s, i, end)
		}
		i = end
	}
	if masked != nil {
		s = string(masked)
	}
	return MaskPartly(s)
}

const (
	shortestCard, longestCard = 14, 19

	// The key of an NF-e is printed as eleven groups of four digits, which would
	// hold several windows that look like a card.
	keyGroups = 11
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digitRun finds where the digits that start at i end, single separators between
// them included, and how many they are.
func digitRun(s string, i int) (end, digits int) {
	for i < len(s) {
		if isDigit(s[i]) {
			digits++
			i++
			continue
		}
		n := separator(s[i:])
		if n == 0 || i+n >= len(s) || !isDigit(s[i+n]) {
			return i, digits
		}
		i += n
	}
	return i, digits
}

const noBreakSpace = "\u00a0"

// separator is the length of what people put between the groups of a card number.
func separator(s string) int {
	switch {
	case strings.HasPrefix(s, "  "):
		return 2
	case strings.IndexByte(" -.+_", s[0]) >= 0:
		return 1
	case strings.HasPrefix(s, noBreakSpace):
		return len(noBreakSpace)
	}
	return 0
}

// group is an unbroken stretch of digits: s[from:to].
type group struct{ from, to int }

func (g group) len() int { return g.to - g.from }

// maskCards masks the cards in the run s[from:to]. A run may hold more than one
// card, or a card and its neighbours ("item 2 4111 1111 1111 1111"), so whole
// groups are tried together.
func maskCards(masked []byte, s string, from, to int) []byte {
	var groups []group
	for i := from; i < to; i++ {
		start := i
		for i < to && isDigit(s[i]) {
			i++
		}
		if i > start {
			groups = append(groups, group{start, i})
		}
	}
	for a := 0; a < len(groups); {
		if fours(groups[a:]) >= keyGroups {
			a += keyGroups
			continue
		}
		n := cardAt(s, groups, a)
		if n == 0 {
			a++
			continue
		}
		if masked == nil {
			masked = []byte(s)
		}
		mask(masked[groups[a].from:groups[a+n-1].to])
		a += n
	}
	return masked
}

// fours counts the groups of four digits that groups begins with.
func fours(groups []group) int {
	n := 0
	for n < len(groups) && groups[n].len() == 4 {
		n++
	}
	return n
}

// cardAt says how many groups, from a on, make up a card; 0 when they do not.
// The longest wins: hiding a security code beside the card is no loss.
func cardAt(s string, groups []group, a int) int {
	var number [longestCard]byte
	digits, card := 0, 0
	for b := a; b < len(groups); b++ {
		g := groups[b]
		if digits+g.len() > longestCard {
			break
		}
		digits += copy(number[digits:], s[g.from:g.to])
		// Points also stand in prices: with them, only the layout of a card tells.
		whole := a == 0 && b == len(groups)-1 && !strings.ContainsAny(s[groups[a].from:g.to], ".+")
		if digits >= shortestCard &&
			(a == b || whole || cardLayout(groups[a:b+1])) &&
			issued(number[:digits]) && luhn(number[:digits]) &&
			!inIdentifier(s, groups[a].from, g.to) {
			card = b - a + 1
		}
	}
	return card
}

// cardLayout reports whether groups are spaced as cards are embossed: in fours
// with a shorter last one, or 4-6-5 and 4-6-4.
func cardLayout(groups []group) bool {
	n := len(groups)
	last := groups[n-1].len()
	if fours(groups) >= n-1 {
		return last <= 4
	}
	return n == 3 && groups[0].len() == 4 && groups[1].len() == 6 && (last == 4 || last == 5)
}

// issued reports whether some scheme issues cards with this beginning and length.
func issued(number []byte) bool {
	n := len(number)
	first := func(digits int) int {
		v := 0
		for _, d := range number[:digits] {
			v = 10*v + int(d-'0')
		}
		return v
	}
	switch two := first(2); two {
	case 30, 36, 38, 39: // Diners, Hipercard; 14 digits with other beginnings are CNPJs
		return true
	case 34, 37:
		return n == 15
	case 35:
		return n >= 16
	default:
		switch two / 10 {
		case 2:
			return n == 16 && first(4) >= 2221 && first(4) <= 2720
		case 4, 5, 6:
			return n >= 16
		}
		return false
	}
}

func luhn(number []byte) bool {
	sum := 0
	for i, c := range number {
		d := int(c - '0')
		if (len(number)-i)%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// inIdentifier reports whether s[from:to] lies inside a UUID or a long
// hexadecimal digest, some of which have digits only where a card would.
func inIdentifier(s string, from, to int) bool {
	part := func(c byte) bool {
		return isDigit(c) || c == '-' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	}
	for from > 0 && part(s[from-1]) {
		from--
	}
	for to < len(s) && part(s[to]) {
		to++
	}
	token := s[from:to]
	if strings.ContainsAny(token, "abcdefABCDEF") && len(token) >= 32 {
		return true
	}
	return len(token) == 36 && token[8] == '-' && token[13] == '-' && token[18] == '-' && token[23] == '-'
}

// mask stars the digits between the first six and the last four.
func mask(card []byte) {
	digits := 0
	for _, c := range card {
		if isDigit(c) {
			digits++
		}
	}
	n := 0
	for i, c := range card {
		if !isDigit(c) {
			continue
		}
		if n++; n > 6 && n <= digits-4 {
			card[i] = '*'
		}
	}
}
