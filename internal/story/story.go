// Package story tells the log what happened at the terminal, for whoever has to find out later: sales, questions,
// payments, prints, the display, and trouble that came and went. The desks tell what they did; the words are here.
//
// Invariants: an entry is told after its event is on disk; all entries of one request or operation carry the same op=,
// those of a sale its venda=, those of a transaction its reference; bodies of requests, customers' data and answers that
// people typed are in none.
package story

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/printing"
)

// Teller writes the story into a log. Its methods may be called from many goroutines.
type Teller struct {
	logs *logbook.Book
	// whyNotPrinted has the words for a print that failed.
	whyNotPrinted func(error) string

	sale    atomic.Int64            // the number of the open sale; 0: none is
	running atomic.Pointer[running] // nil: nothing holds the terminal, as far as was told

	mu       sync.Mutex
	attempts map[int64]origin     // where the newest attempts came from
	troubled map[string]time.Time // acquirers that can't be asked, and since when
	printer  printing.State       // as it was told last
	printing time.Time            // since when it has been in trouble
	away     time.Time            // since when the app has not been in the foreground
}

// origin is what an operation came from.
type origin struct {
	op   string
	sale int64
}

// running is the operation that holds the terminal.
type running struct {
	origin
	what      string // "o pagamento", "a impressão"
	reference string
	began     time.Time
}

// New tells a log. whyNotPrinted has the words for prints that fail.
func New(logs *logbook.Book, whyNotPrinted func(error) string) *Teller {
	return &Teller{logs: logs, whyNotPrinted: whyNotPrinted, attempts: map[int64]origin{}, troubled: map[string]time.Time{}, printer: printing.Unknown}
}

func (t *Teller) info(message string, f *facts) {
	t.logs.Add(logbook.Info, logbook.App, message, f.String())
}

func (t *Teller) warn(message string, f *facts) {
	t.logs.Add(logbook.Warning, logbook.App, message, f.String())
}

// Remark tells of something odd about a request that was done all the same.
func (t *Teller) Remark(ctx context.Context, text string) { t.warn(text, of(ctx)) }

// GateChanged says that the terminal was taken or left.
func (t *Teller) GateChanged(busy func() bool) {
	if was := t.running.Load(); was != nil && !busy() {
		t.running.CompareAndSwap(was, nil) // unless the next has begun meanwhile
	}
}

// Busy tells of a command that was refused because an operation holds the terminal.
func (t *Teller) Busy(ctx context.Context, command string) {
	f := of(ctx)
	f.add("comando", command)
	message := "Comando recusado: o terminal está ocupado"
	if r := t.running.Load(); r != nil {
		message += " com " + r.what
		if r.reference != "" {
			message += " " + r.reference
		}
		f.add("em andamento", r.reference)
		f.add("operação em andamento", r.op)
		f.took(r.began)
	}
	t.info(message, f)
}

// facts are an entry's details: lines key=value. Empty values are left out.
type facts struct {
	text []byte
	room [448]byte // most need no more
}

// of begins with the operation under a context.
func of(ctx context.Context) *facts { return named(operation.NameOf(ctx)) }

func named(op string) *facts {
	f := &facts{}
	f.text = f.room[:0]
	f.add("op", op)
	return f
}

func (f *facts) String() string { return string(f.text) }

// longest is what a value may be long: the rest is not needed to know what it was.
const longest = 512

func (f *facts) add(key, value string) {
	if value == "" {
		return
	}
	f.key(key)
	f.text = append(f.text, oneLine(value)...)
}

func (f *facts) key(key string) {
	if len(f.text) > 0 {
		f.text = append(f.text, '\n')
	}
	f.text = append(f.text, key...)
	f.text = append(f.text, '=')
}

func (f *facts) number(key string, value int64) {
	if value != 0 {
		f.key(key)
		f.text = strconv.AppendInt(f.text, value, 10)
	}
}

func (f *facts) amount(key string, value money.Decimal) {
	f.key(key)
	f.text = append(f.text, cents(value)...)
}

// optionalAmount leaves out what is not given, or nothing.
func (f *facts) optionalAmount(key string, value *money.Decimal) {
	if value != nil && value.Sign() != 0 {
		f.amount(key, *value)
	}
}

func (f *facts) took(since time.Time) {
	if !since.IsZero() {
		f.add("duração", seconds(time.Since(since)))
	}
}

// seconds is a duration as people say it.
func seconds(d time.Duration) string {
	switch {
	case d < 0: // the clock was set back meanwhile
		return ""
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + "s"
	}
	return d.Round(time.Second).String()
}

// oneLine keeps a value in its line, and the line of a length that people can read. Card numbers are masked before it is cut:
// half a number is not known as one.
func oneLine(s string) string {
	if strings.ContainsAny(s, "\r\n") {
		s = strings.Join(strings.Fields(s), " ")
	}
	if len(s) > longest {
		s = strings.ToValidUTF8(logbook.Redact(s)[:longest], "") + "…"
	}
	return s
}

var one = money.MustParse("1")

// cents are an amount with two decimals, no more and no less.
func cents(d money.Decimal) string {
	if d.Places() > 2 {
		if whole, err := d.Times(one); err == nil {
			d = whole
		}
	}
	return d.Cents()
}

// reais are an amount as the shop writes it: R$ 1.234,56.
func reais(d money.Decimal) string {
	whole, fraction, _ := strings.Cut(cents(d), ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "." + whole[i:]
	}
	return sign + "R$ " + whole + "," + fraction
}
