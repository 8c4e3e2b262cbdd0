// Package barcode turns texts into bars: which are how wide. Who draws them
// decides how many dots a module has.
package barcode

import (
	"errors"
	"fmt"
	"strings"
)

// Code is a text in bars.
type Code struct {
	Widths []byte // of bars and spaces in turn, in modules; the first and the last are bars
	Text   string // what people read below the bars
	// TwoWidths means that bars are only narrow (1) or wide (3), as in Code 39. Such a code can be made smaller: readers
	// take wide bars of two modules too.
	TwoWidths bool
}

// Modules is how wide the code is.
func (c Code) Modules() (n int) {
	for _, width := range c.Widths {
		n += int(width)
	}
	return n
}

// Squeezed is a code of two widths in its smallest form; others stay as they are.
func (c Code) Squeezed() Code {
	if !c.TwoWidths {
		return c
	}
	squeezed := c
	squeezed.Widths = make([]byte, len(c.Widths))
	for i, width := range c.Widths {
		squeezed.Widths[i] = min(width, 2)
	}
	return squeezed
}

// ErrContent means a text that a kind of code cannot hold.
var ErrContent = errors.New("not a content of this bar code")

// errNothing means a code that would hold nothing.
var errNothing = fmt.Errorf("%w: nothing", ErrContent)

// widths reads patterns, each digit a width in modules.
func widths(patterns ...string) (all []byte) {
	for _, p := range patterns {
		for _, width := range []byte(p) {
			all = append(all, width-'0')
		}
	}
	return all
}

// reversed is a pattern from its end.
func reversed(pattern string) string {
	b := []byte(pattern)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// onlyDigits refuses everything but digits.
func onlyDigits(text string) error {
	if digits(text) != len(text) {
		return fmt.Errorf("%w: %q are not digits", ErrContent, text)
	}
	if text == "" {
		return errNothing
	}
	return nil
}

// digits is how many digits a text begins with.
func digits(text string) (n int) {
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// narrowAndWide reads a pattern in which 1 is wide.
func narrowAndWide(pattern string) string {
	return strings.NewReplacer("0", "1", "1", "3").Replace(pattern)
}
