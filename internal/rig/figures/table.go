// Package figures is what benches have in common: rates that are measured in turns, and the one table they end in.
package figures

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// Row is one line of the table.
type Row struct {
	Measure string
	Value   string
	Against string
	Ratio   float64 // 0: a figure, held against its goal alone
	Goal    string
	OK      bool
}

func (r Row) cells() []string {
	ratio, ok := "", "MISSED"
	if r.Ratio != 0 {
		ratio = fmt.Sprintf("%.2f", r.Ratio)
	}
	if r.OK {
		ok = "ok"
	}
	return []string{r.Measure, r.Value, r.Against, ratio, r.Goal, ok}
}

// Print writes the table; without rows there is none.
func Print(w io.Writer, rows []Row) {
	if len(rows) == 0 {
		return
	}
	lines := [][]string{{"measure", "value", "against", "ratio", "goal", "ok"}}
	for _, r := range rows {
		lines = append(lines, r.cells())
	}
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, cells := range lines {
		for i, cell := range cells {
			cells[i] = cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		}
		fmt.Fprintln(w, strings.TrimRight(strings.Join(cells, " | "), " "))
		if n == 0 {
			rule := make([]string, len(widths))
			for i, width := range widths {
				rule[i] = strings.Repeat("-", width)
			}
			fmt.Fprintln(w, strings.Join(rule, "-|-"))
		}
	}
}

// PerSecond writes a rate with its thousands apart.
func PerSecond(rate float64) string { return Thousands(int(math.Round(rate))) + "/s" }

// Thousands writes a number with its thousands apart.
func Thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Milliseconds writes how long one takes at a rate.
func Milliseconds(rate float64) string { return fmt.Sprintf("%.3g ms", 1000/rate) }

// AtLeast writes the goal of a ratio.
func AtLeast(goal float64) string { return fmt.Sprintf("≥ %.4g", goal) }

// AtMost writes the goal of a ratio.
func AtMost(goal float64) string { return fmt.Sprintf("≤ %.4g", goal) }
