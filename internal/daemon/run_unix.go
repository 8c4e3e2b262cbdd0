//go:build !windows

package daemon

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
)

// Run works until it is told to stop, by a person or by the manager that started the process.
func (Program) Run(work Work) error { return foreground(work, notify) }

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
