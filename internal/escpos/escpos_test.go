package escpos_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

// speakers are machines that speak each dialect, as their makers describe them.
var speakers = map[string]escpostest.Language{
	"escpos": escpostest.Epson, "escpos-esc-m": escpostest.Epson, "elgin": escpostest.Epson, "escpos-weak": escpostest.Epson,
	"bematech": escpostest.Bematech, "bema": escpostest.Bematech, "daruma": escpostest.Daruma, "column": escpostest.Custom,
}

func encode(t *testing.T, d escpos.Dialect, list []*receipt.Bitmap) []byte {
	t.Helper()
	var out bytes.Buffer
	d.Pause = 0
	out.Write(d.Prelude)
	w := escpos.NewWriter(&out, d)
	steps := []func() error{func() error { return w.KickDrawer(1) }, w.Begin}
	for _, b := range list {
		steps = append(steps, func() error { return w.Band(b) })
	}
	for _, step := range append(steps, func() error { return w.Feed(3) }, func() error { return w.CutPaper(false) }) {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	out.Write(d.End)
	return out.Bytes()
}

// ofRows is a picture with as much white below as makes it a multiple of so many rows.
func ofRows(b *receipt.Bitmap, rows int) *receipt.Bitmap {
	more := -b.Height
	for more < 0 {
		more += rows
	}
	whole := receipt.NewBitmap(b.Width, b.Height+more)
	copy(whole.Bits, b.Bits)
	return whole
}

func TestBytesGiveThePictureBack(t *testing.T) {
	for _, d := range escpos.Dialects {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			language, ok := speakers[d.Name]
			if !ok {
				t.Fatal("no machine speaks it")
			}
			for seed := range uint64(30) {
				random := rand.New(rand.NewPCG(seed, 4))
				width := []int{8, 100, 384, 500, 512, 576}[seed%6]
				list, whole := bands(random, width)
				if d.Image != escpos.Raster {
					whole = ofRows(whole, d.Rows)
				}
				m := &escpostest.Machine{Width: width, Language: language}
				for data := encode(t, d, list); len(data) > 0; { // in pieces of any size
					n := min(len(data), 1+random.IntN(5000))
					if _, err := m.Write(data[:n]); err != nil {
						t.Fatal(err)
					}
					data = data[n:]
				}
				if !m.Idle() || len(m.Sheets) != 1 || m.Begun != 1 || m.Kicks != 1 || m.Pins[0] != 0 {
					t.Fatalf("seed %d: idle %v, %d sheets, begun %d times, %d kicks", seed, m.Idle(), len(m.Sheets), m.Begun, m.Kicks)
				}
				if !same(whole, m.Sheets[0]) {
					t.Fatalf("seed %d: another picture", seed)
				}
				if language == escpostest.Bematech && m.Switched != 2 {
					t.Errorf("told %d times to change its language, want there and back", m.Switched)
				}
				for _, rows := range m.Rasters {
					if rows > d.Rows {
						t.Errorf("an image of %d rows", rows)
					}
				}
			}
		})
	}
}

