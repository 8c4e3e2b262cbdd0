package barcode

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"

	"github.com/maquininha/maquininha/internal/barcode/barcodetest"
)

const accessKey = "35261114200166000187650010000000071123456789"

var ascii = func() string {
	var all strings.Builder
	for c := range byte(0x80) {
		all.WriteByte(c)
	}
	return all.String()
}()

// photographed is a code as a scanner sees it: bars between white.
func photographed(c Code, module int) image.Image {
	const quiet, height = 12, 40
	picture := image.NewGray(image.Rect(0, 0, (c.Modules()+2*quiet)*module, height))
	for i := range picture.Pix {
		picture.Pix[i] = 0xff
	}
	x := quiet * module
	for i, width := range c.Widths {
		for range int(width) * module {
			for y := 2; i%2 == 0 && y < height-2; y++ {
				picture.SetGray(x, y, color.Gray{})
			}
			x++
		}
	}
	return picture
}

func TestCodesAreReadBack(t *testing.T) {
	withEnds := []gozxing.DecodeHintType{gozxing.DecodeHintType_RETURN_CODABAR_START_END}
	for _, tt := range []struct {
		name   string
		encode func(string) (Code, error)
		reader gozxing.Reader
		hints  []gozxing.DecodeHintType
		texts  map[string]string // and what is read
	}{
		{"EAN-13", EAN13, oned.NewEAN13Reader(), nil, map[string]string{
			"789100010010": "7891000100103", "000000000001": "0000000000017", "123456789012": "1234567890128",
			"234567890123": "2345678901234", "345678901234": "3456789012340", "456789012345": "4567890123456",
			"567890123456": "5678901234562", "678901234567": "6789012345678", "890123456789": "8901234567890", "901234567890": "9012345678906",
		}},
		{"EAN-8", EAN8, oned.NewEAN8Reader(), nil, map[string]string{"7891234": "78912342", "0000000": "00000000", "9638507": "96385074"}},
		{"UPC-A", UPCA, oned.NewUPCAReader(), nil, map[string]string{"03600029145": "036000291452", "98765432109": "987654321098"}},
		{"UPC-E", UPCE, oned.NewUPCEReader(), nil, map[string]string{
			"123450": "01234505", "123451": "01234514", "123453": "01234531", "123454": "01234543", "123455": "01234558", "654321": "06543217",
			"123459": "01234596", "100000": "01000009",
			"01200000345": "01234505", "04210000526": "04252614", "11234500006": "11234562", // long ones
		}},
		{"Code 39", Code39, oned.NewCode39Reader(), nil, map[string]string{
			"0123456789ABCDEFGHIJKLM": "0123456789ABCDEFGHIJKLM", "NOPQRSTUVWXYZ-. $/+%": "NOPQRSTUVWXYZ-. $/+%", "*ABC*": "ABC", "7": "7",
		}},
		{"Code 93", Code93, oned.NewCode93Reader(), nil, map[string]string{
			"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%",
			ascii[:64]: ascii[:64], ascii[64:]: ascii[64:], "a": "a",
		}},
		{"Code 128 A", Code128A, oned.NewCode128Reader(), nil, map[string]string{ascii[1:'`']: ascii[1:'`'], "{": ""}},
		{"Code 128 B", Code128B, oned.NewCode128Reader(), nil, map[string]string{ascii[' ':]: ascii[' ':], "{Pedido} 7": "{Pedido} 7"}},
		{"Code 128 C", Code128C, oned.NewCode128Reader(), nil, map[string]string{accessKey: accessKey, "00": "00", "9907": "9907"}},
		{"Code 128", Code128, oned.NewCode128Reader(), nil, map[string]string{accessKey: accessKey, "12ABC34501DE35": "12ABC34501DE35", "7": "7"}},
		{"Code 128 of sets", Code128Sets, oned.NewCode128Reader(), nil, map[string]string{
			"{BAbc{C123456{AXY\t{SaB": "Abc123456XY\taB", "{Ba{{b{S\tc": "a{b\tc", "{B{1x": "x",
		}},
		{"interleaved 2 of 5", Interleaved, oned.NewITFReader(), nil, map[string]string{"0123456789": "0123456789", accessKey: accessKey}},
		{"Codabar", Codabar, oned.NewCodaBarReader(), withEnds, map[string]string{
			"0123456789": "A0123456789A", "B-$:/.+12C": "B-$:/.+12C", "d123a": "D123A",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for text, want := range tt.texts {
				code, err := tt.encode(text)
				if want == "" {
					if !errors.Is(err, ErrContent) {
						t.Errorf("%q: %v, want ErrContent", text, err)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				if len(code.Widths)%2 != 1 {
					t.Errorf("%q does not end with a bar", text)
				}
				for _, c := range []Code{code, code.Squeezed()} {
					if got := strings.TrimPrefix(barcodetest.Read(t, photographed(c, 2), tt.reader, tt.hints...), "]C1"); got != want {
						t.Errorf("%q is read as %q, want %q", text, got, want)
					}
				}
			}
		})
	}
}

func TestContentsThatACodeCannotHold(t *testing.T) {
	for _, tt := range []struct {
		name   string
		encode func(string) (Code, error)
		texts  []string
	}{
		{"EAN-13", EAN13, []string{"", "1234567890123", "12345678901a", "é23456789012"}},
		{"EAN-8", EAN8, []string{"", "12345678", "123456a"}},
		{"UPC-A", UPCA, []string{"", "1", "123456789012"}},
		{"UPC-E", UPCE, []string{"", "1", "12345678901", "01234567890", "21200000345", "12345a"}},
		{"Code 39", Code39, []string{"", "**", "a", "A*B", "é"}},
		{"Code 93", Code93, []string{"", "é"}},
		{"Code 128 A", Code128A, []string{"", "a", "é"}},
		{"Code 128 B", Code128B, []string{"", "\t", "é"}},
		{"Code 128 C", Code128C, []string{"", "1", "1a", "{B"}},
		{"Code 128", Code128, []string{"", "a", "é"}},
		{"Code 128 of sets", Code128Sets, []string{"", "{", "{A", "abc", "{Ba{", "{C1", "{C1a", "{1", "{Z", "{B{9", "{C{2", "{B{1"}},
		{"interleaved 2 of 5", Interleaved, []string{"", "1", "123", "1a"}},
		{"Codabar", Codabar, []string{"", "A", "AB", "1A1", "A1", "1A", "AA1A", "1 2", "é"}},
	} {
		for _, text := range tt.texts {
			if _, err := tt.encode(text); !errors.Is(err, ErrContent) {
				t.Errorf("%s of %q: %v, want ErrContent", tt.name, text, err)
			}
		}
	}
}

func TestAccessKeyFits(t *testing.T) {
	code, err := Code128C(accessKey)
	if err != nil || code.Modules() != 277 {
		t.Errorf("an access key takes %d modules (%v), want 277", code.Modules(), err)
	}
}

func FuzzCodes(f *testing.F) {
	for _, text := range []string{"", "{A{B{C", accessKey, "abc", "*A*", "A1B", "é\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, encode := range []func(string) (Code, error){
			EAN13, EAN8, UPCA, UPCE, Code39, Code93, Code128, Code128A, Code128B, Code128C, Code128Sets, Interleaved, Codabar,
		} {
			code, err := encode(text)
			if err == nil && len(code.Widths)%2 != 1 {
				t.Errorf("%q does not end with a bar", text)
			}
			for _, width := range code.Widths {
				if width < 1 || width > 4 {
					t.Errorf("%q has a bar of %d modules", text, width)
				}
			}
		}
	})
}
