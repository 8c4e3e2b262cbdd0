package app

import (
	"cmp"
	"time"

	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Timeouts are how long callers are waited for. Zero is the service's own.
type Timeouts struct {
	API     httpapi.Timeouts
	Headers time.Duration // those of a request
	Answer  time.Duration // one that a restart or a stop waits for
	Stalled time.Duration // one that a caller takes nothing of
	Stop    time.Duration // requests under way when the service stops
	Hub     tunnel.Timing // of the link to it
	HubJoin time.Duration // joining one on the screen; shorter than a page waits for an answer
	HubLook time.Duration // how often the data folder is looked at for a hub that was joined or left by a command
	HubRead time.Duration // for a hub that is left to read what it lacks
}

func (t Timeouts) headers() time.Duration { return cmp.Or(t.Headers, 10*time.Second) }
func (t Timeouts) hubJoin() time.Duration { return cmp.Or(t.HubJoin, 12*time.Second) }
func (t Timeouts) hubLook() time.Duration { return cmp.Or(t.HubLook, 2*time.Second) }
func (t Timeouts) hubRead() time.Duration { return cmp.Or(t.HubRead, 5*time.Second) }
func (t Timeouts) stop() time.Duration    { return cmp.Or(t.Stop, 5*time.Second) }
