package counter

import (
	"context"
	"errors"
	"strings"
	"time"
)

// webside is another side that is reached over HTTP, a process of its own at an address.
type webside struct {
	process *Process
	at      string
}

// start runs the simulator at its address.
func (w *webside) start(ctx context.Context, log, binary string, arguments []string) error {
	arguments = append(arguments, "--listen", w.at)
	for limit := time.Now().Add(StartPatience); ; {
		var err error
		if w.process, err = Launch(ctx, log, nil, binary, arguments...); err != nil {
			return err
		}
		err = w.process.Hear(func(line string) bool {
			name, at, _ := strings.Cut(strings.TrimSpace(line), " ")
			at, found := strings.CutPrefix(strings.TrimSpace(at), "http://")
			if name == "API" && found && at != w.at { // others may read it meanwhile
				w.at = at
			}
			return strings.Contains(line, "O serviço usa-o com")
		})
		if !errors.Is(err, ErrDied) || time.Now().After(limit) || ctx.Err() != nil {
			return err
		}
		// Somebody's outgoing connection has the address for the moment.
		time.Sleep(50 * time.Millisecond)
	}
}
