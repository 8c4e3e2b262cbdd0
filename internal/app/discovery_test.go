//go:build unix

package app_test

import (
	"net"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Where a terminal can't be announced, the log says why, and all else goes on.
func TestUnannouncedTerminalServes(t *testing.T) {
	t.Parallel()
	address := ""
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() == nil && n.IP.IsGlobalUnicast() {
			address = n.IP.String()
		}
	}
	if address == "" {
		t.Skip("this machine has no IPv6 address of a network")
	}
	c := config(t.TempDir())
	c.Listen, c.Discovery = net.JoinHostPort(address, "0"), app.Discovery{Enabled: true, Name: "x"}
	term := start(t, c)
	waittest.Until(t, "the reason in the log", func() bool {
		return strings.Contains(term.ok(t, "GET", "/logs?search=anunciado", ""), "só num endereço IPv6")
	})
}
