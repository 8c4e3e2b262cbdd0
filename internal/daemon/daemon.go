// Package daemon puts a program of this house, the terminal or the hub, into the hands of the operating system's service manager: systemd, the Service
// Control Manager of Windows, launchd. It installs and steers the service from outside, and inside it speaks with the
// manager that started the process.
//
// Only the managers named here are used. The library knows older ones too, and takes System V where it finds nothing: a
// program installed there would seem installed and never start.
package daemon

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/kardianos/service"
)

// What can stand in the way. Whoever talks with the person has the words.
var (
	ErrNoManager    = errors.New("no service manager known here")
	ErrNoRights     = errors.New("the service manager takes orders from the administrator only")
	ErrInstalled    = errors.New("the service is installed already")
	ErrNotInstalled = errors.New("the service is not installed")
	ErrPackaged     = errors.New("the service belongs to a package of the system")
	ErrTransient    = errors.New("the program is in a folder for temporary files")
	ErrSlowStop     = errors.New("the service has not stopped yet")
)

// OutOfReach says that the service's user can't get at a file.
type OutOfReach struct{ Path, User string }

func (o OutOfReach) Error() string { return o.User + " can't reach " + o.Path }

// NotStarted says that the manager started the service and it ended; its last words, where the manager has kept them.
type NotStarted struct {
	Words []string
	err   error
}

func (n NotStarted) Error() string { return "the service has not started: " + n.err.Error() }
func (n NotStarted) Unwrap() error { return n.err }

// Wish is a setting that a service does without where the manager refuses it.
type Wish int

// What is wished for.
const (
	AgainAfterCrash   Wish = iota // the manager starts it again when its process dies
	AgainAfterFailure             // also when it ends by itself, as one whose port is taken does
)

// Unset is a wish that the manager refused, and why.
type Unset struct {
	Wish Wish
	Err  error
}

// Setup is what the service is installed with. All paths are absolute.
type Setup struct {
	Program
	Executable string
	Config     string
	Data       string
	TellData   bool     // the folder is on the command line; else the configuration file says it
	User       string   // empty: one of its own
	Named      []string // files and folders that the configuration names
}

// arguments are the command line of the service.
func (s Setup) arguments() []string {
	args := []string{"serve", "--config", s.Config}
	if s.TellData {
		args = append(args, "--data", s.Data)
	}
	return args
}

// Status is how the service stands.
type Status struct {
	Running bool
	Failing bool // it ended by itself; the manager may be about to start it again
	AtBoot  bool // it is started with the machine
	Since   time.Time
	PID     int
}

// Manager steers the service on this machine.
type Manager struct {
	setup   Setup
	library service.Service
}

// Open finds this machine's manager.
func Open(s Setup) (*Manager, error) {
	if !managed() {
		return nil, ErrNoManager
	}
	if s.User == "" {
		s.User = s.ownUser()
	}
	c := &service.Config{
		Name: s.Name, DisplayName: s.Title, Description: s.Description,
		Executable: s.Executable, Arguments: s.arguments(), UserName: s.User,
	}
	configure(c, s)
	library, err := service.New(nobody{}, c)
	if err != nil {
		return nil, fmt.Errorf("finding the service manager: %w", err)
	}
	return &Manager{setup: s, library: library}, nil
}

// nobody stands in for the program where the service is only steered.
type nobody struct{}

func (nobody) Start(service.Service) error { return nil }
func (nobody) Stop(service.Service) error  { return nil }

// Installable tells what stands in the way of an installation, before anything is written.
func (m *Manager) Installable() error {
	if err := m.allowed(); err != nil {
		return err
	}
	if _, err := m.Status(); err == nil {
		return ErrInstalled
	} else if !errors.Is(err, ErrNotInstalled) {
		return err
	}
	if transient(m.setup.Executable) {
		return ErrTransient
	}
	return nil
}

// Install makes the service known and has it started with the machine; it does not start it now. The configuration file
// is there. What it does without is returned: the service works.
func (m *Manager) Install() ([]Unset, error) {
	if err := m.Installable(); err != nil {
		return nil, err
	}
	if err := m.prepare(); err != nil {
		return nil, err
	}
	if err := m.library.Install(); err != nil {
		return nil, m.undo(fmt.Errorf("installing the service: %w", err))
	}
	unset, err := m.finish()
	if err != nil {
		return nil, m.undo(err)
	}
	return unset, nil
}

// undo leaves no half of an installation behind.
func (m *Manager) undo(err error) error {
	m.library.Uninstall() //nolint:errcheck // what went wrong before is said
	return err
}

// Uninstall stops the service and has the manager forget it. Data and configuration stay.
func (m *Manager) Uninstall() error {
	return m.steer(func() error {
		if err := m.unpackaged(); err != nil {
			return err
		}
		if status, err := m.Status(); err == nil && (status.Running || status.Failing) {
			if err := m.stop(); err != nil {
				return err
			}
		}
		return m.library.Uninstall()
	})
}

// Start starts the service and returns once it answers, or has failed, where the manager can tell.
func (m *Manager) Start() error { return m.steer(m.start) }

func (m *Manager) start() error {
	began := time.Now()
	err := m.library.Start()
	if err == nil {
		err = m.started()
	}
	if err != nil {
		return NotStarted{Words: m.setup.lastWordsSince(began), err: err}
	}
	return nil
}

// Stop has the service answer what it holds and end.
func (m *Manager) Stop() error { return m.steer(m.stop) }

// Restart stops and starts.
func (m *Manager) Restart() error {
	return m.steer(func() error {
		if status, err := m.Status(); err == nil && status.Running {
			if err := m.stop(); err != nil {
				return err
			}
		}
		return m.start()
	})
}

// steer does what only the administrator may, to a service that is there.
func (m *Manager) steer(do func() error) error {
	if err := m.allowed(); err != nil {
		return err
	}
	if _, err := m.Status(); err != nil {
		return err
	}
	return do()
}

// LongestStop is more than the service takes to answer what it holds and to close its data.
const LongestStop = 40 * time.Second

// stop waits for the end, but not for ever: on Windows the library would.
func (m *Manager) stop() error {
	stopped := make(chan error, 1)
	go func() { stopped <- m.library.Stop() }()
	select {
	case err := <-stopped:
		return err
	case <-time.After(LongestStop):
		return ErrSlowStop
	}
}

// AsOwner runs this program as the owner of a folder does, so that what it writes there stays the owner's.
func (m *Manager) AsOwner(folder string, args ...string) error {
	if err := m.allowed(); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := become(cmd, folder); err != nil {
		return err
	}
	return cmd.Run()
}
