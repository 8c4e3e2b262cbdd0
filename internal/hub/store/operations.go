package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/operations"
)

// Operations keeps requests that nobody waits for.
type Operations struct{ db *database }

const (
	operationHead    = `id, account_id, tenant_id, shop_id, terminal_id, caller, key, digest, reference, run, method, path, state, created_at, ended_at, status`
	operationColumns = operationHead + `, headers, body, answer`
)

// head are where the columns without bodies go.
func head(o *operations.Operation) []any {
	return []any{
		&o.ID, &o.Account, &o.Tenant, &o.Shop, &o.Terminal, &o.Caller, &o.Key, &o.Digest, &o.Reference, &o.Run, &o.Method, &o.Path, &o.State,
		into{&o.CreatedAt},
		into{&o.EndedAt},
		&o.Status,
	}
}

func scanHead(r scanner) (o operations.Operation, err error) {
	err = r.Scan(head(&o)...)
	return o, err
}

func scanOperation(r scanner) (o operations.Operation, err error) {
	var headers string
	if err := r.Scan(append(head(&o), &headers, &o.Body, &o.Answer)...); err != nil {
		return o, err
	}
	if err := json.Unmarshal([]byte(headers), &o.Headers); err != nil {
		return o, fmt.Errorf("the headers of operation %s: %w", o.ID, err)
	}
	return o, nil
}

// Begin writes an operation, or gives the one that has its caller, terminal and key.
func (s *Operations) Begin(ctx context.Context, o operations.Operation) (kept operations.Operation, fresh bool, err error) {
	err = s.db.write(ctx, func(t *tx) error {
		n, err := t.exec(`INSERT INTO operations (`+operationColumns+`) VALUES (?`+strings.Repeat(", ?", 18)+`) ON CONFLICT (caller, terminal_id, key) DO NOTHING`,
			o.ID, o.Account, o.Tenant, o.Shop, o.Terminal, o.Caller, o.Key, o.Digest, o.Reference, o.Run, o.Method, o.Path, string(o.State), o.CreatedAt, o.EndedAt, o.Status,
			"null", o.Body, o.Answer)
		if fresh = n == 1; err != nil || fresh {
			kept = o
			return err
		}
		kept, err = scanOperation(t.row(`SELECT `+operationColumns+` FROM operations WHERE caller = ? AND terminal_id = ? AND key = ?`, o.Caller, o.Terminal, o.Key))
		return err
	})
	return kept, fresh, err
}

// Move changes the state and what the end brings.
func (s *Operations) Move(ctx context.Context, o operations.Operation, from ...operations.State) error {
	headers, err := json.Marshal(o.Headers)
	if err != nil {
		return err
	}
	return s.db.write(ctx, func(t *tx) error {
		args := []any{string(o.State), o.EndedAt, o.Status, string(headers), o.Answer, o.Run, o.Run, o.ID}
		for _, f := range from {
			args = append(args, string(f))
		}
		n, err := t.exec(`UPDATE operations SET state = ?, ended_at = ?, status = ?, headers = ?, answer = ?, run = CASE WHEN ? = '' THEN run ELSE ? END WHERE id = ? AND state IN (?`+strings.Repeat(", ?", len(from)-1)+`)`, args...)
		if err == nil && n == 0 {
			err = operations.ErrState
		}
		return err
	})
}

// Operation is one of any account.
func (s *Operations) Operation(ctx context.Context, id string) (operations.Operation, error) {
	return one(ctx, s.db, operations.ErrNotFound, scanOperation, `SELECT `+operationColumns+` FROM operations WHERE id = ?`, id)
}

// Named is the one that has its caller, terminal and key.
func (s *Operations) Named(ctx context.Context, caller, terminal, key string) (operations.Operation, error) {
	return one(ctx, s.db, operations.ErrNotFound, scanOperation, `SELECT `+operationColumns+` FROM operations WHERE caller = ? AND terminal_id = ? AND key = ?`, caller, terminal, key)
}

// Operations are those within a place, newest first, without bodies.
func (s *Operations) Operations(ctx context.Context, within fleet.Place, f operations.Filter, limit int) ([]operations.Operation, error) {
	w := inside(within)
	w.equal("terminal_id", f.Terminal)
	w.equal("state", string(f.State))
	if f.Behind == "" {
		w.since("created_at", time.Time{}, f.Before)
	} else {
		w.add("(created_at, id) < (?, ?)", f.Before.UnixMicro(), f.Behind)
	}
	return many(ctx, s.db, scanHead, `SELECT `+operationHead+` FROM operations`+w.String()+` ORDER BY created_at DESC, id DESC LIMIT ?`, append(w.args, limit)...)
}

// Unended are those that wait or run, oldest first.
func (s *Operations) Unended(ctx context.Context) ([]operations.Operation, error) {
	return many(ctx, s.db, scanOperation, `SELECT `+operationColumns+` FROM operations WHERE state IN (?, ?) ORDER BY created_at, id`,
		string(operations.Waiting), string(operations.Running))
}

// UnendedOf are those of a run that wait or run, without bodies.
func (s *Operations) UnendedOf(ctx context.Context, run string) ([]operations.Operation, error) {
	return many(ctx, s.db, scanHead, `SELECT `+operationHead+` FROM operations WHERE state IN (?, ?) AND run = ?`, string(operations.Waiting), string(operations.Running), run)
}

// Orphaned are those that wait or run, of runs without a lease that holds, oldest first.
func (s *Operations) Orphaned(ctx context.Context) ([]operations.Operation, error) {
	return many(ctx, s.db, scanOperation, `SELECT `+operationColumns+` FROM operations WHERE state IN (?, ?) AND run NOT IN (SELECT hubs.run FROM hubs WHERE valid_until > `+
		s.db.clock()+`) ORDER BY created_at, id`, string(operations.Waiting), string(operations.Running))
}
