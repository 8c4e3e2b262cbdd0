package daemon

import (
	"os"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/svc"
)

// Managed tells whether this is the service and not somebody's window: the Service Control Manager has started it. The library asks for
// its session as well, which Wine, where the tests run, counts otherwise.
var Managed = sync.OnceValue(func() bool { return strings.EqualFold(parentName(), "services.exe") })

// parentName is that of the program that started this one; empty where the system does not tell.
func parentName() string {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(snapshot) //nolint:errcheck // it was only read
	names, parent := map[uint32]string{}, uint32(os.Getppid())
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		names[entry.ProcessID] = windows.UTF16ToString(entry.ExeFile[:])
	}
	return names[parent]
}

// control is the program in the hands of the Service Control Manager.
type control struct {
	program *program
	err     error // why it has ended
}

// Execute starts the program, and stops it when it is told to.
func (c *control) Execute(_ []string, orders <-chan svc.ChangeRequest, tell chan<- svc.Status) (bool, uint32) {
	tell <- svc.Status{State: svc.StartPending}
	if c.err = c.program.Start(nil); c.err != nil {
		return true, 1
	}
	tell <- svc.Status{State: svc.Running, Accepts: svc.AcceptStop | svc.AcceptShutdown}
	for order := range orders {
		switch order.Cmd {
		case svc.Interrogate:
			tell <- order.CurrentStatus
		case svc.Stop, svc.Shutdown:
			tell <- svc.Status{State: svc.StopPending}
			if c.err = c.program.Stop(nil); c.err != nil {
				return true, 2
			}
			return false, 0
		}
	}
	return false, 0
}
