//go:build unix && (!race || everything)

package app_test

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/controlpay/paysim"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/waittest"
)

// The customers' cards. No eight digits in a row of theirs are those of anything else in these tests.
const (
	visa = "4539578763621486"
	amex = "374245455400126"
)

// stripe is what follows on the number on a card's magnetic stripe.
const stripe = "301210100000123"

// tooMuch finds eight digits in a row of a card, however they are written: first six and last four are never so many.
func tooMuch(pan string) *regexp.Regexp {
	var windows []string
	for i := 0; i+8 <= len(pan); i++ {
		windows = append(windows, strings.Join(strings.Split(pan[i:i+8], ""), `[ .+\-]?`))
	}
	return regexp.MustCompile(strings.Join(append(windows, stripe), "|"))
}

// cardWitness gathers all that a service says, answers and keeps.
type cardWitness struct {
	t    *testing.T
	data string
	p    *process
	said map[string][]byte
}

func (w *cardWitness) ask(method, path, body string) string {
	w.t.Helper()
	status, got := w.p.call(w.t, method, path, body)
	w.said[fmt.Sprintf("%s %s (%d)", method, path, status)] = []byte(got)
	return got
}

// command runs one of the program's own beside the service.
func (w *cardWitness) command(args ...string) {
	w.t.Helper()
	stdout, stderr, _ := run(w.t, withSecret(), append(args, "--data", w.data)...)
	w.said[strings.Join(args, " ")] = []byte(stdout + stderr)
}

// searchAll looks at all of it for the card, while the service runs and afterwards.
func (w *cardWitness) searchAll(pan string) {
	t := w.t
	t.Helper()
	for _, path := range []string{
		"/logs?limit=100000", "/transaction", "/emulator/requests", "/emulator/printer/jobs", "/emulator/screen", "/operation", "/info", "/metrics",
		"/transaction/venda", "/transaction/negada", "/transaction/perdida",
	} {
		w.ask("GET", path, "")
	}
	archive := w.ask("GET", "/logs/zip/download", "")
	w.said["the archive of logs"] = unpacked(t, []byte(archive))
	w.command("transactions")
	w.command("transactions", "show", "1")
	report := filepath.Join(t.TempDir(), "doctor.zip")
	w.command("doctor", "-o", report)
	zipped, err := os.ReadFile(report)
	must(t, err)
	w.said["doctor's report"] = unpacked(t, zipped)
	w.folder("while it runs")
	w.p.terminate(t)
	w.folder("afterwards")
	w.said["standard output"], w.said["standard error"] = []byte(w.p.stdout.String()), []byte(w.p.stderr.String())
	leak := tooMuch(pan)
	for what, text := range w.said {
		if at := leak.FindIndex(text); at != nil {
			t.Errorf("%s has more of a card than its first six and last four digits: …%q…", what, text[max(0, at[0]-40):min(len(text), at[1]+20)])
		}
	}
}

func (w *cardWitness) folder(when string) {
	w.t.Helper()
	found := 0
	must(w.t, filepath.WalkDir(w.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found++
		w.said[when+": "+d.Name()], err = os.ReadFile(path)
		return err
	}))
	if found < 3 {
		w.t.Errorf("%s: %d files in the data folder", when, found)
	}
}

// TestNothingOfACardIsKept pays, gives back, is refused and opens the menu at managers that tell whole card numbers wherever they can.
func TestNothingOfACardIsKept(t *testing.T) {
	t.Parallel()
	for i, profile := range tefsim.Vendors {
		pan := []string{visa, amex}[i%2]
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			w := &cardWitness{t: t, data: filepath.Join(dir, "data"), said: map[string][]byte{}}
			manager(t, tefsim.Config{
				Dir: filepath.Join(dir, "tef"), As: profile, Ledger: filepath.Join(dir, "tef.jsonl"), Card: pan,
				Script: []tefsim.Order{{Every: 1, Case: tefsim.Careless}, {Every: 1, Command: "ADM", Case: tefsim.Careless}},
			})
			w.p = serve(t, w.data, withSecret(), "--acquirer-card", "tef", "--acquirer-pix", "none", "--tef-dir", filepath.Join(dir, "tef"), "--tef-profile", profile,
				"--card-receipt", "both", "--autopilot-delay", "0s")
			if got := w.ask("POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"venda"}`); !strings.Contains(got, pan[:6]) {
				t.Errorf("the slip is not the manager's: %s", got)
			}
			w.command("tef", "admin")
			must(t, tefsim.Steer(filepath.Join(dir, "tef"), tefsim.Order{Command: "CRT", Case: tefsim.Refuse, Message: "CARTAO " + pan + " INVALIDO"}))
			w.ask("POST", "/transaction", `{"tPag":"03","amount":11.00,"referenceId":"negada"}`)
			w.ask("POST", "/transaction/venda/reversal", "")
			w.searchAll(pan)
		})
	}
}

