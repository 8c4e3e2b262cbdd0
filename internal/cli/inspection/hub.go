package inspection

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// lookAtHub asks the hub whether it is there and lets this terminal in. A link that is up stays.
func (i *Inspection) lookAtHub() {
	m, err := tunnel.Load(i.data)
	switch {
	case errors.Is(err, tunnel.ErrNotJoined):
		return
	case err != nil:
		i.Wrong("Hub", "%s; saia dele com maquininha leave e entre de novo com maquininha join", portuguese.Error(err))
		return
	case i.Offline:
		i.Skipped("Hub", "%s, não conferido (--offline)", m.Address)
		return
	}
	ctx, cancel := context.WithTimeout(i.Context, 10*time.Second)
	defer cancel()
	switch err := m.Probe(ctx); {
	case err == nil:
		i.Good("Hub", "%s responde e aceita este terminal", m.Address)
	case errors.Is(err, tunnel.ErrRevoked), errors.Is(err, tunnel.ErrUnknown), errors.Is(err, tunnel.ErrProof):
		i.Wrong("Hub", "%s responde, mas recusa este terminal: %s; para voltar: maquininha leave e maquininha join, com um código novo", m.Address, portuguese.Error(err))
	default: // the shop works without it
		i.Doubtful("Hub", "%s não responde: %s", m.Address, portuguese.Error(err))
	}
}
