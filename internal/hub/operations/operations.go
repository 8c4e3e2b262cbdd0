// Package operations runs requests to terminals that their callers do not wait for: the answer is kept for some days.
//
// Invariants: an operation is on the disk before anything is sent to the terminal; it is sent at most once; each has an end, whatever
// dies; the same key of the same caller is the same operation.
package operations

import (
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

var (
	// ErrNotFound is also what is somebody else's.
	ErrNotFound = errors.New("no such operation")
	// ErrOtherRequest means that the key was used for another request.
	ErrOtherRequest = errors.New("the key was used for another request")
	// ErrBadKey is a key that is too long to be kept.
	ErrBadKey = errors.New("not a key that can be kept")
	// ErrState means that the operation is past what was to be noted of it.
	ErrState = errors.New("the operation is in another state")
)

// State is how far an operation is.
type State string

// The states. Broken: sent, and the answer is lost; what became of a payment is to be looked up by its reference.
const (
	Waiting State = "waiting"
	Running State = "running"
	Done    State = "done"
	Broken  State = "broken"
)

// Operation is a request to a terminal, and its answer.
type Operation struct {
	ID string
	fleet.Place
	Terminal  string
	Caller    string // the key's or the person's id
	Key       string // Idempotency-Key, or the referenceId; unique for a caller and a terminal
	Digest    []byte // of method, path and body: the same key with another request is refused
	Reference string
	Run       string // of the hub that it runs at; empty: the only one
	Method    string
	Path      string
	Body      []byte
	State     State
	CreatedAt time.Time
	EndedAt   time.Time
	Status    int // of the answer; sentBefore while one waits that runs again
	Headers   map[string]string
	Answer    []byte
}

// sentBefore is the status of an operation that begins once more: the answer to what was sent before is lost.
const sentBefore = 502

// SentBefore tells of an operation that begins once more, so that nobody may say of it that nothing was sent.
func (o Operation) SentBefore() bool { return o.State == Waiting && o.Status == sentBefore }
