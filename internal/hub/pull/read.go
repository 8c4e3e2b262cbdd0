package pull

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// read reads a page of a kind of record, and rests where the terminal has had much of late.
func (f *follower) read(ctx context.Context, kind records.Kind) error {
	limit := pageLimit
	err := f.readPage(ctx, kind, limit)
	for errors.Is(err, errTooLong) && limit > 1 {
		limit = max(1, limit/8) // few entries can be as long as many are
		err = f.readPage(ctx, kind, limit)
	}
	if err == nil && f.rest > 0 && !f.pause(f.rest) {
		return io.EOF
	}
	return err
}

// readPage reads a page and keeps it, when it is its turn: the pages of ten thousand terminals that come back at once must not all be
// in memory.
func (f *follower) readPage(ctx context.Context, kind records.Kind, limit int) error {
	select {
	case f.pages <- struct{}{}:
		defer func() { <-f.pages }()
	case <-ctx.Done():
		return ctx.Err()
	}
	b, err := f.page(ctx, *f.cursors.of(kind), limit)
	if err != nil {
		return err
	}
	if b.After == b.Before.Number {
		return fmt.Errorf("%w: %s, %d", errStuck, kind, b.After)
	}
	b.ClockOff = f.clockOff
	if b.Before.At.IsZero() {
		b.Origins, b.Resumed = f.origins, true
	}
	*f.cursors.of(kind), err = f.commit(ctx, b)
	f.rest = f.paces.spend(f.link.Terminal(), len(b.Steps)+len(b.Entries), f.RecordEach, f.RecordRoom)
	return err
}

// commit keeps a batch, when it is its turn: ten thousand terminals that come back at once must not all be at the database.
func (f *follower) commit(ctx context.Context, b records.Batch) (records.Cursor, error) {
	select {
	case f.commits <- struct{}{}:
		defer func() { <-f.commits }()
	case <-ctx.Done():
		return b.Before, ctx.Err()
	}
	at, err := f.Records.Commit(ctx, b)
	if err == nil && at.Number == b.After {
		f.Kept(b.Before.Kind, len(b.Steps)+len(b.Entries))
	}
	return at, err
}

const (
	pageLimit         = 500
	mostPageBytes     = 8 << 20
	mostPositionBytes = 64 << 10
)

// position asks how far the terminal's records have come, and says how far they are here.
func (f *follower) position(ctx context.Context) (pos tunnel.Position, err error) {
	path := tunnel.PositionPath
	if f.epoch != "" {
		path += "?" + url.Values{"epoch": {f.epoch}, "after": {strconv.FormatInt(f.cursors.ledger.Number, 10)}}.Encode()
	}
	text, err := f.get(ctx, path, mostPositionBytes)
	if err == nil {
		err = decode(text, &pos)
	}
	return pos, err
}

// page reads one page, as a batch to be committed.
func (f *follower) page(ctx context.Context, before records.Cursor, limit int) (records.Batch, error) {
	path := map[records.Kind]string{records.Ledger: tunnel.LedgerPath, records.Log: tunnel.LogPath}[before.Kind]
	query := url.Values{"epoch": {before.Epoch}, "after": {strconv.FormatInt(before.Number, 10)}, "limit": {strconv.Itoa(limit)}}
	if !before.Recorded.IsZero() {
		query.Set("at", before.Recorded.UTC().Format(time.RFC3339Nano)) // the terminal compares
	}
	text, err := f.get(ctx, path+"?"+query.Encode(), mostPageBytes)
	switch {
	case err != nil:
		return records.Batch{}, err
	case before.Kind == records.Ledger:
		return ledgerBatch(before, f.place, text)
	}
	return logBatch(before, f.place, text)
}

// get asks the terminal for something that only a hub may read, of so many bytes at most.
func (f *follower) get(ctx context.Context, path string, most int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, f.PageWait)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://terminal"+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := f.link.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: %s: %d", errNoFeed, path, resp.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err == nil && int64(len(text)) > most {
		err = errTooLong
	}
	return text, err
}

// decode reads a page. A body of two values is no page.
func decode(text []byte, to any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(to); err != nil {
		return fmt.Errorf("%w: %w", errBadPage, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("%w: more than one value", errBadPage)
	}
	return nil
}
