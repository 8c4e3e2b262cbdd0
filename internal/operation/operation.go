// Package operation is what the desks' operations have in common: the gate that lets one at a time hold the terminal, and
// why any of them may be refused.
package operation

import "errors"

// Why an operation was not done.
var (
	// ErrBusy means another operation holds the terminal.
	ErrBusy = errors.New("another operation is in progress")
	// ErrStopping means the service ends before it could do what was asked.
	ErrStopping = errors.New("the service is stopping")
	// ErrNotSaved means the disk did not take what must be on it first, so nothing was done.
	ErrNotSaved = errors.New("nothing could be saved")
)

// What several desks find wrong with a field; a FieldError says which field.
var (
	ErrNotPositive = errors.New("must be above zero")
	ErrTooLarge    = errors.New("too large")
)

// FieldError names the field, as the interface spells it, that breaks a rule.
type FieldError struct {
	Field string
	Err   error
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Err.Error() }
func (e *FieldError) Unwrap() error { return e.Err }
