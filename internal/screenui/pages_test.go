package screenui

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
)

// These stand in for what has nothing to show here.
type (
	emptyBook   struct{ sale.Book }
	emptyLedger struct{ payment.Ledger }
)

func (emptyBook) Load() (*sale.Record, int64, error)                       { return nil, 0, nil }
func (emptyLedger) Unresolved() ([]payment.Transaction, error)             { return nil, nil }
func (emptyLedger) OpenAdministrations() ([]payment.Administration, error) { return nil, nil }

// counter is a screen in virtual time, without sockets.
type counter struct {
	*UI
	t *testing.T
}

func atCounter(t *testing.T, test func(*counter)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		model, terminal := screen.New(false), device.New(device.Identity{})
		sales, err := sale.NewDesk(emptyBook{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		payments := payment.NewDesk(payment.Config{Ledger: emptyLedger{}, Gate: &terminal.Gate, Foreground: model.Foreground, Changed: model.Prompted})
		defer payments.Close()
		prints := printing.NewDesk(&terminal.Gate, printer.None{})
		defer prints.Close()
		desks := Desks{Sales: sales, Questions: question.NewDesk(model.Prompted), Payments: payments, Printing: prints, Screen: model, Device: terminal}
		ui := New(desks, Config{Acquirer: func() string { return "none" }, Printer: printer.None{}, Settings: &drawer{}})
		defer ui.Close()
		test(&counter{ui, t})
	})
}

// touch is what a page sends; it returns the status of the answer.
func (c *counter) touch(path, body string) int {
	w := httptest.NewRecorder()
	c.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
	return w.Code
}

// wants checks the foreground, now: time stands still while anything has yet to be done.
func (c *counter) wants(active bool, when string) {
	c.t.Helper()
	synctest.Wait()
	if c.Screen.Foreground.Active() != active {
		c.t.Errorf("%s, the app is in the foreground: %v", when, !active)
	}
}

// shown is an open page as the service sees it.
type shown struct {
	c        *counter
	id       string
	hangUp   func()
	ended    chan struct{}
	reported int
}

var pageID = regexp.MustCompile(`"page":"([^"]+)"`)

// open has a page follow the feed.
func (c *counter) open() *shown {
	c.t.Helper()
	ctx, hangUp := context.WithCancel(c.t.Context())
	p, w := &shown{c: c, hangUp: hangUp, ended: make(chan struct{})}, &wire{header: http.Header{}}
	go func() {
		defer close(p.ended)
		c.ServeHTTP(w, httptest.NewRequest("GET", "/feed", nil).WithContext(ctx))
	}()
	synctest.Wait()
	id := pageID.FindStringSubmatch(w.text())
	if id == nil {
		c.t.Fatalf("the feed began with %q", w.text())
	}
	p.id = id[1]
	return p
}

func (p *shown) visible(is bool) {
	p.c.t.Helper()
	p.reported++
	p.reports(p.reported, is)
}

func (p *shown) reports(number int, visible bool) {
	p.c.t.Helper()
	text := fmt.Sprintf(`{"page":%q,"visible":%v,"report":%d}`, p.id, visible, number)
	if status := p.c.touch("/page/visible", text); status != http.StatusNoContent {
		p.c.t.Fatalf("%s: %d", text, status)
	}
}

func (p *shown) says(path string) int { return p.c.touch(path, `{"page":"`+p.id+`"}`) }

func (p *shown) hasEnded() bool {
	synctest.Wait()
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// wire is the page's end of a feed.
type wire struct {
	header http.Header
	mu     sync.Mutex
	said   bytes.Buffer
}

func (w *wire) Header() http.Header              { return w.header }
func (w *wire) WriteHeader(int)                  {}
func (w *wire) Flush()                           {}
func (w *wire) SetWriteDeadline(time.Time) error { return nil }

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.Write(p)
}

func (w *wire) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.String()
}

// The interface wants a page that hung to be missed within three seconds.
func TestSilentPageIsMissed(t *testing.T) {
	t.Parallel()
	atCounter(t, func(c *counter) {
		p := c.open()
		c.wants(false, "before the page has said that it is visible")
		p.visible(true)
		for range 4 { // it says that it lives for a while, then never again
			time.Sleep(beatTimeout - time.Nanosecond)
			c.wants(true, "just before the next sign of life is due")
			if status := p.says("/page/beat"); status != http.StatusNoContent {
				t.Fatalf("a living page: %d", status)
			}
		}
		silent := time.Now()
		<-p.ended
		if since := time.Since(silent); since != beatTimeout || since > 3*time.Second {
			t.Errorf("taken for dead after %v", since)
		}
		c.wants(false, "dead")
		if status := p.says("/page/beat"); status != http.StatusNotFound {
			t.Errorf("a page taken for dead: %d, it must come back", status)
		}
		c.open().visible(true)
		c.wants(true, "once it has come back")
	})
}

func TestHiddenPageMayBeSilent(t *testing.T) {
	t.Parallel()
	atCounter(t, func(c *counter) {
		p := c.open()
		time.Sleep(10 * beatTimeout)
		p.visible(true)
		p.visible(false)
		time.Sleep(10 * beatTimeout)
		if p.hasEnded() {
			t.Fatal("a hidden page was taken for dead")
		}
		p.visible(true)
		c.wants(true, "shown after a long time")
	})
}

// Whatever the service can know at once counts at once: none of this takes any time.
func TestForegroundFollowsThePagesAtOnce(t *testing.T) {
	t.Parallel()
	atCounter(t, func(c *counter) {
		began := time.Now()
		first, second := c.open(), c.open()
		first.visible(true)
		c.wants(true, "with a page in sight")
		first.visible(false)
		c.wants(false, "with the page hidden")
		first.visible(true)
		second.visible(true)
		first.visible(false)
		c.wants(true, "with another page in sight")
		second.visible(false)
		c.wants(false, "with both hidden")

		third := c.open()
		third.reports(2, false)
		third.reports(1, true)
		c.wants(false, "when an older report comes after a newer")
		third.reports(3, true)
		c.wants(true, "when the newest comes last")
		third.hangUp()

		first.visible(true)
		if status := first.says("/page/gone"); status != http.StatusNoContent {
			t.Errorf("taking leave: %d", status)
		}
		c.wants(false, "when a page has said that it goes")
		if !first.hasEnded() {
			t.Error("the feed of a page that has gone goes on")
		}
		second.visible(true)
		second.hangUp() // as a page does whose process was killed
		c.wants(false, "when a page's connection has broken")
		if !second.hasEnded() {
			t.Error("the feed of a broken connection goes on")
		}
		if took := time.Since(began); took > 2*minInterval { // what a feed pauses between two looks
			t.Errorf("it took %v", took)
		}
	})
}
