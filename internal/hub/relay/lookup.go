package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/params"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/reply"
)

// Records are looked up in the place of a terminal that is away; a *records.Desk has them.
type Records interface {
	Find(ctx context.Context, s fleet.Scope, terminal, reference string) (records.Transaction, error)
	EachTransaction(ctx context.Context, s fleet.Scope, f records.TransactionFilter, each func(records.Transaction) error) error
	EachEntry(ctx context.Context, s fleet.Scope, f records.EntryFilter, each func(records.Entry) error) error
	Cursors(ctx context.Context, terminal string) ([]records.Cursor, error)
}

// answerFromRecords answers a lookup without the terminal. False: it can't, and nothing was written.
//
// A reference that is not in the records is no 404: the terminal may have taken the payment since, and whoever believes that it
// has not would charge again.
func (y *Relay) answerFromRecords(w http.ResponseWriter, r *http.Request, to Target, steps []string) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	lookup, ok := y.lookup(steps)
	if !ok {
		return false
	}
	asOf := y.asOf(r.Context(), to.Terminal.ID)
	if asOf.IsZero() {
		return false
	}
	q := params.Of(r)
	if clock := to.Terminal.Condition.Clock; !clock.IsZero() {
		q.Zone = clock.Location() // its days are those of the list that it would give itself
	}
	if q.Fault != nil {
		refuse(w, q.Fault)
		return true
	}
	body, err := lookup(r.Context(), to, q)
	var said *reply.Failure
	switch {
	case errors.As(err, &said):
		refuse(w, err)
		return true
	case err != nil:
		return false
	}
	h := w.Header()
	expose(h, AsOfHeader, asOf.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
	AllowPages(h)
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	w.Write(body) //nolint:errcheck // the caller may be gone
	return true
}

type lookup func(context.Context, Target, *params.Query) ([]byte, error)

func (y *Relay) lookup(steps []string) (lookup, bool) {
	switch {
	case len(steps) == 2 && steps[0] == "transaction":
		return func(ctx context.Context, to Target, _ *params.Query) ([]byte, error) {
			t, err := y.Records.Find(ctx, to.Caller.Scope, to.Terminal.ID, steps[1])
			return line(t.Answer), err
		}, true
	case len(steps) == 1 && steps[0] == "transaction":
		return y.listTransactions, true
	case len(steps) == 1 && steps[0] == "logs":
		return y.listLogs, true
	}
	return nil, false
}

func line(answer []byte) []byte { return append(bytes.TrimRight(bytes.Clone(answer), "\n"), '\n') }

// asOf is up to when all records of a terminal are here; zero: nobody knows.
func (y *Relay) asOf(ctx context.Context, terminal string) time.Time {
	if caught := y.Links.Presence(terminal).Caught; !caught.IsZero() {
		return caught
	}
	cursors, err := y.Records.Cursors(ctx, terminal)
	if err != nil {
		return time.Time{}
	}
	var at time.Time
	for _, c := range cursors {
		if c.Kind == records.Ledger && c.At.After(at) {
			at = c.At
		}
	}
	return at
}

// mostListed is how long a list may be that is put together without the terminal.
const mostListed = 10_000

// highestLimit is what the terminal itself takes as one.
const highestLimit = 100_000

var (
	errEnough  = errors.New("enough")
	errTooMany = reply.Refuse(http.StatusBadRequest, "Requisição inválida: a lista é longa demais sem o terminal; use limit ou since")
)

// listTransactions lists as the terminal does: the newest, oldest first.
func (y *Relay) listTransactions(ctx context.Context, to Target, q *params.Query) ([]byte, error) {
	limit := q.Whole("limit", 0, 1, highestLimit)
	f := records.TransactionFilter{
		Terminal: to.Terminal.ID, Since: q.Moment("since", false), Status: q.Choice("status", "pending", "approved", "refused", "cancelled", "reversed"),
	}
	if q.Fault != nil {
		return nil, q.Fault
	}
	var answers []json.RawMessage
	err := y.Records.EachTransaction(ctx, to.Caller.Scope, f, func(t records.Transaction) error {
		switch {
		case limit > 0 && len(answers) == limit:
			return errEnough
		case len(answers) == mostListed:
			return errTooMany
		}
		answers = append(answers, t.Answer)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	slices.Reverse(answers)
	return array(answers)
}

// logEntry is one as the terminal's own list has it.
type logEntry struct {
	ID        string  `json:"id"`
	Level     string  `json:"level"`
	Source    string  `json:"source"`
	Message   string  `json:"message"`
	Details   *string `json:"details"`
	CreatedAt *string `json:"createdAt"`
}

// listLogs lists as the terminal does, newest first.
func (y *Relay) listLogs(ctx context.Context, to Target, q *params.Query) ([]byte, error) {
	const usual = 1000
	limit := q.Whole("limit", usual, 1, highestLimit)
	f := records.EntryFilter{
		Terminal: to.Terminal.ID, Words: q.Get("search"),
		Level: q.Choice("level", "fatal", "error", "warning", "info", "trace", "path", "debug"), Source: q.Choice("source", "app", "router", "http"),
		Since: q.Moment("dateFrom", false), Until: q.Moment("dateTo", true),
	}
	if q.Fault != nil {
		return nil, q.Fault
	}
	var entries []json.RawMessage
	err := y.Records.EachEntry(ctx, to.Caller.Scope, f, func(e records.Entry) error {
		switch {
		case len(entries) == limit:
			return errEnough
		case len(entries) == mostListed:
			return errTooMany
		}
		shown := logEntry{strconv.FormatInt(e.ID, 10), e.Level, e.Source, e.Message, nil, reply.Stamp(e.At)}
		if e.Details != "" && q.Get("includeDetails") != "false" {
			shown.Details = &e.Details
		}
		text, err := json.Marshal(shown)
		entries = append(entries, text)
		return err
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return array(entries)
}

func array(elements []json.RawMessage) ([]byte, error) {
	return append(append([]byte{'['}, bytes.Join(toBytes(elements), []byte(","))...), "]\n"...), nil
}

func toBytes(all []json.RawMessage) [][]byte {
	list := make([][]byte, len(all))
	for i, one := range all {
		list[i] = bytes.TrimSpace(one)
	}
	return list
}
