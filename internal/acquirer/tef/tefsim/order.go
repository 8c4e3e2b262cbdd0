package tefsim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// Case is how the manager behaves.
type Case string

// The cases. Silence keeps no money; Lost is the same after charging, as is Mute, which does not even say that it
// took the request.
const (
	Approve     Case = "approve"
	Refuse      Case = "refuse"
	Cancel      Case = "cancel"      // at the pinpad
	NoStatus    Case = "nostatus"    // the request is not even read
	Mute        Case = "mute"        // read and charged, and never answered
	Silence     Case = "silence"     // the status, then nothing
	Lost        Case = "lost"        // the status and a charge, then nothing
	Partial     Case = "partial"     // the response is written slowly
	Locked      Case = "locked"      // the response can't be opened for a while
	WrongID     Case = "wrongid"     // the response echoes another id
	NoID        Case = "noid"        // or none
	WrongAmount Case = "wrongamount" // approved with one cent more
	Final       Case = "final"       // approved and not to be confirmed: 729 = 1
	NoResult    Case = "noresult"    // charged, and 009 is missing
	Pending     Case = "pending"     // refused: a sale of somebody else's is still open
	Late        Case = "late"        // answered long after, others meanwhile
	Duplicate   Case = "duplicate"   // answered twice
)

// Cases are all of them.
var Cases = []Case{
	Approve, Refuse, Cancel, NoStatus, Mute, Silence, Lost, Partial, Locked, WrongID, NoID, WrongAmount, Final, NoResult, Pending, Late, Duplicate,
}

// Order says how one request is to end. An empty Command means the next sale or cancellation; ATV, CNF and NCN know
// NoStatus alone.
type Order struct {
	Command string
	Case    Case
	Message string
}

// ParseOrder reads "[COMMAND ]case[ message]", as in "refuse Saldo insuficiente" or "CNF nostatus".
func ParseOrder(line string) (Order, error) {
	var o Order
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if slices.Contains([]string{intpos.Alive, intpos.Sale, intpos.Cancel, intpos.Confirm, intpos.Undo}, word) {
		o.Command = word
		word, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
	}
	o.Case, o.Message = Case(word), strings.TrimSpace(rest)
	if !slices.Contains(Cases, o.Case) {
		return Order{}, fmt.Errorf("no case %q: there are %v", word, Cases)
	}
	return o, nil
}

func (o Order) String() string {
	return strings.Join(slices.DeleteFunc([]string{o.Command, string(o.Case), o.Message}, func(s string) bool { return s == "" }), " ")
}

func (o Order) fits(command string) bool {
	if o.Command == "" {
		return command == intpos.Sale || command == intpos.Cancel
	}
	return o.Command == command
}

// Control is the file in the exchange's folder from which other programs steer the simulator: an order a line.
const Control = "tefsim.txt"

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

// controlled takes the first order that fits out of the control file.
func controlled(dir, command string) (Order, bool, error) {
	data, err := os.ReadFile(filepath.Join(dir, Control))
	if errors.Is(err, fs.ErrNotExist) {
		return Order{}, false, nil
	}
	if err != nil {
		return Order{}, false, err
	}
	var orders []Order
	for line := range strings.Lines(string(data)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		o, err := ParseOrder(line)
		if err != nil {
			return Order{}, false, err
		}
		orders = append(orders, o)
	}
	o, found := pick(&orders, command)
	if !found {
		return Order{}, false, nil
	}
	return o, true, Steer(dir, orders...)
}

func pick(orders *[]Order, command string) (Order, bool) {
	i := slices.IndexFunc(*orders, func(o Order) bool { return o.fits(command) })
	if i < 0 {
		return Order{}, false
	}
	o := (*orders)[i]
	*orders = slices.Delete(*orders, i, i+1)
	return o, true
}

// magic is the emulator's list of amounts, in cents, for callers that can reach neither script nor file.
var magic = map[string]Order{
	"51": {Case: Refuse, Message: "Saldo insuficiente"},
	"54": {Case: Refuse, Message: "Cartão vencido"},
	"55": {Case: Refuse, Message: "Senha inválida"},
	"57": {Case: Cancel},
	"91": {Case: Refuse, Message: "Emissor fora do ar"},
	"98": {Case: Silence},
}

// choose is how a request ends: by the control file, the script, the amount.
func (s *simulator) choose(request intpos.Message) (Order, error) {
	command := request.Get(intpos.Command)
	o, found, err := controlled(s.config.Dir, command)
	if err != nil || found {
		return o, err
	}
	if o, found := pick(&s.script, command); found {
		return o, nil
	}
	if o, found := magic[cents(request.Get(intpos.Amount))]; found && command == intpos.Sale {
		return o, nil
	}
	return Order{Case: Approve}, nil
}

// cents reads both ways to write an amount; a comma stands for reais.
func cents(amount string) string {
	return strings.TrimLeft(strings.NewReplacer(",", "", ".", "").Replace(amount), "0")
}
