package app

import (
	"fmt"
	"net"
	"strings"
)

// Welcome is the first screen of output: where everything is and what to try first.
func (a *App) Welcome() string {
	api, screen := a.Addresses()
	base := "http://" + reachable(api)
	var b strings.Builder
	mode := "emulador"
	if a.config.Mode == Production {
		mode = "produção"
	}
	fmt.Fprintf(&b, "\nmaquininha %s, modo %s\n\n", a.config.Version, mode)
	row := func(name, value string) { fmt.Fprintf(&b, "  %-14s%s\n", name, value) }
	row("API", base+onNetwork(api))
	row("Documentação", base+"/docs")
	row("Tela", "http://"+reachable(screen))
	row("Dados", a.config.Data)
	l := a.service.login
	row("Usuário", l.user)
	try := "curl -u " + shellWord(l.user) + " " + base + "/status"
	switch {
	case l.made:
		row("Senha", l.password+"   (gerada agora: anote, não será mostrada de novo)")
		try = "curl -u " + shellWord(l.user+":"+l.password) + " " + base + "/status"
	case l.password != "":
		row("Senha", "a de MAQUININHA_PASSWORD")
		try = `curl -u ` + shellWord(l.user) + `:"$MAQUININHA_PASSWORD" ` + base + "/status"
	default:
		row("Senha", "a já definida (para trocar: maquininha password)")
	}
	if a.config.Mode == Production {
		row("Adquirente", "nenhum configurado: pagamentos serão recusados com 503")
		row("Impressora", "nenhuma configurada: impressões falharão")
	}
	fmt.Fprintf(&b, "\n  Experimente:  %s\n\n", try)
	return b.String()
}

// reachable is an address this machine can open in a browser.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// onNetwork adds the address other machines of the shop use, where there is one.
func onNetwork(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return ""
	}
	// Some devices do not let an app see its interfaces; the address is a courtesy.
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			return "   (na rede: http://" + net.JoinHostPort(n.IP.String(), port) + ")"
		}
	}
	return ""
}

// shellWord quotes what a shell would not take as one plain word.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:@%+=/,") == "" && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
