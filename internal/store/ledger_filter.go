package store

import "github.com/maquininha/maquininha/internal/payment"

// matching is the condition of a listing and what goes in its places.
func matching(f payment.Filter) (where string, args []any) {
	where = `WHERE TRUE`
	and := func(condition string, values ...any) {
		where, args = where+` AND `+condition, append(args, values...)
	}
	if f.Status != "" {
		and(`status = ?`, string(f.Status))
	}
	if f.Method != "" {
		and(`CASE paid_with WHEN '' THEN method ELSE paid_with END = ?`, string(f.Method))
	}
	if f.Reference != "" {
		and(`reference = ?`, f.Reference)
	}
	if span, bounds := between(`created_at`, f); f.Reversals {
		reversed, more := between(`reversed_at`, f)
		and(`(`+span+` OR id IN (SELECT attempt FROM ledger_reversal WHERE reversed_at IS NOT NULL AND `+reversed+`))`, append(bounds, more...)...)
	} else {
		and(span, bounds...)
	}
	return where, args
}

// between is the condition that a column's moment lies in the filter's span.
func between(column string, f payment.Filter) (condition string, args []any) {
	condition = `TRUE`
	if !f.Since.IsZero() {
		condition, args = condition+` AND `+column+` >= ?`, append(args, timeText(f.Since))
	}
	if !f.Until.IsZero() {
		condition, args = condition+` AND `+column+` < ?`, append(args, timeText(f.Until))
	}
	return condition, args
}
