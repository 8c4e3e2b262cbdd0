package peers

import (
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/hub/leases"
)

// rememberedFor is how long it is taken for granted where a terminal was found: a hub that has it no more says so.
const rememberedFor = time.Second

// mostRemembered is more than a hub has terminals.
const mostRemembered = 50_000

// places remembers where terminals were found, so that not every call asks the database.
type places struct {
	mu   sync.Mutex
	kept map[string]place
}

type place struct {
	at    leases.Location
	hub   leases.Hub
	until time.Time
}

func (p *places) get(terminal string) (place, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, is := p.kept[terminal]
	return found, is && time.Now().Before(found.until)
}

func (p *places) put(at leases.Location, hub leases.Hub) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil || len(p.kept) >= mostRemembered {
		p.kept = map[string]place{}
	}
	p.kept[at.Terminal] = place{at, hub, time.Now().Add(rememberedFor)}
}

func (p *places) forget(terminal string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.kept, terminal)
}
