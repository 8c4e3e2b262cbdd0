//go:build unix

package logs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// ignorePipeSignal has a write to a pipe that nobody reads fail, where it would end the process.
func ignorePipeSignal() { signal.Ignore(syscall.SIGPIPE) }

// pipeGone tells that nobody reads any more.
func pipeGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// understandsColours is true of every terminal here that is not dumb.
func understandsColours(*os.File) bool { return true }

// watchPipe calls leave when nobody reads the pipe any more: a quiet log would not find out by writing.
func watchPipe(ctx context.Context, out *os.File, leave func()) {
	if info, err := out.Stat(); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return
	}
	go func() {
		poll := []unix.PollFd{{Fd: int32(out.Fd())}}
		for ctx.Err() == nil {
			n, err := unix.Poll(poll, 1000)
			if n > 0 && poll[0].Revents&(unix.POLLERR|unix.POLLNVAL) != 0 {
				leave()
				return
			}
			if err != nil && !errors.Is(err, unix.EINTR) {
				return // a system that can't tell: the next write does
			}
		}
	}()
}
