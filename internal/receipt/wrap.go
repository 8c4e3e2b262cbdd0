package receipt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// A ruler tells how far the pen moves for r after prev; prev is below zero at the
// beginning of a line. It is all that wrapping needs to know of a font, so paper
// and plain text wrap by the same rules.
type ruler func(prev, r rune) fixed.Int26_6

func (measure ruler) width(line string) fixed.Int26_6 {
	var width fixed.Int26_6
	prev := rune(-1)
	for _, r := range line {
		width += measure(prev, r)
		prev = r
	}
	return width
}

// wrap breaks a text into lines no wider than limit: at line feeds, else at
// spaces, else, in a word longer than a line, where it is least odd. Every line
// has at least one sign, however narrow the paper.
func (measure ruler) wrap(text string, limit fixed.Int26_6) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(printable(text), "\n") {
		lines = measure.wrapParagraph(lines, paragraph, limit)
	}
	return lines
}

// balance wraps as wrap does, and then makes the lines of each short paragraph
// alike in length: a title or an access key in the middle of the paper does not
// leave its last word alone.
func (measure ruler) balance(text string, limit fixed.Int26_6) []string {
	const short = 5
	var lines []string
	for paragraph := range strings.SplitSeq(printable(text), "\n") {
		wrapped := measure.wrapParagraph(nil, paragraph, limit)
		if n := len(wrapped); n > 1 && n <= short {
			// The narrowest room that takes no more lines and breaks no word, to the dot.
			low, high := measure.longestWord(paragraph).Ceil(), limit.Floor()
			for low < high {
				if middle := (low + high) / 2; len(measure.wrapParagraph(nil, paragraph, fixed.I(middle))) <= n {
					high = middle
				} else {
					low = middle + 1
				}
			}
			wrapped = measure.wrapParagraph(nil, paragraph, fixed.I(high))
		}
		lines = append(lines, wrapped...)
	}
	return lines
}

func (measure ruler) wrapParagraph(lines []string, text string, limit fixed.Int26_6) []string {
	for {
		end, next := measure.firstLine(text, limit)
		lines = append(lines, strings.TrimRight(text[:end], " "))
		if next >= len(text) {
			return lines
		}
		text = text[next:]
	}
}

// firstLine finds where the first line of text ends and where the next begins.
func (measure ruler) firstLine(text string, limit fixed.Int26_6) (end, next int) {
	var width fixed.Int26_6
	prev := rune(-1)
	space := -1 // the last space that has a word before it
	step := 0   // after the last sign that ends a step of an address
	joint := 0  // after the last other sign that a long word may be parted at
	for i, r := range text {
		width += measure(prev, r)
		switch {
		case r == ' ':
			// Spaces may hang over the edge: they are not seen there.
			if prev >= 0 && (prev != ' ' || space >= 0) {
				space = i
			}
		case width <= limit || i == 0 || unicode.Is(unicode.Mn, r):
			// Fits, or must stay: an accent is never parted from its letter.
		case space >= 0:
			return space, space + 1
		case step > i/2:
			return step, step
		case joint > i/2:
			return joint, joint
		default:
			return i, i
		}
		switch r {
		case '/', '?', '&':
			step = i + 1
		case '.', '=', '-':
			joint = i + 1
		}
		prev = r
	}
	return len(text), len(text)
}

// printable is the text as the font knows it: accents joined with their letters
// (some systems send them apart), every space of the kind that parts words as a plain one,
// no other control signs nor marks of direction and shape, which would come out
// as boxes.
func printable(text string) string {
	if plainASCII(text) {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= ' ' && r <= '~', r > '\u00ad' && r < '\u0300', r == '\n':
			return r // nearly all
		case r == '\t':
			return ' '
		case r == '\r':
			return '\n'
		case r == '\u2028', r == '\u2029':
			return '\n'
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.Is(unicode.Zs, r) && r != '\u00a0' && r != '\u202f':
			return ' ' // the wide, the thin and the fixed
		case r == utf8.RuneError:
			return '\ufffd'
		}
		return r
	}, norm.NFC.String(text))
}

func plainASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
