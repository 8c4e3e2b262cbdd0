// Package webhooks knows who wants to be told of what happens in a fleet, what has happened, and what became of telling it. The messages are
// those of Standard Webhooks: whoever has a library for these needs nothing else.
//
// Invariants: an event is told to every webhook that was there when it was numbered, once or more often, for a day; who reads the list of events
// on from a number misses none; a webhook sees its own part of an account; secrets are sealed.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

var (
	// ErrNotFound is also what is somebody else's.
	ErrNotFound = errors.New("no such webhook")
	// ErrBadURL is an address that nothing is sent to.
	ErrBadURL = errors.New("not an address for webhooks")
	// ErrTooMany means that a customer has as many webhooks as it may have.
	ErrTooMany = errors.New("too many webhooks")
	// ErrBadType is none of the events there are.
	ErrBadType = errors.New("not a type of event")
)

// Types are all events there are.
var Types = []string{
	"transaction.approved", "transaction.refused", "transaction.cancelled", "transaction.reversed",
	"terminal.online", "terminal.offline", "terminal.printer", "terminal.acquirer", "terminal.unresolved",
}

// TestType is of an event that a person asked for.
const TestType = "webhook.test"

// Hook is where somebody wants to be told.
type Hook struct {
	ID string
	fleet.Place
	Name      string
	URL       string
	Secret    []byte // sealed
	Types     []string
	CreatedAt time.Time
	RevokedAt time.Time
}

// Event is something that happened.
type Event struct {
	Number int64 // 0: not numbered yet
	ID     string
	fleet.Place
	Terminal string
	Type     string
	At       time.Time
	Data     json.RawMessage
}

// Payload is what is sent of it.
func (e Event) Payload() ([]byte, error) {
	return json.Marshal(struct {
		Type      string          `json:"type"`
		Timestamp string          `json:"timestamp"`
		Number    int64           `json:"number"`
		Data      json.RawMessage `json:"data"`
	}{e.Type, e.At.UTC().Format(time.RFC3339Nano), e.Number, e.Data})
}

// State is what became of a delivery.
type State string

// A delivery is pending until it has arrived, or was tried for a day.
const (
	Pending   State = "pending"
	Delivered State = "delivered"
	Failed    State = "failed"
)

// Delivery is the telling of an event to a webhook.
type Delivery struct {
	Hook     string
	Event    Event
	State    State
	Attempts int
	DueAt    time.Time // of the next attempt; zero: there is none
	TriedAt  time.Time
	Status   int    // of the last answer; 0: there was none
	Trouble  string // why there was none
}

// Signature is the header that proves a message to be the hub's.
func Signature(secret []byte, id string, at time.Time, payload []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(payload)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// secretPrefix is how libraries know such a secret.
const secretPrefix = "whsec_"

// SecretText is the secret as it is shown, once.
func SecretText(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// pauses are between one attempt and the next: seconds at first, for who restarts, and hours in the end.
var pauses = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 4 * time.Hour, 4 * time.Hour, 4 * time.Hour, 5 * time.Hour,
}

// next is the pause after so many attempts; false: that was the last.
func next(attempts int) (time.Duration, bool) {
	if attempts > len(pauses) {
		return 0, false
	}
	return pauses[attempts-1], true
}