// A machine must not take what its maker's manual does not have: only then do the tests above say anything.
func TestNoMachineTakesAnothersLanguage(t *testing.T) {
	picture := receipt.NewBitmap(384, 100)
	for i := range picture.Bits {
		picture.Bits[i] = 0xa5
	}
	for _, c := range []struct {
		dialect escpos.Dialect
		machine escpostest.Language
	}{
		{escpos.ESCPOS, escpostest.Bematech},
		{escpos.ESCPOS, escpostest.Daruma},
		{escpos.ESCPOS, escpostest.Custom},
		{escpos.Bematech, escpostest.Epson},
		{escpos.Bematech, escpostest.Daruma},
		{escpos.Bema, escpostest.Epson},
		{escpos.Bema, escpostest.Daruma},
		{escpos.Daruma, escpostest.Epson},
		{escpos.Daruma, escpostest.Bematech},
		{escpos.Daruma, escpostest.Custom},
		{escpos.Column, escpostest.Epson},
		{escpos.Column, escpostest.Bematech},
		{escpos.Column, escpostest.Daruma},
	} {
		m := &escpostest.Machine{Width: 384, Language: c.machine}
		if _, err := m.Write(encode(t, c.dialect, []*receipt.Bitmap{picture})); !errors.Is(err, escpostest.ErrUnknown) {
			t.Errorf("%s at machine %d: %v, %d sheets", c.dialect.Name, c.machine, err, len(m.Sheets))
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
	for _, d := range escpos.Dialects {
		for _, paper := range []receipt.Paper{receipt.Paper58, receipt.Paper80, {Width: 512, DPI: 180}} {
			whole, err := page.Raster(paper)
			if err != nil {
				t.Fatal(err)
			}
			var list []*receipt.Bitmap
			for b := range page.Bands(paper) {
				list = append(list, b)
			}
			data := encode(t, d, list)
			m := &escpostest.Machine{Width: paper.Width, Language: speakers[d.Name]}
			if _, err := m.Write(data); err != nil {
				t.Fatal(err)
			}
			if d.Image != escpos.Raster {
				whole = ofRows(whole, d.Rows)
			}
			if !same(whole, m.Sheets[0]) {
				t.Errorf("%s, %d dots: another picture", d.Name, paper.Width)
			}
			if d.Image == escpos.Raster && len(data) > len(whole.Bits) {
				t.Errorf("%s, %d dots: %d bytes for a picture of %d", d.Name, paper.Width, len(data), len(whole.Bits))
			}
		}
	}
}

// A printer that loses what comes too fast is given time.
func TestAWeakPrinterIsGivenTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		w := escpos.NewWriter(io.Discard, escpos.Weak)
		if err := errors.Join(w.Begin(), w.Band(receipt.NewBitmap(384, 240)), w.Flush()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(started); took != 10*escpos.Weak.Pause {
			t.Errorf("ten images in %v", took)
		}
	})
}

// Drawers: of Daruma's printers there is one, of all others two.
func TestDrawers(t *testing.T) {
	for _, d := range escpos.Dialects {
		m := &escpostest.Machine{Width: 384, Language: speakers[d.Name]}
		_, _ = m.Write(d.Prelude)
		w := escpos.NewWriter(m, d)
		if err := errors.Join(w.KickDrawer(1), w.KickDrawer(2)); err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		want := []byte{0, 1}
		if d.Name == "daruma" {
			want = want[:1]
		}
		if !bytes.Equal(m.Pins, want) || !m.Idle() {
			t.Errorf("%s: opened %v, want %v", d.Name, m.Pins, want)
		}
	}
}

// counting tells how often it was written to.
type counting struct{ writes int }

func (c *counting) Write(p []byte) (int, error) { c.writes++; return len(p), nil }

func TestTheFirstBandGoesAtOnce(t *testing.T) {
	out := &counting{}
	w := escpos.NewWriter(out, escpos.ESCPOS)
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
		w := escpos.NewWriter(&broken{after}, escpos.ESCPOS)
		err := errors.Join(w.Begin(), w.Band(receipt.NewBitmap(384, 100)), w.Feed(1), w.CutPaper(false))
		if !errors.Is(err, errBroken) {
			t.Errorf("after %d writes: %v", after, err)
		}
	}
}

// The interpreter judges the encoder, so it must neither fail on its own nor
// depend on how the bytes come.
func FuzzMachine(f *testing.F) {
	f.Add([]byte("\x1b@\x1dv0\x00\x01\x00\x02\x00\xff\x0f\n\n\n\x1dVB\x00"), uint8(3))
	f.Add([]byte("\x1b@\x1b3\x00\x1b*\x21\x02\x00\xff\x0f\x01\x02\x03\x04\x1b@\n\n\n\n\n\x1bm"), uint8(2))
	f.Add([]byte("\x1d\xf9 \x01\x1b@\x1dv0\x00\x01\x00\x02\x00\xff\x0f\x1dVB\x00\x1d\xf9\x1f1"), uint8(2))
	f.Add([]byte("\x1bp\x00\x19\xfa\x10\x04\x01\x10\x04\x02\x10\x04\x04\x00\x00"), uint8(1))
	f.Add([]byte("\x1dv0\x00\xff\xff\xff\xff"), uint8(7))
	f.Add([]byte("\x1dv0\x00\x00\x00\x00\x00"), uint8(2))
	f.Add([]byte("texto"), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		language := escpostest.Language(step % 4)
		whole, pieces := &escpostest.Machine{Width: 64, Language: language}, &escpostest.Machine{Width: 64, Language: language}
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
