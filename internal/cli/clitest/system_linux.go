package clitest

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/systemdtest"
)

// PseudoTerminal is one, with the end that a program is given.
func PseudoTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, path, err := rig.PseudoTerminal()
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { master.Close() })
	if terminal, err = os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	return master, terminal
}

// Machine is one with a real systemd, and the program where a technician would put it.
func Machine(t *testing.T) *systemdtest.Box {
	t.Helper()
	program := apptest.Program(t)
	b := systemdtest.Start(t)
	b.Put(program, "maquininha")
	b.Run("install", "/mnt/maquininha", "/usr/local/bin/maquininha")
	return b
}

// Says runs a command on it and wants its exit code and words.
func Says(t *testing.T, b *systemdtest.Box, code int, want string, args ...string) string {
	t.Helper()
	said, got := b.Try(args...)
	if got != code || !strings.Contains(said, want) {
		t.Fatalf("%q: exit code %d, want %d; want %q in %s", args, got, code, want, said)
	}
	return said
}
