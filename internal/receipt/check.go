package receipt

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxHeight is the longest page in dots: 20 metres of paper. A page of 500 items
// takes about four; one beyond this is a mistake that would empty the roll.
const MaxHeight = 160_000

// Errors of Check.
var (
	// ErrTooLong means a page would take more paper than MaxHeight.
	ErrTooLong = errors.New("page is longer than 20 metres of paper")
	// ErrCode means a QR code or a barcode that can't be made or does not fit the paper.
	ErrCode = errors.New("code cannot be printed")
)

// Check tells whether the page can be laid out on the paper, without drawing it:
// a printer asks before it moves, so that nobody gets half a coupon.
func (p Page) Check(paper Paper) error {
	if paper.Width < 1 {
		return fmt.Errorf("paper of %d dots is no paper", paper.Width)
	}
	for e := range p.on(paper) {
		if err := checkCode(e, paper); err != nil {
			return fmt.Errorf("%w: %w", ErrCode, err)
		}
	}
	// Nearly every page is so short that a rough look is enough.
	if p.roughHeight(paper) <= MaxHeight {
		return nil
	}
	height := 0
	cases := borrowTypeCase(paper)
	p.set(setter{paper: paper, width: paper.Width, cases: cases, measured: &height})
	typeCases.Put(cases)
	if height > MaxHeight {
		return ErrTooLong
	}
	return nil
}

func checkCode(e Element, paper Paper) error {
	switch e := e.(type) {
	case QR:
		_, _, err := e.plan(paper)
		return err
	case Barcode:
		_, _, err := e.bars(paper)
		return err
	}
	return nil
}

// roughHeight is more than any page of ordinary text takes: signs as wide as
// they are high, lines half filled, columns squeezed by their neighbours.
func (p Page) roughHeight(paper Paper) (height int) {
	room := max(paper.Width-2*margin, 1)
	em := func(size int) int { return pointSize(size)*paper.dpi()/72 + 1 }
	lines := func(value string, size, times, share int) int {
		feeds := 0
		for i := range len(value) {
			if value[i] == '\n' || value[i] == '\r' {
				feeds++
			}
		}
		return feeds + times*utf8.RuneCountInString(value)*em(size)/(room*share)
	}
	high := func(lines, size int) int { return (lines + 1) * em(size) * 5 / 4 }
	for e := range p.on(paper) {
		switch e := e.(type) {
		case Text:
			height += high(lines(e.Value, e.Size, 2, 1), e.Size)
		case Line:
			height += e.height(paper)
		case Pair:
			height += high(lines(e.Left, e.Size, 4, 1)+lines(e.Right, e.Size, 2, 1), e.Size)
		case Columns:
			weights, most, size := 0, 0, 1
			for _, cell := range e.Cells {
				weights += max(cell.Weight, 0)
				size = max(size, pointSize(cell.size(e)))
			}
			for _, cell := range e.Cells {
				times, share := 3, 1
				if cell.Weight > 0 {
					times, share = 3*weights, cell.Weight
				}
				most = max(most, lines(cell.Value, size, times, share))
			}
			height += high(most, size)
		case Rule:
			height += ruleThick + 2*ruleSpace
		case Blank:
			height += high(0, e.Size)
		case QR:
			height += paper.Width + 2*quietQR*e.Module
		case Barcode:
			height += e.height(paper)
		case Image:
			height += imageHeight(e, paper)
		}
		if height > MaxHeight {
			return height
		}
	}
	return height
}
