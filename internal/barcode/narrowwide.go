package barcode

import (
	"fmt"
	"strings"
)

// The codes of narrow and wide bars: Code 39, interleaved 2 of 5 and Codabar.

const code39Signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%*"

// code39Patterns are the signs' bars and spaces; 1 is wide.
var code39Patterns = [...]string{
	"000110100", "100100001", "001100001", "101100000", "000110001", "100110000", "001110000", "000100101", "100100100", "001100100", // 0
	"100001001", "001001001", "101001000", "000011001", "100011000", "001011000", "000001101", "100001100", "001001100", "000011100", // A
	"100000011", "001000011", "101000010", "000010011", "100010010", "001010010", "000000111", "100000110", "001000110", "000010110", // K
	"110000001", "011000001", "111000000", "010010001", "110010000", "011010000", // U
	"010000101", "110000100", "011000100", "010101000", "010100010", "010001010", "000101010", "010010100",
}

// Code39 is the code of digits, capitals and a few signs. The stars around it are added; a text may bring them.
func Code39(text string) (Code, error) {
	if len(text) >= 2 && text[0] == '*' && text[len(text)-1] == '*' {
		text = text[1 : len(text)-1]
	}
	if text == "" {
		return Code{}, errNothing
	}
	var patterns []string
	for _, sign := range []byte("*" + text + "*") {
		at := strings.IndexByte(code39Signs, sign)
		if at < 0 {
			return Code{}, fmt.Errorf("%w: Code 39 has no sign for byte 0x%02x", ErrContent, sign)
		}
		patterns = append(patterns, narrowAndWide(code39Patterns[at]), "1")
	}
	if strings.Contains(text, "*") {
		return Code{}, fmt.Errorf("%w: a star ends a Code 39", ErrContent)
	}
	return Code{Widths: widths(patterns[:len(patterns)-1]...), Text: text, TwoWidths: true}, nil
}

// interleavedPatterns are the digits' widths; 1 is wide.
var interleavedPatterns = [10]string{"00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"}

// Interleaved is the interleaved 2 of 5 of an even number of digits: the first of each two is in the bars, the second in
// the spaces between them.
func Interleaved(text string) (Code, error) {
	if err := onlyDigits(text); err != nil {
		return Code{}, err
	}
	if len(text)%2 != 0 {
		return Code{}, fmt.Errorf("%w: an odd number of digits", ErrContent)
	}
	patterns := []string{"1111"}
	for i := 0; i < len(text); i += 2 {
		bars, spaces := interleavedPatterns[text[i]-'0'], interleavedPatterns[text[i+1]-'0']
		for j := range bars {
			patterns = append(patterns, narrowAndWide(bars[j:j+1]+spaces[j:j+1]))
		}
	}
	return Code{Widths: widths(append(patterns, "311")...), Text: text, TwoWidths: true}, nil
}

const (
	codabarSigns = "0123456789-$:/.+ABCD"
	codabarEnds  = "ABCD"
)

// codabarPatterns are the signs' bars and spaces; 1 is wide.
var codabarPatterns = [...]string{
	"0000011", "0000110", "0001001", "1100000", "0010010", "1000010", "0100001", "0100100", "0110000", "1001000", // 0
	"0001100", "0011000", "1000101", "1010001", "1010100", "0010101", "0011010", "0101001", "0001011", "0001110",
}

// Codabar is the code of digits and a few signs between two of the letters A to D, which are added where a text brings none.
func Codabar(text string) (Code, error) {
	text = strings.ToUpper(text)
	if inner := strings.Trim(text, codabarEnds); inner == "" || strings.ContainsAny(inner, codabarEnds) {
		return Code{}, fmt.Errorf("%w: %q is nothing, or has a letter in the middle", ErrContent, text)
	}
	switch begins, ends := letters(text), letters(reversed(text)); {
	case begins == 0 && ends == 0:
		text = "A" + text + "A"
	case begins != 1 || ends != 1:
		return Code{}, fmt.Errorf("%w: %q does not begin and end with one letter", ErrContent, text)
	}
	var patterns []string
	for _, sign := range []byte(text) {
		at := strings.IndexByte(codabarSigns, sign)
		if at < 0 {
			return Code{}, fmt.Errorf("%w: Codabar has no sign for byte 0x%02x", ErrContent, sign)
		}
		patterns = append(patterns, narrowAndWide(codabarPatterns[at]), "1")
	}
	return Code{Widths: widths(patterns[:len(patterns)-1]...), Text: text, TwoWidths: true}, nil
}

// letters is how many of its end letters a text begins with.
func letters(text string) int { return len(text) - len(strings.TrimLeft(text, codabarEnds)) }
