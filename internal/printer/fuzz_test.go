package printer

import (
	"net"
	"strings"
	"testing"
)

// An address that is accepted names one place, and a printer can be made of it without reaching for anything.
func FuzzParseAddress(f *testing.F) {
	for _, seed := range []string{
		"tcp://192.168.0.50", "tcp://impressora:9100/", "tcp://[fe80::1]:9100", "tcp://::1", "tcp://[", "tcp://a:0", "tcp://a:65536", "tcp://a@b", "tcp://",
		"file:/dev/usb/lp0", "file:///dev/ttyUSB0?baud=9600&flow=hardware", "file:COM3?baud=", "file:?baud=1", "file://x", "file:a?%zz", "http://a", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			if a != (Address{}) {
				t.Errorf("%q: refused, and yet %+v", text, a)
			}
			return
		}
		if (a.Host == "") == (a.Path == "") {
			t.Fatalf("%q is %+v", text, a)
		}
		if a.Host == "" {
			if a.Port.Baud != 0 && (a.Port.Baud < 300 || a.Port.Baud > 4_000_000) {
				t.Errorf("%q: %d baud", text, a.Port.Baud)
			}
			return
		}
		host, port, err := net.SplitHostPort(a.Host)
		if err != nil || host == "" || port == "" || strings.ContainsAny(a.Host, "/?# ") {
			t.Errorf("%q is at %q (%v)", text, a.Host, err)
		}
		if again, err := ParseAddress("tcp://" + a.Host); err != nil || again != a {
			t.Errorf("%q is %+v, which is %+v (%v)", text, a, again, err)
		}
	})
}

// Names of files that are ours are written as we write them.
func FuzzParseFileName(f *testing.F) {
	f.Add("000012_xml_20261115T143005.250Z_576x1840.png")
	f.Add("0_xml_20261115T143005.250Z_576x1840.png")
	f.Add("99999999999999999999_text_20260230T250000.000Z_1x1.png")
	f.Fuzz(func(t *testing.T, name string) {
		job, ok := parseFileName(name)
		if !ok {
			return
		}
		again, ok := parseFileName(fileName(job))
		if !ok || again != job || job.N < 1 {
			t.Errorf("%q is %+v, which is %+v", name, job, again)
		}
	})
}
