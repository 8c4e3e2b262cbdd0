// Package winetest is a machine of Windows for tests, made of Wine. make wine prepares what it is made of, and make windows runs the tests: a
// machine is some 8 MB of its own, with the system's files shared, so that each test can have one and install what it likes.
package winetest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// prepared names the folder that make wine has filled.
const prepared = "MAQUININHA_TEST_WINDOWS"

// Machine is one of them.
type Machine struct {
	t      testing.TB
	folder string // what make wine prepared
	prefix string // Wine's word for a machine's files

	waiting *exec.Cmd // keeps it on
	typed   io.Closer
}

// New is a machine as it comes out of the box, until the test ends. Only make windows has one: elsewhere the test is skipped.
func New(t testing.TB) *Machine {
	t.Helper()
	folder := os.Getenv(prepared)
	if folder == "" {
		t.Skip("make windows runs it")
	}
	m := &Machine{t: t, folder: folder, prefix: filepath.Join(t.TempDir(), "windows")}
	m.must(os.MkdirAll(filepath.Join(m.prefix, "drive_c"), 0o755))
	of := func(name string) string { return filepath.Join(folder, "prefix", name) }
	for _, name := range []string{"system.reg", "user.reg", "userdef.reg", ".update-timestamp", "dosdevices"} {
		m.copy(of(name), m.prefix)
	}
	// Windows that nobody sees need no screen.
	m.add("user.reg", "\n[Software\\\\Wine\\\\Drivers]\n\"Graphics\"=\"null\"\n")
	for _, name := range []string{"Program Files", "ProgramData", "users"} {
		m.copy(of(filepath.Join("drive_c", name)), filepath.Join(m.prefix, "drive_c"))
	}
	m.must(os.Symlink(of("drive_c/windows"), filepath.Join(m.prefix, "drive_c", "windows")))
	m.SwitchOn()
	t.Cleanup(func() { m.SwitchOff() })
	return m
}

// SwitchOn starts the machine, with the services that start with it. Wine's is on while a program runs that somebody has started. It waits for
// that one's first word: of two programs that find the machine off, both would switch it on.
func (m *Machine) SwitchOn() {
	m.t.Helper()
	m.waiting = m.Command("cmd")
	var err error
	m.typed, err = m.waiting.StdinPipe() // nobody types
	m.must(err)
	words, err := m.waiting.StdoutPipe()
	m.must(err)
	m.must(m.waiting.Start())
	_, err = words.Read(make([]byte, 1))
	m.must(err)
}

// SwitchOff ends all that runs on it, as pulling the plug does, and nothing of any other machine.
func (m *Machine) SwitchOff() {
	if err := m.Command("wineboot", "--kill").Run(); err != nil {
		m.t.Errorf("the machine was not switched off: %v", err)
	}
	m.typed.Close()
	m.waiting.Wait() //nolint:errcheck // it was killed
	// A machine is known by its folder's number on the disk, which the next machine's may have: it must not meet the server of this one.
	server := exec.Command("wineserver", "--wait") // a program of this system
	server.Env = append(os.Environ(), "WINEPREFIX="+m.prefix)
	if err := server.Run(); err != nil {
		m.t.Errorf("the machine is not off: %v", err)
	}
}

func (m *Machine) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *Machine) copy(from, to string) {
	m.t.Helper()
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
}

// add writes more into a file of the machine's own.
func (m *Machine) add(name, text string) {
	m.t.Helper()
	f, err := os.OpenFile(filepath.Join(m.prefix, name), os.O_WRONLY|os.O_APPEND, 0)
	m.must(err)
	_, err = f.WriteString(text)
	m.must(errors.Join(err, f.Close()))
}

// Command is a program of Windows on this machine, by its path there or here.
func (m *Machine) Command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(m.folder, "wine"), append([]string{program}, args...)...)
	cmd.Env = append(os.Environ(), "WINEPREFIX="+m.prefix)
	return cmd
}

// Run runs a program to its end.
func (m *Machine) Run(program string, args ...string) (said string, code int) {
	m.t.Helper()
	// Not a pipe: what the program starts may have it open for as long as the machine runs.
	words, err := os.CreateTemp(m.t.TempDir(), "words")
	m.must(err)
	defer words.Close()
	cmd := m.Command(program, args...)
	cmd.Stdout, cmd.Stderr = words, words
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		m.t.Fatal(err)
	}
	text, err := os.ReadFile(words.Name())
	m.must(err)
	return string(text), cmd.ProcessState.ExitCode()
}

// Says runs a program and wants its exit code and words.
func (m *Machine) Says(code int, want, program string, args ...string) string {
	m.t.Helper()
	said, got := m.Run(program, args...)
	if got != code || !strings.Contains(said, want) {
		m.t.Fatalf("%s %q: exit code %d, want %d; want %q in %s", program, args, got, code, want, said)
	}
	return said
}

// Path is where a file of the machine, such as C:\loja\x, is on this one.
func (m *Machine) Path(windows string) string {
	return filepath.Join(m.prefix, "drive_c", strings.ReplaceAll(strings.TrimPrefix(windows, `C:\`), `\`, "/"))
}

// There tells whether the machine has a file.
func (m *Machine) There(windows string) bool {
	_, err := os.Stat(m.Path(windows))
	return err == nil
}

// Program puts the program where a technician would, in a folder of the machine, and returns its path there.
func (m *Machine) Program(folder string) string {
	m.t.Helper()
	m.must(os.MkdirAll(m.Path(folder), 0o755))
	m.copy(m.Prepared("maquininha.exe"), m.Path(folder))
	return folder + `\maquininha.exe`
}

// Prepared is a file that make windows has made.
func (m *Machine) Prepared(name string) string { return filepath.Join(m.folder, name) }
