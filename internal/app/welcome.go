package app

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"

	"rsc.io/qr"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/datafolder"
)

// Welcome is the first screen of output: where everything is and what to try first.
func (a *App) Welcome() string {
	api, screen := a.Addresses()
	base := a.scheme() + connection.Reachable(api)
	var b strings.Builder
	mode := "emulador"
	if a.config.Mode == Production {
		mode = "produção"
	}
	fmt.Fprintf(&b, "\nmaquininha %s, modo %s\n\n", a.config.Version, mode)
	row := func(name, value string) { fmt.Fprintf(&b, "  %-14s%s\n", name, value) }
	row("API", base+onNetwork(a.scheme(), api))
	a.introduceTLS(row)
	row("Documentação", base+"/docs")
	row("Guia", base+"/docs/guia")
	link := ""
	if a.service.token == "" {
		row("Tela", "http://"+connection.Reachable(screen))
	} else {
		link = connection.FromElsewhere(a.screenScheme(), screen) + "/?token=" + a.service.token
		row("Tela", link)
	}
	row("Dados", a.config.Data)
	if a.config.ConfigFile != "" {
		row("Configuração", a.config.ConfigFile)
	}
	if datafolder.OpenToOthers(a.config.Data) {
		row("Atenção", "outros usuários deste computador podem ver a pasta de dados (corrija com chmod 700)")
	}
	for _, doubt := range a.networkWarnings() {
		row("Atenção", doubt)
	}
	l := a.service.login
	row("Usuário", l.user)
	curl := "curl "
	if a.ports[0] == nil && a.config.TLS.Cert == "" {
		curl += "--cacert " + shellWord(filepath.Join(a.config.Data, certificate.OwnName)) + " "
	}
	try := curl + "-u " + shellWord(l.user) + " " + base + "/status"
	switch {
	case l.made:
		row("Senha", l.password+"   (gerada agora: anote, não será mostrada de novo)")
		try = curl + "-u " + shellWord(l.user+":"+l.password) + " " + base + "/status"
	case l.password != "" && a.config.PasswordFrom != "":
		row("Senha", "a de "+a.config.PasswordFrom)
	case l.password != "":
		row("Senha", "a de MAQUININHA_PASSWORD")
		try = curl + "-u " + shellWord(l.user) + `:"$MAQUININHA_PASSWORD" ` + base + "/status"
	default:
		row("Senha", "a já definida (para trocar: maquininha password)")
	}
	switch routed := a.service.settings.routed(); {
	case routed.Card == none && routed.Pix == none:
		row("Adquirente", "nenhum configurado: pagamentos serão recusados com 503 (veja --acquirer-card e --acquirer-pix)")
	case routed.uses(tefAcquirer) || routed.uses(pixAcquirer) || routed.usesDevice():
		row("Adquirente", routed.Words())
	}
	switch name := a.service.settings.printer(); {
	case name == none:
		row("Impressora", "nenhuma configurada: impressões falharão (escolha uma com --printer)")
	case !strings.HasPrefix(name, virtualPrinter):
		row("Impressora", printerChoice(name).Label)
	}
	fmt.Fprintf(&b, "\n  Experimente:  %s\n\n", try)
	if link != "" {
		b.WriteString("  Tela em outro aparelho: abra o link acima ou leia o código.\n\n" + terminalQR(link) + "\n")
	}
	return b.String()
}

// screenScheme keeps the token off the wire where it can: the screen speaks HTTPS where the API does.
func (a *App) screenScheme() string {
	if a.certs != nil {
		return "https://"
	}
	return "http://"
}

// terminalQR draws a code with half blocks, light on dark and dark on light terminals alike: the light parts are drawn.
func terminalQR(text string) string {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "" // the link itself is shown above
	}
	const margin = 2
	light := func(x, y int) bool { return x < 0 || y < 0 || x >= code.Size || y >= code.Size || !code.Black(x, y) }
	var b strings.Builder
	for y := -margin; y < code.Size+margin; y += 2 {
		b.WriteString("  \x1b[97;40m")
		for x := -margin; x < code.Size+margin; x++ {
			switch up, down := light(x, y), light(x, y+1); {
			case up && down:
				b.WriteRune('█')
			case up:
				b.WriteRune('▀')
			case down:
				b.WriteRune('▄')
			default:
				b.WriteRune(' ')
			}
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String()
}

// onNetwork adds the address other machines of the shop use, where there is one.
func onNetwork(scheme string, addr net.Addr) string {
	if host, ok := connection.NetworkHost(addr); ok {
		return "   (na rede: " + scheme + host + ")"
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
