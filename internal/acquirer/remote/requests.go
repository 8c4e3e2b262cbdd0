package remote

import (
	"encoding/json"
	"fmt"
	"time"
)

// Book keeps a driver's own lines on disk, by the name of its way in the ledger. The same line twice is one.
type Book interface {
	Owe(name, line string) error
	Paid(name, line string) error
	// Owed is oldest first.
	Owed(name string) ([]string, error)
}

// Request is one that must be sent again as it was: its key makes it the same request only with the same bytes.
type Request struct {
	Key  string    `json:"key"`
	Path string    `json:"path"`
	Body []byte    `json:"body,omitempty"`
	At   time.Time `json:"at"`
	// ID is what the other side calls that which came of it; empty: not known yet.
	ID string `json:"id,omitempty"`
	// Before are ids that were there already when it was sent, so that what came of it is known among them.
	Before []string `json:"before,omitempty"`
}

// Requests are those of a driver that may have to be sent again. Each is on disk before it is sent.
type Requests struct {
	Name string
	Book Book
}

// Begin keeps the request of a new operation and forgets those of all before: none goes an acquirer's way before they are
// resolved.
func (r Requests) Begin(q Request) error {
	old, err := r.Book.Owed(r.Name)
	if err != nil {
		return fmt.Errorf("looking up the requests: %w", err)
	}
	if err := r.Keep(q); err != nil {
		return err
	}
	kept := q.line()
	for _, line := range old {
		if line == kept {
			continue
		}
		if err := r.Book.Paid(r.Name, line); err != nil {
			return fmt.Errorf("forgetting a request: %w", err)
		}
	}
	return nil
}

// Keep puts a request on disk, or what has come to be known of it.
func (r Requests) Keep(q Request) error {
	if err := r.Book.Owe(r.Name, q.line()); err != nil {
		return fmt.Errorf("keeping the request: %w", err)
	}
	return nil
}

// Find is the request of a key as it was kept last.
func (r Requests) Find(key string) (q Request, found bool, err error) {
	lines, err := r.Book.Owed(r.Name)
	if err != nil {
		return q, false, fmt.Errorf("looking up the requests: %w", err)
	}
	for _, line := range lines {
		var kept Request
		if err := json.Unmarshal([]byte(line), &kept); err != nil {
			return q, false, fmt.Errorf("reading a request: %w", err)
		}
		if kept.Key == key {
			q, found = kept, true
		}
	}
	return q, found, nil
}

func (q Request) line() string {
	text, err := json.Marshal(q)
	if err != nil {
		panic(err) // texts and a time
	}
	return string(text)
}

// NoBook keeps nothing: a look needs no book.
type NoBook struct{}

// Owe, Paid and Owed fill Book.
func (NoBook) Owe(string, string) error { return nil }

// Paid: see Owe.
func (NoBook) Paid(string, string) error { return nil }

// Owed: see Owe.
func (NoBook) Owed(string) ([]string, error) { return nil, nil }
