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
	Command, ID, Document, Amount, Currency   = "000", "001", "002", "003", "004"
	Status, Network, Type, NSU, Authorization = "009", "010", "011", "012", "013"
	Financier, Installments, Date, Time       = "017", "018", "022", "023"
	OriginalNSU, OriginalTime, Key, HostCode  = "025", "026", "027", "047"
	LineCount, Line, Text, Brand              = "028", "029", "030", "040"
	FirstCopy                                 = "041" // how many lines of 029 are the first copy
	Result                                    = "375" // Elgin's, with the index 28
	ConnectData                               = "400" // Connect TEF's, by index
	AcquirerCNPJ, BrandName, AuthorizationToo = "600", "601", "602"
	ReducedCount, ReducedLine                 = "710", "711"
	CustomerCount, CustomerLine               = "712", "713"
	MerchantCount, MerchantLine               = "714", "715"
	MustConfirm, Copies, Card                 = "729", "737", "740"
	Capabilities, Company, InterfaceVersion   = "706", "716", "733"
	Application, Version, Certification       = "735", "736", "738"
	CardKind, Financing, Means, Wallet        = "731", "732", "749", "750"
	NetworkIndex, CardName                    = "739", "748"
	Choice                                    = "800" // Multiplus's preselection, by index
	secret                                    = "210" // Elgin's, with the whole track of the card in it
	end                                       = "999"
)

// The operations.
const (
	Alive, Sale, Cancel, Confirm, Undo, Admin = "ATV", "CRT", "CNC", "CNF", "NCN", "ADM"
	Pix                                       = "PIX" // a sale by Pix, at Elgin's
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

// Get is the value of a field; one that is missing is empty.
func (m Message) Get(number string) string {
	v, _ := m.Lookup(number)
	return v
}

// Lookup tells an empty field from a missing one. A field is the line of index 0 or, where there is none, its first line.
func (m Message) Lookup(number string) (string, bool) {
	for _, f := range m {
		if f.Number == number && f.Index == 0 {
			return f.Value, true
		}
	}
	for _, f := range m {
		if f.Number == number {
			return f.Value, true
		}
	}
	return "", false
}

// At is the value of one line of a field; empty: there is none.
func (m Message) At(number string, index int) string {
	for _, f := range m {
		if f.Number == number && f.Index == index {
			return f.Value
		}
	}
	return ""
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

// Parse reads a file, with any of the line ends that programs write. Lines it can't read are passed over, and so is what nobody may
// keep: the field that a manager puts the whole card in. whole is false until the closing line is there: the other side is still
// writing.
func Parse(data []byte) (m Message, whole bool) {
	text, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return nil, false
	}
	return ParseText(string(text))
}

// ParseText is Parse for a message that came another way than by a file.
func ParseText(text string) (m Message, whole bool) {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		f, ok := parseLine(line)
		switch {
		case !ok || f.Number == secret:
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
	return Field{Number: head[:3], Index: index, Value: strings.Map(printable, unquoted(head[:3], value))}, true
}

// receiptLines are the fields whose blanks are part of a picture.
var receiptLines = []string{Line, ReducedLine, CustomerLine, MerchantLine}

// unquoted takes one pair of quotes off, plain or typographic. A line of a receipt without any keeps its leading blanks.
func unquoted(number, value string) string {
	trimmed := strings.TrimSpace(value)
	for _, quotes := range [][2]string{{`"`, `"`}, {"“", "”"}} {
		if inner, quoted := strings.CutPrefix(trimmed, quotes[0]); quoted {
			return strings.TrimSuffix(inner, quotes[1])
		}
	}
	if slices.Contains(receiptLines, number) {
		return strings.TrimRight(strings.TrimPrefix(value, " "), " \t")
	}
	return trimmed
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
