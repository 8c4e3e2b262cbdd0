package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// trimChunks is how many chunks one transaction deletes: few enough that entries
// waiting to be appended hardly notice.
const trimChunks = 8

// Trim deletes whole chunks, oldest first. Ids stand for entries in the count: a
// gap left by entries that were dropped counts as if they were there.
func (l *Logs) Trim(ctx context.Context, before time.Time, keep int) error {
	last, err := l.Last()
	if err != nil {
		return err
	}
	kept := last &^ (chunkSize - 1) // the newest chunk always stays
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		cut, err := l.expired(ctx, before, keep, last, kept)
		if err != nil {
			return fmt.Errorf("trimming logs: %w", explain(err))
		}
		if cut == 0 {
			return nil
		}
		if err := inTx(l.db.writer, func(tx *sql.Tx) error { return forget(tx, cut) }); err != nil {
			return fmt.Errorf("trimming logs: %w", explain(err))
		}
	}
}

// expired finds the next few chunks to delete, all below the id it gives; 0 when
// none is due.
func (l *Logs) expired(ctx context.Context, before time.Time, keep int, last, kept int64) (cut int64, err error) {
	var first sql.NullInt64
	if err := l.db.reader.QueryRowContext(ctx, "SELECT min(id) FROM log_entry").Scan(&first); err != nil {
		return 0, err
	}
	if !first.Valid {
		return 0, nil
	}
	from := first.Int64
	for range trimChunks {
		end := from&^(chunkSize-1) + chunkSize
		if end > kept {
			break
		}
		if keep <= 0 || end > last-int64(keep)+1 {
			old, err := l.allBefore(ctx, before, from, end)
			if err != nil {
				return 0, err
			}
			if !old {
				break
			}
		}
		from, cut = end, end
	}
	return cut, nil
}

func (l *Logs) allBefore(ctx context.Context, before time.Time, from, end int64) (bool, error) {
	if before.IsZero() {
		return false, nil
	}
	var young int
	err := l.db.reader.QueryRowContext(ctx, "SELECT 1 FROM log_entry WHERE id >= ? AND id < ? AND at >= ? LIMIT 1",
		from, end, before.UnixMilli()).Scan(&young)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	return false, err
}

// forget deletes the entries below an id, and the volumes that are then empty. A
// volume that lost a part keeps its signature: it sends a search to chunks that
// are gone, which costs next to nothing.
func forget(tx *sql.Tx, cut int64) error {
	number := volumeOf(cut)
	row, _ := signatureRow(number, 0)
	for _, d := range []struct {
		text string
		arg  int64
	}{
		{"DELETE FROM log_entry WHERE id < ?", cut},
		{"DELETE FROM log_volume WHERE number < ?", number},
		{"DELETE FROM log_signature WHERE id < ?", row},
	} {
		if _, err := tx.Exec(d.text, d.arg); err != nil {
			return err
		}
	}
	return nil
}
