//go:build unix && (!race || everything)

package app_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestSignals(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]os.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			p := serve(t, data, withSecret(), "--autopilot-delay", "1h")
			p.ok(t, "POST", "/sale", `{"customerName":"Ana"}`)
			p.ok(t, "POST", "/sale/item", `{"id":"1","code":"c","description":"d","quantity":1,"unitPrice":2.50,"total":2.50}`)
			asked, paid := holdBoth(t, p.caller)
			must(t, p.cmd.Process.Signal(signal))
			stopped(t, "the question", asked)
			stopped(t, "the payment", paid)
			if code := p.exit(t); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if p.stderr.String() != "" {
				t.Errorf("on stderr: %s", p.stderr)
			}

			p = serve(t, data, withSecret(), "--autopilot-delay", "1h")
			if sale := p.ok(t, "GET", "/sale", ""); !strings.Contains(sale, `"Ana"`) || !strings.Contains(sale, `2.50`) {
				t.Errorf("the sale came back as %s", sale)
			}
			// Nobody was told of an approval, so the payment must not stand.
			var last stored
			waittest.Until(t, "the payment is settled", func() bool {
				last = get[stored](t, p.caller, "/transaction/held")
				return last.Details.Status != "pending"
			})
			if last.Details.Status != "cancelled" {
				t.Errorf("the payment that nobody saw the end of is %s", last.Details.Status)
			}
			logs := p.ok(t, "GET", "/logs", "")
			if !strings.Contains(logs, "POST /ask 503") || !strings.Contains(logs, "POST /transaction 503") || !strings.Contains(logs, "encerrado") {
				t.Errorf("the last words are not in the log: %.2000s", logs)
			}
			p.terminate(t)
		})
	}
}

// A restart that can't come up again ends the process, in words, and leaves nothing behind.
func TestRestartThatFails(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, withSecret(), "--platform", "android")
	must(t, os.WriteFile(data+"/emulator-host.jsonl", []byte("garbage\n"), 0o600))
	status, _, err := p.send(t.Context(), "POST", "/restart", "")
	if err == nil && status < 500 {
		t.Errorf("the restart was answered with %d", status)
	}
	if code := p.exit(t); code <= 0 {
		t.Errorf("exit code %d", code)
	}
	if lines := strings.Count(p.stderr.String(), "\n"); lines == 0 || !strings.Contains(p.stderr.String(), "maquininha: ") {
		t.Errorf("it said %q", p.stderr)
	}
}

// A stop that comes while the service is still starting is a clean one too.
func TestSignalWhileStarting(t *testing.T) {
	t.Parallel()
	address := rig.FreeAddress()
	p := command(t, environment(), "--listen", address, "--screen", "127.0.0.1:0", "--data", t.TempDir())
	p.start(t)
	// The port is taken before the data is opened and the first password made.
	waittest.Until(t, "the port is taken", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	if code := p.exit(t); code != 0 || p.stderr.String() != "" {
		t.Errorf("exit code %d: %s", code, p.stderr)
	}
}

// Without an acquirer a real terminal says so at once, and to every caller.
func TestProductionWithoutAcquirer(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), withSecret(), "--mode", "production", "--no-setup")
	if said := p.stdout.String(); !strings.Contains(said, "nenhum configurado: pagamentos serão recusados com 503") {
		t.Error(said)
	}
	if status, body := p.call(t, "POST", "/transaction", `{"tPag":"03","amount":1}`); status != http.StatusServiceUnavailable || !strings.Contains(body, "Nenhum adquirente configurado") {
		t.Errorf("%d %s", status, body)
	}
	p = serve(t, t.TempDir(), withSecret(), "--mode", "production", "--no-setup", "--acquirer-card", "tef", "--acquirer-pix", "none", "--tef-dir", t.TempDir())
	if said := p.stdout.String(); !strings.Contains(said, "cartão: TEF paygo; PIX: nenhum") {
		t.Error(said)
	}
	if status, body := p.call(t, "POST", "/transaction", `{"tPag":"17","amount":1}`); status != http.StatusServiceUnavailable || !strings.Contains(body, "para esta forma de pagamento") {
		t.Errorf("%d %s", status, body)
	}
}

// What the start refuses is said in the words of whoever typed it, and in no others.
func TestTEFWithoutFolders(t *testing.T) {
	t.Parallel()
	same := t.TempDir()
	for _, c := range []struct {
		flags []string
		said  string
	}{
		{nil, "TEF: informe a pasta do gerenciador com --tef-dir\n"},
		{[]string{"--tef-req", same, "--tef-resp", same}, "TEF: a pasta dos pedidos e a das respostas não podem ser a mesma\n"},
	} {
		args := append([]string{"--data", t.TempDir(), "--listen", "127.0.0.1:0", "--screen", "127.0.0.1:0", "--mode", "production", "--acquirer-card", "tef"}, c.flags...)
		if _, stderr, code := run(t, withSecret(), args...); code == 0 || !strings.HasSuffix(stderr, c.said) {
			t.Errorf("%v: code %d, %s", c.flags, code, stderr)
		}
	}
}

// A password the service made itself needs no slow hash: it gets in at once from the guessers' own address too.
func TestGuessingAGeneratedPassword(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, environment())
	name, password := credentialsIn(t, p.stdout.String())
	p.terminate(t)
	p = serve(t, data, environment())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, wait := guess(ctx, t, p.caller, "127.0.0.1", 300)
	for range 20 {
		p.as(name, password).ok(t, "GET", "/status", "")
	}
	stop()
	wait()
	p.terminate(t)
}
