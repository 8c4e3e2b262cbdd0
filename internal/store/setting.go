package store

import (
	"database/sql"
	"errors"
)

// Setting returns a kept setting, "" when there is none.
func (s *Store) Setting(name string) (string, error) {
	var value string
	err := s.db.reader.QueryRow(`SELECT value FROM setting WHERE name = ?`, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// Settings returns every kept setting.
func (s *Store) Settings() (map[string]string, error) {
	rows, err := s.db.reader.Query(`SELECT name, value FROM setting`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		all[name] = value
	}
	return all, rows.Err()
}

// SetSettings keeps the settings, all or none.
func (s *Store) SetSettings(values map[string]string) error {
	return s.commit.do(func(b *batch) error {
		for name, value := range values {
			if err := b.exec(`INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)`, name, value); err != nil {
				return err
			}
		}
		return nil
	})
}
