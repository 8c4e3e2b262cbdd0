// Package remote is what acquirers that are reached over HTTP have in common: how a call is made, repeated and judged, which
// requests are kept so that a repetition is the same to the byte, and names that follow from the attempt in the ledger.
//
// Invariants: secrets travel in the clear only to this machine and follow no redirect; a call whose answer did not come is
// never taken for one without effect.
package remote

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/maquininha/maquininha/internal/cardnumber"
	"github.com/maquininha/maquininha/internal/payment"
)

// Digest makes 32 letters and digits of an operation, for one purpose of it. When the attempt began is part of it: after a
// terminal is installed anew its attempts count from one again, and must not find those of its former life.
func Digest(terminal string, t payment.Transaction, purpose string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", terminal, t.Operation(), t.CreatedAt.Unix(), purpose))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:20]))
}

// Sleep waits, or returns the context's error.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Tidy makes foreign text fit for a message on one line.
func Tidy(s string) string {
	const most = 200
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// Words is Tidy for what the other side says in words: a card's number in them is masked before they are cut.
func Words(s string) string { return Tidy(cardnumber.Mask(s)) }
