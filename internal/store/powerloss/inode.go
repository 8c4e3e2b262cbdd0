package powerloss

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// sector is what a disk writes whole or not at all.
const sector = 512

// inode is what a file holds, whatever its name.
type inode struct {
	synced  []byte
	changes []change // since
}

// change is a write, or, without data, a truncation to the offset.
type change struct {
	offset int64
	data   []byte
}

// sync keeps everything written so far.
func (f *inode) sync() {
	for _, c := range f.changes {
		f.synced = c.apply(f.synced)
	}
	f.changes = nil
}

// survive is what the disk comes back with: what was synced, and something of what was changed since.
func (f *inode) survive(kind Kind, rng *rand.Rand) (data []byte, lost int) {
	data = slices.Clone(f.synced)
	pieces := sectors(f.changes)
	landed := len(pieces)
	// The extremes and the order of writing are what chance alone would rarely choose.
	switch how := rng.IntN(4); {
	case kind == Battery, how == 0:
	case how == 1:
		landed = 0
	case how == 2:
		landed = rng.IntN(len(pieces) + 1)
	default:
		rng.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		landed = rng.IntN(len(pieces) + 1)
	}
	for _, c := range pieces[:landed] {
		data = c.apply(data)
	}
	return data, len(pieces) - landed
}

// sectors breaks writes where power loss can tear them.
func sectors(changes []change) (pieces []change) {
	for _, c := range changes {
		for {
			n := sector - c.offset%sector
			if n >= int64(len(c.data)) {
				break
			}
			pieces = append(pieces, change{c.offset, c.data[:n]})
			c = change{c.offset + n, c.data[n:]}
		}
		pieces = append(pieces, c)
	}
	return pieces
}

func (c change) apply(data []byte) []byte {
	end := int(c.offset) + len(c.data)
	if c.data == nil && end < len(data) {
		return data[:end:end] // what is written behind it later must not uncover what was there
	}
	if end > len(data) {
		data = append(data, make([]byte, end-len(data))...)
	}
	copy(data[c.offset:], c.data)
	return data
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
