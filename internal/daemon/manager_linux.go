package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kardianos/service"

	"github.com/maquininha/maquininha/internal/syserror"
)

// ownUser is made when the service is installed.
func (p Program) ownUser() string { return p.UnitUser() }

// Places are where the configuration and the data of a service are, unless somebody says otherwise.
func (p Program) Places() (config, data string) { return p.UnitConfig(), p.UnitData() }

func managed() bool { return service.Platform() == "linux-systemd" }

// configure has the library write our unit: as a value, for it would take braces in a template for its own.
func configure(c *service.Config, s Setup) {
	c.Description = Unit(s, s.knownGroups())
	c.Option = service.KeyValue{"SystemdScript": "{{Description}}"}
}

func (p Program) knownGroups() (known []string) {
	for _, name := range p.Groups {
		if _, err := user.LookupGroup(name); err == nil {
			known = append(known, name)
		}
	}
	return known
}

func (m *Manager) allowed() error {
	if os.Geteuid() != 0 {
		return ErrNoRights
	}
	return nil
}

// transient tells whether the program will be gone tomorrow, as one of "go run" is.
func transient(executable string) bool {
	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		if strings.HasPrefix(executable, filepath.Clean(dir)+"/") {
			return true
		}
	}
	return false
}

// prepare makes the user and hands over what the service must read and write.
func (m *Manager) prepare() error {
	if _, err := user.Lookup(m.setup.User); err != nil {
		if m.setup.User != m.setup.ownUser() {
			return fmt.Errorf("o usuário %s não existe", m.setup.User)
		}
		if err := makeUser(m.setup); err != nil {
			return err
		}
	}
	owner, err := account(m.setup.User)
	if err != nil {
		return err
	}
	if err := os.Mkdir(m.setup.Data, 0o700); err == nil {
		if err := os.Chown(m.setup.Data, owner.uid, owner.gid); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("a pasta de dados %s não pode ser criada: %w", m.setup.Data, syserror.Reason(err))
	}
	// What root has made for the service, as by "sudo maquininha init", is the service's.
	if info, err := os.Stat(m.setup.Config); err == nil && info.Mode().Perm()&0o004 == 0 && ownerOf(info) == 0 {
		if err := os.Chown(m.setup.Config, owner.uid, owner.gid); err != nil {
			return err
		}
	}
	for _, need := range []struct {
		path string
		bits fs.FileMode
	}{{m.setup.Executable, 0o1}, {m.setup.Config, 0o4}, {m.setup.Data, 0o7}} {
		if !owner.may(need.path, need.bits) {
			return OutOfReach{Path: need.path, User: m.setup.User}
		}
	}
	return nil
}

// finish has nothing left to do: the unit says it all.
func (m *Manager) finish() ([]Unset, error) { return nil, nil }

// started: systemd has waited for the service's word.
func (m *Manager) started() error { return nil }

func makeUser(s Setup) error {
	out, err := exec.Command("useradd", "--system", "--user-group", "--no-create-home", "--home-dir", s.Data, "--shell", "/usr/sbin/nologin", s.User).CombinedOutput()
	if err != nil {
		return fmt.Errorf("o usuário %s não pode ser criado com useradd: %w: %s", s.User, syserror.Reason(err), strings.TrimSpace(string(out)))
	}
	return nil
}

type identity struct {
	uid, gid int
	groups   map[int]bool
}

func account(name string) (id identity, err error) {
	u, err := user.Lookup(name)
	if err != nil {
		return id, err
	}
	if id.uid, err = strconv.Atoi(u.Uid); err != nil {
		return id, err
	}
	if id.gid, err = strconv.Atoi(u.Gid); err != nil {
		return id, err
	}
	id.groups = map[int]bool{id.gid: true}
	groups, err := u.GroupIds()
	for _, text := range groups {
		if gid, err := strconv.Atoi(text); err == nil {
			id.groups[gid] = true
		}
	}
	return id, err
}

func ownerOf(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}

// may tells whether a file and the folders above it let this user in. Access lists and mounts it leaves to the start.
func (id identity) may(path string, bits fs.FileMode) bool {
	if id.uid == 0 {
		return true
	}
	for ; ; path, bits = filepath.Dir(path), 0o1 {
		info, err := os.Stat(path)
		if err != nil {
			return false
		}
		s, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return false
		}
		granted := info.Mode().Perm()
		switch {
		case int(s.Uid) == id.uid:
			granted >>= 6
		case id.groups[int(s.Gid)]:
			granted >>= 3
		}
		if granted&bits != bits {
			return false
		}
		if path == filepath.Dir(path) {
			return true
		}
	}
}

// installedUnit is where "service install" writes; packages write elsewhere.
func (p Program) installedUnit() string { return "/etc/systemd/system/" + p.Name + ".service" }

func (m *Manager) unpackaged() error {
	if _, err := os.Lstat(m.setup.installedUnit()); errors.Is(err, fs.ErrNotExist) {
		return ErrPackaged
	}
	return nil
}

// properties asks systemd about the service; it tells everybody.
func (p Program) properties(names ...string) (map[string]string, error) {
	ask := exec.Command("systemctl", "show", p.Name+".service", "--property=LoadState,"+strings.Join(names, ","))
	ask.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C")
	out, err := ask.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("systemctl: %w: %s", syserror.Reason(err), strings.TrimSpace(string(out)))
	}
	state := map[string]string{}
	for text := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(text), "=")
		state[name] = value
	}
	if state["LoadState"] == "not-found" || state["LoadState"] == "" {
		return nil, ErrNotInstalled
	}
	return state, nil
}

// Status asks systemd.
func (m *Manager) Status() (s Status, err error) {
	state, err := m.setup.properties("ActiveState", "SubState", "UnitFileState", "MainPID", "ActiveEnterTimestamp")
	if err != nil {
		return s, err
	}
	s.Running = state["ActiveState"] == "active"
	s.Failing = state["ActiveState"] == "failed" || state["SubState"] == "auto-restart"
	s.AtBoot = state["UnitFileState"] == "enabled"
	if !s.Running {
		return s, nil
	}
	s.PID, _ = strconv.Atoi(state["MainPID"]) // unknown is 0
	if since, err := time.Parse("Mon 2006-01-02 15:04:05 MST", state["ActiveEnterTimestamp"]); err == nil {
		s.Since = since.Local()
	}
	return s, nil
}

// lastWordsSince are the service's complaints since a moment, from the journal.
func (p Program) lastWordsSince(began time.Time) (words []string) {
	_ = exec.Command("journalctl", "--sync").Run() // without it some may be missing
	out, err := exec.Command("journalctl", "--unit="+p.Name, "--identifier="+p.Name, "--priority=err", "--output=cat", "--lines=5",
		fmt.Sprintf("--since=@%d", began.Unix())).Output()
	if err != nil {
		return nil // whoever asked is told where to look
	}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--") {
			words = append(words, line)
		}
	}
	return words
}
