//go:build !windows

package printer

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/maquininha/maquininha/internal/escpos"
)

func systemQueues(ctx context.Context) (prefix string, all []Queue, err error) {
	all, err = newCUPS(cupsServer()).queues(ctx)
	return "cups:", all, err
}

// Plugged are the printers on USB, and the serial ports, of this machine.
func Plugged() []Found { return plugged("/") }

// plugged looks below a root. Nothing is opened: a question to who is no receipt printer would come out on its paper.
func plugged(root string) (all []Found) {
	for _, path := range below(root, "dev/usb/lp*") {
		id := usbIdentity(root, path)
		all = append(all, newFound(ByUSB, "file:"+path, id, id.Text))
	}
	for _, pattern := range []string{"dev/ttyUSB*", "dev/ttyACM*", "dev/ttyS*"} {
		for _, path := range below(root, pattern) {
			if said, real := serialPort(root, filepath.Base(path)); real {
				all = append(all, newFound(BySerial, "file:"+path, escpos.Identity{Text: said}, said))
			}
		}
	}
	return all
}

// below are the paths that fit a pattern, as they are without the root.
func below(root, pattern string) (paths []string) {
	found, _ := filepath.Glob(filepath.Join(root, pattern))
	for _, path := range found {
		if inner, err := filepath.Rel(root, path); err == nil {
			paths = append(paths, "/"+inner)
		}
	}
	return paths
}

// usbIdentity is what the printer at a device file says of itself, which the system asked when it was plugged in.
func usbIdentity(root, path string) escpos.Identity {
	if real, err := filepath.EvalSymlinks(filepath.Join(root, path)); err == nil {
		path = real
	}
	// The interface's folder is linked to; the device's own is above the real one.
	device, err := filepath.EvalSymlinks(filepath.Join(root, "sys/class/usbmisc", filepath.Base(path), "device"))
	if err != nil {
		return escpos.Identity{}
	}
	id := escpos.Identity{Text: deviceID(attribute(device, "ieee1284_id"))}
	above := filepath.Dir(device)
	if vendor, product := attribute(above, "idVendor"), attribute(above, "idProduct"); vendor != "" {
		id.USB = vendor + ":" + product
	}
	if id.Text == "" {
		id.Text = strings.TrimSpace(attribute(above, "manufacturer") + " " + attribute(above, "product"))
	}
	return id
}

// deviceID are maker and model out of MFG:EPSON;CMD:ESC/POS;MDL:TM-T20;.
func deviceID(text string) string {
	var maker, model string
	for field := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), ":")
		switch strings.ToUpper(name) {
		case "MFG", "MANUFACTURER":
			maker = strings.TrimSpace(value)
		case "MDL", "MODEL":
			model = strings.TrimSpace(value)
		}
	}
	return strings.TrimSpace(maker + " " + model)
}

// serialPort is what a port is plugged into, where that is USB and says so; false for one of the many that a system has names for and no
// wire.
func serialPort(root, name string) (said string, real bool) {
	port := filepath.Join(root, "sys/class/tty", name)
	if strings.HasPrefix(name, "ttyS") {
		kind := attribute(port, "type")
		return "", kind != "" && kind != "0"
	}
	device, err := filepath.EvalSymlinks(filepath.Join(port, "device"))
	for up := 0; err == nil && up < 3; up++ {
		if product := attribute(device, "product"); product != "" {
			return strings.TrimSpace(attribute(device, "manufacturer") + " " + product), true
		}
		device = filepath.Dir(device)
	}
	return "", true
}

func attribute(dir, name string) string {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
