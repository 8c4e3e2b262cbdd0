package acbr

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// charsets are those that ACBr's own component writes, by the names that programs give them.
var charsets = map[string]*charmap.Charmap{
	"windows-1252": charmap.Windows1252, "cp1252": charmap.Windows1252, "ansi": charmap.Windows1252,
	"iso-8859-1": charmap.Windows1252, "latin1": charmap.Windows1252, "us-ascii": charmap.Windows1252, // as browsers read them
	"iso-8859-15": charmap.ISO8859_15, "latin9": charmap.ISO8859_15,
	"ibm437": charmap.CodePage437, "cp437": charmap.CodePage437,
	"ibm850": charmap.CodePage850, "cp850": charmap.CodePage850,
	"ibm852": charmap.CodePage852, "cp852": charmap.CodePage852,
	"ibm860": charmap.CodePage860, "cp860": charmap.CodePage860,
}

// Decode is a text of a charset. Without one that is known it is UTF-8 where it can
// be, and else Windows-1252, which programs in Delphi write without saying so.
func Decode(data []byte, charset string) string {
	from, ok := charsets[strings.ToLower(strings.TrimSpace(charset))]
	if !ok {
		if utf8.Valid(data) {
			return string(data)
		}
		from = charmap.Windows1252
	}
	text, err := from.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\ufffd") // no table of one byte a sign has errors
	}
	return string(text)
}
