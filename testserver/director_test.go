package testserver

import "testing"

// A request that comes while all ends begins nothing that nobody would wait for.
func TestNothingBeginsAfterTheEnd(t *testing.T) {
	d := newDirector(Scenario{Restarts: []Restart{{}}}, newCast(Scenario{}))
	d.close()
	d.cue("POST /transaction")
	if d.scenes[0].begun {
		t.Error("begun")
	}
}
