package door

import (
	"net"
	"testing"
)

// What an answer may still take that somebody waits for, where nobody has said otherwise.
func TestUsualHurry(t *testing.T) {
	t.Parallel()
	if got := New(1, 0).hurry; got != hurryPatience {
		t.Errorf("%v", got)
	}
}

// Who still stands in the queue when the door closes is not let in.
func TestAClosedDoor(t *testing.T) {
	t.Parallel()
	door := New(10, 0)
	inside, early := net.Pipe()
	defer early.Close()
	if door.admit(inside) == nil {
		t.Fatal("an open door let nobody in")
	}
	door.CloseUp()
	if _, err := early.Write([]byte("GET")); err == nil {
		t.Error("who had said nothing is still inside")
	}
	outside, late := net.Pipe()
	defer late.Close()
	if door.admit(outside) != nil {
		t.Error("a closed door let somebody in")
	}
}
