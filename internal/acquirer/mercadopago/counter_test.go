package mercadopago_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/acquirer/remote/remotetest"
	"github.com/maquininha/maquininha/internal/store"
)

// counter is a terminal beside a device, with a customer and a cashier, without a desk.
type counter struct {
	remotetest.Counter
	*shop
	*mercadopago.Acquirer

	mu   sync.Mutex
	sent []sent // each request of the driver's that has a key
}

type sent struct{ path, key, body string }

// atCounter runs a test in a bubble, and holds the driver to the rules of the API.
func atCounter(t *testing.T, change func(*pointsim.Config), test func(*counter)) {
	t.Helper()
	remotetest.AtCounter(t, func(t *testing.T, dir string, book *store.Ledger) {
		p, closing := openShop(t, dir, change)
		defer closing()
		c := &counter{Counter: remotetest.Counter{T: t, Book: book}, shop: p}
		c.AtCard = c.pays
		c.open(nil)
		defer func() { c.Close() }()
		test(c)
		if v := p.account.Violations(); len(v) > 0 {
			t.Errorf("violations: %q", v)
		}
	})
}

// open is the process starting, perhaps with another configuration.
func (c *counter) open(change func(*mercadopago.Config)) {
	c.t.Helper()
	if c.Acquirer != nil {
		c.Close()
	}
	config := c.config
	config.Network.Wrap = func(next http.RoundTripper) http.RoundTripper {
		return remotetest.RoundTrip(func(r *http.Request) (*http.Response, error) {
			if key := r.Header.Get("X-Idempotency-Key"); key != "" {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				c.mu.Lock()
				c.sent = append(c.sent, sent{r.URL.Path, key, string(body)})
				c.mu.Unlock()
			}
			return next.RoundTrip(r)
		})
	}
	config.Book = c.Book
	if change != nil {
		change(&config)
	}
	var err error
	if c.Acquirer, err = mercadopago.New(config); err != nil {
		c.t.Fatal(err)
	}
	c.Driver = c.Acquirer
}

func (c *counter) pays() bool {
	if err := c.account.Pay(""); err != nil {
		c.t.Errorf("paying: %v", err)
	}
	return false
}

func (c *counter) next(kind httpsim.Misdeed, on httpsim.Call, times int, delay time.Duration) {
	c.t.Helper()
	c.Next(c.account, kind, on, times, delay)
}

// stands is what the customers have paid and not been given back.
func (c *counter) stands(want string) {
	c.t.Helper()
	remotetest.Stands(c.t, c.sums(), want)
}

// posted are the requests to a path's end.
func (c *counter) posted(suffix string) []sent {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.sent), func(s sent) bool { return !strings.HasSuffix(s.path, suffix) })
}
