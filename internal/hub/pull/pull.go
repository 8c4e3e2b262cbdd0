// Package pull reads the records of connected terminals into the hub's own: the ledger's history and the log, from where it
// stopped, page by page, and how each terminal is.
//
// Invariants: a page and its cursor are committed together, so that nothing is lost or doubled whatever dies; what a terminal
// says is bounded and checked before it is kept, since a stolen one may say anything; while the database is away the cursor
// stands, and everything is read later.
package pull

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Records keep what is read. A batch that does not follow on the cursor changes nothing; Commit tells where the cursor is.
type Records interface {
	Resume(ctx context.Context, account, terminal, epoch string, origins []records.Origin) (map[records.Kind]records.Cursor, error)
	Claims(ctx context.Context, account, terminal, epoch string, origins []records.Origin) ([]records.Claim, error)
	Commit(ctx context.Context, b records.Batch) (records.Cursor, error)
}

// Fleet knows where terminals belong, and is told how they are.
type Fleet interface {
	Admit(ctx context.Context, terminal string) (fleet.Terminal, error)
	Seen(ctx context.Context, sightings ...fleet.Sighting) error
}

// Config is what a puller stands on, and how patient it is. Zero durations are the product's own.
type Config struct {
	Records Records
	Fleet   Fleet
	Failed  func(terminal string, err error) // told of each failure; nil: nobody is
	Kept    func(kind records.Kind, n int)   // told of records that were committed; nil: nobody is

	LineEach  time.Duration // positions are read no faster than this: a terminal of ours sends fewer
	LogPause  time.Duration // entries of the log are read together for so long
	Retry     time.Duration // after the first failure; it doubles up to RetryMost
	RetryMost time.Duration
	PageWait  time.Duration // for one page
	SeenEach  time.Duration // how often it is written down how terminals are
}

// Puller reads from all terminals. Its methods may be called from anywhere.
type Puller struct {
	Config
	pages   chan struct{} // as many as may be in memory at once
	commits chan struct{} // as many as may commit at once
}

// New returns a puller.
func New(c Config) *Puller {
	c.LineEach = cmp.Or(c.LineEach, 100*time.Millisecond)
	c.LogPause = cmp.Or(c.LogPause, 500*time.Millisecond)
	c.Retry = cmp.Or(c.Retry, time.Second)
	c.RetryMost = cmp.Or(c.RetryMost, 30*time.Second)
	c.PageWait = cmp.Or(c.PageWait, time.Minute)
	c.SeenEach = cmp.Or(c.SeenEach, 2*time.Second)
	if c.Failed == nil {
		c.Failed = func(string, error) {}
	}
	if c.Kept == nil {
		c.Kept = func(records.Kind, int) {}
	}
	const pages, together = 128, 16 // a page that comes over a slow line holds up others only when there are very many of them
	return &Puller{Config: c, pages: make(chan struct{}, pages), commits: make(chan struct{}, together)}
}

var (
	errNoFeed     = errors.New("the terminal has no records to read")
	errOtherEpoch = errors.New("the terminal's data was replaced meanwhile")
	errStuck      = errors.New("the terminal shows nothing of what it says there is")
	errTooLong    = errors.New("the terminal sends more than is taken")
)

// Attend reads from a terminal as long as its link lasts.
func (p *Puller) Attend(ctx context.Context, b *links.Board, link links.Link) {
	// Requests must end with the link: their ends are what wakes this goroutine.
	wait := p.Retry
	for {
		f := follower{Puller: p, board: b, link: link}
		err := f.follow(ctx)
		if over(ctx, link) {
			return
		}
		p.Failed(link.Terminal(), err)
		if f.progress {
			wait = p.Retry
		}
		if !pause(ctx, link, wait/2+rand.N(wait/2+1)) {
			return
		}
		wait = min(2*wait, p.RetryMost)
	}
}

func over(ctx context.Context, link links.Link) bool {
	select {
	case <-link.Done():
		return true
	default:
		return ctx.Err() != nil
	}
}

// pause lets time pass; false: there is nothing more to do.
func pause(ctx context.Context, link links.Link, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-link.Done():
	case <-ctx.Done():
	}
	return false
}

// follower is one stretch of reading, until something fails.
type follower struct {
	*Puller
	board    *links.Board
	link     links.Link
	place    fleet.Place
	epoch    string
	origins  []records.Origin
	cursors  *cursors // of the epoch
	progress bool
}

// cursors are no map: there is one for each terminal, and the map would be four times as large.
type cursors struct{ ledger, log records.Cursor }

func (c *cursors) of(kind records.Kind) *records.Cursor {
	if kind == records.Ledger {
		return &c.ledger
	}
	return &c.log
}

// follow reads positions as they come, and what is behind each. Ten thousand goroutines wait in here: what is done in between is done
// in methods that it calls, so that its own stack stays small.
func (f *follower) follow(ctx context.Context) error {
	lines, hangUp, err := f.watch(ctx)
	if err != nil {
		return err
	}
	for err == nil {
		if _, err = lines.Peek(1); err == nil {
			err = f.take(ctx, lines)
		}
	}
	hangUp.Close()
	return err
}

// watch asks for positions.
func (f *follower) watch(ctx context.Context) (*bufio.Reader, io.Closer, error) {
	t, err := f.Fleet.Admit(ctx, f.link.Terminal())
	if err != nil {
		return nil, nil, err
	}
	f.place = t.Place
	resp, err := f.get(ctx, tunnel.WatchPath)
	if err != nil {
		return nil, nil, err
	}
	return bufio.NewReaderSize(resp.Body, 512), resp.Body, nil // about a position: there is one such reader for each terminal
}

