package store

import (
	"encoding/json"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

type lateRow struct {
	EndToEndID string `json:"endToEndId"`
	Amount     string `json:"amount"`
	At         string `json:"at"`
	ReturnedAt string `json:"returnedAt,omitempty"`
}

// lateText is the late column.
func lateText(l payment.Late) string {
	if !l.Came() {
		return ""
	}
	row := lateRow{EndToEndID: l.EndToEndID, Amount: l.Amount.String(), At: timeText(l.At)}
	if !l.Kept() {
		row.ReturnedAt = timeText(l.ReturnedAt)
	}
	text, err := json.Marshal(row)
	if err != nil {
		panic(err) // JSON can write texts
	}
	return string(text)
}

// lateOf reads the late column.
func lateOf(text string) (l payment.Late, err error) {
	if text == "" {
		return l, nil
	}
	var row lateRow
	if err := json.Unmarshal([]byte(text), &row); err != nil {
		return l, err
	}
	l.EndToEndID = row.EndToEndID
	if l.Amount, err = money.Parse(row.Amount); err != nil {
		return l, err
	}
	for _, at := range []struct {
		text string
		time *time.Time
	}{{row.At, &l.At}, {row.ReturnedAt, &l.ReturnedAt}} {
		if at.text == "" {
			continue
		}
		if *at.time, err = localTime(at.text); err != nil {
			return l, err
		}
	}
	return l, nil
}
