package printer

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/printing"
)

const (
	// mostHosts is how many addresses of a network are tried: a shop's has 254.
	mostHosts = 1022
	atOnce    = 64
	knockTime = 800 * time.Millisecond
)

// ErrBigNetwork means a network with more addresses than are looked through.
var ErrBigNetwork = errors.New("too many addresses to look through")

// LocalNetworks are those that this machine is in and that are small enough to look through. Of a larger one it is the part around this
// machine.
func LocalNetworks() (all []netip.Prefix) {
	addresses, _ := net.InterfaceAddrs() // some systems tell none
	for _, a := range addresses {
		network, ok := a.(*net.IPNet)
		if !ok {
			continue
		}
		ip, ok := netip.AddrFromSlice(network.IP.To4())
		if !ok || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
			continue
		}
		bits, _ := network.Mask.Size()
		if prefix := netip.PrefixFrom(ip, max(bits, 24)).Masked(); !slices.Contains(all, prefix) {
			all = append(all, prefix)
		}
	}
	return all
}

// OnNetwork are who takes connections at the port of printers. They are sent nothing there: what is no receipt printer would print it.
// What they are and how, they are asked by SNMP, which few receipt printers answer.
func OnNetwork(ctx context.Context, networks ...netip.Prefix) ([]Found, error) {
	var hosts []netip.Addr
	for _, network := range networks {
		for ip := network.Masked().Addr(); network.Contains(ip); ip = ip.Next() {
			if hosts = append(hosts, ip); len(hosts) > mostHosts {
				return nil, ErrBigNetwork
			}
		}
	}
	there := make([]*Found, len(hosts)) // in the order of their addresses
	var knocking sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for i, ip := range hosts {
		turns <- struct{}{}
		knocking.Go(func() {
			defer func() { <-turns }()
			there[i] = knock(ctx, ip)
		})
	}
	knocking.Wait()
	var all []Found
	for _, f := range there {
		if f != nil {
			all = append(all, *f)
		}
	}
	return all, ctx.Err()
}

// knock is nil where nobody answers.
func knock(ctx context.Context, ip netip.Addr) *Found {
	d := net.Dialer{Timeout: knockTime}
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort(ip.String(), DefaultPort))
	if err != nil {
		return nil
	}
	conn.Close()
	said, _ := snmpGet(ctx, ip, snmpDescription)
	f := newFound(ByNetwork, "tcp://"+ip.String(), escpos.Identity{Text: string(said)}, string(said))
	if wrong, err := snmpGet(ctx, ip, snmpPrinterErrors); err == nil && len(wrong) > 0 {
		f.State = snmpState(wrong[0])
	}
	return &f
}

// snmpState is what the first byte of hrPrinterDetectedErrorState says (RFC 2790).
func snmpState(wrong byte) printing.State {
	const noPaper, doorOpen, jammed, offline = 0x40, 0x08, 0x04, 0x02
	switch {
	case wrong&doorOpen != 0:
		return printing.CoverOpen
	case wrong&noPaper != 0:
		return printing.PaperOut
	case wrong&(jammed|offline) != 0:
		return printing.Offline
	}
	return printing.OK
}
