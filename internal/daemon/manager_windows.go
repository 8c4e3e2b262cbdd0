package daemon

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"github.com/kardianos/service"
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/svc"
	"golang.org/x/sys/windows/svc/mgr"
)

// ownUser is an account that Windows makes up for the service alone: it has no password and no rights of its own.
func (p Program) ownUser() string { return `NT SERVICE\` + p.Name }

// Places are where the configuration and the data of a service are, unless somebody says otherwise.
func (p Program) Places() (config, data string) {
	data = filepath.Join(os.Getenv("ProgramData"), p.Name)
	return filepath.Join(data, p.Name+".toml"), data
}

func managed() bool { return true }

// configure leaves everything to finish: the library takes a refused setting for a failed installation.
func configure(*service.Config, Setup) {}

func (m *Manager) allowed() error {
	if !windows.GetCurrentProcessToken().IsElevated() {
		return ErrNoRights
	}
	return nil
}

// transient tells whether the program will be gone tomorrow, as one of "go run" is.
func transient(executable string) bool {
	temporary, err := filepath.Rel(os.TempDir(), executable)
	return err == nil && !strings.HasPrefix(temporary, "..")
}

func (m *Manager) prepare() error { return os.MkdirAll(m.setup.Data, 0o700) }

// finish gives the service's account its folder, which nobody else but the administrators may see into, and the program.
// The account has a name only once the service exists.
func (m *Manager) finish() (unset []Unset, err error) {
	if own := m.setup.ownUser(); m.setup.User == own {
		const system, administrators = "*S-1-5-18:(OI)(CI)F", "*S-1-5-32-544:(OI)(CI)F"
		if err := grant(m.setup.Data, "/inheritance:r", "/grant:r", own+":(OI)(CI)M", system, administrators); err != nil {
			return nil, err
		}
		for _, file := range []string{m.setup.Executable, m.setup.Config} {
			if err := grant(file, "/grant", own+":RX"); err != nil {
				return nil, err
			}
		}
	}
	err = m.setup.withService(windows.SERVICE_ALL_ACCESS, func(s *mgr.Service) error {
		const day = 24 * 60 * 60
		again := []mgr.RecoveryAction{{Type: mgr.ServiceRestart, Delay: 5 * time.Second}}
		if err := s.SetRecoveryActions(again, day); err != nil {
			unset = append(unset, Unset{AgainAfterCrash, err})
		}
		// A start that fails is tried again too, not only a process that dies.
		if err := s.SetRecoveryActionsOnNonCrashFailures(true); err != nil {
			unset = append(unset, Unset{AgainAfterFailure, err})
		}
		return nil
	})
	return unset, err
}

func grant(path string, args ...string) error {
	out, err := exec.Command("icacls", append([]string{path}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("icacls %s: %w: %s", path, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// unpackaged: no package of Windows installs this service.
func (m *Manager) unpackaged() error { return nil }

// Status asks with no more rights than everybody has.
func (m *Manager) Status() (s Status, err error) {
	err = m.setup.withService(windows.SERVICE_QUERY_STATUS|windows.SERVICE_QUERY_CONFIG, func(service *mgr.Service) error {
		status, err := service.Query()
		if err != nil {
			return err
		}
		s.Running = status.State == svc.Running || status.State == svc.StartPending
		s.Failing = status.State == svc.Stopped && status.Win32ExitCode != 0 && status.Win32ExitCode != uint32(windows.ERROR_SERVICE_NEVER_STARTED)
		s.AtBoot = startType(service) == windows.SERVICE_AUTO_START
		if s.Running {
			s.PID = int(status.ProcessId)
			s.Since = startOf(status.ProcessId)
		}
		return nil
	})
	return s, err
}

// longestStart is more than the service takes to open its data and its ports.
const longestStart = 60 * time.Second

// started waits until the service answers, or has ended: the manager takes an order to start for carried out when there is a process.
func (m *Manager) started() error {
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		var now svc.Status
		err := m.setup.withService(windows.SERVICE_QUERY_STATUS, func(s *mgr.Service) (err error) {
			now, err = s.Query()
			return err
		})
		switch {
		case err != nil:
			return err
		case now.State == svc.Running:
			return nil
		case now.State != svc.StartPending:
			return errEndedAtOnce
		case time.Since(began) > longestStart:
			return windows.ERROR_SERVICE_REQUEST_TIMEOUT
		}
	}
}

// startType is what has the service started; zero where the system does not tell. The library's answer has more, and is none where any
// of it is missing.
func startType(s *mgr.Service) uint32 {
	needed := uint32(0)
	windows.QueryServiceConfig(s.Handle, nil, 0, &needed) //nolint:errcheck // it says how much there is
	buffer := make([]byte, max(needed, uint32(unsafe.Sizeof(windows.QUERY_SERVICE_CONFIG{}))))
	config := (*windows.QUERY_SERVICE_CONFIG)(unsafe.Pointer(&buffer[0]))
	if windows.QueryServiceConfig(s.Handle, config, uint32(len(buffer)), &needed) != nil {
		return 0
	}
	return config.StartType
}

// startOf is when a process began; zero where the system does not tell.
func startOf(pid uint32) time.Time {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return time.Time{}
	}
	defer windows.CloseHandle(process) //nolint:errcheck // it was only read
	var made, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &made, &ended, &kernel, &user) != nil {
		return time.Time{}
	}
	return time.Unix(0, made.Nanoseconds())
}

// withService opens the service with some rights and hands it on.
func (p Program) withService(rights uint32, do func(*mgr.Service) error) error {
	h, err := windows.OpenSCManager(nil, nil, windows.SC_MANAGER_CONNECT)
	if err != nil {
		return denied(err)
	}
	m := &mgr.Mgr{Handle: h}
	defer m.Disconnect() //nolint:errcheck // nothing is lost with it
	name, err := windows.UTF16PtrFromString(p.Name)
	if err != nil {
		return err
	}
	handle, err := windows.OpenService(m.Handle, name, rights)
	if errors.Is(err, windows.ERROR_SERVICE_DOES_NOT_EXIST) {
		return ErrNotInstalled
	}
	if err != nil {
		return denied(err)
	}
	s := &mgr.Service{Name: p.Name, Handle: handle}
	defer s.Close()
	return do(s)
}

func denied(err error) error {
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return ErrNoRights
	}
	return err
}

// become does nothing: the folder's access list counts for whatever is made in it.
func become(*exec.Cmd, string) error { return nil }

// lastWordsSince is left to the person: this system's log is not for programs to search.
func (Program) lastWordsSince(time.Time) []string { return nil }
