package httpapi

import (
	"fmt"
	"unicode/utf8"
)

// The longest texts taken, in characters. They are more than a shop needs, and keep a body from becoming a sale, a screen or a
// ledger of megabytes.
const (
	longestReference = 256     // of a transaction: it must fit into a path, in any letters
	longestLabel     = 1_000   // ids, which must too, and what is shown on a line or so: names, codes, buttons, masks
	longestNote      = 10_000  // what is shown as a text: messages, questions, further information
	longestText      = 100_000 // what is printed, shown on the display or answered
)

// tooLong tells whether a text has more characters than it may.
func tooLong(text string, most int) bool {
	return len(text) > most && utf8.RuneCountInString(text) > most
}

func atMost(most int) (problem string) { return fmt.Sprintf("deve ter no máximo %d caracteres", most) }

// What a patch reads its fields with.

func (f *fields) label(name string, to *string)          { f.text(name, to, longestLabel) }
func (f *fields) optionalLabel(name string, to **string) { f.optionalText(name, to, longestLabel) }
func (f *fields) optionalNote(name string, to **string)  { f.optionalText(name, to, longestNote) }
