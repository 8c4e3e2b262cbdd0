package cardnumber

import (
	"regexp"
	"strings"
)

// A number that somebody has masked in part: digits and what stands for hidden ones.
var (
	partly = regexp.MustCompile(`[0-9*•X](?:[ .\-]?[0-9*•X])*`)
	hidden = regexp.MustCompile(`[*•]|XX`)
)

const (
	shortestPartly        = 13
	firstShown, lastShown = 6, 4
)

// MaskPartly goes on where somebody has masked a card's number in part: the first six and the last four digits are all that is left of it.
func MaskPartly(s string) string {
	if !strings.ContainsAny(s, "*•X") {
		return s
	}
	return partly.ReplaceAllStringFunc(s, func(run string) string {
		if !hidden.MatchString(run) {
			return run
		}
		return maskRun([]rune(run))
	})
}

// maskRun masks the card in a run that may hold its neighbours too. Whole groups are tried together: where some of them are a card that is
// masked as it should be, that is the card; else it is the longest that could be one.
func maskRun(run []rune) string {
	var starts, ends []int // of groups
	for i := range run {
		if isUnit(run[i]) && (i == 0 || !isUnit(run[i-1])) {
			starts = append(starts, i)
		}
		if isUnit(run[i]) && (i == len(run)-1 || !isUnit(run[i+1])) {
			ends = append(ends, i+1)
		}
	}
	var longest []rune
	for first, from := range starts {
		for _, to := range ends[first:] {
			units := count(run, from, to)
			if units > longestCard {
				break
			}
			if units < shortestPartly || !hidden.MatchString(string(run[from:to])) {
				continue
			}
			card := run[from:to]
			if masked := maskMiddle(card, units); string(masked) == string(card) {
				return string(run)
			}
			if len(card) > len(longest) {
				longest = card
			}
		}
	}
	if longest != nil {
		copy(longest, maskMiddle(longest, count(longest, 0, len(longest))))
	}
	return string(run)
}

func count(run []rune, from, to int) (units int) {
	for i := from; i < to; i++ {
		if isUnit(run[i]) {
			units++
		}
	}
	return units
}

func maskMiddle(card []rune, units int) []rune {
	masked, seen := make([]rune, len(card)), 0
	for i, c := range card {
		if masked[i] = c; !isUnit(c) {
			continue
		}
		if seen++; seen > firstShown && seen <= units-lastShown && '0' <= c && c <= '9' {
			masked[i] = '*'
		}
	}
	return masked
}

func isUnit(c rune) bool { return '0' <= c && c <= '9' || c == '*' || c == '•' || c == 'X' }
