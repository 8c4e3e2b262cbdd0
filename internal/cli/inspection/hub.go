package inspection

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// lookAtHub asks the hub whether it is there, without the terminal showing itself: a link that is up stays.
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
	if err := m.Probe(ctx); err != nil {
		// The shop works without it.
		i.Doubtful("Hub", "%s não responde: %s", m.Address, portuguese.Error(err))
		return
	}
	i.Good("Hub", "%s responde", m.Address)
}
