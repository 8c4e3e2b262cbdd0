package daemon

import (
	"fmt"
	"os"

	"github.com/kardianos/service"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// Run works until it is told to stop, by a person or by the Service Control Manager.
func Run(work Work) error {
	if service.Interactive() {
		return foreground(work, func(string) {})
	}
	s, err := service.New(&program{work: work, alone: die}, &service.Config{Name: Name})
	if err != nil {
		return err
	}
	return s.Run()
}

// die ends the process as a failure does: only then does the manager start it again.
func die(err error) {
	Complain(Name + ": " + portuguese.Error(err))
	os.Exit(1)
}

// Managed tells whether this is the service and not somebody's window.
func Managed() bool { return !service.Interactive() }

func eventLog() (service.Logger, error) {
	s, err := service.New(nobody{}, &service.Config{Name: Name})
	if err != nil {
		return nil, err
	}
	return s.SystemLogger(nil)
}

// SystemLog takes what needs attention into the Event Log, where the process is a service; else it is nil. Everything
// would drown the rest of the machine's events.
func SystemLog() *Log {
	if !Managed() {
		return nil
	}
	events, err := eventLog()
	if err != nil {
		return nil // the terminal's own log has everything
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
func Complain(text string) {
	if Managed() {
		if events, err := eventLog(); err == nil && events.Error(text) == nil {
			return
		}
	}
	fmt.Fprintln(os.Stderr, text)
}
