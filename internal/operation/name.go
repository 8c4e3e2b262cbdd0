package operation

import (
	"context"
	"math/rand/v2"
)

type nameKey struct{}

// Name gives what is done under a context a name, so that all it leaves behind can be found together.
func Name(ctx context.Context) context.Context {
	return context.WithValue(ctx, nameKey{}, NewName())
}

// NameOf is the name of what is done under a context; empty: it has none.
func NameOf(ctx context.Context) string {
	name, _ := ctx.Value(nameKey{}).(string)
	return name
}

// nameSigns have no vowels, so that no name is a word, and no signs that people mistake for one another.
const nameSigns = "bcdfghjkmnpqrstvwxz23456789bcdfg"

// NewName makes a name that no other has, by chance: fifty bits of it.
func NewName() string {
	var name [10]byte
	chance := rand.Uint64()
	for i := range name {
		name[i] = nameSigns[chance%uint64(len(nameSigns))]
		chance /= uint64(len(nameSigns))
	}
	return string(name[:])
}
