package options

import (
	"context"
	"net"
	"net/netip"

	"github.com/maquininha/maquininha/internal/configfile"
)

// NameServer is whom names are asked of; the zero one is the system's own. Android tells none to a program.
type NameServer string

// address is the server's, with the port that is usual.
func (n NameServer) address() (string, error) {
	if ip, err := netip.ParseAddr(string(n)); err == nil {
		return netip.AddrPortFrom(ip, 53).String(), nil
	}
	at, err := netip.ParseAddrPort(string(n))
	if err != nil || at.Port() == 0 {
		return "", configfile.Refuse("dns", "%q não é um endereço; use algo como 192.168.0.1 ou 8.8.8.8:53", string(n))
	}
	return at.String(), nil
}

// check refuses what is no address.
func (n NameServer) check() error {
	if n == "" {
		return nil
	}
	_, err := n.address()
	return err
}

// Use has every name of this process asked of the server.
func (n NameServer) Use() {
	address, err := n.address()
	if n == "" || err != nil {
		return
	}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}}
}
