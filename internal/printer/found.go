package printer

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printing"
)

// Found is a printer that this machine can reach, or may: nobody knows what is at the end of a serial port.
type Found struct {
	Address string // as --printer takes it
	Way     Way
	Said    string         // what it says that it is; may be empty
	Model   escpos.Model   // which that is; zero: nobody knows
	State   printing.State // as far as it can be told without sending it a byte
	Why     string         // as the system says it; may be empty
}

// Way is how a printer is reached.
type Way string

// The ways.
const (
	ByQueue   Way = "queue"
	ByUSB     Way = "usb"
	BySerial  Way = "serial"
	ByNetwork Way = "network"
)

// newFound knows the model by what a printer says.
func newFound(way Way, address string, id escpos.Identity, said string) Found {
	said = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1 // it is shown on terminals
	}, said))
	f := Found{Address: address, Way: way, Said: said, State: printing.Unknown}
	f.Model, _ = escpos.Recognise(id)
	return f
}

// Installed are the queues of the system. A system without a print server has none.
func Installed(ctx context.Context) ([]Found, error) {
	prefix, queues, err := systemQueues(ctx)
	if errors.Is(err, ErrNoServer) {
		return nil, nil
	}
	var all []Found
	for _, q := range queues {
		f := newFound(ByQueue, prefix+q.Name, q.identity(), q.Model)
		if _, err := ParseAddress(f.Address); err != nil {
			continue
		}
		f.State, f.Why = q.State, q.Why
		all = append(all, f)
	}
	return all, err
}

// ErrNoServer means that no print server runs here.
var ErrNoServer = errors.New("no print server runs here")
