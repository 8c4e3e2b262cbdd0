package store

import "fmt"

// The log of a folder whose data are new numbers its entries from 1 on; one that begins anew beside data in use must not, since a
// reader elsewhere may have those numbers already. Both have no entries at first, and a terminal may be killed before it has written
// one: so the header of the file says which it is.
const firstOfAll = 1 // as SQLite's application_id, which is 0 in any other log

// First is the id of the first entry of a log that has none yet; 0: it has. fresh: the data beside it are new; later is for a log that
// begins anew.
func (l *Logs) First(fresh bool, later int64) (int64, error) {
	if last, err := l.Last(); err != nil || last > 0 {
		return 0, err
	}
	if fresh {
		_, err := l.db.writer.Exec(fmt.Sprintf("PRAGMA application_id = %d", firstOfAll))
		return 1, explain(err)
	}
	var said int
	if err := l.db.reader.QueryRow("PRAGMA application_id").Scan(&said); err != nil {
		return 0, explain(err)
	}
	if said == firstOfAll {
		return 1, nil
	}
	return later, nil
}

// First is the id of the first entry, as in Logs.
func (r *ReplaceableLogs) First(fresh bool, later int64) (first int64, err error) {
	err = r.use(func(l *Logs) (err error) {
		first, err = l.First(fresh, later)
		return err
	})
	return first, err
}
