package checkup

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Listening reads the addresses that are listened on from a table of connections as Linux has it in /proc/net/tcp and tcp6. Lines that
// it does not understand are passed over: kernels add to them.
func Listening(table string) (addresses []netip.AddrPort) {
	const listens = "0A"
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 4 || fields[3] != listens {
			continue
		}
		host, port, found := strings.Cut(fields[1], ":")
		number, err := strconv.ParseUint(port, 16, 16)
		raw, bad := hex.DecodeString(host)
		if !found || err != nil || bad != nil || len(raw)%4 != 0 {
			continue
		}
		// Each word of four bytes is in the machine's order, which is the little end first wherever we run.
		for word := range slices.Chunk(raw, 4) {
			slices.Reverse(word)
		}
		if address, ok := netip.AddrFromSlice(raw); ok {
			addresses = append(addresses, netip.AddrPortFrom(address.Unmap(), uint16(number)))
		}
	}
	slices.SortFunc(addresses, func(a, b netip.AddrPort) int {
		if a.Port() != b.Port() {
			return int(a.Port()) - int(b.Port())
		}
		return a.Compare(b)
	})
	return slices.Compact(addresses)
}
