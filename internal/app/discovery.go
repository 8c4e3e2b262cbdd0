package app

import (
	"cmp"
	"crypto/x509"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/discovery"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// Discovery is whether other machines of the shop find this terminal by themselves, and under which name.
type Discovery struct {
	Enabled bool
	Name    string // empty: the machine's
}

// announce has the terminal found until stop is called. It belongs to the process, as the sockets do: a restart of the
// service changes nothing that is announced. An API that only this machine reaches is not announced.
func (a *App) announce() (stop func()) {
	port, only := a.reachedAt(a.ports[0])
	securePort, secureOnly := a.reachedAt(a.ports[2])
	if port == 0 {
		only = secureOnly
	} else if secureOnly.IsValid() && secureOnly != only {
		securePort = 0 // at another address than the one that is announced
	}
	if !a.config.Discovery.Enabled || port == 0 && securePort == 0 {
		return func() {}
	}
	if only.Is6() {
		a.warn("o terminal não é anunciado na rede (mDNS): a API escuta só num endereço IPv6, e o anúncio é por IPv4")
		return func() {}
	}
	name := cmp.Or(a.config.Discovery.Name, machineName())
	announcer := discovery.Announce(discovery.Options{
		Only: only,
		Describe: func() discovery.Terminal {
			t := discovery.Terminal{Name: name, Version: a.config.Version, Mode: string(a.config.Mode), Port: port, SecurePort: securePort}
			if securePort != 0 {
				t.Fingerprint, t.Pin = identify(a.certs.Newest().Leaf)
			}
			return t
		},
		Announced: func(name string, at []netip.Addr) {
			if book := a.logs.Load(); book != nil {
				book.Add(logbook.Info, logbook.App, "anunciado na rede como "+name+", em "+addressWords(at), "")
			}
		},
		Failed: func(err error) {
			a.warn("o terminal não pode ser anunciado na rede (mDNS): " + whyNotAnnounced(err) + "; o resto do serviço segue")
		},
	})
	return announcer.Close
}

// reachedAt is the port at which other machines reach a listener, and the one address if it is one; 0 is not at all.
func (a *App) reachedAt(l net.Listener) (port int, only netip.Addr) {
	if l == nil {
		return 0, only
	}
	at, ok := l.Addr().(*net.TCPAddr)
	if !ok || at.IP.IsLoopback() {
		return 0, only
	}
	if at.IP == nil || at.IP.IsUnspecified() {
		return at.Port, only
	}
	only, _ = netip.AddrFromSlice(at.IP)
	return at.Port, only.Unmap()
}

// identify is the certificate as callers recognise it.
func identify(leaf *x509.Certificate) (sum, pin string) {
	return strings.ToLower(strings.ReplaceAll(certificate.Fingerprint(leaf), ":", "")), certificate.PublicKey(leaf)
}

// machineName is what people call this machine; many devices are all called the same, which is no name.
func machineName() string {
	name, err := os.Hostname()
	name, _, _ = strings.Cut(name, ".")
	if err != nil || name == "" || name == "localhost" {
		return "maquininha"
	}
	return name
}

func addressWords(at []netip.Addr) string {
	var words []string
	for _, a := range at {
		words = append(words, a.String())
	}
	return strings.Join(words, ", ")
}

// whyNotAnnounced is for the log, in the technician's words.
func whyNotAnnounced(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "o sistema não permite (" + portuguese.Error(err) + ")"
	case connection.PortTaken(err):
		return "a porta 5353 está em uso por um programa que não a divide"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.ENETDOWN), errors.Is(err, syscall.ENODEV):
		return "a rede não está ligada"
	}
	return portuguese.Error(err)
}
