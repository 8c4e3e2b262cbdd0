package logs

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// ignorePipeSignal does nothing: here a write to a pipe that nobody reads fails by itself.
func ignorePipeSignal() {}

// pipeGone tells that nobody reads any more.
func pipeGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

// understandsColours has the console take escapes, where it can.
func understandsColours(out *os.File) bool {
	var mode uint32
	console := windows.Handle(out.Fd())
	return windows.GetConsoleMode(console, &mode) == nil && windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

// watchPipe does nothing: the next write finds out.
func watchPipe(context.Context, *os.File, func()) {}
