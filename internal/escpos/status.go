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

// Question is one that a printer answers at once, whatever it is doing.
type Question struct {
	Ask    []byte
	Length int // of the answer
	// Same are bits of its first byte that never change, which tell an answer from flow control and from what some printers say
	// unasked; As is what they are. None: any byte is an answer.
	Same, As byte
	Means    []Meaning
}

// Meaning is what bits of an answer say.
type Meaning struct {
	Byte   int  // of the answer
	Bits   byte // any of them
	Clear  bool // means it when one is 0, not when one is 1
	Status Status
}

// Begins tells whether an answer may begin with this byte.
func (q Question) Begins(first byte) bool { return first&q.Same == q.As }

// Status is what an answer says; false when it is none.
func (q Question) Status(answer []byte) (s Status, ok bool) {
	if len(answer) != q.Length || len(answer) == 0 || !q.Begins(answer[0]) {
		return 0, false
	}
	for _, m := range q.Means {
		value := answer[m.Byte]
		if m.Clear {
			value = ^value
		}
		if value&m.Bits != 0 {
			s |= m.Status
		}
	}
	return s, true
}

// Epson's: how the printer is, why it is off-line, how its paper is.
var epsonQuestions = []Question{
	dleEOT(1, Meaning{Bits: 1 << 3, Status: Offline}),
	dleEOT(2, Meaning{Bits: 1 << 2, Status: CoverOpen}, Meaning{Bits: 1 << 5, Status: PaperOut}, Meaning{Bits: 1 << 6, Status: Failing}),
	dleEOT(4, Meaning{Bits: 1<<2 | 1<<3, Status: NearEnd}, Meaning{Bits: 1<<5 | 1<<6, Status: PaperOut}),
}

func dleEOT(n byte, means ...Meaning) Question {
	return Question{Ask: []byte{dle, eot, n}, Length: 1, Same: 0b1001_0011, As: 0b0001_0010, Means: means}
}

// Bematech's, which it answers in both of its languages.
var bemaQuestions = []Question{{Ask: []byte{gs, 0xf8, '1'}, Length: 5, Means: []Meaning{
	{Byte: 0, Bits: 1 << 3, Status: Offline},
	{Byte: 1, Bits: 1 << 7, Clear: true, Status: CoverOpen},
	{Byte: 1, Bits: 1<<2 | 1<<5, Status: PaperOut},
	{Byte: 1, Bits: 1 << 1, Status: NearEnd},
	{Byte: 1, Bits: 1 << 6, Status: Failing},
	{Byte: 2, Bits: 1<<3 | 1<<5 | 1<<6, Status: Failing},
	{Byte: 3, Bits: 1 << 2, Status: Failing},
}}}

var darumaQuestions = []Question{
	{Ask: []byte{enq}, Length: 1, Means: []Meaning{
		{Bits: 1 << 4, Clear: true, Status: Offline},
		{Bits: 1 << 7, Status: CoverOpen},
		{Bits: 1 << 5, Status: PaperOut},
		{Bits: 1 << 3, Status: Failing},
	}},
	{Ask: []byte{gs, enq}, Length: 1, Means: []Meaning{
		{Bits: 1 << 3, Status: Offline},
		{Bits: 1 << 1, Status: PaperOut},
		{Bits: 1 << 4, Clear: true, Status: PaperOut},
		{Bits: 1 << 0, Status: NearEnd},
		{Bits: 1 << 6, Status: Failing},
	}},
}
