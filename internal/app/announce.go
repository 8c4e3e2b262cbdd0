package app

import (
	"net"
	"strings"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/logbook"
)

// Announce is Welcome for a service, whose words go into the system's log: others may read them, so they hold no
// password and no link to the screen.
func (a *App) Announce() {
	api, screen := a.Addresses()
	text := "no ar: API " + connection.FromElsewhere(a.scheme(), api) + ", tela " + connection.FromElsewhere(a.screenScheme(), screen) + ", dados em " + a.config.Data
	if a.config.ConfigFile != "" {
		text += ", configuração em " + a.config.ConfigFile
	}
	a.service.Logs.Add(logbook.Info, logbook.App, text, "")
	for _, doubt := range a.networkWarnings() {
		a.service.Logs.Add(logbook.Warning, logbook.App, doubt, "")
	}
	if a.service.login.made {
		a.service.Logs.Add(logbook.Warning, logbook.App, "senha dos chamadores gerada e não mostrada aqui; defina uma na tela, ou veja uma nova com: maquininha service password", "")
	}
	if a.service.token != "" {
		a.service.Logs.Add(logbook.Info, logbook.App, "outros aparelhos abrem a tela com o link que maquininha service link mostra", "")
	}
}

// ScreenToken authorises a device to show the screen; empty: none was needed so far.
func ScreenToken(r interface{ Setting(string) (string, error) }) (string, error) {
	return r.Setting(settingToken)
}

// ScreenLink is what another device opens, with the code to read. Empty: a screen at this address is this machine's alone.
func ScreenLink(scheme, host, port, token string) string {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	switch {
	case host == "":
		ip = net.IPv6unspecified
	case host == "localhost" || ip != nil && ip.IsLoopback():
		return ""
	}
	link := scheme + net.JoinHostPort(host, port) // a name
	if ip != nil {
		addr := &net.TCPAddr{IP: ip}
		addr.Port, _ = net.LookupPort("tcp", port) // the service listens on it
		link = connection.FromElsewhere(scheme, addr)
	}
	link += "/?token=" + token
	return link + "\n\n" + terminalQR(link)
}
