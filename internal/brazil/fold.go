package brazil

import "strings"

// fold writes s in printable ASCII: Portuguese letters lose their accents, runs
// of white space become one space, and what has no counterpart is left out.
// Combining marks are among the latter, so decomposed letters fold as well.
func fold(s string) string {
	ascii := strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r == '\u00a0':
			return ' '
		case r >= ' ' && r <= '~':
			return r
		}
		return unaccented(r)
	}, s)
	return strings.Join(strings.Fields(ascii), " ")
}

func unaccented(r rune) rune {
	const (
		accented = "áàâãäåÁÀÂÃÄÅéèêëÉÈÊËíìîïÍÌÎÏóòôõöÓÒÔÕÖúùûüÚÙÛÜçÇñÑýÿÝªº–—‘’“”"
		plain    = "aaaaaaAAAAAAeeeeEEEEiiiiIIIIoooooOOOOOuuuuUUUUcCnNyyYao--''\"\""
	)
	at := 0
	for _, letter := range accented {
		if letter == r {
			return rune(plain[at])
		}
		at++
	}
	return -1
}

// cut shortens folded text to at most n characters, without a space at the end.
func cut(s string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(s) > n {
		s = s[:n]
	}
	return strings.TrimRight(s, " ")
}
