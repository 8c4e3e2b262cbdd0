//go:build linux

package printer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/maquininha/maquininha/internal/escpos"
)

// tree makes files, and links where the text begins with an arrow.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		path = filepath.Join(root, path)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil && len(text) > 1 && text[0] == '>' {
			err = os.Symlink(text[1:], path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text+"\n"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestWhatIsPluggedIn(t *testing.T) {
	root := tree(t, map[string]string{
		"dev/usb/lp0": "", "dev/usb/lp1": "", "dev/usb/lp2": "", "dev/ttyUSB0": "", "dev/ttyS0": "", "dev/ttyS1": "", "dev/ttyACM0": "", "dev/impressora": ">usb/lp0",
		"sys/devices/usb1/1-1/idVendor": "0b1b", "sys/devices/usb1/1-1/idProduct": "0003",
		"sys/devices/usb1/1-1/1-1:1.0/ieee1284_id": "MFG:Bematech;MDL:MP-4200 TH;CLS:PRINTER;",
		"sys/class/usbmisc/lp0/device":             ">../../../devices/usb1/1-1/1-1:1.0",
		"sys/devices/usb1/1-2/idVendor":            "0416", "sys/devices/usb1/1-2/idProduct": "5011",
		"sys/devices/usb1/1-2/manufacturer": "Xprinter", "sys/devices/usb1/1-2/product": "USB Printer P",
		"sys/devices/usb1/1-2/1-2:1.0/bInterfaceClass": "07",
		"sys/class/usbmisc/lp1/device":                 ">../../../devices/usb1/1-2/1-2:1.0",
		"sys/devices/usb1/1-3/product":                 "USB-Serial Controller", "sys/devices/usb1/1-3/manufacturer": "Prolific",
		"sys/devices/usb1/1-3/1-3:1.0/ttyUSB0/port_number": "0",
		"sys/class/tty/ttyUSB0/device":                     ">../../../devices/usb1/1-3/1-3:1.0/ttyUSB0",
		"sys/class/tty/ttyS0/type":                         "4", "sys/class/tty/ttyS1/type": "0",
	})
	want := []struct{ address, way, said, model string }{
		{"file:/dev/usb/lp0", "usb", "Bematech MP-4200 TH", "mp-4200"},
		{"file:/dev/usb/lp1", "usb", "Xprinter USB Printer P", ""},
		{"file:/dev/usb/lp2", "usb", "", ""},
		{"file:/dev/ttyUSB0", "serial", "Prolific USB-Serial Controller", ""},
		{"file:/dev/ttyACM0", "serial", "", ""},
		{"file:/dev/ttyS0", "serial", "", ""},
	}
	found := plugged(root)
	if len(found) != len(want) {
		t.Fatalf("%+v", found)
	}
	for i, w := range want {
		if f := found[i]; f.Address != w.address || string(f.Way) != w.way || f.Said != w.said || f.Model.Name != w.model {
			t.Errorf("%+v, want %v", f, w)
		}
	}
	if id := usbIdentity(root, "/dev/impressora"); id != (escpos.Identity{USB: "0b1b:0003", Text: "Bematech MP-4200 TH"}) {
		t.Errorf("through a link: %+v", id)
	}
}
