package app

import (
	"context"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/credentials"
)

// The most connections at once.
const (
	maxCallers = 2048 // of callers, HTTP and HTTPS together
	maxScreens = 512  // of pages
)

// newLimiters are the API's and the screen's; where the system allows few open files, they allow fewer connections.
func newLimiters(t connection.Timeouts) (callers, screens *connection.Limiter) {
	files := connection.MaxOpenFiles()
	return connection.NewLimiter(min(maxCallers, files/2), t), connection.NewLimiter(min(maxScreens, files/8), t)
}

// connections are those of callers and of the screen.
func (a *App) connections() (callers, screen int) {
	return a.limiters[0].Count(), a.limiters[1].Count()
}

// authenticator fills httpapi.Authenticator: a connection that has shown the right pair is a stranger's no more.
type authenticator struct{ *credentials.Keeper }

func (k authenticator) Allows(ctx context.Context, from, authorization string) bool {
	if !k.AllowsHeader(ctx, from, authorization) {
		return false
	}
	connection.MarkKnown(ctx)
	return true
}
