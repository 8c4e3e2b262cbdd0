package options

import (
	"net"
	"testing"
)

func TestNamesAreAskedOfTheNameServer(t *testing.T) {
	// Not parallel: the resolver is the process's.
	before := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = before })
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		for {
			packet := make([]byte, 512)
			n, from, err := server.ReadFrom(packet)
			if err != nil {
				return
			}
			server.WriteTo(answerTo(packet[:n]), from)
		}
	}()
	NameServer(server.LocalAddr().String()).Use()
	found, err := net.DefaultResolver.LookupIP(t.Context(), "ip4", "impressora.loja.example.")
	if err != nil || len(found) != 1 || found[0].String() != "192.0.2.7" {
		t.Errorf("found %v, %v", found, err)
	}
}

// answerTo is 192.0.2.7, whatever the question was.
func answerTo(question []byte) []byte {
	end := 12
	for question[end] != 0 {
		end += 1 + int(question[end])
	}
	end += 5 // the last length, the type and the class
	answer := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0}, question[12:end]...)
	return append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7)
}

func TestNameServerRefused(t *testing.T) {
	for text, want := range map[string]string{
		"192.168.0.1": "192.168.0.1:53", "8.8.8.8:5353": "8.8.8.8:5353", "::1": "[::1]:53",
		"dns.loja": "", "1.2.3.4:0": "", "1.2.3": "",
	} {
		if got, err := NameServer(text).address(); got != want || (want == "") != (err != nil) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
