package inspection

import (
	"cmp"
	"io"
	"net/http"
	"strings"

	"github.com/maquininha/maquininha/internal/cli/probe"
)

func (i *Inspection) lookAtPorts() {
	probe.Ports(i.Findings, []probe.Port{
		{What: "API", Flag: "--listen", Address: cmp.Or(i.Listen, ":9050"), Scheme: "http://", Page: "/status", Ours: IsAPI},
		{What: "HTTPS", Flag: "--tls-listen", Address: i.HTTPS.Configured().Listen, Scheme: "https://", Page: "/status", Ours: IsAPI},
		{What: "Tela", Flag: "--screen", Address: cmp.Or(i.Screen, "127.0.0.1:9051"), Scheme: "http://", Page: "/", Ours: isScreen},
	}, "serviço", i.inUse || i.MayBeInUse)
}

// IsAPI knows the callers' side of a terminal.
func IsAPI(res *http.Response) bool {
	return strings.Contains(res.Header.Get("WWW-Authenticate"), `realm="maquininha"`)
}

// isScreen knows the page, or how it is refused to a device without its token.
func isScreen(res *http.Response) bool {
	page, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	return err == nil && strings.Contains(strings.ToLower(string(page)), "maquininha") || res.StatusCode == http.StatusForbidden
}

func (i *Inspection) lookAtCertificate() {
	t := i.HTTPS.Configured()
	if t.Listen == "" || (t.Cert == "") != (t.Key == "") {
		return // not served, or said already
	}
	leaf, err := t.Certificate(i.data)
	switch {
	case err != nil:
		i.Wrong("Certificado", "%v", err)
	case leaf == nil:
		i.Good("Certificado", "será criado no primeiro início")
	case t.Cert == "":
		i.Good("Certificado", "próprio, até %s; é renovado sozinho", probe.Day(leaf.NotAfter))
	default:
		probe.Dates(i.Findings, "Certificado", t.Cert, leaf)
	}
}
