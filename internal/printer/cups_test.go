//go:build linux

package printer_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/cupstest"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/printing/printingtest"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/waittest"
)

// cupsQueue is a raw queue of a print server of the test's own, that leads to a printer of the tests.
func cupsQueue(t *testing.T) (*printer.Thermal, *escpostest.Socket, *cupstest.Server) {
	t.Helper()
	fake := escpostest.Listen(t, 384)
	server := cupstest.Start(t, map[string]string{"caixa": "socket://" + fake.Address + "/?waiteof=false"})
	p, err := printer.NewCUPSAt(server.Socket, "caixa", usual)
	if err != nil {
		t.Fatal(err)
	}
	p.SetQueueWait(waittest.Limit)
	return p, fake, server
}

func TestCUPSConforms(t *testing.T) {
	t.Parallel()
	printingtest.Conformance(t, func(t *testing.T) printingtest.Device {
		p, fake, _ := cupsQueue(t)
		return printingtest.Device{Printer: p, Paper: receipt.Paper58, Sheets: fake.Sheets, Away: func(away bool) {
			if away {
				p.SetQueueWait(time.Second) // it never comes
				fake.Unplug()
			} else {
				p.SetQueueWait(waittest.Limit)
				fake.Plug(t)
			}
		}}
	})
}

func TestACUPSQueueThatStands(t *testing.T) {
	t.Parallel()
	p, fake, server := cupsQueue(t)
	for _, c := range []struct{ stop, start []string }{
		{[]string{"cupsdisable", "caixa"}, []string{"cupsenable", "caixa"}},
		{[]string{"cupsreject", "caixa"}, []string{"cupsaccept", "caixa"}},
	} {
		server.Run(t, c.stop[0], c.stop[1:]...)
		if err := p.Print(t.Context(), text(1)); !errors.Is(err, printing.ErrOffline) {
			t.Errorf("%v: %v, want ErrOffline", c.stop, err)
		}
		if p.State() != printing.Offline || strings.TrimSpace(server.Run(t, "lpstat", "-o")) != "" {
			t.Errorf("%v: %s, jobs %q", c.stop, p.State(), server.Run(t, "lpstat", "-o"))
		}
		server.Run(t, c.start[0], c.start[1:]...)
	}
	if err := p.Print(t.Context(), text(1)); err != nil || len(fake.Sheets()) != 1 {
		t.Errorf("%v, %d sheets", err, len(fake.Sheets()))
	}
	other, err := printer.NewCUPSAt(server.Socket, "outra", usual)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Print(t.Context(), text(1)); !errors.Is(err, printer.ErrNoQueue) || !errors.Is(err, printing.ErrOffline) {
		t.Errorf("a queue that is not there: %v", err)
	}
}

// What the caller was told had failed does not print when the printer comes back: the job is out of the queue.
func TestACUPSJobThatIsGivenUp(t *testing.T) {
	t.Parallel()
	p, fake, server := cupsQueue(t)
	fake.Unplug()
	ctx, cancel := context.WithCancel(t.Context())
	printed := make(chan error)
	go func() { printed <- p.Print(ctx, text(1)) }()
	waittest.Until(t, "the job is in the queue", func() bool { return strings.Contains(server.Run(t, "lpstat", "-o"), "caixa-") })
	cancel()
	if err := <-printed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if jobs := server.Run(t, "lpstat", "-o"); strings.TrimSpace(jobs) != "" {
		t.Errorf("still in the queue: %s", jobs)
	}
	fake.Plug(t)
	if err := p.Print(t.Context(), text(2)); err != nil {
		t.Error(err)
	}
	want, _ := text(2).Pages[0].Raster(receipt.Paper58)
	if sheets := fake.Sheets(); len(sheets) != 1 || string(sheets[0].Bits) != string(want.Bits) {
		t.Errorf("%d sheets", len(sheets))
	}
}

// A page that the queue puts before other people's jobs is none of a receipt's.
func TestCUPSPrintsNoBanners(t *testing.T) {
	t.Parallel()
	p, fake, server := cupsQueue(t)
	server.Run(t, "lpadmin", "-p", "caixa", "-o", "job-sheets-default=standard,standard")
	if err := p.Print(t.Context(), text(1)); err != nil {
		t.Fatal(err)
	}
	want, _ := text(1).Pages[0].Raster(receipt.Paper58)
	if sheets := fake.Sheets(); len(sheets) != 1 || string(sheets[0].Bits) != string(want.Bits) {
		t.Errorf("%d sheets", len(sheets))
	}
}

// A caller may give up in the very moment in which the server takes the job, and not hear its answer.
func TestACUPSJobThatIsGivenUpUnheard(t *testing.T) {
	t.Parallel()
	_, fake, server := cupsQueue(t)
	fake.Unplug()
	for _, operation := range []byte{5, 6} { // the job is made, and gets its document
		ctx, cancel := context.WithCancel(t.Context())
		between := &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = "http", "localhost" },
			Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", server.Socket)
			}},
		}
		asked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			answer := httptest.NewRecorder()
			between.ServeHTTP(answer, r.WithContext(t.Context()))
			if body[3] == operation {
				cancel()
			}
			w.WriteHeader(answer.Code)
			answer.Body.WriteTo(w) //nolint:errcheck // who gave up does not read it
		}))
		p, err := printer.NewCUPSAt(asked.Listener.Addr().String(), "caixa", usual)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Print(ctx, text(1)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		asked.Close()
		if jobs := server.Run(t, "lpstat", "-o"); strings.TrimSpace(jobs) != "" {
			t.Errorf("given up at %d, still in the queue: %s", operation, jobs)
		}
	}
}

func TestNoPrintServer(t *testing.T) {
	t.Parallel()
	p, err := printer.NewCUPSAt("/nao/ha", "caixa", usual)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Print(t.Context(), text(1)); !errors.Is(err, printing.ErrOffline) {
		t.Errorf("got %v", err)
	}
}
