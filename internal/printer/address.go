package printer

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrAddress means an address that is no printer's.
var ErrAddress = errors.New("not a printer's address: want tcp://HOST[:9100], file:PATH[?baud=9600], cups:QUEUE or windows:QUEUE")

// Address is where a printer is.
type Address struct {
	Host string // HOST:PORT of one on the network
	Path string // of a device file
	Port Serial

	CUPS, Windows string // the name of a queue of the system
}

// Where names the place of the printer, for people.
func (a Address) Where() string { return cmp.Or(a.Host, a.Path, a.CUPS, a.Windows) }

// Queue tells of a printer that is installed in the system.
func (a Address) Queue() bool { return a.CUPS != "" || a.Windows != "" }

// Serial is how a serial port is set; the zero value leaves its speed as it is.
type Serial struct {
	Baud     int
	Hardware bool // flow control by the wires RTS and CTS, not by XON and XOFF
}

// ParseAddress reads tcp://HOST[:PORT], file:PATH[?baud=N[&flow=hardware]], cups:QUEUE and windows:QUEUE.
func ParseAddress(text string) (Address, error) {
	if rest, ok := strings.CutPrefix(text, "tcp://"); ok {
		return parseHost(rest)
	}
	if rest, ok := strings.CutPrefix(text, "file:"); ok {
		return parsePath(rest)
	}
	if name, ok := strings.CutPrefix(text, "cups:"); ok && isQueue(name) && !strings.ContainsAny(name, "/#? \\'\"") {
		return Address{CUPS: name}, nil
	}
	if name, ok := strings.CutPrefix(text, "windows:"); ok && isQueue(name) && !strings.Contains(name, ",") {
		return Address{Windows: name}, nil
	}
	return Address{}, ErrAddress
}

// isQueue tells whether a queue can have that name.
func isQueue(name string) bool {
	const longest = 220 // in Windows
	return name != "" && len(name) <= longest && utf8.ValidString(name) && strings.TrimSpace(name) == name && !strings.ContainsFunc(name, unicode.IsControl)
}

func parseHost(text string) (Address, error) {
	text = strings.TrimSuffix(text, "/")
	host, port, err := net.SplitHostPort(text)
	if err != nil { // no port
		host, port = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"), DefaultPort
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || host == "" || strings.ContainsAny(host, "/?#@ []\t") || strings.Contains(host, ":") && net.ParseIP(host) == nil {
		return Address{}, ErrAddress
	}
	return Address{Host: net.JoinHostPort(host, port)}, nil
}

func parsePath(text string) (Address, error) {
	path, query, _ := strings.Cut(text, "?")
	if rest, ok := strings.CutPrefix(path, "//"); ok && strings.HasPrefix(rest, "/") {
		path = rest // file:///dev/usb/lp0
	}
	values, err := url.ParseQuery(query)
	if err != nil || path == "" {
		return Address{}, ErrAddress
	}
	a := Address{Path: path}
	for name := range values {
		switch value := values.Get(name); name {
		case "baud":
			if a.Port.Baud, err = strconv.Atoi(value); err != nil || a.Port.Baud < 300 || a.Port.Baud > 4_000_000 {
				return Address{}, fmt.Errorf("%w: baud %q", ErrAddress, value)
			}
		case "flow":
			if a.Port.Hardware = value == "hardware"; !a.Port.Hardware && value != "software" {
				return Address{}, fmt.Errorf("%w: flow %q", ErrAddress, value)
			}
		default:
			return Address{}, fmt.Errorf("%w: %q", ErrAddress, name)
		}
	}
	return a, nil
}

// Open is the printer at an address. Nothing is reached for before the first job.
func Open(a Address, o Options) (*Thermal, error) {
	switch {
	case a.Path != "":
		return NewFile(a.Path, a.Port, o)
	case a.CUPS != "":
		return NewCUPS(a.CUPS, o)
	case a.Windows != "":
		return NewWindows(a.Windows, o)
	}
	return NewNetwork(a.Host, o)
}
