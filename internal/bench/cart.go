package main

import (
	"fmt"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

const (
	cartGoal  = 1.2
	cartBlock = 20 // items
)

var editSale = rig.Request("PATCH", "/sale", `{"additionalInfo":"caixa 3"}`)

// measureCart asks what an item costs at the end of a very long sale.
//
// Two services take turns, block by block: one puts the first items into a sale, again and again into a new one,
// so that the mean place of its items is 10; the other goes on with one sale, from as far below the 10,000th item
// as it will end above it. A block of each takes some hundredths of a second, so a disk that gets slower does so
// for both. One client: there is no queue that one item's cost could hide in.
//
// Both have taken as many items before. A write-ahead log that still grows costs more to sync than one that is
// written over, and that would be counted for the long sale.
func (b *bench) measureCart() ([]figures.Row, error) {
	short, err := b.freshService("short-sales")
	if err != nil {
		return nil, err
	}
	defer short.Stop() //nolint:errcheck // what it answered is counted already
	long, err := b.freshService("long-sale")
	if err != nil {
		return nil, err
	}
	defer long.Stop() //nolint:errcheck // as above

	before := b.cart - (b.blocks+2)*cartBlock/2 // the duel has a block more than it counts
	for _, s := range []*rig.Server{short, long} {
		if _, err := rig.Send(s.Address, openSale); err != nil {
			return nil, err
		}
		if _, err := rig.Drive(s.Address, manyClients, rig.Always(addItem), rig.Times(before)); err != nil {
			return nil, err
		}
	}
	// Each block comes after two commits that are not timed: the short sale needs them, the long one is to have
	// the same.
	block := func(s *rig.Server, first ...[]byte) func() (float64, error) {
		return func() (float64, error) {
			if _, err := rig.Send(s.Address, first...); err != nil {
				return 0, err
			}
			return rig.Drive(s.Address, 1, rig.Always(addItem), rig.Times(cartBlock))
		}
	}
	cost, err := figures.Duel(b.ctx, b.blocks, block(short, cancelSale, openSale), block(long, editSale, editSale))
	if err != nil {
		return nil, err
	}
	return []figures.Row{{
		Measure: fmt.Sprintf("item %s of a sale", figures.Thousands(b.cart)), Value: figures.Milliseconds(cost.Second), Against: "item 10: " + figures.Milliseconds(cost.First),
		Ratio: cost.Ratio, Goal: figures.AtMost(cartGoal), OK: cost.Ratio <= cartGoal,
	}}, nil
}
