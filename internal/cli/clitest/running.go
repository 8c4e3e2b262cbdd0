package clitest

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Running is the program in a process of its own.
type Running struct {
	t     *testing.T
	cmd   *exec.Cmd
	Typed io.WriteCloser
	lines chan string
	said  []string
}

// Start runs it beside the test.
func Start(t *testing.T, args ...string) *Running {
	t.Helper()
	p := &Running{t: t, cmd: Program(t, args...), lines: make(chan string, 1000)}
	p.cmd.Env = append(p.cmd.Env, "MAQUININHA_DATA="+t.TempDir(), "MAQUININHA_PIX_CLIENT_SECRET=", "MAQUININHA_MERCADOPAGO_TOKEN=", "MAQUININHA_CIELO_TOKEN=")
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = p.cmd.Stdout
	if p.Typed, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for scan := bufio.NewScanner(out); scan.Scan(); {
			p.lines <- scan.Text()
		}
		close(p.lines)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		for range p.lines {
		}
		_ = p.cmd.Wait() // likewise
	})
	return p
}

// Sees waits for a line that holds the text.
func (p *Running) Sees(text string) string {
	p.t.Helper()
	limit := time.After(waittest.Limit)
	for {
		select {
		case line, more := <-p.lines:
			if !more {
				p.t.Fatalf("ended without saying %q; it said %q", text, p.said)
			}
			p.said = append(p.said, line)
			if strings.Contains(line, text) {
				return line
			}
		case <-limit:
			p.t.Fatalf("did not say %q; it said %q", text, p.said)
		}
	}
}

// Ends waits for the end and returns all that was said.
func (p *Running) Ends() (said string, code int) {
	p.t.Helper()
	for line := range p.lines {
		p.said = append(p.said, line)
	}
	_ = p.cmd.Wait() // the code tells
	return strings.Join(p.said, "\n"), p.cmd.ProcessState.ExitCode()
}

// Signal sends it one.
func (p *Running) Signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// Stop asks it to end, which it does without complaint.
func (p *Running) Stop(s os.Signal) {
	p.t.Helper()
	p.Signal(s)
	if said, code := p.Ends(); code != 0 {
		p.t.Errorf("ended with %d: %s", code, said)
	}
}

// Kill leaves it no time to tidy up.
func (p *Running) Kill() {
	p.t.Helper()
	p.Signal(syscall.SIGKILL)
	p.Ends()
}

// StartPIX starts the simulated bank, and says where.
func StartPIX(t *testing.T, ledger string, more ...string) (p *Running, base string) {
	t.Helper()
	p = Start(t, append([]string{"simulate", "pix", "--listen", rig.FreeAddress(), "--ledger", ledger, "--key", "loja@example.com"}, more...)...)
	base = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(p.Sees("API  ")), "API"))
	p.Sees("--pix-client-id simulador --pix-key loja@example.com")
	p.Sees("/sim/next")
	return p, base
}

// StartMercadoPago starts the simulated Mercado Pago, and says where.
func StartMercadoPago(t *testing.T, ledger string, more ...string) (p *Running, base string) {
	t.Helper()
	return startDevice(t, "mercadopago", ledger, append([]string{"--pick-up", "0s"}, more...))
}

// StartConnectTEF starts the simulated Connect TEF, and says where.
func StartConnectTEF(t *testing.T, ledger string, more ...string) (p *Running, base string) {
	t.Helper()
	return startDevice(t, "connecttef", ledger, more)
}

// StartCielo starts the simulated Cielo, and says where.
func StartCielo(t *testing.T, ledger string, more ...string) (p *Running, base string) {
	t.Helper()
	return startDevice(t, "cielo", ledger, more)
}

func startDevice(t *testing.T, name, ledger string, more []string) (p *Running, base string) {
	t.Helper()
	p = Start(t, append([]string{"simulate", name, "--listen", rig.FreeAddress(), "--ledger", ledger}, more...)...)
	base = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(p.Sees("API  ")), "API"))
	p.Sees("--acquirer-card " + name + " --" + name + "-url " + base)
	p.Sees("/sim/next")
	return p, base
}

// StartStranger is somebody else's server, who speaks JSON and knows nothing, and says where.
func StartStranger(t *testing.T) (base string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"statusCode":404,"error":"Not Found","message":"Cannot %s %s"}`, r.Method, r.URL.Path)
	}))
	t.Cleanup(server.Close)
	return server.URL
}
