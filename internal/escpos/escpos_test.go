package escpos_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/receipt"
)

// bands are bands of random heights and dots, as wide as the paper.
func bands(random *rand.Rand, width int) (list []*receipt.Bitmap, whole *receipt.Bitmap) {
	whole = receipt.NewBitmap(width, 0)
	for range random.IntN(12) {
		b := receipt.NewBitmap(width, random.IntN(300))
		ink, to := random.IntN(3), random.IntN(b.Stride()+1) // white bands and white margins are what saves bytes
		for i := range b.Bits {
			if x := i % b.Stride(); ink > 0 && x < to {
				b.Bits[i] = byte(random.Uint32())
				if x == b.Stride()-1 {
					b.Bits[i] &= 0xff << (-width & 7)
				}
			}
		}
		list = append(list, b)
		whole.Bits = append(whole.Bits, b.Bits...)
		whole.Height += b.Height
	}
	return list, whole
}

func same(a, b *receipt.Bitmap) bool {
	return a.Width == b.Width && a.Height == b.Height && bytes.Equal(a.Bits, b.Bits)
}

func encode(t *testing.T, list []*receipt.Bitmap) []byte {
	t.Helper()
	var out bytes.Buffer
	w := escpos.NewWriter(&out)
	steps := []func() error{func() error { return w.KickDrawer(1) }, w.Begin}
	for _, b := range list {
		steps = append(steps, func() error { return w.Band(b) })
	}
	for _, step := range append(steps, func() error { return w.Feed(3) }, w.Cut) {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestBytesGiveThePictureBack(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 4))
		width := []int{8, 100, 384, 500, 512, 576}[seed%6]
		list, whole := bands(random, width)
		m := &escpostest.Machine{Width: width}
		for data := encode(t, list); len(data) > 0; { // in pieces of any size
			n := min(len(data), 1+random.IntN(5000))
			if _, err := m.Write(data[:n]); err != nil {
				t.Fatal(err)
			}
			data = data[n:]
		}
		if !m.Idle() || len(m.Sheets) != 1 || m.Begun != 1 || m.Kicks != 1 {
			t.Fatalf("seed %d: idle %v, %d sheets, begun %d times, %d kicks", seed, m.Idle(), len(m.Sheets), m.Begun, m.Kicks)
		}
		if !same(whole, m.Sheets[0]) {
			t.Fatalf("seed %d: another picture", seed)
		}
		for _, rows := range m.Rasters {
			if rows > 255 {
				t.Errorf("a raster of %d rows", rows)
			}
		}
	}
}

func TestPagesGiveThePictureBack(t *testing.T) {
	page := receipt.Page{Elements: []receipt.Element{
		receipt.Text{Value: "Padaria São João", Bold: true, Align: receipt.Center},
		receipt.Rule{},
		receipt.Pair{Left: "Pão de queijo", Right: "7,50"},
		receipt.Blank{},
		receipt.Text{Value: strings.Repeat("Obrigado e volte sempre. ", 30), Size: 8},
	}}
	for _, paper := range []receipt.Paper{receipt.Paper58, receipt.Paper80, {Width: 512, DPI: 180}} {
		whole, err := page.Raster(paper)
		if err != nil {
			t.Fatal(err)
		}
		var list []*receipt.Bitmap
		for b := range page.Bands(paper) {
			list = append(list, b)
		}
		data := encode(t, list)
		m := &escpostest.Machine{Width: paper.Width}
		if _, err := m.Write(data); err != nil {
			t.Fatal(err)
		}
		if !same(whole, m.Sheets[0]) {
			t.Errorf("%d dots: another picture", paper.Width)
		}
		if len(data) > len(whole.Bits) {
			t.Errorf("%d dots: %d bytes for a picture of %d", paper.Width, len(data), len(whole.Bits))
		}
	}
}

// counting tells how often it was written to.
type counting struct{ writes int }

func (c *counting) Write(p []byte) (int, error) { c.writes++; return len(p), nil }

func TestTheFirstBandGoesAtOnce(t *testing.T) {
	out := &counting{}
	w := escpos.NewWriter(out)
	for i, want := range []int{1, 1, 1, 2, 2} { // 20 rows at once; then 20, 40, 60 and, over 64, a block
		if i == 3 {
			_ = w.Band(receipt.NewBitmap(384, 24))
		} else {
			_ = w.Band(receipt.NewBitmap(384, 20))
		}
		if out.writes != want {
			t.Errorf("after band %d: %d writes, want %d", i, out.writes, want)
		}
	}
}

type broken struct{ after int }

func (b *broken) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

var errBroken = errors.New("broken")