// manager runs a TEF manager beside the test.
func manager(t *testing.T, c tefsim.Config) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done, ready := make(chan error, 1), make(chan struct{})
	c.Ready = func() { close(ready) }
	go func() { done <- tefsim.Run(ctx, c) }()
	t.Cleanup(func() {
		stop()
		must(t, <-done)
	})
	<-ready
}

// TestNothingOfACardIsKeptOfMercadoPago has the API tell card numbers in its answers, and in the words of its errors.
func TestNothingOfACardIsKeptOfMercadoPago(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	done, ready := make(chan error, 1), make(chan string, 1)
	go func() {
		done <- pointsim.Run(ctx, pointsim.Config{
			Listen: "127.0.0.1:0", Token: "segredo", Ledger: filepath.Join(dir, "mercadopago.jsonl"), AutoPay: time.Millisecond,
			Ready: func(a net.Addr) { ready <- "http://" + a.String() },
		})
	}()
	t.Cleanup(func() {
		stop()
		must(t, <-done)
	})
	between := careless(t, <-ready, visa)
	w := &cardWitness{t: t, data: filepath.Join(dir, "data"), said: map[string][]byte{}}
	w.p = serve(t, w.data, append(withSecret(), "MAQUININHA_MERCADOPAGO_TOKEN=segredo"), "--acquirer-card", "mercadopago", "--acquirer-pix", "none", "--mercadopago-url", between.URL,
		"--mercadopago-device", pointsim.VirtualDevice, "--card-receipt", "both", "--autopilot-delay", "0s")
	w.ask("POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"venda"}`)
	w.ask("POST", "/transaction/venda/reversal", "")
	between.refuses.Store(true)
	w.ask("POST", "/transaction", `{"tPag":"03","amount":11.00,"referenceId":"negada"}`)
	between.refuses.Store(false)
	between.fails.Store(true)
	held := w.p.hold(t, "POST", "/transaction", `{"tPag":"03","amount":12.00,"referenceId":"perdida"}`)
	waittest.Until(t, "the service has heard of the failure", func() bool { return between.failed.Load() > 2 })
	between.fails.Store(false)
	w.said["what came of it"] = []byte((<-held).body)
	w.searchAll(visa)
}

// TestNothingOfACardIsKeptOfControlPay has the text of the terminal's answer tell card numbers, and errors too.
func TestNothingOfACardIsKeptOfControlPay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	between := careless(t, inTheCloud(t, filepath.Join(dir, "controlpay.jsonl")), visa)
	w := &cardWitness{t: t, data: filepath.Join(dir, "data"), said: map[string][]byte{}}
	w.p = serve(t, w.data, append(withSecret(), "MAQUININHA_CONTROLPAY_KEY=segredo", "MAQUININHA_CONTROLPAY_PASSWORD="+paysim.Password), "--acquirer-card", "controlpay", "--acquirer-pix", "none",
		"--controlpay-url", between.URL, "--controlpay-terminal", strconv.Itoa(paysim.Terminal), "--card-receipt", "both", "--autopilot-delay", "0s")
	if got := w.ask("POST", "/transaction", `{"tPag":"03","amount":10.00,"referenceId":"venda"}`); !strings.Contains(got, "VIA CLIENTE "+visa[:6]) {
		t.Errorf("the slip is not the terminal's: %s", got)
	}
	w.ask("POST", "/transaction/venda/reversal", "")
	between.refuses.Store(true)
	w.ask("POST", "/transaction", `{"tPag":"03","amount":11.00,"referenceId":"negada"}`)
	between.refuses.Store(false)
	w.searchAll(visa)
}
