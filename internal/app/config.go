package app

import (
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/logbook"
)

// Mode says whether the terminal is real.
type Mode string

// The modes of the interface.
const (
	Emulator   Mode = "emulator"
	Production Mode = "production"
)

// Config is what the person who starts the service decides.
type Config struct {
	Listen         string // where callers come in; none: only over TLS
	TLS            TLS
	Screen         string // where the terminal's page is
	Data           string // the folder that holds everything durable
	Mode           Mode
	Platform       string // empty: this one
	Autopilot      bool   // stands in for the people, in emulator mode
	AutopilotDelay time.Duration
	Play           *Play                           // what the emulator's people, bank and hardware do; nil: as they like
	Around         func(http.Handler) http.Handler // stands before the API, over restarts; nil: nothing does
	CORSMethods    string                          // empty: as the interface has it
	Compat         string                          // whose callers come beside the interface's own: tefip; empty: nobody's
	Username       string                          // empty: as kept, at first admin
	Password       string                          // empty: as kept, at first made up
	PasswordFrom   string                          // the file that the password is in; empty: the environment
	NameServer     bool                            // somebody has said whom names are asked of
	ConfigFile     string                          // what most of this was read from; empty: there was none
	Limits         httpapi.Limits
	Timeouts       Timeouts
	Locale         string // of the screen and /info; empty: as kept
	SkipSetup      bool   // nobody is asked at the first start
	DesktopNotices bool   // the operating system says that a command came while no page is open
	PaperWidth     int    // dots; 0: as kept
	Printer        Printer
	Acquirers      Acquirers
	Discovery      Discovery
	CardReceipt    string // none, customer, both or ask; empty: as kept
	Coupon         Coupon
	Look           Look
	LogKeep        int // entries
	LogMaxAge      time.Duration
	SaleMaxAge     time.Duration       // of sales that ended; 0: for ever
	MemoryLimit    int64               // for the collector, besides what the display holds; 0: it is left alone
	Echo           func(logbook.Entry) // told each log entry; nil: standard error is told of errors
	Version        string
	Build          string
}

// Printer is the printer that the start of the service decided on, and how any printer prints.
type Printer struct {
	Address   string // virtual, none or what printer.ParseAddress takes; empty: as kept
	Model     string // or family, as CheckModel takes it; empty: as kept
	DPI       int    // dots an inch; 0: the model's
	NoCut     bool
	Feed      int  // lines after a print
	Copies    int  // less than 1 is 1
	Drawer    bool // opens before every print
	DrawerPin int  // that the first drawer is at, 5 or the usual 2
}

// Check refuses a printer that this terminal can't have.
func (p Printer) Check(mode Mode) error {
	switch {
	case strings.HasPrefix(p.Address, "windows:") && runtime.GOOS != "windows":
		return configfile.Refuse("printer", "windows: só existe no Windows; aqui as impressoras instaladas são as do CUPS, como cups:caixa")
	case p.Address == "" || p.Address == none || isAddress(p.Address):
		return nil
	case p.Address != "virtual":
		return configfile.Refuse("printer", "%q não é uma impressora; use virtual, none, tcp://192.168.0.50 ou file:/dev/usb/lp0 (serial: file:/dev/ttyUSB0?baud=9600), cups:NOME ou windows:NOME", p.Address)
	case mode != Emulator:
		return configfile.Refuse("printer", "virtual só existe no modo emulator")
	}
	return nil
}

// DefaultData is the user's own data folder.
func DefaultData() (string, error) { return datafolder.Default("maquininha") }