// readLine reads a line of bounded length.
func readLine(r *bufio.Reader) ([]byte, error) {
	const most = 64 << 10
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, errTooLong
		}
		switch {
		case err == nil && line == nil:
			return part, nil
		case err == nil:
			return append(line, part...), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
		line = append(line, part...)
	}
}

// take reads a position that comes now, and what is behind it.
func (f *follower) take(ctx context.Context, lines *bufio.Reader) error {
	line, err := readLine(lines)
	if err != nil {
		return err
	}
	at := time.Now()
	var pos tunnel.Position
	if err := json.Unmarshal(line, &pos); err != nil {
		return fmt.Errorf("reading a position: %w", err)
	}
	f.board.Told(f.link, cleanState(pos.State))
	if err := f.catchUp(ctx, pos); err != nil {
		return err
	}
	f.progress = true
	f.board.CaughtUp(f.link, at)
	if rest := f.LineEach - time.Since(at); rest > 0 && !pause(ctx, f.link, rest) {
		return io.EOF
	}
	return nil
}

// catchUp reads all up to a position. The ledger comes first: the log has time, and is read in larger pieces.
func (f *follower) catchUp(ctx context.Context, pos tunnel.Position) error {
	if pos.Epoch == "" || !printable(pos.Epoch) {
		return fmt.Errorf("%w: epoch", errBadPage)
	}
	if pos.Epoch != f.epoch {
		if err := f.resume(ctx, pos); err != nil {
			return err
		}
	}
	if err := f.read(ctx, records.Ledger, pos.Ledger); err != nil {
		return err
	}
	if f.cursors.log.Number >= pos.Log {
		return nil
	}
	if !pause(ctx, f.link, f.LogPause) {
		return io.EOF
	}
	return f.read(ctx, records.Log, pos.Log)
}

// resume finds where to read on. A terminal that has less than was read of it has older data and does not know; one that has as many
// payments' steps may have sold others since. Asked for what comes next, it begins a new epoch, before it writes other records under
// numbers that are known here.
func (f *follower) resume(ctx context.Context, pos tunnel.Position) error {
	f.origins = nil
	for _, o := range pos.Origins {
		f.origins = append(f.origins, records.Origin{Epoch: o.Epoch, Ledger: o.Ledger, Log: o.Log})
	}
	read, err := f.Records.Resume(ctx, f.place.Account, f.link.Terminal(), pos.Epoch, f.origins)
	if err == nil && read[records.Ledger].At.IsZero() {
		if err = f.prove(ctx, pos); err == nil {
			read, err = f.Records.Resume(ctx, f.place.Account, f.link.Terminal(), pos.Epoch, f.origins)
		}
	}
	if err != nil {
		return err
	}
	f.cursors = &cursors{read[records.Ledger], read[records.Log]}
	for kind, last := range map[records.Kind]int64{records.Ledger: pos.Ledger, records.Log: pos.Log} {
		if at := *f.cursors.of(kind); at.Number > last || kind == records.Ledger && at.Number == last && last > 0 {
			if _, err := f.page(ctx, at, 1); err != nil {
				return err
			}
		}
	}
	f.epoch = pos.Epoch
	return nil
}

// read reads a kind of record up to a number.
func (f *follower) read(ctx context.Context, kind records.Kind, upTo int64) error {
	limit := pageLimit
	for f.cursors.of(kind).Number < upTo {
		err := f.readPage(ctx, kind, limit)
		switch {
		case errors.Is(err, errTooLong) && limit > 1:
			limit = max(1, limit/8) // few entries can be as long as many are
		case err != nil:
			return err
		}
	}
	return nil
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
	if b.Before.At.IsZero() {
		b.Origins, b.Resumed = f.origins, true
	}
	*f.cursors.of(kind), err = f.commit(ctx, b)
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
	pageLimit     = 500
	mostPageBytes = 8 << 20
)

// page reads one page, as a batch to be committed.
func (f *follower) page(ctx context.Context, before records.Cursor, limit int) (records.Batch, error) {
	ctx, cancel := context.WithTimeout(ctx, f.PageWait)
	defer cancel()
	path := map[records.Kind]string{records.Ledger: tunnel.LedgerPath, records.Log: tunnel.LogPath}[before.Kind]
	query := url.Values{"epoch": {before.Epoch}, "after": {strconv.FormatInt(before.Number, 10)}, "limit": {strconv.Itoa(limit)}}
	if !before.Recorded.IsZero() {
		query.Set("at", before.Recorded.UTC().Format(time.RFC3339Nano)) // the terminal compares
	}
	resp, err := f.get(ctx, path+"?"+query.Encode())
	if err != nil {
		return records.Batch{}, err
	}
	defer resp.Body.Close()
	if t, err := f.Fleet.Admit(ctx, before.Terminal); err == nil {
		f.place = t.Place // it may have been moved to another shop
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostPageBytes+1))
	switch {
	case err != nil:
		return records.Batch{}, err
	case len(text) > mostPageBytes:
		return records.Batch{}, errTooLong
	case before.Kind == records.Ledger:
		return ledgerBatch(before, f.place, text)
	}
	return logBatch(before, f.place, text)
}

// get asks the terminal for something that only a hub may read.
func (f *follower) get(ctx context.Context, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://terminal"+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := f.link.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("%w: %s: %d", errNoFeed, path, resp.StatusCode)
	}
	return resp, nil
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
