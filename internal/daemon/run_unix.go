//go:build !windows

package daemon

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// Run works until it is told to stop, by a person or by the manager that started the process.
func Run(work Work) error { return foreground(work, notify) }

// notify tells systemd how the service stands, where it wants to know. A manager that can't be told finds out by itself.
func notify(state string) {
	address := os.Getenv("NOTIFY_SOCKET")
	if address == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: address, Net: "unixgram"})
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = conn.Write([]byte(state))
}

// Managed tells whether a service manager reads what this process says.
func Managed() bool { return inJournal(os.Stderr, os.Getenv("JOURNAL_STREAM")) }

// inJournal tells whether a file is the stream that journald has named to us; standard error may have been sent
// elsewhere since.
func inJournal(f *os.File, stream string) bool {
	var s syscall.Stat_t
	if stream == "" || syscall.Fstat(int(f.Fd()), &s) != nil {
		return false
	}
	return stream == fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}

// SystemLog is the journal, where there is one; else nil.
func SystemLog() *Log {
	if !Managed() {
		return nil
	}
	// Through a number of its own: a write to standard error that nobody reads any more would end the process.
	number, err := syscall.Dup(int(os.Stderr.Fd()))
	if err != nil {
		return nil
	}
	syscall.CloseOnExec(number)
	return newLog(toJournal(os.NewFile(uintptr(number), "journal")))
}

// Complain says why the program ends.
func Complain(text string) {
	if Managed() {
		text = "<3>" + strings.ReplaceAll(text, "\n", "\n<3>")
	}
	fmt.Fprintln(os.Stderr, text)
}

// become has a command run as a folder's owner.
func become(cmd *exec.Cmd, folder string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("%s has no owner", folder)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: s.Uid, Gid: s.Gid}}
	cmd.Dir = folder
	return nil
}
