package escpostest

import (
	"slices"

	"github.com/maquininha/maquininha/internal/escpos"
)

// answer speaks for the machine.
func (p *Printer) answer(question []byte) []byte {
	p.asked++
	switch {
	case p.whims.Mute, p.whims.Silent > 0 && p.taken >= p.whims.Silent, p.whims.Drowsy && p.asked == 1:
		return nil
	case string(question) == "\x1dIC": // GS I 67
		if p.model == "" {
			return nil
		}
		return slices.Concat([]byte("_"), []byte(p.model), []byte{0})
	}
	said := slices.Clone(answers[string(question)])
	if said == nil {
		return nil
	}
	for _, t := range troubles {
		if p.status.Has(t.is) && string(question) == t.question {
			said[t.at] = said[t.at]&^t.clears | t.sets
		}
	}
	return slices.Concat(p.whims.Chatter, said)
}

// SetModel is what it says that it is.
func (p *Printer) SetModel(model string) { p.set(func() { p.model = model }) }

const (
	asksPrinter, asksOffline, asksPaper = "\x10\x04\x01", "\x10\x04\x02", "\x10\x04\x04"
	asksBema                            = "\x1d\xf81"
	asksDaruma, asksDarumaPaper         = "\x05", "\x1d\x05"

	anything = escpos.Offline | escpos.PaperOut | escpos.CoverOpen | escpos.Failing
)

// answers are those of a printer that is well; the Bematech's are what counters have seen.
var answers = map[string][]byte{
	asksPrinter: {0x12}, asksOffline: {0x12}, asksPaper: {0x12}, asksBema: {128, 145, 0, 0, 0x10}, asksDaruma: {0x10}, asksDarumaPaper: {0x10},
}

// troubles are the bits by which they differ when something is wrong.
var troubles = []struct {
	is           escpos.Status
	question     string
	at           int
	sets, clears byte
}{
	{anything, asksPrinter, 0, 1 << 3, 0},
	{escpos.CoverOpen, asksOffline, 0, 1 << 2, 0},
	{escpos.PaperOut, asksOffline, 0, 1 << 5, 0},
	{escpos.Failing, asksOffline, 0, 1 << 6, 0},
	{escpos.NearEnd, asksPaper, 0, 0b1100, 0},
	{escpos.PaperOut, asksPaper, 0, 0b110_0000, 0},

	{anything, asksBema, 0, 1 << 3, 0},
	{escpos.CoverOpen, asksBema, 1, 53, 145}, // the paper's bits too
	{escpos.PaperOut, asksBema, 1, 0b0010_0110, 0},
	{escpos.NearEnd, asksBema, 1, 1 << 1, 0},
	{escpos.Failing, asksBema, 2, 1 << 3, 0},

	{anything, asksDaruma, 0, 0, 1 << 4},
	{escpos.CoverOpen, asksDaruma, 0, 1 << 7, 0},
	{escpos.PaperOut, asksDaruma, 0, 1 << 5, 0},
	{escpos.Failing, asksDaruma, 0, 1 << 3, 0},
	{anything, asksDarumaPaper, 0, 1 << 3, 0},
	{escpos.PaperOut | escpos.CoverOpen, asksDarumaPaper, 0, 1 << 1, 1 << 4},
	{escpos.NearEnd, asksDarumaPaper, 0, 1 << 0, 0},
	{escpos.Failing, asksDarumaPaper, 0, 1 << 6, 0},
}
