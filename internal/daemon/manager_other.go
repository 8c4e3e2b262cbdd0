//go:build !linux && !windows

package daemon

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/kardianos/service"
)

// ownUser: launchd has no users of its own; --user names one.
func (Program) ownUser() string { return "root" }

// Places are where the configuration and the data of a service are, unless somebody says otherwise.
func (p Program) Places() (config, data string) {
	data = "/Library/Application Support/" + p.Name
	return filepath.Join(data, p.Name+".toml"), data
}

func managed() bool { return service.Platform() == "darwin-launchd" }

func configure(c *service.Config, _ Setup) {
	// KeepAlive starts it again, but not within ten seconds.
	c.Option = service.KeyValue{"KeepAlive": true, "RunAtLoad": true, "LogOutput": true}
}

func (m *Manager) allowed() error {
	if os.Geteuid() != 0 {
		return ErrNoRights
	}
	return nil
}

// transient tells whether the program will be gone tomorrow, as one of "go run" is.
func transient(executable string) bool {
	return strings.HasPrefix(executable, filepath.Clean(os.TempDir())+"/") || strings.HasPrefix(executable, "/tmp/")
}

func (m *Manager) prepare() error           { return os.MkdirAll(m.setup.Data, 0o700) }
func (m *Manager) finish() ([]Unset, error) { return nil, nil }
func (m *Manager) unpackaged() error        { return nil }
func (m *Manager) started() error           { return nil }

var launchdPID = regexp.MustCompile(`"PID" = ([0-9]+);`)

// Status asks launchd.
func (m *Manager) Status() (s Status, err error) {
	status, err := m.library.Status()
	if errors.Is(err, service.ErrNotInstalled) {
		return s, ErrNotInstalled
	}
	if err != nil {
		return s, err
	}
	s.Running, s.AtBoot = status == service.StatusRunning, true
	if out, err := exec.Command("launchctl", "list", m.setup.Name).Output(); err == nil && s.Running {
		if found := launchdPID.FindSubmatch(out); found != nil {
			s.PID, _ = strconv.Atoi(string(found[1])) // digits only
			s.Since = startOf(s.PID)
		}
	}
	return s, nil
}

// startOf is when a process began; zero where the system does not tell.
func startOf(pid int) time.Time {
	ask := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid))
	ask.Env = append(os.Environ(), "LC_ALL=C")
	out, err := ask.Output()
	if err != nil {
		return time.Time{}
	}
	at, err := time.ParseInLocation("Mon Jan _2 15:04:05 2006", strings.TrimSpace(string(out)), time.Local)
	if err != nil {
		return time.Time{}
	}
	return at
}

// lastWordsSince is left to the person: this system's log is not for programs to search.
func (Program) lastWordsSince(time.Time) []string { return nil }
