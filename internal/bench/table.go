package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// row is one line of the table.
type row struct {
	measure string
	value   string
	against string
	ratio   float64 // 0: a figure, held against its goal alone
	goal    string
	ok      bool
}

func (r row) cells() []string {
	ratio, ok := "", "MISSED"
	if r.ratio != 0 {
		ratio = fmt.Sprintf("%.2f", r.ratio)
	}
	if r.ok {
		ok = "ok"
	}
	return []string{r.measure, r.value, r.against, ratio, r.goal, ok}
}

func printTable(w io.Writer, rows []row) {
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

// perSecond writes a rate with its thousands apart.
func perSecond(rate float64) string { return thousands(int(math.Round(rate))) + "/s" }

func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// milliseconds writes how long one takes at a rate.
func milliseconds(rate float64) string { return fmt.Sprintf("%.3g ms", 1000/rate) }

func atLeast(goal float64) string { return fmt.Sprintf("≥ %.1f", goal) }
func atMost(goal float64) string  { return fmt.Sprintf("≤ %.1f", goal) }
