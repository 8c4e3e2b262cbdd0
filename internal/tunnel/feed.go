package tunnel

import (
	"encoding/json"
	"time"
)

// The paths that exist through a tunnel only, beside the terminal's interface: the hub reads records there.
//
// A reader that has read before says so: epoch is the one that after is of, and at when the record of that number was made, in RFC
// 3339, as the reader has it (to the microsecond is enough). Where the terminal's data contradict that, because an older state of them
// was put back in a way that it could not notice, it begins a new epoch. A page of another epoch than the one asked for has no
// records: the reader goes on in that epoch, from its start or as Position.Origins says. Who asks for the position says by after up to which
// line of the ledger it has read.
const (
	ownPaths     = "/hub/"
	PositionPath = ownPaths + "position" // GET [?epoch=E&after=N]: a Position. The terminal says that there is news when it is another
	LedgerPath   = ownPaths + "ledger"   // GET ?after=N&limit=N[&epoch=E][&at=T]: a LedgerPage
	LogPath      = ownPaths + "log"      // GET ?after=N&limit=N[&epoch=E][&at=T]: a LogPage
)

// Position is how far a terminal's records have come, and how it is.
type Position struct {
	Epoch  string `json:"epoch"`  // of the data: a UUID that is new when a data folder is wiped or restored
	Ledger int64  `json:"ledger"` // the newest step of the ledger's history
	Log    int64  `json:"log"`    // the newest entry of the log
	State  State  `json:"state"`

	// Origins are earlier epochs that the data are a copy of, newest first; with numbers 0 where nobody can say how far.
	Origins []Origin `json:"origins,omitempty"`
}

// Origin is an earlier epoch: up to those numbers its records are the same as those of the epoch of now. A reader that has read N
// lines of it need not read them again, and begins with the smaller of N and Ledger; the log likewise.
type Origin struct {
	Epoch  string `json:"epoch"`
	Ledger int64  `json:"ledger"`
	Log    int64  `json:"log"`
}

// State is how a terminal is, as support wants to see it.
type State struct {
	Version    string    `json:"version"`
	Clock      time.Time `json:"clock"` // the terminal's own
	Busy       bool      `json:"busy"`
	Running    string    `json:"running,omitempty"` // payment, reversal, question, print; empty: nothing
	Foreground bool      `json:"foreground"`
	Printer    string    `json:"printer"`              // as /status words it: ok, paperOut, coverOpen, offline, …
	Trouble    []string  `json:"trouble,omitempty"`    // acquirers that can't be asked
	Unresolved int       `json:"unresolved,omitempty"` // payments nobody knows the end of
	SaleOpen   bool      `json:"saleOpen"`
}

// LedgerPage are steps of the ledger's history, in order and without gaps after the number asked for.
type LedgerPage struct {
	Epoch string `json:"epoch"`
	Last  int64  `json:"last"` // the newest there is
	Steps []Step `json:"steps"`
}

// Step is a line of the ledger's history, with the transaction as it was read together with it.
type Step struct {
	Number    int64     `json:"number"`
	Attempt   int64     `json:"attempt"`
	At        time.Time `json:"at"`
	Operation string    `json:"operation"` // payment or reversal
	State     string    `json:"state"`
	Note      string    `json:"note,omitempty"`

	Reference string          `json:"reference,omitempty"`
	Method    string          `json:"method"`
	Amount    string          `json:"amount"` // a decimal, exact
	Status    string          `json:"status"` // of the attempt: pending, approved, refused, cancelled, reversed
	NSU       string          `json:"nsu,omitempty"`
	Answer    json.RawMessage `json:"answer"` // what GET /transaction/{ref} says of the attempt now
}

// LogPage are entries of the log, in order. What the log had trimmed before it was asked for is missing: First tells.
type LogPage struct {
	Epoch   string     `json:"epoch"`
	First   int64      `json:"first"` // the oldest there is
	Last    int64      `json:"last"`  // the newest there is
	Entries []LogEntry `json:"entries"`
}

// LogEntry is an entry of the terminal's log.
type LogEntry struct {
	ID      int64     `json:"id"`
	At      time.Time `json:"at"`
	Level   string    `json:"level"`
	Source  string    `json:"source"`
	Message string    `json:"message"`
	Details string    `json:"details,omitempty"`
}
