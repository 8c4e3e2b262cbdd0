package remotetest

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

// What the fixtures of drivers over HTTP have in common.

// Start opens a driver whose requests are the steps of a process.
func Start[Driver interface {
	payment.Acquirer
	io.Closer
}](t *testing.T, process *paymenttest.Process, n *remote.Network, open func() (Driver, error),
) (d Driver, stop func()) {
	t.Helper()
	n.Wrap = Killable(process)
	d, err := open()
	if err != nil {
		t.Fatal(err)
	}
	return d, func() { d.Close() }
}

// Play has the other side do wrong what belongs to a scene.
func (t Trouble) Play(test *testing.T, side interface {
	Next(httpsim.Misbehaviour) error
}, s paymenttest.Scene,
) {
	test.Helper()
	if m, ok := t.In(s); ok {
		if err := side.Next(m); err != nil {
			test.Fatal(err)
		}
	}
}

// Happened complains of a customer who could not, unless for a reason that is none to complain of.
func Happened(t *testing.T, err error, harmless ...error) {
	t.Helper()
	if err != nil && !slices.ContainsFunc(harmless, func(h error) bool { return errors.Is(err, h) }) {
		t.Errorf("at the device: %v", err)
	}
}

// Sum is what became of one sale in a simulator's books.
type Sum interface {
	Standing() money.Decimal
	Open() bool
}

// Books are a simulator's for the suite; of tells whether a sale is a transaction's.
func Books[S Sum](sums []S, protests []string, all []payment.Transaction, of func(S, payment.Transaction) bool) paymenttest.Books {
	books := paymenttest.Books{Standing: map[int64]money.Decimal{}, Protests: protests}
	for _, s := range sums {
		if s.Open() {
			books.Open = append(books.Open, fmt.Sprintf("%+v", s))
		}
		i := slices.IndexFunc(all, func(t payment.Transaction) bool { return of(s, t) })
		books.Add(all, i, s.Standing(), fmt.Sprintf("%+v", s))
	}
	return books
}

// Stands compares what the customers have paid and not been given back, when nothing is open any more.
func Stands[S Sum](t *testing.T, sums []S, want string) {
	t.Helper()
	sum := money.Zero
	for _, s := range sums {
		if sum = sum.Add(s.Standing()); s.Open() {
			t.Errorf("%+v is open", s)
		}
	}
	if sum.Cmp(money.MustParse(want)) != 0 {
		t.Errorf("%s stands, want %s", sum, want)
	}
}

// Notes are what a simulator was asked for. Its zero value is empty.
type Notes struct {
	mu  sync.Mutex
	all []string
}

// Add takes one down.
func (n *Notes) Add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, text)
}

// All are those so far.
func (n *Notes) All() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.all)
}
