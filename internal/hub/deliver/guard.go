package deliver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// errForbidden means that an address is of a network that webhooks must not reach: the hub's own, in which others trust it.
var errForbidden = errors.New("the address is not public")

// special are networks that look public to the standard library and are not.
var special = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10")

func prefixes(all ...string) (found []netip.Prefix) {
	for _, text := range all {
		found = append(found, netip.MustParsePrefix(text))
	}
	return found
}

// public tells of an address that belongs to the internet, and to nobody's own network.
func public(a netip.Addr) bool {
	return a.IsGlobalUnicast() && !a.IsPrivate() && !within(a, special)
}

func within(a netip.Addr, networks []netip.Prefix) bool {
	for _, n := range networks {
		if n.Contains(a) {
			return true
		}
	}
	return false
}

// guard lets connections go to public addresses and to allowed networks only. It looks at the address that is really dialled: a name may
// mean another one each time it is asked for.
type guard struct {
	allowed []netip.Prefix
	own     func() []netip.Prefix // networks that this machine is in
}

// ownNetworks are those of the machine's addresses. In IPv6 they are public ones as a rule, and yet the neighbours trust each other.
func ownNetworks() (all []netip.Prefix) {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil // where the system does not tell (Android), what is not public is known all the same
	}
	for _, a := range addresses {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			all = append(all, p.Masked())
		}
	}
	return all
}

func (g guard) dialer(within time.Duration) *net.Dialer {
	return &net.Dialer{Timeout: within, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error { return g.check(address) }}
}

func (g guard) check(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", errForbidden, address)
	}
	a := at.Addr().Unmap().WithZone("")
	if within(a, g.allowed) || public(a) && !within(a, g.own()) {
		return nil
	}
	return fmt.Errorf("%w: %s", errForbidden, a)
}
