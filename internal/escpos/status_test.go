package escpos_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/escpos"
)

func TestStatusOfEpson(t *testing.T) {
	const fixed = 0b0001_0010
	printer, offline, paper := escpos.ESCPOS.Questions[0], escpos.ESCPOS.Questions[1], escpos.ESCPOS.Questions[2]
	for _, c := range []struct {
		question escpos.Question
		bits     byte
		status   escpos.Status
		words    string
	}{
		{printer, 0, 0, "ready"},
		{printer, 1 << 2, 0, "ready"}, // the drawer
		{printer, 1 << 3, escpos.Offline, "off-line"},
		{offline, 1 << 2, escpos.CoverOpen, "cover open"},
		{offline, 1 << 3, 0, "ready"}, // the feed button
		{offline, 1 << 5, escpos.PaperOut, "paper out"},
		{offline, 1 << 6, escpos.Failing, "error"},
		{offline, 1<<2 | 1<<5, escpos.CoverOpen | escpos.PaperOut, "cover open, paper out"},
		{paper, 1<<2 | 1<<3, escpos.NearEnd, "paper near its end"},
		{paper, 1<<5 | 1<<6 | 1<<2 | 1<<3, escpos.PaperOut | escpos.NearEnd, "paper out, paper near its end"},
		// What counters have seen: a Bematech MP-2800, then a Sweda.
		{offline, 54 - fixed, escpos.CoverOpen | escpos.PaperOut, "cover open, paper out"},
		{offline, 50 - fixed, escpos.PaperOut, "paper out"},
		{paper, 114 - fixed, escpos.PaperOut, "paper out"},
		{offline, 86 - fixed, escpos.CoverOpen | escpos.Failing, "cover open, error"},
	} {
		got, ok := c.question.Status([]byte{fixed | c.bits})
		if !ok || got != c.status || got.String() != c.words {
			t.Errorf("% x, %08b: %v %q, want %q", c.question.Ask, c.bits, ok, got, c.words)
		}
	}
	for _, other := range []byte{0, 0xff, 0x11, 0x13, 0x10, 0x04, 0x01, 0x02, 0x14 /* said unasked */, 0x92, 0x16 | 1} {
		if _, ok := printer.Status([]byte{other}); ok {
			t.Errorf("%#02x was taken for an answer", other)
		}
	}
}

func TestStatusOfOthers(t *testing.T) {
	bema, daruma, darumaPaper := escpos.Bema.Questions[0], escpos.Daruma.Questions[0], escpos.Daruma.Questions[1]
	for _, c := range []struct {
		question escpos.Question
		answer   []byte
		status   escpos.Status
	}{
		// What counters have seen.
		{bema, []byte{128, 145, 0, 0, 0}, 0},
		{bema, []byte{128, 129, 0, 0, 0}, 0}, // its drawer is open
		{bema, []byte{136, 53, 0, 0, 0}, escpos.Offline | escpos.CoverOpen | escpos.PaperOut},
		{bema, []byte{136, 183, 0, 0, 0}, escpos.Offline | escpos.PaperOut | escpos.NearEnd},
		{bema, []byte{128, 147, 0, 0, 0}, escpos.NearEnd},
		{bema, []byte{128, 145, 1 << 3, 0, 0}, escpos.Failing},
		{bema, []byte{128, 145, 1 << 2, 1 << 6, 0}, 0}, // without a knife, speaking ESC/POS
		{bema, []byte{128, 145, 0, 1 << 2, 0}, escpos.Failing},

		{daruma, []byte{1 << 4}, 0},
		{daruma, []byte{1<<4 | 1}, 0}, // it prints
		{daruma, []byte{0}, escpos.Offline},
		{daruma, []byte{1 << 5}, escpos.Offline | escpos.PaperOut},
		{daruma, []byte{1 << 7}, escpos.Offline | escpos.CoverOpen},
		{darumaPaper, []byte{1<<4 | 1}, escpos.NearEnd},
		{darumaPaper, []byte{1<<4 | 1<<7}, 0}, // its drawer is open
		{darumaPaper, []byte{0}, escpos.PaperOut},
	} {
		if got, ok := c.question.Status(c.answer); !ok || got != c.status {
			t.Errorf("% x, answer % x: %v %q, want %q", c.question.Ask, c.answer, ok, got, c.status)
		}
	}
	if _, ok := bema.Status([]byte{128, 145, 0, 0}); ok {
		t.Error("four bytes were taken for five")
	}
}

func FuzzStatus(f *testing.F) {
	f.Add(byte(0), []byte{0x12})
	f.Add(byte(5), []byte{128, 145, 0, 0, 0})
	f.Add(byte(6), []byte{0x7e})
	f.Fuzz(func(t *testing.T, n byte, answer []byte) {
		d := escpos.Dialects[int(n)%len(escpos.Dialects)]
		for _, q := range d.Questions {
			s, ok := q.Status(answer)
			if !ok && s != 0 {
				t.Errorf("no answer, and yet %v", s)
			}
			if ok && (len(answer) != q.Length || !q.Begins(answer[0])) {
				t.Errorf("% x was taken for an answer", answer)
			}
			if s.String() == "" || s.Has(^(escpos.CoverOpen | escpos.PaperOut | escpos.NearEnd | escpos.Offline | escpos.Failing)) {
				t.Errorf("status %08b %q", s, s)
			}
		}
	})
}
