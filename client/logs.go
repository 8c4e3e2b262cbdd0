package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// LogEntry is a line of the terminal's log.
type LogEntry struct {
	ID        string    `json:"id"`
	Level     string    `json:"level"`  // fatal, error, warning, info, trace, path or debug
	Source    string    `json:"source"` // app, router or http
	Message   string    `json:"message"`
	Details   string    `json:"details"`
	CreatedAt time.Time `json:"createdAt"`
}

// UnmarshalJSON reads an entry. A terminal that also serves callers written for TEF IP writes id and time as numbers.
func (e *LogEntry) UnmarshalJSON(text []byte) error {
	type entry LogEntry // which has no UnmarshalJSON
	read := struct {
		*entry
		ID        json.RawMessage `json:"id"`
		CreatedAt json.RawMessage `json:"createdAt"`
	}{entry: (*entry)(e)}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	if seconds, err := strconv.ParseInt(string(read.CreatedAt), 10, 64); err == nil {
		e.ID, e.CreatedAt = string(read.ID), time.Unix(seconds, 0)
		return nil
	}
	return errors.Join(json.Unmarshal(read.ID, &e.ID), json.Unmarshal(read.CreatedAt, &e.CreatedAt))
}

// LogFilter narrows the log; the zero value asks for the newest 1000 entries.
type LogFilter struct {
	Level, Source string
	From, To      time.Time
	Limit         int
	Search        string // in message and details; not for DownloadLogs
	NoDetails     bool   // leaves Details empty; not for DownloadLogs
}

func (f LogFilter) query() url.Values {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("level", f.Level)
	set("source", f.Source)
	if !f.From.IsZero() {
		set("dateFrom", f.From.Format(time.RFC3339Nano))
	}
	if !f.To.IsZero() {
		set("dateTo", f.To.Format(time.RFC3339Nano))
	}
	if f.Limit > 0 {
		set("limit", strconv.Itoa(f.Limit))
	}
	set("search", f.Search)
	if f.NoDetails {
		set("includeDetails", "false")
	}
	return q
}

// Logs lists entries, newest first.
func (c *Client) Logs(ctx context.Context, f LogFilter) ([]LogEntry, error) {
	var all []LogEntry
	err := c.send(ctx, call{method: http.MethodGet, path: "/logs", query: f.query()}, nil, &all)
	return all, err
}

// DownloadLogs writes the log as a ZIP archive. A download that breaks off is an error.
func (c *Client) DownloadLogs(ctx context.Context, f LogFilter, to io.Writer) error {
	f.Search, f.NoDetails = "", false
	answer, err := c.open(ctx, call{method: http.MethodGet, path: "/logs/zip/download", query: f.query()})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(to, answer.Body); err != nil {
		return fmt.Errorf("%w: baixando os logs: %w", ErrNoAnswer, err)
	}
	return nil
}

// StreamLogs follows the log. When it returns, every entry made from then on comes, until the loop is left, the context ends (the
// sequence then just ends) or the connection breaks (the last pair has an error). Range over it once, or end the context.
func (c *Client) StreamLogs(ctx context.Context) (iter.Seq2[LogEntry, error], error) {
	return stream[LogEntry](ctx, c, "/logs/stream", "dos logs")
}
