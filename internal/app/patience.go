package app

import (
	"cmp"
	"time"

	"github.com/maquininha/maquininha/internal/httpapi"
)

// Patience is how long callers are waited for. Zero is the service's own.
type Patience struct {
	API     httpapi.Patience
	Headers time.Duration // those of a request
	Hurry   time.Duration // answers that a restart or a stop waits for
	Stop    time.Duration // requests under way when the service stops
}

func (p Patience) headers() time.Duration { return cmp.Or(p.Headers, 10*time.Second) }
func (p Patience) stop() time.Duration    { return cmp.Or(p.Stop, 5*time.Second) }
