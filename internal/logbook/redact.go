package logbook

import (
	"github.com/maquininha/maquininha/internal/cardnumber"
	"github.com/maquininha/maquininha/internal/fold"
)

// Redact is a text as an entry may have it: card numbers are masked.
func Redact(s string) string { return cardnumber.Mask(s) }

// Needle is what a search looks for: a card number is looked for as entries have it.
func Needle(search string) string { return fold.Text(Redact(search)) }
