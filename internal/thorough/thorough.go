// Package thorough says how long tests go on: make test is for every change, make test-all, which has the tag everything, is for
// the proof.
package thorough

// Rounds picks how often a test does a thing: few times at every change, many with the tag everything.
func Rounds(few, many int) int {
	if Everything {
		return many
	}
	return few
}
