// Package serve is the command that puts the terminal on the air.
package serve

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/daemon"
)

// Command is maquininha serve, or maquininha alone.
type Command struct {
	options.Service `embed:""`
}

// Validate refuses what no terminal could run with; kong calls it.
func (s Command) Validate() error { return s.Check() }

// Help is the rest of the page.
func (Command) Help() string {
	return "Credenciais dos chamadores: MAQUININHA_USERNAME e MAQUININHA_PASSWORD, no ambiente, ou [api] no arquivo de configuração."
}

// Run leaves the serving for when the parser is gone.
func (s Command) Run(c *options.Configuration, version commandline.Version) error {
	c.Then = func() error { return s.serve(c, version) }
	return nil
}

// serve serves until it is told to stop.
func (s Command) serve(c *options.Configuration, version commandline.Version) error {
	limit := tuneCollector()
	s.DNS.Use()
	data, err := s.Folder()
	if err != nil {
		return err
	}
	return daemon.Terminal.Run(func(ctx context.Context, ready func()) error {
		journal := daemon.Terminal.SystemLog()
		defer journal.Close()
		config := s.Configured(data)
		config.PasswordFrom, config.ConfigFile = s.From(c), c.Path()
		config.Version, config.Build, config.MemoryLimit = version.Number, version.Build, limit
		if journal != nil {
			config.Echo = journal.Add
		}
		terminal, err := app.New(config)
		if err != nil {
			return err
		}
		if journal == nil {
			fmt.Print(terminal.Welcome())
		} else {
			terminal.Announce()
		}
		ready()
		var resting sync.WaitGroup
		defer resting.Wait()
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		resting.Go(func() { giveBackAtRest(ctx, memoryAsked, debug.FreeOSMemory) })
		return terminal.Run(ctx)
	})
}
