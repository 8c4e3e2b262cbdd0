package printer

import (
	"context"
	"slices"

	"golang.org/x/sys/windows/registry"

	"github.com/maquininha/maquininha/internal/escpos"
)

func systemQueues(ctx context.Context) (prefix string, all []Queue, err error) {
	all, err = winspool{}.queues(ctx)
	return "windows:", all, err
}

// Plugged are the serial ports of this machine. A printer on USB is one of its queues.
func Plugged() (all []Found) {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `HARDWARE\DEVICEMAP\SERIALCOMM`, registry.QUERY_VALUE)
	if err != nil {
		return nil // there are none
	}
	defer key.Close()
	names, _ := key.ReadValueNames(0)
	slices.Sort(names)
	for _, name := range names {
		if port, _, err := key.GetStringValue(name); err == nil {
			all = append(all, newFound(BySerial, "file:"+port, escpos.Identity{}, ""))
		}
	}
	return all
}

// usbIdentity: a device file of Windows says nothing of what is behind it.
func usbIdentity(string, string) escpos.Identity { return escpos.Identity{} }
