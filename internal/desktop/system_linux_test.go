//go:build linux && !android

package desktop

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/waittest"
)

// tray is a desktop's notification service.
type tray struct{ shown chan [2]string }

// Notify is the method that every desktop has.
func (t tray) Notify(_ string, _ uint32, _, title, text string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	t.shown <- [2]string{title, text}
	return 1, nil
}

// privateBus starts a session bus of the test's own.
func privateBus(t *testing.T) (address string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("no dbus-daemon here")
	}
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		daemon.Process.Kill() //nolint:errcheck // gone already is as good
		daemon.Wait()         //nolint:errcheck // killed
	})
	address, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

func TestOnARealBus(t *testing.T) {
	address := privateBus(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	service, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	desk := tray{make(chan [2]string, 8)}
	if err := service.Export(desk, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if _, err := service.RequestName("org.freedesktop.Notifications", 0); err != nil {
		t.Fatal(err)
	}
	leaks := goleak.IgnoreCurrent()
	n := New(Options{Failed: func(err error) { t.Error(err) }})
	n.Notify("", "")
	if got := waittest.Receive(t, "a notification", desk.shown); got != [2]string{Title, Text} {
		t.Errorf("shown %q", got)
	}
	n.Close()
	goleak.VerifyNone(t, leaks)
}
