package connection

import (
	"errors"
	"fmt"
	"io/fs"
	"net"

	"github.com/maquininha/maquininha/internal/portuguese"
)

// Listen takes an address that a flag named. Its error is for the person who typed it.
func Listen(address, flag string) (net.Listener, error) {
	l, taken, err := TryPort(address)
	switch {
	case taken:
		return nil, fmt.Errorf("o endereço %s já está em uso; escolha outro com %s", address, flag)
	case err != nil:
		return nil, fmt.Errorf("não foi possível escutar em %s (%s): %w", address, flag, err)
	}
	return l, nil
}

// TryPort listens at an address. Taken means that somebody else does already.
func TryPort(address string) (l net.Listener, taken bool, err error) {
	if l, err = net.Listen("tcp", address); err != nil {
		return nil, PortTaken(err), errors.New(whyNotListening(err))
	}
	return l, false, nil
}

// PortTaken tells whether that is why nobody can listen there.
func PortTaken(err error) bool { return errors.Is(err, errPortTaken) }

// whyNotListening says why, to the person who typed the address.
func whyNotListening(err error) string {
	var address *net.AddrError
	var name *net.DNSError
	switch {
	case errors.As(err, &address):
		return "endereço inválido; use :PORTA ou IP:PORTA, como 127.0.0.1:8080"
	case errors.As(err, &name):
		return "nome ou porta desconhecidos"
	case errors.Is(err, fs.ErrPermission):
		return "sem permissão para essa porta"
	case errors.Is(err, errNotOurAddress):
		return "este computador não tem esse endereço"
	}
	return portuguese.Error(err)
}

// Reachable is an address this machine can open in a browser.
func Reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// FromElsewhere is the address as other machines reach it, as far as it is known.
func FromElsewhere(scheme string, addr net.Addr) string {
	if host, ok := NetworkHost(addr); ok {
		return scheme + host
	}
	return scheme + Reachable(addr)
}

// NetworkHost is the address that a listener on all of them has in the local network.
func NetworkHost(addr net.Addr) (string, bool) {
	host, port, err := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return "", false
	}
	// Some devices do not let an app see its interfaces; the address is a courtesy.
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return "", false
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			return net.JoinHostPort(n.IP.String(), port), true
		}
	}
	return "", false
}
