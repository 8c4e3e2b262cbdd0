// Package testserver is the command that gives the tests of an integration a terminal of their own, and says at the end what the caller did
// wrong. It reads flags, runs the command under test and maps exit codes; the public package testserver does the rest.
package testserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/referee"
	"github.com/maquininha/maquininha/testserver"
)

// Command is maquininha test-server.
type Command struct {
	Scenario string   `placeholder:"ARQUIVO" help:"Roteiro, em TOML; sem ele, tudo é respondido e aprovado na hora."`
	Report   string   `placeholder:"ARQUIVO" help:"Grava aqui o relatório, em JSON; - é a saída padrão."`
	Ready    string   `placeholder:"ARQUIVO" help:"Grava aqui, quando o terminal atende, o endereço e as credenciais, em JSON."`
	Listen   string   `default:"127.0.0.1:0" placeholder:"ENDEREÇO" help:"Endereço da API; a porta 0 é uma livre."`
	Ignore   []string `placeholder:"REGRAS" help:"Regras que não valem neste teste, separadas por vírgula."`
	Stdin    bool     `help:"Sem COMANDO: termina também quando a entrada padrão é fechada, o que quer dizer que o chamador terminou."`
	Args     []string `arg:"" optional:"" passthrough:"" name:"comando" help:"Programa a testar, com seus argumentos, depois de --."`
}

// Help is the rest of the page.
func (Command) Help() string {
	var b strings.Builder
	b.WriteString(`O terminal é o emulador, numa porta livre, com credenciais próprias e dados que somem no fim. Com COMANDO, roda-o com
MAQUININHA_URL, MAQUININHA_USERNAME e MAQUININHA_PASSWORD no ambiente e termina com ele:
  maquininha test-server --scenario recusa.toml -- npm test
Sem COMANDO, escreve uma linha de JSON na saída padrão (url, username, password, screen, pid) e atende até Ctrl+C ou SIGTERM:
  {"url":"http://127.0.0.1:40123","username":"teste","password":"…","screen":"http://127.0.0.1:40124","pid":4711}
No fim diz, na saída de erros e em --report, o que o chamador fez e o que fez de errado.

Código de saída: 0 tudo certo; 1 o próprio test-server não funcionou; 2 o chamador tem falhas; 3 o comando falhou (o código dele
está no relatório); 4 o comando falhou e o chamador tem falhas.

Regras:
`)
	for _, w := range referee.Rules() {
		fmt.Fprintf(&b, "  %-26s %s\n", w.Rule, w.Title)
	}
	b.WriteString(`
O roteiro (tudo é opcional; modelos comentados em examples/scenarios):
  delay = "2s"            quanto as pessoas demoram       foreground_wait = "1s"  espera pelo primeiro plano, em vez de 15 s
  ignore = "regra,regra"                                  platform = "android"    o que GET /info informa
  compat = "tefip"        o chamador usa o SDK do TEF IP
  [[answer]]      type, prompt, value, cancel, delay, times, always
  [[payment]]     type, amount, reference, outcome (approve, refuse, cancel, timeout, offline), message, brand, authorization,
                  paid_with, delay, bank_delay, lose_answer, times, always
  [[reversal]]    amount, reference, outcome, message, delay, bank_delay, lose_answer, times, always
  [[printer]]     job, state (paperOut, coverOpen, offline), failures
  [[busy]]        request, number, refusals, for
  [[background]]  request, number, refusals, for
  [[restart]]     request, number, after
Vale o primeiro passo que serve e ainda não foi usado (times vezes, ou always).`)
	return b.String()
}

// The codes of test-server, beside 0 and 1.
const (
	exitFaults        commandline.ExitCode = 2
	exitCommandFailed commandline.ExitCode = 3
	exitBoth          commandline.ExitCode = 4
)

// place is where the terminal is, for programs.
type place struct {
	URL      string `json:"url"`
	Username string `json:"username"`
	Password string `json:"password"`
	Screen   string `json:"screen"`
	PID      int    `json:"pid"`
}

// Run serves until the caller has come to its end, and judges it.
func (s Command) Run(version commandline.Version) error {
	if s.Stdin && len(s.args()) > 0 {
		return errors.New("--stdin não vale com um comando: a entrada padrão é dele, e o test-server termina com ele")
	}
	var scenario testserver.Scenario
	if s.Scenario != "" {
		var err error
		if scenario, err = testserver.Read(s.Scenario); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return commandline.ErrSaid
		}
	}
	scenario.Ignore = append(scenario.Ignore, s.Ignore...)
	if err := scenario.Check(); err != nil {
		return err
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	terminal, err := testserver.New(testserver.Options{Scenario: scenario, Listen: cmp.Or(s.Listen, "127.0.0.1:0"), Version: version.Number, Build: version.Build})
	if err != nil {
		return err
	}
	at := place{terminal.URL, terminal.Username, terminal.Password, terminal.Screen, os.Getpid()}
	report, err := s.watch(terminal, at, signals)
	if err != nil && len(report.Requests) == 0 {
		return err // nothing has happened yet
	}
	if err = errors.Join(err, s.publish(report)); err != nil {
		return err
	}
	return verdict(report)
}

// args are the command and its arguments; none: there is no command.
func (s Command) args() []string {
	if len(s.Args) > 0 && s.Args[0] == "--" {
		return s.Args[1:]
	}
	return s.Args
}

// watch lets the caller work until its end, and ends the terminal.
func (s Command) watch(terminal *testserver.Terminal, at place, signals <-chan os.Signal) (testserver.Report, error) {
	command, done, err := s.serve(at, signals)
	end := terminal.Interrupt
	if done {
		end = terminal.Close
	}
	report, closed := end()
	report.Command = command
	return report, errors.Join(err, closed)
}

// serve says where the terminal is and returns when all ends; done means that the caller came to its own end.
func (s Command) serve(at place, signals <-chan os.Signal) (command *testserver.Command, done bool, err error) {
	line, err := json.Marshal(at)
	if err != nil {
		return nil, false, err
	}
	if s.Ready != "" {
		if err := put(s.Ready, append(line, '\n')); err != nil {
			return nil, false, err
		}
	}
	if args := s.args(); len(args) > 0 {
		command, err := runCommand(args, at, signals)
		return command, command != nil && command.ExitCode >= 0, err
	}
	fmt.Println(string(line))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if s.Stdin {
		go func() {
			io.Copy(io.Discard, os.Stdin) //nolint:errcheck // closed or broken is the same
			cancel()
		}()
	}
	select {
	case <-signals:
	case <-ctx.Done():
		done = true
	}
	return nil, done, nil
}

// publish tells people and programs.
func (s Command) publish(r testserver.Report) error {
	fmt.Fprint(os.Stderr, r.Text())
	switch s.Report {
	case "":
		return nil
	case "-":
		return r.JSON(os.Stdout)
	}
	var text strings.Builder
	if err := r.JSON(&text); err != nil {
		return err
	}
	return put(s.Report, []byte(text.String()))
}

// put makes a file for nobody else to read: who waits for it must not find half of it.
func put(path string, data []byte) error {
	err := output.Put(path, func(w io.Writer) error { _, err := w.Write(data); return err })
	var failed *output.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return fmt.Errorf("gravando %s: %w", path, err)
	}
	return nil
}

func verdict(r testserver.Report) error {
	failed, faults := r.Command != nil && r.Command.ExitCode != 0, len(r.Faults) > 0
	switch {
	case failed && faults:
		return exitBoth
	case failed:
		return exitCommandFailed
	case faults:
		return exitFaults
	}
	return nil
}
