package app

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"runtime"
)

// networkWarnings are what this system keeps from us of its network: Android has no list of name servers that a program may
// read, and may not show its interfaces. The service runs without either; whoever installs it should know.
func (a *App) networkWarnings() (all []string) {
	if _, err := net.InterfaceAddrs(); err != nil {
		all = append(all, "este sistema não deixa ver as interfaces de rede: o endereço deste aparelho não aparece aqui, mas ele atende na rede")
	}
	const servers = "/etc/resolv.conf"
	if _, err := os.Stat(servers); errors.Is(err, fs.ErrNotExist) && runtime.GOOS != "windows" && !a.config.NameServer {
		all = append(all, "não há "+servers+": nomes da rede não serão encontrados; use endereços IP, ou diga um servidor de nomes com --dns")
	}
	return all
}
