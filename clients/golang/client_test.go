package client_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/apptest"
)

// A busy terminal is waited for; a caller without patience is told at once.
func TestBusy(t *testing.T) {
	t.Parallel()
	p, c := start(t)
	hasty := connect(t, p.Base, client.WithBusyPatience(0))
	p.Call("POST", "/emulator/acquirer", `{"next": "approve", "delayMs": 700}`, nil)
	running := beside(func() (client.Transaction, error) { return c.Pay(t.Context(), credit("1")) })
	p.AwaitBusy(true)
	wants(t, hasty.PrintText(t.Context(), client.Skip()), client.ErrBusy)
	must(t, c.PrintText(t.Context(), client.Skip()))
	must(t, (<-running).err)

	p.Call("POST", "/emulator/acquirer", `{"next": "approve", "delayMs": 700}`, nil)
	running = beside(func() (client.Transaction, error) { return c.Pay(t.Context(), credit("2")) })
	p.AwaitBusy(true)
	_, err := c.Pay(t.Context(), credit("3"))
	must(t, err)
	must(t, (<-running).err)

	full := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { // as one whose room many large documents take
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, `{"code": 503, "message": "Muitos documentos grandes ao mesmo tempo, tente novamente em instantes"}`)
	}))
	defer full.Close()
	_, err = connect(t, full.URL, client.WithBusyPatience(0)).RenderText(t.Context(), client.Drawing{}, client.Skip())
	wants(t, err, client.ErrBusy)
}

func TestQuestionEnds(t *testing.T) {
	t.Parallel()
	p, c := start(t, "--operator", "human")
	ask := func(ctx context.Context) <-chan outcome[client.Answer] {
		running := beside(func() (client.Answer, error) { return c.Ask(ctx, client.Parameters{}, client.Question{Text: "Nome?"}) })
		awaitQuestion(t, p, true)
		return running
	}
	running := ask(t.Context())
	_, err := c.Ask(t.Context(), client.Parameters{}, client.Question{})
	wants(t, err, client.ErrConflict)
	must(t, c.CancelAsk(t.Context()))
	wants(t, (<-running).err, client.ErrQuestionCancelled)

	running = ask(t.Context())
	must(t, c.Do(t.Context(), "POST", "/emulator/answer", map[string]string{"value": "Ana"}, nil))
	if got := <-running; got.err != nil || got.value.Value != "Ana" {
		t.Errorf("%+v", got)
	}

	ctx, cancel := context.WithCancel(t.Context())
	running = ask(ctx)
	cancel()
	wants(t, (<-running).err, context.Canceled)
	awaitQuestion(t, p, false)
	running = ask(t.Context())
	must(t, c.CancelAsk(t.Context()))
	wants(t, (<-running).err, client.ErrQuestionCancelled)
}

func TestErrorsOfTheTerminal(t *testing.T) {
	t.Parallel()
	p, c := start(t)
	stranger, err := client.New(p.Base, apptest.User, "errada")
	must(t, err)
	t.Cleanup(stranger.Close)
	_, err = stranger.Status(t.Context())
	wants(t, err, client.ErrUnauthorized)

	_, err = c.FinalizeSale(t.Context(), client.Closing{})
	wants(t, err, client.ErrConflict)
	must(t, c.StartSale(t.Context(), client.Sale{}))
	wants(t, c.RemoveItem(t.Context(), "x"), client.ErrNotFound)
	_, err = c.AddItem(t.Context(), client.Item{Code: "1"})
	if err == nil {
		t.Error("an item without quantity was sent")
	}

	var said *client.Error
	if err = c.PrintXML(t.Context(), nil); !errors.As(err, &said) || said.Status != 400 || said.Code != 403 {
		t.Errorf("no XML: %v", err)
	}
	err = c.PrintImage(t.Context(), []byte("nada"))
	wants(t, err, client.ErrNotPrinted)
	if !errors.As(err, &said) || said.Reason == "" {
		t.Errorf("no reason in %v", err)
	}
	p.Call("POST", "/emulator/printer", `{"state": "paperOut"}`, nil)
	err = c.PrintImage(t.Context(), picture(t))
	wants(t, err, client.ErrNotPrinted)
	if !strings.Contains(err.Error(), "papel") {
		t.Errorf("paper out: %v", err)
	}
	_, err = c.AskForm(t.Context(), client.Parameters{})
	wants(t, err, client.ErrInvalid)
	_, err = c.Restart(t.Context())
	if !errors.As(err, &said) || said.Status != 403 || errors.Is(err, client.ErrRefused) {
		t.Errorf("restart: %v", err)
	}
}

