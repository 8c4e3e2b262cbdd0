package figures

import (
	"context"
	"slices"
)

// Score is what a duel found: the medians of its rounds.
type Score struct {
	First, Second float64
	Ratio         float64 // of the rounds' ratios, not of the two medians
}

// Duel measures two rates in turns. A ratio is taken within each round, where both sides met the same machine,
// and the median leaves out the rounds in which they did not. One round before goes uncounted: caches, pools
// and files that grow are a matter of the start.
func Duel(ctx context.Context, rounds int, first, second func() (float64, error)) (Score, error) {
	sides := [2]func() (float64, error){first, second}
	var rates [2][]float64
	var ratios []float64
	for round := range rounds + 1 {
		var got [2]float64
		for turn := range sides {
			side := (turn + round) % 2 // who begins changes: neither always profits from what the other leaves
			var err error
			if got[side], err = sides[side](); err != nil {
				return Score{}, err
			}
			if err := ctx.Err(); err != nil {
				return Score{}, err
			}
		}
		if round == 0 {
			continue
		}
		rates[0], rates[1] = append(rates[0], got[0]), append(rates[1], got[1])
		ratios = append(ratios, got[0]/got[1])
	}
	return Score{Median(rates[0]), Median(rates[1]), Median(ratios)}, nil
}

// Median is of any order; there must be some.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
