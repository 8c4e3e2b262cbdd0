// Package intpos is what both sides of a TEF file exchange share: the lines of a message and the files of the two
// folders.
package intpos

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// The fields that both sides speak of.
const (
	Command, ID, Amount, Currency, Status   = "000", "001", "003", "004", "009"
	Network, Type, NSU, Authorization       = "010", "011", "012", "013"
	Installments, Date, Time, Key           = "018", "022", "023", "027"
	LineCount, Line, Text, Brand            = "028", "029", "030", "040"
	CustomerCount, CustomerLine             = "712", "713"
	MerchantCount, MerchantLine             = "714", "715"
	MustConfirm, Card                       = "729", "740"
	end                                     = "999"
	Capabilities, Company, InterfaceVersion = "706", "716", "733"
	Application, Version, Certification     = "735", "736", "738"
	CardKind, Financing, Means, Wallet      = "731", "732", "749", "750"
)

// The operations.
const (
	Alive, Sale, Cancel, Confirm, Undo = "ATV", "CRT", "CNC", "CNF", "NCN"
)

// Field is one line: 029-003 has the number 029 and the index 3.
type Field struct {
	Number string
	Index  int
	Value  string
}

// Message is the fields of one file, without the closing line.
type Message []Field

// Of makes a message of number and value by turns; empty values are left out.
func Of(pairs ...string) Message {
	var m Message
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			m = append(m, Field{Number: pairs[i], Value: pairs[i+1]})
		}
	}
	return m
}

// Get is the value of a field's first line; a field that is missing is empty.
func (m Message) Get(number string) string {
	v, _ := m.Lookup(number)
	return v
}

// Lookup tells an empty field from a missing one.
func (m Message) Lookup(number string) (string, bool) {
	for _, f := range m {
		if f.Number == number {
			return f.Value, true
		}
	}
	return "", false
}

// Lines are the values of a field that comes in several lines, by their index; the one of index 0 is no line.
func (m Message) Lines(number string) []string {
	var lines []Field
	for _, f := range m {
		if f.Number == number && f.Index > 0 {
			lines = append(lines, f)
		}
	}
	slices.SortStableFunc(lines, func(a, b Field) int { return cmp.Compare(a.Index, b.Index) })
	var values []string
	for _, f := range lines {
		values = append(values, f.Value)
	}
	return values
}

// Same tells whether an id was echoed; some fill it up with zeros.
func Same(a, b string) bool {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return a == b && a != ""
}

// Parse reads a file. Lines it can't read are passed over; whole is false until the closing line is there: the
// other side is still writing.
func Parse(data []byte) (m Message, whole bool) {
	text, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return nil, false
	}
	for line := range bytes.Lines(text) {
		f, ok := parseLine(string(line))
		switch {
		case !ok:
		case f.Number == end && f.Index == 999:
			return m, true
		default:
			m = append(m, f)
		}
	}
	return m, false
}

func parseLine(line string) (Field, bool) {
	head, value, ok := strings.Cut(line, "=")
	head = strings.TrimSpace(head)
	if !ok || len(head) != len("000-000") || head[3] != '-' || !digits(head[:3]) || !digits(head[4:]) {
		return Field{}, false
	}
	index := int(head[4]-'0')*100 + int(head[5]-'0')*10 + int(head[6]-'0')
	value = strings.TrimSpace(value)
	if inner, quoted := strings.CutPrefix(value, `"`); quoted {
		value = strings.TrimSuffix(inner, `"`)
	}
	return Field{Number: head[:3], Index: index, Value: strings.Map(printable, value)}, true
}

func printable(r rune) rune {
	if unicode.IsControl(r) {
		return -1
	}
	return r
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// Encode writes a file: plain ASCII, closed by its last line.
func (m Message) Encode() []byte {
	var b bytes.Buffer
	for _, f := range m {
		fmt.Fprintf(&b, "%s-%03d = %s\r\n", f.Number, f.Index, ascii(f.Value))
	}
	b.WriteString(end + "-999 = 0\r\n")
	return b.Bytes()
}

// ascii drops accents; a value must never become a second line.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r), unicode.IsControl(r):
			return -1
		case r > unicode.MaxASCII:
			return '?'
		}
		return r
	}, norm.NFD.String(s))
}
