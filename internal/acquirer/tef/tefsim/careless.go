package tefsim

import (
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

const testCard = "4111111111111111"

// carelessFields are where a manager could tell the whole number of a card: its own fields, what should be its first and last digits, names,
// tracks, and fields that nobody knows.
func carelessFields(pan string) (m intpos.Message) {
	track2 := pan + "=301210100000123"
	for _, f := range []intpos.Field{
		{Number: intpos.Card, Value: pan},
		{Number: intpos.Network, Index: 4, Value: pan},
		{Number: intpos.Network, Index: 5, Value: pan},
		{Number: "131", Value: pan},
		{Number: "136", Value: pan},
		{Number: "210", Index: 4, Value: track2},
		{Number: "210", Index: 5, Value: "B" + pan + "^CLIENTE/TESTE^3012101"},
		{Number: "300", Index: 1, Value: pan},
		{Number: "300", Index: 2, Value: "CLIENTE " + pan},
		{Number: "741", Value: "CLIENTE " + grouped(pan, " ")},
		{Number: intpos.CardName, Value: "VISA CREDITO " + pan},
		{Number: "998", Index: 1, Value: track2},
	} {
		m = append(m, f)
	}
	return m
}

// carelessLines are a slip's, whole and masked in part.
func carelessLines(pan string) []string {
	most := len(pan) - 4
	return []string{
		"CARTÃO: " + pan, "CARTÃO: " + grouped(pan, " "), "CARTÃO: " + grouped(pan, "."), "TRILHA: " + pan + "=301210100000123",
		"CARTÃO: " + pan[:most-2] + "**" + pan[most:], "CARTÃO: " + strings.Repeat("*", 6) + pan[6:], "CARTÃO: " + pan[:8] + strings.Repeat("X", most-8) + pan[most:],
	}
}

// grouped writes a number in fours.
func grouped(pan, separator string) string {
	var groups []string
	for i := 0; i < len(pan); i += 4 {
		groups = append(groups, pan[i:min(i+4, len(pan))])
	}
	return strings.Join(groups, separator)
}