func TestErrorsOfTheLineComeThrough(t *testing.T) {
	for after := range 5 {
		w := escpos.NewWriter(&broken{after})
		err := errors.Join(w.Begin(), w.Band(receipt.NewBitmap(384, 100)), w.Feed(1), w.Cut())
		if !errors.Is(err, errBroken) {
			t.Errorf("after %d writes: %v", after, err)
		}
	}
}

func TestStatus(t *testing.T) {
	const fixed = 0b0001_0010
	for _, c := range []struct {
		query  escpos.Query
		bits   byte
		status escpos.Status
		words  string
	}{
		{escpos.AskPrinter, 0, 0, "ready"},
		{escpos.AskPrinter, 1 << 2, 0, "ready"}, // the drawer
		{escpos.AskPrinter, 1 << 3, escpos.Offline, "off-line"},
		{escpos.AskOffline, 1 << 2, escpos.CoverOpen, "cover open"},
		{escpos.AskOffline, 1 << 3, 0, "ready"}, // the feed button
		{escpos.AskOffline, 1 << 5, escpos.PaperOut, "paper out"},
		{escpos.AskOffline, 1 << 6, escpos.Failing, "error"},
		{escpos.AskOffline, 1<<2 | 1<<5, escpos.CoverOpen | escpos.PaperOut, "cover open, paper out"},
		{escpos.AskPaper, 1<<2 | 1<<3, escpos.NearEnd, "paper near its end"},
		{escpos.AskPaper, 1<<5 | 1<<6 | 1<<2 | 1<<3, escpos.PaperOut | escpos.NearEnd, "paper out, paper near its end"},
		{99, 0b0110_1100, 0, "ready"},
	} {
		got, ok := escpos.ParseStatus(c.query, fixed|c.bits)
		if !ok || got != c.status || got.String() != c.words {
			t.Errorf("DLE EOT %d, %08b: %v %q, want %q", c.query, c.bits, ok, got, c.words)
		}
	}
	for _, other := range []byte{0, 0xff, 0x11, 0x13, 0x10, 0x04, 0x01, 0x02, 0x14 /* said unasked */, 0x92, 0x16 | 1} {
		if _, ok := escpos.ParseStatus(escpos.AskPrinter, other); ok {
			t.Errorf("%#02x was taken for an answer", other)
		}
	}
}

func FuzzStatus(f *testing.F) {
	for _, q := range escpos.Queries {
		f.Add(byte(q), byte(0x12))
		f.Add(byte(q), byte(0x7e))
	}
	f.Add(byte(0), byte(0x11))
	f.Fuzz(func(t *testing.T, q, answer byte) {
		s, ok := escpos.ParseStatus(escpos.Query(q), answer)
		if !ok && s != 0 {
			t.Errorf("no answer, and yet %v", s)
		}
		if ok && answer&0b1001_0011 != 0b0001_0010 {
			t.Errorf("%08b was taken for an answer", answer)
		}
		if s.String() == "" || s.Has(^(escpos.CoverOpen | escpos.PaperOut | escpos.NearEnd | escpos.Offline | escpos.Failing)) {
			t.Errorf("status %08b %q", s, s)
		}
	})
}

// The interpreter judges the encoder, so it must neither fail on its own nor
// depend on how the bytes come.
func FuzzMachine(f *testing.F) {
	f.Add([]byte("\x1b@\x1dv0\x00\x01\x00\x02\x00\xff\x0f\x1bd\x03\x1dVB\x00"), uint8(3))
	f.Add([]byte("\x1bp\x00\x19\xfa\x10\x04\x01\x10\x04\x02\x10\x04\x04\x00\x00"), uint8(1))
	f.Add([]byte("\x1dv0\x00\xff\xff\xff\xff"), uint8(7))
	f.Add([]byte("\x1dv0\x00\x00\x00\x00\x00"), uint8(2))
	f.Add([]byte("texto"), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		whole, pieces := &escpostest.Machine{Width: 64}, &escpostest.Machine{Width: 64}
		_, wholeErr := whole.Write(data)
		var piecesErr error
		for rest := data; len(rest) > 0 && piecesErr == nil; {
			n := min(len(rest), int(step)+1)
			_, piecesErr = pieces.Write(rest[:n])
			rest = rest[n:]
		}
		if (wholeErr == nil) != (piecesErr == nil) {
			t.Fatalf("at once %v, in pieces %v", wholeErr, piecesErr)
		}
		if !slices.EqualFunc(whole.Sheets, pieces.Sheets, same) || !slices.EqualFunc(whole.Scraps, pieces.Scraps, same) {
			t.Error("the pieces give another picture")
		}
		if wholeErr == nil && !same(whole.Paper(), pieces.Paper()) {
			t.Error("the pieces give another paper")
		}
	})
}
