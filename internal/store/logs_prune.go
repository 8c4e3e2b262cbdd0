package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

const (
	// candidatePage is how many volumes are asked at once: enough that asking costs
	// little, few enough that a search which soon has all it wants stops soon.
	candidatePage = 32
	// firstGrams is how many words of each signature are read along with a page. A
	// word lets about one chunk in seven pass: three leave little, a fourth is mostly
	// read in vain.
	firstGrams = 3
)

// candidatesQuery reads a page of volumes; with grams, also that many words of
// their signatures, for the grams bound to ?3 and on.
func candidatesQuery(order string, grams int) string {
	var q strings.Builder
	q.WriteString("SELECT number, width, kinds, times")
	for i := range grams {
		word := fmt.Sprintf("(?%d & (width - 1))", 3+i)
		fmt.Fprintf(&q, ", (SELECT substr(words, 1 + %s %% %d * 8, 8) FROM log_signature WHERE id = (number << %d) + %s / %d)",
			word, signatureRowWords, signatureRowBits, word, signatureRowWords)
	}
	fmt.Fprintf(&q, " FROM log_volume WHERE number > ?1 AND number < ?2 ORDER BY number %s LIMIT %d", order, candidatePage)
	return q.String()
}

// candidates gives the next finished volumes between two, each with the chunks that
// may hold what is searched: often none.
func (l *Logs) candidates(s *logSearch, above, below int64) ([]part, error) {
	volumes, err := l.volumes(s, above, below)
	if err != nil {
		return nil, err
	}
	parts := make([]part, len(volumes))
	telling := false
	for i := range volumes {
		v := &volumes[i]
		for j := firstGrams; j < len(s.grams) && v.left != 0; j++ {
			word, err := l.signatureWord(v, s.grams[j])
			if err != nil {
				return nil, err
			}
			if v.left &= word; v.left == 0 {
				// What is rare here is likely rare in the next volume: ask it sooner there.
				bringForward(s.grams, j, firstGrams)
				telling = true
			}
		}
		parts[i] = part{v.number, v.left}
	}
	if telling {
		bringForward(s.grams, firstGrams, 0)
	}
	return parts, nil
}

func bringForward(grams []uint16, from, to int) {
	g := grams[from]
	copy(grams[to+1:from+1], grams[to:from])
	grams[to] = g
}

// finished is a volume read from the disk, its signature left there.
type finished struct {
	volume
	left uint64 // the chunks not ruled out yet
}

// volumes reads a page of volumes and rules out chunks by kind, by time and by the
// grams that come first.
func (l *Logs) volumes(s *logSearch, above, below int64) ([]finished, error) {
	query := l.candidatesDescending
	if s.oldest {
		query = l.candidatesAscending
	}
	args := []any{above, below}
	var (
		v            finished
		kinds, times sql.RawBytes
		words        [firstGrams]sql.RawBytes
	)
	dest := []any{&v.number, &v.width, &kinds, &times}
	statement, signed := query.bare, len(s.grams) > 0
	if signed {
		statement = query.signed
		for i := range firstGrams {
			args = append(args, s.grams[i%len(s.grams)])
			dest = append(dest, &words[i])
		}
	}
	rows, err := statement.QueryContext(context.Background(), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make([]finished, 0, candidatePage)
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		if err := v.decode(kinds, times); err != nil {
			return nil, err
		}
		v.left = v.chunks(s)
		for _, word := range words {
			if !signed {
				break
			}
			if len(word) != 8 {
				return nil, fmt.Errorf("%w: signature of log volume %d", ErrUnreadable, v.number)
			}
			v.left &= binary.LittleEndian.Uint64(word)
		}
		found = append(found, v)
	}
	return found, rows.Err()
}

// signatureWord reads one more word of a volume's signature.
func (l *Logs) signatureWord(v *finished, g uint16) (uint64, error) {
	row, offset := signatureRow(v.number, int(g)&(v.width-1))
	var word []byte
	err := l.word.QueryRow(offset+1, row).Scan(&word)
	if errors.Is(err, sql.ErrNoRows) { // trimmed away meanwhile
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("signature of log volume %d: %w", v.number, err)
	}
	if len(word) != 8 {
		return 0, fmt.Errorf("%w: signature of log volume %d", ErrUnreadable, v.number)
	}
	return binary.LittleEndian.Uint64(word), nil
}
