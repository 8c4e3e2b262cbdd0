package daemon

import (
	"cmp"
	"fmt"
	"os"

	"github.com/kardianos/service"
	"golang.org/x/sys/windows/svc"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// Run works until it is told to stop, by a person or by the Service Control Manager.
func (p Program) Run(work Work) error {
	if !Managed() {
		return foreground(work, func(string) {})
	}
	c := &control{program: &program{work: work, alone: p.die}}
	err := svc.Run(p.Name, c)
	return cmp.Or(c.err, err)
}

// die ends the process as a failure does: only then does the manager start it again.
func (p Program) die(err error) {
	p.Complain(p.Name + ": " + portuguese.Error(err))
	os.Exit(1)
}

func (p Program) eventLog() (service.Logger, error) {
	s, err := service.New(nobody{}, &service.Config{Name: p.Name})
	if err != nil {
		return nil, err
	}
	return s.SystemLogger(nil)
}

// SystemLog takes what needs attention into the Event Log, where the process is a service; else it is nil. Everything
// would drown the rest of the machine's events.
func (p Program) SystemLog() *Log {
	if !Managed() {
		return nil
	}
	events, err := p.eventLog()
	if err != nil {
		return nil // a terminal's own log has everything
	}
	return newLog(func(e logbook.Entry) error {
		text := string(logbook.AppendText(nil, e))
		switch e.Level {
		case logbook.Fatal, logbook.Error:
			return events.Error(text)
		case logbook.Warning:
			return events.Warning(text)
		}
		return nil
	})
}

// Complain says why the program ends.
func (p Program) Complain(text string) {
	if Managed() {
		if events, err := p.eventLog(); err == nil && events.Error(text) == nil {
			return
		}
	}
	fmt.Fprintln(os.Stderr, text)
}
