package remote

import (
	"io"
	"time"
)

// Visit opens a driver on a network for a harmless question, and closes it again. It returns the clock of whoever answered; zero: it
// does not say.
func Visit[Driver io.Closer](n *Network, open func() (Driver, error), ask func(Driver) error) (clock time.Time, err error) {
	var heard Clock
	*n = heard.Listen(*n)
	d, err := open()
	if err != nil {
		return time.Time{}, err
	}
	defer d.Close()
	err = ask(d)
	return heard.Now, err
}
