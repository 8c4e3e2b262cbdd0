package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/credentials"
	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/waittest"
)

// counter is an interface on its own with the screen in the test's hands: caller and panel are its two sides.
type counter struct {
	*terminal
	api    *httpapi.API
	screen *screen.Model
	panel  *terminal
	states chan printing.State
}

type onlyLogin struct{}

func (onlyLogin) Allows(ctx context.Context, from, authorization string) bool {
	return credentials.FromPassword(testUser, testPassword).AllowsHeader(ctx, from, authorization)
}

type noSaleScreen struct{}

func (noSaleScreen) Changed()                                     {}
func (noSaleScreen) SaleEnded(sale.State, sale.View, sale.Ending) {}

type onlyPrinter struct {
	httpapi.Emulator
	states chan printing.State
}

func (p onlyPrinter) SetPrinter(s printing.State) { p.states <- s }

func openCounter(t *testing.T, options ...func(*httpapi.Config)) *counter {
	t.Helper()
	directOnly(t, "an interface without a service that could join")
	storage, err := store.OpenLogs(filepath.Join(t.TempDir(), "logs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { storage.Close() })
	book, err := logbook.Open(storage, logbook.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	files, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	sales, err := sale.NewDesk(files.Sales(), noSaleScreen{})
	if err != nil {
		t.Fatal(err)
	}
	ledger, err := files.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{screen: screen.New(true), states: make(chan printing.State, 1)}
	hardware := device.New(device.Identity{})
	desks := httpapi.Desks{
		Sales: sales, Questions: question.NewDesk(c.screen.Prompted), Screen: c.screen, Device: hardware, Logs: book,
		Payments: payment.NewDesk(payment.Config{Ledger: ledger, Gate: &hardware.Gate, Foreground: c.screen.Foreground, Changed: c.screen.Prompted}),
		Printing: printing.NewDesk(&hardware.Gate, printer.None{}),
	}
	t.Cleanup(desks.Payments.Close)
	t.Cleanup(desks.Printing.Close)
	config := httpapi.Config{Authenticator: onlyLogin{}, Emulator: onlyPrinter{states: c.states}}
	for _, o := range options {
		o(&config)
	}
	c.api = httpapi.New(desks, config)
	c.terminal, c.panel = serveFor(t, c.api), serveFor(t, c.api.Panel())
	t.Cleanup(c.api.Close) // before the servers wait for their streams
	return c
}

func serveFor(t *testing.T, h http.Handler) *terminal {
	t.Helper()
	server := httptest.NewServer(h)
	transport := &http.Transport{}
	t.Cleanup(func() { transport.CloseIdleConnections(); server.Close() })
	return &terminal{t: t, base: server.URL, user: testUser, secret: testPassword, client: &http.Client{Transport: transport}}
}

type exchangeSeen struct {
	N                                 int
	At                                time.Time
	Method, Path                      string
	Status                            *int
	DurationMs                        *float64
	Request, Answer                   *string
	RequestTruncated, AnswerTruncated bool
}

func (c *counter) exchanges() (all []exchangeSeen) {
	c.t.Helper()
	c.call("GET", "/emulator/requests", nil).ok().into(&all)
	return all
}

func TestExchangesAreKeptWhileAPageIsOpen(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	c.call("POST", "/ask/cancel", nil).ok()
	if got := c.call("GET", "/emulator/requests", nil).ok(); strings.TrimSpace(string(got.body)) != "[]" {
		t.Errorf("with no page open: %s", got.body)
	}
	page := c.screen.Foreground.OpenPage()
	before := time.Now().Add(-time.Second)
	c.call("POST", "/ask/cancel", nil).ok()
	c.call("POST", "/nada?q=a%20b", `{"a":1}`).is(404, "Rota não encontrada")
	c.call("POST", "/display/text", `{"content":1}`, header{"Authorization", ""}).is(401, "Credenciais ausentes ou inválidas")
	for _, path := range []string{"/status", "/info", "/logs", "/logs/zip/download", "/emulator/screen", "/emulator/requests", "/docs", "/"} {
		resp, err := c.client.Do(c.request("GET", path, nil))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	page.Close()
	c.call("POST", "/ask/cancel", nil).ok()

	var got []string
	for _, e := range c.exchanges() {
		if e.Status == nil || e.DurationMs == nil || e.Answer == nil || e.At.Before(before) {
			t.Fatalf("incomplete: %+v", e)
		}
		sent := "nothing"
		if e.Request != nil {
			sent = *e.Request
		}
		got = append(got, fmt.Sprintf("%d %s %s (%s): %d %s", e.N, e.Method, e.Path, sent, *e.Status, strings.TrimSpace(*e.Answer)))
	}
	// What nobody read of a refused request was sent all the same.
	want := []string{
		`3 POST /display/text ({"content":1}): 401 {"code":401,"message":"Credenciais ausentes ou inválidas"}`,
		`2 POST /nada?q=a%20b ({"a":1}): 404 {"code":404,"message":"Rota não encontrada"}`,
		`1 POST /ask/cancel (nothing): 200 {"message":"Pergunta cancelada com sucesso"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("exchanges (-want +got):\n%s", diff)
	}
}

func TestHeldExchangeHasNoStatusYet(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	defer c.screen.Foreground.OpenPage().Close()
	const form = `{"question":{"id":7}}`
	ask := c.keepOpen("POST", "/ask", form)
	c.awaitQuestion(0)
	if e := c.exchanges()[0]; e.Status != nil || e.DurationMs != nil || e.Answer != nil || e.Request == nil || *e.Request != form {
		t.Errorf("held: %+v", e)
	}
	c.call("POST", "/emulator/answer", `{"value":"oi"}`).ok()
	ask.answer().ok()
	if e := c.exchanges()[1]; e.Status == nil || *e.Status != 200 || e.Answer == nil || !strings.Contains(*e.Answer, `"oi"`) {
		t.Errorf("answered: %+v", e)
	}
	gone := c.keepOpen("POST", "/ask", form)
	c.awaitQuestion(0)
	gone.hangUp()
	waittest.Until(t, "the exchange to end", func() bool {
		e := c.exchanges()[0]
		return e.Status != nil && *e.Status == 499 && e.DurationMs != nil && e.Answer == nil
	})
}

func TestExchangesShowTextOnlyAndNoCards(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	defer c.screen.Foreground.OpenPage().Close()
	const card, masked = "4111111111111111", "411111******1111"
	newest := func(method, path string, body any) exchangeSeen {
		t.Helper()
		c.call(method, path, body)
		return c.exchanges()[0]
	}
	if e := newest("POST", "/nada?cart%C3%A3o=4111%2D1111%2D1111%2D1111", `{"pan":"`+card+`"}`); e.Request == nil ||
		*e.Request != `{"pan":"`+masked+`"}` || !strings.Contains(e.Path, "4111-11**-****-1111") {
		t.Errorf("a card number: %+v", e)
	}
	for _, body := range [][]byte{{0x89, 'P', 'N', 'G', 0}, {'a', 0}, []byte("caf\xe9"), {}} {
		if e := newest("POST", "/nada", body); e.Request != nil || e.RequestTruncated {
			t.Errorf("%q: %+v", body, e)
		}
	}
	// A letter and a card number lie across the cut.
	for _, row := range []struct{ before, rest, tail string }{
		{strings.Repeat("x", 4095), "é" + strings.Repeat("b", 100), "xxx"},
		{strings.Repeat("x", 4090), card + strings.Repeat("b", 9000), "411111"},
		{strings.Repeat("x", 4086), card, "411111****"},
		{strings.Repeat("x", 8191), "é", "xxx"},
	} {
		e := newest("POST", "/nada", row.before+row.rest)
		if e.Request == nil || !e.RequestTruncated || len(*e.Request) > 4096 || len(*e.Request) < 4095 || !strings.HasSuffix(*e.Request, row.tail) {
			t.Errorf("%d bytes and %.20q: %+v", len(row.before), row.rest, e)
		}
	}
	if e := newest("POST", "/nada", strings.Repeat("é", 2048)); e.Request == nil || e.RequestTruncated || len(*e.Request) != 4096 {
		t.Errorf("just as long as is shown: %+v", e)
	}
}

func TestFiftyExchangesAreKept(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	defer c.screen.Foreground.OpenPage().Close()
	for range 60 {
		c.call("POST", "/ask/cancel", nil).ok()
	}
	all := c.exchanges()
	if len(all) != 50 || all[0].N != 60 || all[49].N != 11 {
		t.Errorf("%d kept, from %d to %d", len(all), all[0].N, all[len(all)-1].N)
	}
}
