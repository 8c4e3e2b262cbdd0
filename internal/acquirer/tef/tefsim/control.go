package tefsim

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Control is the file in the exchange's folder from which other programs steer the simulator: an order a line.
const Control = "simulador.txt"

// Steer puts the orders in the control file, in place of those that are still in it.
func Steer(dir string, orders ...Order) error {
	var b strings.Builder
	for _, o := range orders {
		b.WriteString(o.String() + "\n")
	}
	path := filepath.Join(dir, Control)
	if err := os.WriteFile(path+".tmp", []byte(b.String()), 0o666); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

// controlled takes the first order that fits the command out of the control file, and all that are to stay. What
// nobody understands is taken out too, and returned in their words.
func controlled(dir, command string) (once *Order, standing []Order, nonsense []string, err error) {
	data, err := os.ReadFile(filepath.Join(dir, Control))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil, nil
	}
	if err != nil {
		return nil, nil, nil, err
	}
	var waiting []Order
	for line := range strings.Lines(string(data)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		o, err := ParseOrder(line)
		switch {
		case err != nil:
			nonsense = append(nonsense, err.Error())
		case o.Every > 0:
			standing = append(standing, o)
		case once == nil && o.fits(command):
			once = &o
		default:
			waiting = append(waiting, o)
		}
	}
	if once == nil && standing == nil && nonsense == nil {
		return nil, nil, nil, nil
	}
	return once, standing, nonsense, Steer(dir, waiting...)
}

// habit is an order that stays.
type habit struct {
	Order
	seen int
}

// adopt replaces the habit for the same command.
func (s *simulator) adopt(o Order) {
	s.habits = slices.DeleteFunc(s.habits, func(h *habit) bool { return h.Command == o.Command })
	s.habits = append(s.habits, &habit{Order: o})
}

// take keeps an order for the request it fits.
func (s *simulator) take(o Order) {
	if o.Every > 0 {
		s.adopt(o)
		return
	}
	s.script = append(s.script, o)
}

// habitual is the order that stays for a command, the latest first.
func (s *simulator) habitual(command string) (Order, bool) {
	for _, h := range slices.Backward(s.habits) {
		if !h.fits(command) {
			continue
		}
		h.seen++
		if h.seen%h.Every == 0 {
			return h.Order, true
		}
	}
	return Order{}, false
}
