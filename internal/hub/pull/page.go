package pull

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// errBadPage is what no terminal of ours sends. Nothing of it is kept.
var errBadPage = errors.New("the terminal sends what can't be its records")

// How long texts of a terminal may be, in bytes. Longer ones are cut.
const (
	longestWord      = 200
	longestReference = 4 << 10
	longestText      = 256 << 10
)

// ledgerBatch checks a page of the ledger. Of what is counted nothing is mended: it is refused. A reference is kept as any database takes
// it: what somebody called a payment must not hold up those that follow.
func ledgerBatch(before records.Cursor, place fleet.Place, text []byte) (records.Batch, error) {
	b := records.Batch{Place: place, Before: before, After: before.Number}
	var page struct {
		Epoch string
		Steps bounded[tunnel.Step]
	}
	if err := decode(text, &page); err != nil {
		return b, err
	}
	if page.Epoch != before.Epoch {
		return b, errOtherEpoch
	}
	beginnings := map[int64]time.Time{}
	for _, s := range page.Steps {
		if s.Number <= b.After || !countable(s) {
			return b, fmt.Errorf("%w: step %d", errBadPage, s.Number)
		}
		created, returns, err := said(s.Answer)
		if err != nil {
			return b, fmt.Errorf("%w: reversals of step %d", errBadPage, s.Number)
		}
		begun, known := beginnings[s.Attempt]
		switch {
		case known:
			created = begun
		case s.State == firstState || created.IsZero() || created.After(s.At):
			created = s.At
		}
		beginnings[s.Attempt] = created
		b.After = s.Number
		b.Steps = append(b.Steps, records.Step{
			Number: s.Number, Attempt: s.Attempt, At: s.At, Operation: s.Operation, State: s.State, Note: clean(s.Note, longestText),
		})
		b.Transactions = append(b.Transactions, records.Transaction{
			Place: place, Terminal: before.Terminal, Epoch: before.Epoch, Attempt: s.Attempt, Reference: clean(s.Reference, longestReference), Method: s.Method, Amount: s.Amount,
			Status: s.Status, NSU: clean(s.NSU, longestWord), CreatedAt: created, UpdatedAt: s.At, Answer: s.Answer, Returns: returns,
		})
	}
	return b, nil
}

var statuses = []string{"pending", "approved", "refused", "cancelled", "reversed"}

// countable tells of a step that can be counted as it was sent.
func countable(s tunnel.Step) bool {
	return slices.Contains(statuses, s.Status) && printable(s.Operation) && printable(s.State) && printable(s.Method) && sane(s.At)
}

// firstState is that of the step that a payment begins with. Of one whose beginning is forgotten here its answer has it: what is given back
// after years is no payment of today.
const firstState = "begun"

// said is what an answer says of a payment's beginning, and of what was given back.
func said(answer []byte) (created time.Time, all []records.Return, err error) {
	var said struct {
		Details struct {
			CreatedAt any `json:"createdAt"`
			Reversals bounded[struct {
				Amount json.Number `json:"amount"`
				At     time.Time   `json:"at"`
				NSU    string      `json:"nsu"`
			}] `json:"reversals"`
		} `json:"details"`
	}
	if err := json.Unmarshal(answer, &said); err != nil {
		return created, nil, err
	}
	for _, r := range said.Details.Reversals {
		if !sane(r.At) {
			return created, nil, errBadPage
		}
		all = append(all, records.Return{At: r.At, Amount: r.Amount.String(), NSU: clean(r.NSU, longestWord)})
	}
	text, _ := said.Details.CreatedAt.(string)
	if created, err = time.Parse(time.RFC3339, text); err != nil || !sane(created) {
		created = time.Time{} // nobody needs it most of the time
	}
	return created, all, nil
}

// logBatch checks a page of the log. Where all that was to be read is forgotten and nothing new is there, only the cursor goes on.
func logBatch(before records.Cursor, place fleet.Place, text []byte) (records.Batch, error) {
	b := records.Batch{Place: place, Before: before, After: before.Number}
	var page struct {
		Epoch   string
		First   int64
		Entries bounded[tunnel.LogEntry]
	}
	if err := decode(text, &page); err != nil {
		return b, err
	}
	if page.Epoch != before.Epoch {
		return b, errOtherEpoch
	}
	for _, e := range page.Entries {
		if e.ID <= b.After || !printable(e.Level) || !printable(e.Source) || !sane(e.At) {
			return b, fmt.Errorf("%w: entry %d", errBadPage, e.ID)
		}
		b.After = e.ID
		b.Entries = append(b.Entries, records.Entry{
			Place: place, Terminal: before.Terminal, Epoch: before.Epoch, ID: e.ID, At: e.At, Level: e.Level, Source: e.Source,
			Message: clean(e.Message, longestText), Details: clean(e.Details, longestText),
		})
	}
	if len(b.Entries) == 0 && page.First > b.After+1 {
		b.After = page.First - 1
	}
	return b, nil
}

// bounded is a list of a page. It is counted while it is read: eight megabytes can be millions of empty records.
type bounded[T any] []T

// mostRecords is what a terminal of ours sends in one page, however many are asked for.
const mostRecords = 1000

// UnmarshalJSON is called with a text that is JSON.
func (l *bounded[T]) UnmarshalJSON(text []byte) error {
	*l = nil
	dec := json.NewDecoder(bytes.NewReader(text))
	switch begin, err := dec.Token(); {
	case err != nil:
		return err
	case begin == nil: // null
		return nil
	case begin != json.Delim('['):
		return errBadPage
	}
	for dec.More() {
		if len(*l) == mostRecords {
			return fmt.Errorf("%w: more than %d records", errBadPage, mostRecords)
		}
		var one T
		if err := dec.Decode(&one); err != nil {
			return err
		}
		*l = append(*l, one)
	}
	return nil
}

// clean is a text as any database takes it, cut to a length.
func clean(s string, most int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}

// printable tells of a short word, or none.
func printable(s string) bool {
	return len(s) <= longestWord && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// sane tells of a time that any database keeps.
func sane(t time.Time) bool { return t.Year() > 1900 && t.Year() < 9999 }

// cleanState bounds what a terminal says of itself.
func cleanState(s tunnel.State) tunnel.State {
	const mostTrouble = 20
	s.Version, s.Running, s.Printer = clean(s.Version, longestWord), clean(s.Running, longestWord), clean(s.Printer, longestWord)
	s.Trouble = slices.Clone(s.Trouble[:min(len(s.Trouble), mostTrouble)])
	for i, t := range s.Trouble {
		s.Trouble[i] = clean(t, longestWord)
	}
	s.Unresolved = max(0, s.Unresolved)
	if !sane(s.Clock) {
		s.Clock = time.Time{}
	}
	return s
}
