// Package fold makes texts comparable for people who search: capitals and accents do not matter.
package fold

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Text gives the form of s that search compares: lower case, without accents.
// It maps each character by itself, so a part of a text folds to a part of the
// folded text.
func Text(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return string(Append(make([]byte, 0, len(s)), s))
		}
	}
	return s
}

// Append appends Text(s) to dst.
func Append(dst []byte, s string) []byte {
	for s != "" {
		// Nearly all of a log is ASCII.
		from := len(dst)
		dst = slices.Grow(dst, len(s))
		room := dst[from : from+len(s)]
		n := 0
		for n < len(room) && s[n] < utf8.RuneSelf {
			room[n] = lower[s[n]]
			n++
		}
		dst, s = dst[:from+n], s[n:]
		for s != "" && s[0] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s)
			if r == utf8.RuneError && size == 1 { // not UTF-8: the byte stands for itself
				dst = append(dst, s[0])
			} else {
				dst = appendFoldedRune(dst, r)
			}
			s = s[size:]
		}
	}
	return dst
}

// lower is ASCII in lower case: a table, because which letters are capitals is
// nothing a processor can predict.
var lower = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		t[c] = byte(unicode.ToLower(rune(c)))
	}
	return t
}()

// unaccented holds the letter under the accent for U+00E0 to U+017F, a space
// where there is none. The rest of Unicode keeps its accents: what people write
// into a Brazilian terminal is in these two blocks.
const (
	unaccented = "" +
		"aaaaaa ceeeeiiii nooooo  uuuuy y" + // U+00E0
		"aaaaaaccccccccdd  eeeeeeeeeegggg" + // U+0100
		"gggghh  iiiiiiiii   jjkk llllll " + // U+0120
		"   nnnnnn   oooooo  rrrrrrssssss" + // U+0140
		"sstttt  uuuuuuuuuuuuwwyyyzzzzzz " //   U+0160
	firstAccented = 'à'
)

func appendFoldedRune(dst []byte, r rune) []byte {
	switch {
	case r >= 'À' && r <= 'Þ' && r != '×':
		r += 'à' - 'À'
	case r > 'ÿ': // only here is Unicode's own, slower table needed
		r = unicode.ToLower(r)
	}
	switch {
	case r == 'ª': // as in 2ª via
		return append(dst, 'a')
	case r == 'º': // as in nº
		return append(dst, 'o')
	case r >= firstAccented && int(r-firstAccented) < len(unaccented):
		if base := unaccented[r-firstAccented]; base != ' ' {
			return append(dst, base)
		}
	case r >= 0x0300 && r <= 0x036F: // an accent that follows its letter
		return dst
	}
	return utf8.AppendRune(dst, r)
}
