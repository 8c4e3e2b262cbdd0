package store

import (
	"encoding/json"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// reversalsColumn is what was begun of an attempt's reversals, in order, as JSON: one look is one attempt with all of them.
const reversalsColumn = `CASE reversals WHEN 0 THEN '[]' ELSE (SELECT json_group_array(json_object('id', reversal_id, 'amount', amount,
	'number', number, 'nsu', nsu, 'token', token, 'at', reversed_at) ORDER BY reversal) FROM ledger_reversal WHERE attempt = ledger.id) END`

// keepReversals keeps an attempt's reversals from one of them on; those before it have come to their end.
func keepReversals(b *batch, t payment.Transaction, from int) error {
	for i := max(from, 0); i < len(t.Reversals); i++ {
		r := t.Reversals[i]
		var at *string
		if r.Made() {
			text := timeText(r.At)
			at = &text
		}
		if err := b.exec(`REPLACE INTO ledger_reversal (attempt, reversal, reversal_id, amount, number, nsu, token, reversed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			t.ID, i+1, r.ID, r.Amount.String(), r.Number, r.NSU, r.Token, at); err != nil {
			return err
		}
	}
	return nil
}

// reversalsOf reads a reversalsColumn.
func reversalsOf(text string) (reversals []payment.Reversal, err error) {
	if text == "[]" {
		return nil, nil
	}
	var rows []struct {
		ID, Amount string
		Number     int64
		NSU, Token string
		At         *string
	}
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		return nil, err
	}
	for _, row := range rows {
		r := payment.Reversal{ID: row.ID, Number: row.Number, NSU: row.NSU, Token: row.Token}
		if r.Amount, err = money.Parse(row.Amount); err != nil {
			return nil, err
		}
		if row.At != nil {
			if r.At, err = localTime(*row.At); err != nil {
				return nil, err
			}
		}
		reversals = append(reversals, r)
	}
	return reversals, nil
}