func TestPinnedKey(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t, "--tls-listen", "127.0.0.1:0")
	if p.Secure == "" || p.Pin == "" {
		t.Fatalf("%+v", p)
	}
	pinned := connect(t, p.Secure, client.WithPin(p.Pin))
	_, err := pinned.Status(t.Context())
	must(t, err)

	wrong := connect(t, p.Secure, client.WithPin("sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))
	_, err = wrong.Status(t.Context())
	wants(t, err, client.ErrWrongKey)
	wants(t, err, client.ErrUnreachable)

	_, err = connect(t, p.Secure).Status(t.Context())
	wants(t, err, client.ErrUnreachable)

	pool := x509.NewCertPool()
	text, err := os.ReadFile(filepath.Join(p.Data, "tls-cert.pem"))
	must(t, err)
	pool.AppendCertsFromPEM(text)
	_, err = connect(t, p.Secure, client.WithAuthorities(pool)).Status(t.Context())
	must(t, err)

	for _, bad := range []string{"sha256//abc", "x"} {
		if _, err := client.New(p.Secure, "", "", client.WithPin(bad)); err == nil {
			t.Errorf("pin %q was taken", bad)
		}
	}
	if _, err := client.New(p.Base, "", "", client.WithPin(p.Pin)); err == nil {
		t.Error("a pin without HTTPS was taken")
	}
}

func TestLogStreamEnds(t *testing.T) {
	t.Parallel()
	p, c := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := c.StreamLogs(ctx)
	must(t, err)
	must(t, c.CancelAsk(ctx))
	n := 0
	for _, err := range stream {
		must(t, err)
		n++
		cancel()
	}
	if n == 0 {
		t.Error("nothing came")
	}
	stream, err = c.StreamLogs(t.Context())
	must(t, err)
	p.Kill()
	var last error
	for _, err := range stream {
		last = err
	}
	wants(t, last, client.ErrNoAnswer)
}

func TestShortRequestsEnd(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	_, err := connect(t, p.Base).Status(ctx)
	wants(t, err, context.DeadlineExceeded)
	_, err = connect(t, p.Base, client.WithTimeout(time.Nanosecond)).Status(t.Context())
	wants(t, err, context.DeadlineExceeded)
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "192.168.0.10:9050", "ftp://a", "http://", ":"} {
		if _, err := client.New(bad, "", ""); err == nil {
			t.Errorf("address %q was taken", bad)
		}
	}
}

func TestDecimal(t *testing.T) {
	t.Parallel()
	for cents, want := range map[int64]client.Decimal{0: "0.00", 5: "0.05", 5424: "54.24", -7: "-0.07", -123456: "-1234.56"} {
		if got := client.Cents(cents); got != want {
			t.Errorf("Cents(%d) = %s", cents, got)
		}
		if got, err := want.Cents(); err != nil || got != cents {
			t.Errorf("%s.Cents() = %d, %v", want, got, err)
		}
	}
	if n, err := client.Decimal("1e2").Cents(); err != nil || n != 10000 {
		t.Error(n, err)
	}
	for _, bad := range []client.Decimal{"", "1,5", "01", ".5", "NaN", "0.001", "1e300"} {
		if n, err := bad.Cents(); err == nil {
			t.Errorf("%q is %d cents", bad, n)
		}
	}
	if !client.Decimal("7.1").Equal("7.10") || client.Decimal("7.1").Equal("7.11") || client.Decimal("").Equal("0") {
		t.Error("equality")
	}
	var d struct{ A, B client.Decimal }
	if err := json.Unmarshal([]byte(`{"A": 7.10, "B": null}`), &d); err != nil || d.A != "7.10" || d.B != "" {
		t.Error(d, err)
	}
	if err := json.Unmarshal([]byte(`{"A": "7.10"}`), &d); err == nil {
		t.Error("text was read as a decimal")
	}
}
