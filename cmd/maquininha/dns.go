package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
)

// nameServer is whom names are asked of; the zero one is the system's own. Android tells none to a program.
type nameServer string

// address is the server's, with the port that is usual.
func (n nameServer) address() (string, error) {
	if ip, err := netip.ParseAddr(string(n)); err == nil {
		return netip.AddrPortFrom(ip, 53).String(), nil
	}
	at, err := netip.ParseAddrPort(string(n))
	if err != nil || at.Port() == 0 {
		return "", fmt.Errorf("--dns %q não é um endereço; use algo como 192.168.0.1 ou 8.8.8.8:53", string(n))
	}
	return at.String(), nil
}

// check refuses what is no address.
func (n nameServer) check() error {
	if n == "" {
		return nil
	}
	_, err := n.address()
	return err
}

// use has every name of this process asked of the server.
func (n nameServer) use() {
	address, err := n.address()
	if n == "" || err != nil {
		return
	}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}}
}
