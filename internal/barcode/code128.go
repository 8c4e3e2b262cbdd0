package barcode

import (
	"fmt"
	"strings"
)

// Symbols of Code 128 that stand for no sign.
const (
	shift  = 98
	toC    = 99
	toB    = 100
	toA    = 101
	fnc1   = 102
	startA = 103
	stop   = 106
)

// set is one of the three sets of signs of Code 128.
type set byte

const (
	setA set = 'A'
	setB set = 'B'
	setC set = 'C'
)

func (s set) start() byte { return startA + byte(s-setA) }

// to is the symbol that changes to a set.
func (s set) to() byte { return toA - byte(s-setA) }

// Code128 is the code of digits, capitals and signs. Digits go in pairs (set C), what stands between them sign by sign
// (set A): the shortest code for an access key, with the letters of an alphanumeric CNPJ or without.
func Code128(text string) (Code, error) {
	if text == "" {
		return Code{}, errNothing
	}
	in := setA
	if pairsPay(text, true) {
		in = setC
	}
	symbols := []byte{in.start()}
	for i := 0; i < len(text); {
		switch paired := digits(text[i:]) >= 2; {
		case in == setC && paired:
			symbols = append(symbols, 10*(text[i]-'0')+text[i+1]-'0')
			i += 2
		case in == setC:
			symbols, in = append(symbols, toA), setA
		case paired && pairsPay(text[i:], false):
			symbols, in = append(symbols, toC), setC
		default:
			symbol, err := in.symbol(text[i])
			if err != nil {
				return Code{}, err
			}
			symbols = append(symbols, symbol)
			i++
		}
	}
	return code128(symbols, text), nil
}

// Code128A is the code in set A: control signs, capitals, digits and signs.
func Code128A(text string) (Code, error) {
	return Code128Sets("{A" + strings.ReplaceAll(text, "{", "{{"))
}

// Code128B is the code in set B: letters, digits and signs.
func Code128B(text string) (Code, error) {
	return Code128Sets("{B" + strings.ReplaceAll(text, "{", "{{"))
}

// Code128C is the code of an even number of digits, in pairs.
func Code128C(text string) (Code, error) {
	if err := onlyDigits(text); err != nil {
		return Code{}, err
	}
	return Code128Sets("{C" + text)
}

// Code128Sets is the code of a text that says its sets itself, as printers take it: {A, {B and {C change the set, {S takes the
// next sign from the other of A and B, {1 to {4 are function signs and {{ is a brace. It begins with a set; in C digits go in pairs.
func Code128Sets(text string) (Code, error) {
	var symbols []byte
	var in set
	var readable strings.Builder
	signs := 0
	shifted := false
	for i := 0; i < len(text); {
		sign := text[i]
		i++
		if sign == '{' {
			if i == len(text) {
				return Code{}, fmt.Errorf("%w: a brace without its letter", ErrContent)
			}
			command := text[i]
			i++
			if next := set(command); next >= setA && next <= setC {
				if symbols == nil {
					symbols = append(symbols, next.start())
				} else if next != in {
					symbols = append(symbols, next.to())
				}
				in = next
				continue
			}
			if command != '{' {
				symbol, err := in.function(command)
				if err != nil {
					return Code{}, err
				}
				symbols, shifted = append(symbols, symbol), command == 'S'
				continue
			}
		}
		if in == 0 {
			return Code{}, fmt.Errorf("%w: it does not begin with a set", ErrContent)
		}
		readable.WriteByte(sign)
		signs++
		if in == setC {
			if i == len(text) || digits(text[i-1:i+1]) != 2 {
				return Code{}, fmt.Errorf("%w: digits not in pairs", ErrContent)
			}
			readable.WriteByte(text[i])
			symbols = append(symbols, 10*(sign-'0')+text[i]-'0')
			i++
			continue
		}
		from := in
		if shifted {
			from, shifted = setA+setB-in, false
		}
		symbol, err := from.symbol(sign)
		if err != nil {
			return Code{}, err
		}
		symbols = append(symbols, symbol)
	}
	if signs == 0 {
		return Code{}, errNothing
	}
	return code128(symbols, readable.String()), nil
}

// function is the symbol of a function sign or of the shift.
func (s set) function(command byte) (byte, error) {
	switch {
	case command == '1' && s != 0:
		return fnc1, nil
	case s != setA && s != setB:
	case command == '2':
		return 97, nil
	case command == '3':
		return 96, nil
	case command == '4':
		return s.to(), nil // a change to the set that is there already
	case command == 'S':
		return shift, nil
	}
	return 0, fmt.Errorf("%w: {%c is no command here", ErrContent, command)
}

// code128 adds the check and the stop.
func code128(symbols []byte, text string) Code {
	symbols = append(symbols, checkSymbol(symbols), stop)
	patterns := make([]string, len(symbols))
	for i, symbol := range symbols {
		patterns[i] = code128Patterns[symbol]
	}
	return Code{Widths: widths(patterns...), Text: visible(text)}
}

// visible is a text without its control signs.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
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

// symbol is that of a sign: ASCII, in set A without the small letters, in set B without the control signs.
func (s set) symbol(c byte) (byte, error) {
	switch {
	case s == setA && c < ' ':
		return c + 64, nil
	case c >= ' ' && c <= '_', s == setB && c >= ' ' && c <= 0x7f:
		return c - ' ', nil
	}
	return 0, fmt.Errorf("%w: set %c has no sign for byte 0x%02x", ErrContent, s, c)
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
