package daemon

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Access is what the installed service gets at, which is less than whoever checks it as root.
type Access struct {
	User, Group string
	who         *syscall.Credential // nil: we are the same user
	unit        map[string]string
}

// AccessOf is that of the service installed with this configuration file; nil: there is none, or it can't be told.
func (p Program) AccessOf(config string) *Access {
	if !managed() {
		return nil
	}
	unit, err := p.properties("FragmentPath", "User", "SupplementaryGroups", "ProtectHome", "ProtectSystem", "PrivateTmp", "StateDirectory", "BindPaths", "BindReadOnlyPaths", "ReadWritePaths")
	if err != nil {
		return nil
	}
	text, err := os.ReadFile(unit["FragmentPath"])
	named := " " + commandLine("--config", config)
	if err != nil || !strings.Contains(string(text), named+"\n") && !strings.Contains(string(text), named+" ") {
		return nil
	}
	u, err := user.Lookup(unit["User"])
	if err != nil {
		return nil // it is root's, or will say so itself
	}
	id, err := account(u.Username)
	if err != nil || id.uid == 0 || os.Geteuid() != 0 && os.Geteuid() != id.uid {
		return nil
	}
	a := &Access{User: u.Username, Group: u.Gid, unit: unit}
	if group, err := user.LookupGroupId(u.Gid); err == nil {
		a.Group = group.Name
	}
	if os.Geteuid() == 0 {
		a.who = id.credential(strings.Fields(unit["SupplementaryGroups"]))
	}
	return a
}

// credential is the user with the groups that the unit adds.
func (id identity) credential(more []string) *syscall.Credential {
	c := &syscall.Credential{Uid: uint32(id.uid), Gid: uint32(id.gid)}
	for gid := range id.groups {
		c.Groups = append(c.Groups, uint32(gid))
	}
	for _, name := range more {
		if group, err := user.LookupGroup(name); err == nil {
			if gid, err := strconv.Atoi(group.Gid); err == nil {
				c.Groups = append(c.Groups, uint32(gid))
			}
		}
	}
	return c
}

// Makes tells whether systemd hands the folder to the service at each start.
func (a *Access) Makes(folder string) bool {
	for _, name := range strings.Fields(a.unit["StateDirectory"]) {
		if folder == filepath.Join("/var/lib", name) {
			return true
		}
	}
	return false
}

// Read is why the service can't read a file: Hidden, or OutOfReach with the folder or file that refuses it.
func (a *Access) Read(path string) error { return a.try(path, "-r") }

// Write is why it can't write to a file.
func (a *Access) Write(path string) error { return a.try(path, "-r", "-w") }

// Fill is why it can't make files in a folder.
func (a *Access) Fill(folder string) error { return a.try(folder, "-r", "-w", "-x") }

func (a *Access) try(path string, want ...string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		if err := a.sandbox(real, len(want) > 1); err != nil {
			return err
		}
	}
	if err := a.sandbox(path, len(want) > 1); err != nil {
		return err
	}
	for at := 1; at < len(path); at++ {
		if above := path[:at]; path[at] == '/' && !a.test("-x", above) {
			return OutOfReach{Path: above, User: a.User}
		}
	}
	for _, flag := range want {
		if !a.test(flag, path) {
			return OutOfReach{Path: path, User: a.User}
		}
	}
	return nil
}

// test asks the system itself, as that user: access lists count too. What can't be asked is left to the start.
func (a *Access) test(flag, path string) bool {
	cmd := exec.Command("test", flag, path)
	cmd.Dir = "/"
	if a.who != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.who}
	}
	var ended *exec.ExitError
	return !errors.As(cmd.Run(), &ended)
}

// unprintable is how an older systemctl shows a path that has spaces. What can't be told is left to the start.
const unprintable = "[unprintable]"

// listed are the words of a list as systemctl shows it: those with spaces are in quotes.
func listed(text string) (words []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		rest, quoted := strings.CutPrefix(text, `"`)
		if !quoted {
			var word string
			word, text, _ = strings.Cut(text, " ")
			words = append(words, word)
			continue
		}
		var word strings.Builder
		at := 0
		for ; at < len(rest) && rest[at] != '"'; at++ {
			if rest[at] == '\\' && at+1 < len(rest) {
				at++
			}
			word.WriteByte(rest[at])
		}
		words, text = append(words, word.String()), rest[min(at+1, len(rest)):]
	}
	return words
}

// sandbox is what the unit has against a path.
func (a *Access) sandbox(path string, write bool) error {
	for _, name := range []string{"BindPaths", "BindReadOnlyPaths", "ReadWritePaths"} {
		for _, shown := range listed(a.unit[name]) {
			shown, _, _ = strings.Cut(strings.TrimLeft(shown, "-+"), ":")
			if under(path, shown) || shown == unprintable {
				return nil // somebody has thought of it
			}
		}
	}
	home, system := a.unit["ProtectHome"], a.unit["ProtectSystem"]
	if system == "strict" && write && !a.Makes(path) {
		return Hidden{Directive: "ProtectSystem=strict", Folder: Everywhere, ReadOnly: true}
	}
	for _, rule := range []struct {
		directive string
		holds     bool
		readOnly  bool
		folders   []string
	}{
		{"ProtectHome=" + home, home == "yes" || home == "tmpfs", false, homes},
		{"ProtectHome=" + home, home == "read-only", true, homes},
		{"PrivateTmp=yes", a.unit["PrivateTmp"] == "yes", false, []string{"/tmp", "/var/tmp"}},
		{"ProtectSystem=" + system, system == "yes" || system == "full" || system == "strict", true, []string{"/usr", "/boot", "/efi"}},
		{"ProtectSystem=" + system, system == "full" || system == "strict", true, []string{"/etc"}},
	} {
		for _, folder := range rule.folders {
			if rule.holds && under(path, folder) && (write || !rule.readOnly) {
				return Hidden{Directive: rule.directive, Folder: folder, ReadOnly: rule.readOnly}
			}
		}
	}
	return nil
}
