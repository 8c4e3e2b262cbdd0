//go:build linux

package printer

import (
	"encoding/asn1"
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/maquininha/maquininha/internal/printing"
)

// snmpAgent answers for a printer.
func snmpAgent(t *testing.T, ip, description string, wrong byte) {
	t.Helper()
	conn, err := net.ListenPacket("udp", net.JoinHostPort(ip, "161"))
	if err != nil {
		t.Skip("the port of SNMP can't be had here: ", err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		buffer := make([]byte, 2048)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var asked snmpRequest
			if _, err := asn1.Unmarshal(buffer[:n], &asked); err != nil || string(asked.Community) != "public" {
				continue
			}
			value := []byte(description)
			if asked.PDU.Variables[0].Name.Equal(snmpPrinterErrors) {
				value = []byte{wrong}
			}
			said := snmpAnswer{Community: asked.Community, PDU: snmpPDU{ID: asked.PDU.ID, Variables: []snmpVariable{
				{asked.PDU.Variables[0].Name, asn1.RawValue{Tag: asn1.TagOctetString, Bytes: value}},
			}}}
			if answer, err := asn1.Marshal(said); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
}

// Printers of the network are found by the port that they have open, and nothing is sent to it.
func TestPrintersOfTheNetwork(t *testing.T) {
	sent := make(chan int, 10)
	for _, ip := range []string{"127.98.7.2", "127.98.7.5"} {
		listener, err := net.Listen("tcp", net.JoinHostPort(ip, DefaultPort))
		if err != nil {
			t.Skip("the port of printers can't be had here: ", err)
		}
		t.Cleanup(func() { listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				n, _ := conn.Read(make([]byte, 10))
				sent <- n
				conn.Close()
			}
		}()
	}
	snmpAgent(t, "127.98.7.5", "EPSON TM-T88V\x1b[2J", 0x40)
	found, err := OnNetwork(t.Context(), netip.MustParsePrefix("127.98.7.0/29"))
	if err != nil || len(found) != 2 {
		t.Fatalf("%v %+v", err, found)
	}
	if f := found[0]; f.Address != "tcp://127.98.7.2" || f.Said != "" || f.Model.Name != "" || f.State != printing.Unknown {
		t.Errorf("%+v", f)
	}
	if f := found[1]; f.Address != "tcp://127.98.7.5" || f.Said != "EPSON TM-T88V[2J" || f.Model.Name != "tm-t88" || f.State != printing.PaperOut {
		t.Errorf("%+v", f)
	}
	for range 2 {
		if n := <-sent; n != 0 {
			t.Errorf("%d bytes were sent to a printer that nobody had chosen", n)
		}
	}
	if _, err := OnNetwork(t.Context(), netip.MustParsePrefix("10.0.0.0/8")); !errors.Is(err, ErrBigNetwork) {
		t.Errorf("a large network: %v", err)
	}
}

func TestWhatSNMPSaysOfAPrinter(t *testing.T) {
	for wrong, want := range map[byte]printing.State{
		0: printing.OK, 0x80: printing.OK /* little paper */, 0x40: printing.PaperOut, 0x48: printing.CoverOpen, 0x02: printing.Offline, 0x04: printing.Offline,
	} {
		if got := snmpState(wrong); got != want {
			t.Errorf("%#x: %s, want %s", wrong, got, want)
		}
	}
}

func FuzzSNMP(f *testing.F) {
	f.Add([]byte("\x30\x2b\x02\x01\x00\x04\x06public\xa2\x1e\x02\x01\x01\x02\x01\x00\x02\x01\x00\x30\x13"))
	f.Fuzz(func(t *testing.T, said []byte) {
		if text, err := parseSNMP(said, 1, snmpDescription); err != nil && text != nil {
			t.Errorf("%q beside %v", text, err)
		}
	})
}

func FuzzIPP(f *testing.F) {
	request := ippRequest(ippCreateJob)
	request.number("job-id", 7)
	request.WriteByte(ippEnd)
	f.Add(request.Bytes())
	f.Add([]byte{1, 1, 4, 6, 0, 0, 0, 1, 1, 3})
	f.Fuzz(func(t *testing.T, said []byte) {
		groups, err := parseIPP(said)
		for _, g := range groups {
			_ = cupsQueue(g)
		}
		if err != nil && groups != nil {
			t.Errorf("%v beside %v", groups, err)
		}
	})
}
