package main

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/app"
)

// lookAtPorts listens everywhere at once: two of ours may want the same place.
func (i *inspection) lookAtPorts() {
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for _, port := range []struct {
		what, flag, address, scheme, page string
		ours                              func(*http.Response) bool
	}{
		{"API", "--listen", cmp.Or(i.Listen, ":9050"), "http://", "/status", isAPI},
		{"HTTPS", "--tls-listen", i.tls().Listen, "https://", "/status", isAPI},
		{"Tela", "--screen", cmp.Or(i.Screen, "127.0.0.1:9051"), "http://", "/", isScreen},
	} {
		if port.address == "" || port.address == "none" {
			continue
		}
		l, taken, err := app.TryPort(port.address)
		switch {
		case err == nil:
			held = append(held, l)
			i.good(port.what, "%s está livre", port.address)
		case taken && (i.inUse || i.blind) && answers(port.scheme, port.address, port.page, port.ours):
			i.good(port.what, "%s atende: é o serviço que está no ar", port.address)
		case taken:
			i.wrong(port.what, "%s está em uso por outro programa; escolha outro endereço com %s", port.address, port.flag)
		default:
			i.wrong(port.what, "não é possível escutar em %s (%s): %v", port.address, port.flag, err)
		}
	}
}

// answers asks whoever listens at an address who it is.
func answers(scheme, address, page string, ours func(*http.Response) bool) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	client := http.Client{
		Timeout: 5 * time.Second,
		// It is our own machine, and nothing is told to whoever answers.
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true},
	}
	res, err := client.Get(scheme + net.JoinHostPort(host, port) + page)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return ours(res)
}

func isAPI(res *http.Response) bool {
	return strings.Contains(res.Header.Get("WWW-Authenticate"), `realm="maquininha"`)
}

// isScreen knows the page, or how it is refused to a device without its token.
func isScreen(res *http.Response) bool {
	page, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	return err == nil && strings.Contains(strings.ToLower(string(page)), "maquininha") || res.StatusCode == http.StatusForbidden
}

func (i *inspection) lookAtCertificate() {
	t := i.tls()
	if t.Listen == "" || (t.Cert == "") != (t.Key == "") {
		return // not served, or said already
	}
	leaf, err := t.Certificate(i.data)
	switch {
	case err != nil:
		i.wrong("Certificado", "%v", err)
	case leaf == nil:
		i.good("Certificado", "será criado no primeiro início")
	case t.Cert == "":
		i.good("Certificado", "próprio, até %s; é renovado sozinho", day(leaf.NotAfter))
	default:
		i.dates("Certificado", t.Cert, leaf)
	}
}

// renewal is how long before its end a certificate should be thought of.
const renewal = 30 * 24 * time.Hour

// dates say whether a certificate is valid now, and for how long.
func (i *inspection) dates(what, path string, leaf *x509.Certificate) bool {
	switch now := time.Now(); {
	case now.After(leaf.NotAfter):
		i.wrong(what, "%s venceu em %s", path, day(leaf.NotAfter))
		return false
	case now.Before(leaf.NotBefore):
		i.wrong(what, "%s só vale a partir de %s", path, day(leaf.NotBefore))
		return false
	case leaf.NotAfter.Sub(now) < renewal:
		i.doubtful(what, "%s vence em %s", path, day(leaf.NotAfter))
	default:
		i.good(what, "%s vale até %s", path, day(leaf.NotAfter))
	}
	return true
}

func day(t time.Time) string { return t.Local().Format("02/01/2006") }
