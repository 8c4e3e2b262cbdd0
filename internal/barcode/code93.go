package barcode

import (
	"fmt"
	"strings"
)

// code93Signs have a symbol each. The four after them, here as a to d, shift the sign that follows: ($), (%), (/), (+).
const code93Signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%abcd"

// code93Patterns are the widths of bars and spaces of each symbol.
var code93Patterns = [47]string{
	"131112", "111213", "111312", "111411", "121113", "121212", "121311", "111114", "131211", "141111", // 0
	"211113", "211212", "211311", "221112", "221211", "231111", "112113", "112212", "112311", "122112", // A
	"132111", "111123", "111222", "111321", "121122", "131121", "212112", "212211", "211122", "211221", // K
	"221121", "222111", "112122", "112221", "122121", "123111", // U
	"121131", "311112", "311211", "321111", "112131", "113121", "211131",
	"121221", "312111", "311121", "122211",
}

const code93Edge = "111141"

// Code93 is the code of any ASCII.
func Code93(text string) (Code, error) {
	if text == "" {
		return Code{}, errNothing
	}
	var symbols []byte
	for _, sign := range []byte(text) {
		shifted, err := code93Sign(sign)
		if err != nil {
			return Code{}, err
		}
		for _, c := range []byte(shifted) {
			symbols = append(symbols, byte(strings.IndexByte(code93Signs, c)))
		}
	}
	symbols = append(symbols, code93Check(symbols, 20))
	symbols = append(symbols, code93Check(symbols, 15))
	patterns := []string{code93Edge}
	for _, symbol := range symbols {
		patterns = append(patterns, code93Patterns[symbol])
	}
	return Code{Widths: widths(append(patterns, code93Edge, "1")...), Text: visible(text)}, nil
}

// code93Sign is a sign of ASCII as one symbol, or as a shift and a capital.
func code93Sign(c byte) (string, error) {
	shift := func(by string, from byte, to byte) (string, error) { return by + string(to+c-from), nil }
	switch {
	case c > 0x7f:
		return "", fmt.Errorf("%w: Code 93 has no sign for byte 0x%02x", ErrContent, c)
	case c < 'a' && strings.IndexByte(code93Signs, c) >= 0:
		return string(c), nil
	case c == 0:
		return "bU", nil
	case c <= 26:
		return shift("a", 1, 'A')
	case c < ' ':
		return shift("b", 27, 'A')
	case c <= '/':
		return shift("c", '!', 'A')
	case c == ':':
		return "cZ", nil
	case c <= '?':
		return shift("b", ';', 'F')
	case c == '@':
		return "bV", nil
	case c <= '_':
		return shift("b", '[', 'K')
	case c == '`':
		return "bW", nil
	case c <= 'z':
		return shift("d", 'a', 'A')
	}
	return shift("b", '{', 'P')
}

// code93Check weighs the symbols from the right, from one up to the most and from one again.
func code93Check(symbols []byte, most int) byte {
	sum := 0
	for i := range symbols {
		sum += (i%most + 1) * int(symbols[len(symbols)-1-i])
	}
	return byte(sum % 47)
}
