package simulate

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// What the simulators over HTTP have in common on the command line.

// deviceFlags are what those of a device have.
type deviceFlags struct {
	options.Place `embed:""`
	Ledger        string        `placeholder:"ARQUIVO" help:"Livro do simulador; sem ele, um arquivo simulador-….jsonl na pasta dos dados."`
	AutoPay       time.Duration `placeholder:"TEMPO" help:"Cada cobrança é paga sozinha depois deste tempo, como 3s; sem ele, alguém tem de pagar."`
	Failures      `embed:""`
}

// check refuses what could not run.
func (f deviceFlags) check(r httpsim.Repertoire, times ...time.Duration) error {
	if _, err := f.of(r); err != nil {
		return err
	}
	if slices.ContainsFunc(append(times, f.AutoPay), func(d time.Duration) bool { return d < 0 }) {
		return errors.New("nenhum tempo pode ser negativo")
	}
	return nil
}

// play runs a simulator of a device with its book and its failures.
func (f deviceFlags) play(name, listen string, r httpsim.Repertoire, run func(ledger string, chaos httpsim.Chaos, say func(string)) error) error {
	ledger, err := bookOf(f.Place, f.Ledger, "simulador-"+name+".jsonl")
	if err != nil {
		return err
	}
	chaos, err := f.of(r)
	if err != nil {
		return err
	}
	events := &eventLog{out: os.Stdout}
	return whyNot(run(ledger, chaos, events.say), listen, ledger)
}

// bookOf is where a simulator keeps its book.
func bookOf(p options.Place, path, name string) (string, error) {
	if path == "" {
		data, err := p.Folder()
		if err != nil {
			return "", err
		}
		path = filepath.Join(data, name)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(filepath.Dir(path), 0o700)
}

// whyNot says it in the words of whoever started the simulator.
func whyNot(err error, listen, ledger string) error {
	var opening *net.OpError
	switch {
	case errors.Is(err, journal.ErrTaken):
		return fmt.Errorf("outro simulador já usa o livro %s: encerre-o ou escolha outro com --ledger", ledger)
	case errors.As(err, &opening) && opening.Op == "listen":
		return fmt.Errorf("não foi possível abrir %s: %w", listen, opening.Err)
	}
	return err
}

// of is what goes wrong by chance, of all that a simulator can do wrong.
func (f Failures) of(r httpsim.Repertoire) (httpsim.Chaos, error) {
	chaos := httpsim.Chaos{Share: float64(f.Chaos), Seed: f.Seed}
	for _, name := range f.ChaosCases {
		if !slices.Contains(r.Misdeeds(), httpsim.Misdeed(name)) {
			return chaos, fmt.Errorf("--chaos-cases: %q não é uma falha", name)
		}
		chaos.Kinds = append(chaos.Kinds, httpsim.Misdeed(name))
	}
	return chaos, nil
}

// listed is a line a misdeed.
func listed(r httpsim.Repertoire) string {
	var b strings.Builder
	for _, m := range r.Misdeeds() {
		fmt.Fprintf(&b, "  %-22s %s\n", m, r.Meaning(m))
	}
	return b.String()
}

// reachable is the address of a simulator for those on this machine.
func reachable(at net.Addr) string {
	host, port, _ := net.SplitHostPort(at.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// already tells of a book that was not begun now.
func already(charges int) string {
	if charges == 0 {
		return ""
	}
	return fmt.Sprintf("   (%d cobranças até agora)", charges)
}

// paying says who pays.
func paying(after time.Duration) string {
	if after > 0 {
		return fmt.Sprintf("Cada cobrança é paga sozinha depois de %v.", after)
	}
	return "Ninguém paga sozinho (--auto-pay 3s pagaria)."
}

// webLine is one exchange as people read it. said is what an event means, empty for a violation.
func webLine[Event any](e httpsim.Exchange[Event], said func(Event) string) string {
	var happened []string
	violated := false
	for _, event := range e.Events {
		text := said(event)
		if text == "" {
			violated = true
			continue
		}
		happened = append(happened, text)
	}
	if e.Method == "" && e.Problem != "" {
		return "ATENÇÃO  conexão sem pedido: " + e.Problem
	}
	if e.Method == "" {
		return "ACONTECEU  " + strings.Join(happened, "; ")
	}
	line := fmt.Sprintf("%s %s  %d", e.Method, e.Path, e.Status)
	if e.Status == 0 {
		line = fmt.Sprintf("%s %s  sem resposta", e.Method, e.Path)
	}
	switch {
	case violated:
		happened = append(happened, "VIOLAÇÃO: "+e.Problem)
	case e.Problem != "":
		happened = append(happened, "recusado: "+e.Problem)
	case len(happened) == 0 && e.State != "":
		happened = append(happened, e.State)
	}
	line += "  " + strings.Join(happened, "; ")
	if e.Misdeed != "" {
		line += "  [" + string(e.Misdeed) + "]"
	}
	return line
}
