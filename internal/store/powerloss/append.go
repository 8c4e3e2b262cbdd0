package powerloss

import (
	"iter"
	"slices"
)

// Appended are all contents that a plain file may come back with when the power goes before an append to it is synced:
// any of the sectors, and nothing or zeros in the place of the others. The file is as long as what came through, or
// as long as it would have been.
func Appended(before, line []byte) iter.Seq[[]byte] {
	pieces := sectors([]change{{int64(len(before)), line}})
	return func(yield func([]byte) bool) {
		for landed := range 1 << len(pieces) {
			data := slices.Clone(before)
			for i, c := range pieces {
				if landed&(1<<i) != 0 {
					data = c.apply(data)
				}
			}
			if !yield(data) || !yield(change{offset: int64(len(before) + len(line))}.apply(data)) {
				return
			}
		}
	}
}
