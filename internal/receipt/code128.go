package receipt

import (
	"errors"
	"fmt"
)

// Symbols of Code 128 that stand for no sign.
const (
	toC    = 99
	toA    = 101
	startA = 103
	startC = 105
	stop   = 106
)

// code128 is a text as symbols, from the start to the stop. Digits go in pairs
// (set C), what stands between them sign by sign (set A): the shortest code for
// an access key, with the letters of an alphanumeric CNPJ or without.
func code128(text string) ([]byte, error) {
	if text == "" {
		return nil, errors.New("barcode of nothing")
	}
	inPairs := pairsPay(text, true)
	symbols := []byte{startA}
	if inPairs {
		symbols[0] = startC
	}
	for i := 0; i < len(text); {
		switch paired := digits(text[i:]) >= 2; {
		case inPairs && paired:
			symbols = append(symbols, 10*(text[i]-'0')+text[i+1]-'0')
			i += 2
		case inPairs:
			symbols, inPairs = append(symbols, toA), false
		case paired && pairsPay(text[i:], false):
			symbols, inPairs = append(symbols, toC), true
		default:
			symbol, err := inSetA(text[i])
			if err != nil {
				return nil, err
			}
			symbols = append(symbols, symbol)
			i++
		}
	}
	return append(symbols, checkSymbol(symbols), stop), nil
}

// pairsPay tells whether the digits that begin a text are better off in pairs,
// the switch to them and back included. An odd digit goes first: the pairs then
// reach up to what follows.
func pairsPay(text string, first bool) bool {
	n := digits(text)
	switch {
	case first:
		return n >= 4 || n == 2 && len(text) == 2
	case n%2 == 1:
		return false
	case n == len(text):
		return n >= 4
	}
	return n >= 6
}

// digits is how many digits a text begins with.
func digits(text string) (n int) {
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// inSetA is the symbol of a sign: ASCII without the small letters.
func inSetA(c byte) (byte, error) {
	switch {
	case c < ' ':
		return c + 64, nil
	case c <= '_':
		return c - ' ', nil
	}
	return 0, fmt.Errorf("barcode has no sign for byte 0x%02x", c)
}

// checkSymbol is the sum of the symbols, each times its place, modulo 103. The
// start counts like the first.
func checkSymbol(symbols []byte) byte {
	sum := int(symbols[0])
	for place, symbol := range symbols[1:] {
		sum += (place + 1) * int(symbol)
	}
	return byte(sum % 103)
}

// code128Modules is how wide a code is: eleven modules a symbol, and the last bar of the stop.
func code128Modules(symbols []byte) int { return 11*len(symbols) + 2 }

// code128Patterns are the widths of bars and spaces of each symbol.
var code128Patterns = [107]string{
	"212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", // 0
	"132212", "221213", "221312", "231212", "112232", "122132", "122231", "113222", // 8
	"123122", "123221", "223211", "221132", "221231", "213212", "223112", "312131", // 16
	"311222", "321122", "321221", "312212", "322112", "322211", "212123", "212321", // 24
	"232121", "111323", "131123", "131321", "112313", "132113", "132311", "211313", // 32
	"231113", "231311", "112133", "112331", "132131", "113123", "113321", "133121", // 40
	"313121", "211331", "231131", "213113", "213311", "213131", "311123", "311321", // 48
	"331121", "312113", "312311", "332111", "314111", "221411", "431111", "111224", // 56
	"111422", "121124", "121421", "141122", "141221", "112214", "112412", "122114", // 64
	"122411", "142112", "142211", "241211", "221114", "413111", "241112", "134111", // 72
	"111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112", // 80
	"421211", "212141", "214121", "412121", "111143", "111341", "131141", "114113", // 88
	"114311", "411113", "411311", "113141", "114131", "311141", "411131", "211412", // 96
	"211214", "211232", "2331112", // 104
}
