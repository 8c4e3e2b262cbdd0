//go:build !windows

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// running is the program in a process of its own.
type running struct {
	t     *testing.T
	cmd   *exec.Cmd
	typed io.WriteCloser
	lines chan string
	said  []string
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	p := &running{t: t, cmd: program(t, args...), lines: make(chan string, 1000)}
	p.cmd.Env = append(p.cmd.Env, "MAQUININHA_DATA="+t.TempDir(), "MAQUININHA_PIX_CLIENT_SECRET=")
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = p.cmd.Stdout
	if p.typed, err = p.cmd.StdinPipe(); err != nil {
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

// sees waits for a line that holds the text.
func (p *running) sees(text string) string {
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

// ends waits for the end and returns all that was said.
func (p *running) ends() (said string, code int) {
	p.t.Helper()
	for line := range p.lines {
		p.said = append(p.said, line)
	}
	_ = p.cmd.Wait() // the code tells
	return strings.Join(p.said, "\n"), p.cmd.ProcessState.ExitCode()
}

func (p *running) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// stop asks it to end, which it does without complaint.
func (p *running) stop(s os.Signal) {
	p.t.Helper()
	p.signal(s)
	if said, code := p.ends(); code != 0 {
		p.t.Errorf("ended with %d: %s", code, said)
	}
}

// kill leaves it no time to tidy up.
func (p *running) kill() {
	p.t.Helper()
	p.signal(syscall.SIGKILL)
	p.ends()
}

func TestSimulatorsExplainThemselves(t *testing.T) {
	t.Parallel()
	for args, want := range map[string][]string{
		"--help":                           {"  simulate   ", "--listen"},
		"simulate --help":                  {"Uso: maquininha simulate COMANDO [opções]", "  tef  ", "  pix  "},
		"simulate tef --help":              {"Uso: maquininha simulate tef PASTA [opções]", "--chaos PARTE", "  pending-other  ", "echo refuse >> PASTA/simulador.txt"},
		"simulate pix --help":              {"Uso: maquininha simulate pix [opções]", "--auto-pay TEMPO", "  refund-slowly-refused  ", "/sim/pay/TXID"},
		"simulate":                         {`informe um de "tef", "pix"`},
		"simulate tef":                     {"informe a pasta", "simulate tef --help"},
		"simulate tef x --answer nonsense": {`"nonsense" não é um caso`},
		"simulate tef x --chaos 1000%":     {"não é uma parte"},
		"simulate tef x --chaos-cases x,y": {`"x" não é um caso`},
		"simulate tef x --every 0":         {"ao menos 1"},
		"simulate pix --chaos-cases x":     {`"x" não é uma falha`},
		"simulate pix --tls-cert x":        {"andam juntas"},
		"simulate pix --auto-pay -3s":      {"--auto-pay"},
		"simulate pix --listen nowhere":    {"não foi possível abrir nowhere"},
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			said, code := start(t, strings.Fields(args)...).ends()
			for _, text := range want {
				if !strings.Contains(said, text) {
					t.Errorf("no %q in\n%s", text, said)
				}
			}
			if (code == 0) != strings.HasSuffix(args, "--help") {
				t.Errorf("ended with %d", code)
			}
		})
	}
}

func TestReais(t *testing.T) {
	for cents, want := range map[string]string{"": "R$ 0,00", "5": "R$ 0,05", "050": "R$ 0,50", "15000": "R$ 150,00", "123456789": "R$ 1.234.567,89"} {
		if got := reais(cents); got != want {
			t.Errorf("%q: %s", cents, got)
		}
	}
}
