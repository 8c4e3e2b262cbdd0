package app

import (
	"context"
	"time"

	"github.com/maquininha/maquininha/internal/credentials"
	"github.com/maquininha/maquininha/internal/door"
)

const (
	mostCallers  = 2048 // connections of callers at once, HTTP and HTTPS together
	mostVisitors = 512  // of the screen
)

// openDoors are the callers' and the screen's; where the system allows few open files, fewer come in.
func openDoors(hurry time.Duration) (callers, visitors *door.Doorman) {
	files := mostOpenFiles()
	return door.New(min(mostCallers, files/2), hurry), door.New(min(mostVisitors, files/8), hurry)
}

// connections are those of callers and of the screen.
func (a *App) connections() (callers, screen int) { return a.doors[0].Inside(), a.doors[1].Inside() }

// gatekeeper fills httpapi.Gatekeeper: who has shown the right pair is no stranger any more.
type gatekeeper struct{ *credentials.Keeper }

func (k gatekeeper) Allows(ctx context.Context, from, authorization string) bool {
	if !k.AllowsHeader(ctx, from, authorization) {
		return false
	}
	door.Introduce(ctx)
	return true
}
