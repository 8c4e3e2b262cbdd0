package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/operations"
)

// Import fills an empty folder, or the empty database at an address, with what pieces passes on: with all of it or, where that fails,
// with nothing; ErrUnsure means that it is one of them. The schema is this program's then, whichever the backup had.
func Import(ctx context.Context, folder, address string, pieces func(Take) error) (Counts, error) {
	db, err := openDatabase(folder, address)
	if err != nil {
		return nil, err
	}
	in, ended := importing{counts: Counts{}}, false
	err = db.transact(ctx, func(t *tx) error {
		in.tx = t
		err := in.all(pieces)
		ended = err == nil
		return err
	})
	if err != nil && ended && db.postgres {
		err = fmt.Errorf("%w: %w", ErrUnsure, err) // the commit's answer may have been lost on its way
	}
	return in.counts, explain(errors.Join(err, db.close()))
}

// CheckEmpty tells whether Import could fill the PostgreSQL at an address: it answers, and has nothing in it. Nothing is written.
func CheckEmpty(ctx context.Context, address string) error {
	db, err := openPostgres(address)
	if err != nil {
		return err
	}
	return explain(errors.Join(db.transact(ctx, (*tx).checkEmpty), db.close()))
}

func (t *tx) checkEmpty() error {
	have, err := t.tables()
	if err == nil && len(have) > 0 {
		err = ErrNotEmpty
	}
	return err
}

// importing is one run.
type importing struct {
	*tx
	steps  []string
	counts Counts
}

func (in *importing) all(pieces func(Take) error) (err error) {
	if in.steps, err = schemaSteps(); err != nil {
		return err
	}
	if err := in.checkEmpty(); err != nil {
		return err
	}
	if _, err := in.exec(makeMigrations); err != nil {
		return err
	}
	if err := pieces(in.take); err != nil {
		return err
	}
	if err := in.migrate(len(in.steps)); err != nil {
		return err
	}
	// What had not been sent when the backup was made may have been since: nobody may be told that it can be repeated. As one that was being
	// sent it ends as lost when a hub starts.
	if _, err := in.exec(`UPDATE operations SET state = ? WHERE state = ?`, string(operations.Running), string(operations.Waiting)); err != nil {
		return err
	}
	return in.moveNumbers()
}

// numbersSince is before any hub that numbers by time.
var numbersSince = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// moveNumbers has events and changes count on from the microseconds since a day. Whoever reads on from a number may have read later ones than
// the backup has, also from an earlier restore: nobody gives out one in a microsecond, so all of these are below. They stay below 2^53,
// which JavaScript counts to, for 285 years. Where they are beyond the clock already, it was wrong: they move by as much.
func (in *importing) moveNumbers() error {
	now := time.Since(numbersSince).Microseconds()
	for _, of := range []struct{ kind, table string }{{"events", "event_number"}, {"changes", "change_number"}} {
		if _, err := in.exec(`UPDATE `+of.table+` SET last = `+movedOn, now, now, now); err != nil {
			return err
		}
		if err := moveNumbers(in.tx, of.kind, now); err != nil {
			return err
		}
	}
	return nil
}

func (in *importing) migrate(upTo int) error {
	for number := range upTo {
		if err := in.step(in.steps, number+1); err != nil {
			return err
		}
	}
	return nil
}

func (in *importing) take(name string, content []byte) error {
	if name == schemaPiece {
		var had int
		if err := json.Unmarshal(content, &had); err != nil {
			return err
		}
		if had > len(in.steps) {
			return newer(had, len(in.steps))
		}
		return in.migrate(had)
	}
	table, _, _ := strings.Cut(name, "/")
	columns, rows, err := readPiece(content)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !slices.Contains(tables, table) || !columnNames.MatchString(columns) {
		return fmt.Errorf("%s: %w", name, errOfNoTable)
	}
	if strings.HasSuffix(table, "_number") { // its only row is in the backup
		if _, err := in.exec(`DELETE FROM ` + table); err != nil {
			return err
		}
	}
	in.counts[table] += len(rows)
	return in.insert(table+" ("+columns+")", "", rows)
}

// errOfNoTable tells of a backup that was made by somebody else's hand.
var errOfNoTable = errors.New("rows of no table")

var columnNames = regexp.MustCompile(`^[a-z_]+(, [a-z_]+)*$`)

func readPiece(content []byte) (columns string, rows [][]any, err error) {
	lines := json.NewDecoder(bytes.NewReader(content))
	lines.UseNumber()
	var names []string
	if err := lines.Decode(&names); err != nil {
		return "", nil, err
	}
	for {
		var cells []any
		if err := lines.Decode(&cells); errors.Is(err, io.EOF) {
			return strings.Join(names, ", "), rows, nil
		} else if err != nil {
			return "", nil, err
		}
		if len(cells) != len(names) {
			return "", nil, errOfNoTable
		}
		for i := range cells {
			if cells[i], err = readCell(cells[i]); err != nil {
				return "", nil, err
			}
		}
		rows = append(rows, cells)
	}
}

// readCell is what written made JSON of.
func readCell(cell any) (any, error) {
	switch v := cell.(type) {
	case json.Number:
		return v.Int64()
	case []any:
		var texts [][]byte
		again, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(again, &texts)
		}
		if err != nil || len(texts) != 1 {
			return nil, errors.Join(err, errOfNoTable)
		}
		return texts[0], nil
	}
	return cell, nil
}
