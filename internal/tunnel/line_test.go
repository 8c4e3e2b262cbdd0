package tunnel

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadLine(t *testing.T) {
	t.Parallel()
	const address, pin = "https://hub.exemplo:9060", "sha256/6fPFwYl+rJ0nQm3Q4bTq7oQmcGlfYV2ZJ0cT1i0l8uE="
	whole := Invitation{Address: address, Code: "ABCD2345", Pin: pin}
	for line, want := range map[string]Invitation{
		"":                             {},
		"join":                         {},
		address:                        {Address: address},
		"  " + address + "  ABCD2345 ": {Address: address, Code: "ABCD2345"},
		"maquininha join " + address + " ABCD2345":                           {Address: address, Code: "ABCD2345"},
		"maquininha join " + address + " ABCD2345 --pin " + pin:              whole,
		"maquininha join " + address + "\nABCD2345\t--pin " + pin + "\r\n":   whole,
		"maquininha.exe join " + address + " ABCD 2345 --pin=" + pin:         whole,
		"./maquininha join --pin " + pin + " " + address + " ABCD2345":       whole,
		"maquininha join " + address + " ABCD2345 --pin":                     {Address: address, Code: "ABCD2345"},
		"maquininha join " + address + " ABCD2345 --proxy http://proxy:3128": {Address: address, Code: "ABCD2345", Proxy: "http://proxy:3128"},
	} {
		if d := cmp.Diff(want, ReadLine(line)); d != "" {
			t.Errorf("%q: %s", line, d)
		}
	}
}
