package operation

import "errors"

// Why the caller's wish to cancel is not taken.
var (
	// ErrNone means that nothing runs that could be cancelled.
	ErrNone = errors.New("no operation is running")
	// ErrOther means that the operation that runs is not the one that was named.
	ErrOther = errors.New("another operation is running")
	// ErrCommitted means that the operation can't be called off any more.
	ErrCommitted = errors.New("the operation can't be cancelled any more")
)

// Wish names the operation to cancel: by the reference of the caller, by the id that the terminal gave it, or both. One
// that names nothing means a question.
type Wish struct {
	Reference string
	ID        uint64 // 0: not given
	Unknown   bool   // an id was given that is none of ours
	Taken     func() // called once the wish is taken, before anybody hears how the operation ended; nil: nobody is told
}

// Tell tells who wants to know that the wish was taken.
func (w Wish) Tell() {
	if w.Taken != nil {
		w.Taken()
	}
}
