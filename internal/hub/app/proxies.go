package app

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/configfile"
)

// ofIPv4 is how many bits stand before an IPv4 address that is written as one of IPv6.
const ofIPv4 = 96

// parseNetworks reads networks of an option, separated by commas.
func parseNetworks(option, text string) (found []netip.Prefix, err error) {
	for one := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		p, err := netip.ParsePrefix(one)
		if addr := p.Addr(); err == nil && addr.Is4In6() && p.Bits() >= ofIPv4 { // callers are looked up as IPv4
			p = netip.PrefixFrom(addr.Unmap(), p.Bits()-ofIPv4)
		}
		if err != nil || p.Addr().Is4In6() {
			return nil, configfile.Refuse(option, "deve ter redes como 10.0.0.0/8")
		}
		found = append(found, p.Masked())
	}
	return found, nil
}

// behindProxies has requests of trusted proxies come from where these say: who guesses passwords behind one must not count as all who are behind it.
func behindProxies(trusted []netip.Prefix, next http.Handler) http.Handler {
	if len(trusted) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if from := caller(trusted, r); from != r.RemoteAddr {
			r = r.WithContext(r.Context()) // a copy: the server has its own
			r.RemoteAddr = from
		}
		next.ServeHTTP(w, r)
	})
}

// caller is who a request comes from. Each proxy writes who came to it behind what it was given, so the last one that is no proxy of ours is
// meant: what stands before it is anybody's to write.
func caller(trusted []netip.Prefix, r *http.Request) string {
	isTrusted := func(a netip.Addr) bool {
		return slices.ContainsFunc(trusted, func(n netip.Prefix) bool { return n.Contains(a.Unmap().WithZone("")) })
	}
	from := r.RemoteAddr
	peer, err := netip.ParseAddrPort(from)
	if err != nil || !isTrusted(peer.Addr()) {
		return from
	}
	said := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, text := range slices.Backward(said) {
		at, err := parseHop(strings.TrimSpace(text))
		if err != nil {
			break
		}
		if from = net.JoinHostPort(at.String(), "0"); !isTrusted(at) {
			break
		}
	}
	return from
}

// parseHop reads an address of the header: some proxies write the port, too.
func parseHop(text string) (netip.Addr, error) {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return with.Addr(), nil
	}
	return netip.ParseAddr(strings.Trim(text, "[]"))
}
