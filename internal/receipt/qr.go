package receipt

import (
	"errors"
	"fmt"
	"strings"

	"rsc.io/qr/coding"
)

const (
	fiscalMM    = 25 // the smallest side that the manual of the NFC-e allows
	quietQR     = 4  // white modules around a QR code
	leastModule = 3  // dots of a module below which printed codes are hard to scan
)

// module is how many dots a module takes on the paper.
func (q QR) module(modules int, paper Paper) (int, error) {
	most := paper.Width / (modules + 2*quietQR)
	if most < 1 {
		return 0, fmt.Errorf("QR code of %d modules is wider than %d dots", modules, paper.Width)
	}
	least := q.MinMM
	if least <= 0 {
		least = fiscalMM
	}
	side := paper.dots(10 * least)
	return min(max((side+modules-1)/modules, leastModule), most), nil
}

// plan is the code, and the dots of a module on the paper: none for one that prints nothing.
func (q QR) plan(paper Paper) (plan qrPlan, module int, err error) {
	plan, err = q.parts()
	switch {
	case err == nil && q.Module > 0:
		return plan, min(q.Module, paper.Width/plan.modules()), nil
	case q.Module > 0:
		return plan, 0, nil
	case err == nil:
		module, err = q.module(plan.modules(), paper)
	}
	return plan, module, err
}

// parts is the text in the parts that make the smallest code. The caller's own has
// one part, as printers make them: it has the size that was reckoned with.
func (q QR) parts() (qrPlan, error) {
	if q.Module > 0 {
		return planQR(q.Text, q.Level, wholeQR)
	}
	return planQR(q.Text, q.Level, qrParts)
}

// Err is why no paper can have the code, or nil.
func (q QR) Err() error {
	if _, err := q.parts(); err != nil {
		return fmt.Errorf("%w: %w", ErrCode, err)
	}
	return nil
}

func (s setter) qr(q QR) bool {
	plan, module, err := q.plan(s.paper)
	if err != nil {
		return false
	}
	if module == 0 {
		return true
	}
	return s.band((plan.modules()+2*quietQR)*module, func(b *Bitmap) {
		code, err := plan.encode()
		if err != nil {
			panic(fmt.Sprintf("receipt: a QR code that was planned: %v", err))
		}
		left, top := q.Place.left(s.width, code.Size*module), quietQR*module
		for y := range code.Size {
			for x := range code.Size {
				if code.Black(x, y) {
					b.fill(left+x*module, top+y*module, module, module)
				}
			}
		}
	})
}

// qrPlan is a text in the parts a QR code is made of, and the version that holds them.
type qrPlan struct {
	parts   []coding.Encoding
	version coding.Version
	level   coding.Level
}

func (p qrPlan) modules() int { return 17 + 4*int(p.version) }

var (
	errQRTooLong = errors.New("text is too long for a QR code")
	errQREmpty   = errors.New("QR code of nothing")
)

var qrLevels = map[Level]coding.Level{LevelL: coding.L, LevelM: coding.M, LevelQ: coding.Q, LevelH: coding.H}

// mostQR is what the largest code holds, in digits.
const mostQR = 7089

func planQR(text string, level Level, parts func(string) []coding.Encoding) (qrPlan, error) {
	switch {
	case text == "":
		return qrPlan{}, errQREmpty
	case len(text) > mostQR:
		return qrPlan{}, errQRTooLong
	}
	p := qrPlan{parts: parts(text), level: qrLevels[level]}
	for v := coding.Version(coding.MinVersion); v <= coding.MaxVersion; v++ {
		bits := 0
		for _, part := range p.parts {
			bits += part.Bits(v)
		}
		if bits <= 8*v.DataBytes(p.level) {
			p.version = v
			return p, nil
		}
	}
	return qrPlan{}, errQRTooLong
}

// encode always takes the first of the eight masks. Weighing them all takes as
// long as drawing forty items, and scanners read every one.
func (p qrPlan) encode() (*coding.Code, error) {
	plan, err := coding.NewPlan(p.version, p.level, 0)
	if err != nil {
		return nil, err
	}
	return plan.Encode(p.parts...)
}

const (
	qrDigits   = "0123456789"
	qrCapitals = qrDigits + "ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
)

// wholeQR is a text as one part.
func wholeQR(text string) []coding.Encoding {
	switch len(text) {
	case run(text, qrDigits):
		return []coding.Encoding{coding.Num(text)}
	case run(text, qrCapitals):
		return []coding.Encoding{coding.Alpha(text)}
	}
	return []coding.Encoding{coding.String(text)}
}

// densest is the length from which a run of digits or of capitals pays for the
// headers of a part of its own. An address with an access key and a signature
// then needs fewer modules, which can be larger: the code scans better.
const densest = 16

// qrParts parts a text into runs of digits, of capitals and of anything.
func qrParts(text string) []coding.Encoding {
	var parts []coding.Encoding
	plain := 0 // where the part not yet taken begins
	for i := 0; i < len(text); {
		digits := run(text[i:], qrDigits)
		capitals := run(text[i:], qrCapitals)
		n := max(digits, capitals)
		if digits < densest && capitals < densest {
			i += max(n, 1)
			continue
		}
		if plain < i {
			parts = append(parts, coding.String(text[plain:i]))
		}
		if digits >= densest {
			n = digits
			parts = append(parts, coding.Num(text[i:i+n]))
		} else {
			parts = append(parts, coding.Alpha(text[i:i+n]))
		}
		i += n
		plain = i
	}
	if plain < len(text) {
		parts = append(parts, coding.String(text[plain:]))
	}
	return parts
}

// run is how many bytes at the beginning of a text are signs of an alphabet.
func run(text, alphabet string) int {
	n := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(alphabet, r) })
	if n < 0 {
		return len(text)
	}
	return n
}
