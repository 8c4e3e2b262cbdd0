// Package thorough says how long tests go on: make test is for every change, make test-all, which has the tag everything, is for
// the proof.
package thorough

import (
	"flag"
	"strconv"
	"testing"
)

// Rounds picks how often a test does a thing: few times at every change, many with the tag everything.
func Rounds(few, many int) int {
	if Everything {
		return many
	}
	return few
}

// Checks is how often a slow property of rapid runs in this test, unless the command line says how often.
func Checks(t testing.TB, n int) {
	f := flag.Lookup("rapid.checks")
	if f.Value.String() != f.DefValue {
		return
	}
	if err := f.Value.Set(strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(f.DefValue) }) // it was set to that before
}
