package escpos

import "strings"

// Status is what a printer says of itself; several things may be so at once.
type Status uint8

// What may be wrong. Zero is a printer that is ready.
const (
	CoverOpen Status = 1 << iota
	PaperOut
	NearEnd // of the paper: it still prints
	Offline
	Failing // a knife that is stuck, a head too hot
)

// Has tells whether one of these is so.
func (s Status) Has(any Status) bool { return s&any != 0 }

// String is the status in words.
func (s Status) String() string {
	var words []string
	for _, w := range []struct {
		flag Status
		word string
	}{{CoverOpen, "cover open"}, {PaperOut, "paper out"}, {NearEnd, "paper near its end"}, {Offline, "off-line"}, {Failing, "error"}} {
		if s.Has(w.flag) {
			words = append(words, w.word)
		}
	}
	if len(words) == 0 {
		return "ready"
	}
	return strings.Join(words, ", ")
}

// Query is a question that a printer answers with one byte, at once, whatever it
// is doing.
type Query byte

// The questions: how the printer is, why it is off-line, how its paper is.
const (
	AskPrinter Query = 1
	AskOffline Query = 2
	AskPaper   Query = 4
)

// Queries are all of them, the one that every reporting printer answers first.
var Queries = []Query{AskPrinter, AskOffline, AskPaper}

// Bytes are the question as the printer takes it: DLE EOT n.
func (q Query) Bytes() []byte { return []byte{dle, eot, byte(q)} }

// ParseStatus reads the answer to a question; false when the byte is none. An
// answer has bits that never change, which tell it from flow control and from
// what some printers say unasked.
func ParseStatus(q Query, answer byte) (Status, bool) {
	const fixed, value = 0b1001_0011, 0b0001_0010
	if answer&fixed != value {
		return 0, false
	}
	var s Status
	for _, m := range meanings[q] {
		if answer&m.bits != 0 {
			s |= m.status
		}
	}
	return s, true
}

type meaning struct {
	bits   byte
	status Status
}

var meanings = map[Query][]meaning{
	AskPrinter: {{1 << 3, Offline}},
	AskOffline: {{1 << 2, CoverOpen}, {1 << 5, PaperOut}, {1 << 6, Failing}},
	AskPaper:   {{1<<2 | 1<<3, NearEnd}, {1<<5 | 1<<6, PaperOut}},
}
