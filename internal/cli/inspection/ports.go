package inspection

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/connection"
)

// lookAtPorts listens everywhere at once: two of ours may want the same place under different names.
func (i *Inspection) lookAtPorts() {
	var held []net.Listener
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	all := []port{
		{"API", "--listen", cmp.Or(i.Listen, ":9050"), "http://", "/status", IsAPI},
		{"HTTPS", "--tls-listen", i.HTTPS.Configured().Listen, "https://", "/status", IsAPI},
		{"Tela", "--screen", cmp.Or(i.Screen, "127.0.0.1:9051"), "http://", "/", isScreen},
	}
	for n, p := range all {
		if p.address == "" || p.address == "none" {
			continue
		}
		if at := slices.IndexFunc(all[:n], p.meets); at >= 0 {
			i.Wrong(p.what, "%s é também a porta de %s: dois ajustes dizem a mesma; escolha outra com %s", p.address, all[at].flag, p.flag)
			continue
		}
		l, taken, err := connection.TryPort(p.address)
		switch {
		case err == nil:
			held = append(held, l)
			i.Good(p.what, "%s está livre", p.address)
		case taken && (i.inUse || i.MayBeInUse) && Answers(p.scheme, p.address, p.page, p.ours):
			i.Good(p.what, "%s atende: é o serviço que está no ar", p.address)
		case taken:
			i.Wrong(p.what, "%s está em uso por outro programa; escolha outro endereço com %s", p.address, p.flag)
		default:
			i.Wrong(p.what, "não é possível escutar em %s (%s): %v", p.address, p.flag, err)
		}
	}
}

// port is one that the service listens on.
type port struct {
	what, flag, address, scheme, page string
	ours                              func(*http.Response) bool
}

// meets tells whether two of ours would be in each other's way: the same port, and a host that is the same or is any.
func (p port) meets(other port) bool {
	host, number, err := net.SplitHostPort(p.address)
	otherHost, otherNumber, failed := net.SplitHostPort(other.address)
	if err != nil || failed != nil || number != otherNumber || number == "0" {
		return false
	}
	return host == otherHost || anyHost(host) || anyHost(otherHost)
}

// anyHost tells whether an address without a port is all of this machine's.
func anyHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// Answers asks whoever listens at an address who it is.
func Answers(scheme, address, page string, ours func(*http.Response) bool) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if anyHost(host) {
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
		i.Good("Certificado", "próprio, até %s; é renovado sozinho", day(leaf.NotAfter))
	default:
		i.dates("Certificado", t.Cert, leaf)
	}
}

// renewal is how long before its end a certificate should be thought of.
const renewal = 30 * 24 * time.Hour

// dates say whether a certificate is valid now, and for how long.
func (i *Inspection) dates(what, path string, leaf *x509.Certificate) bool {
	switch now := time.Now(); {
	case now.After(leaf.NotAfter):
		i.Wrong(what, "%s venceu em %s", path, day(leaf.NotAfter))
		return false
	case now.Before(leaf.NotBefore):
		i.Wrong(what, "%s só vale a partir de %s", path, day(leaf.NotBefore))
		return false
	case leaf.NotAfter.Sub(now) < renewal:
		i.Doubtful(what, "%s vence em %s", path, day(leaf.NotAfter))
	default:
		i.Good(what, "%s vale até %s", path, day(leaf.NotAfter))
	}
	return true
}

func day(t time.Time) string { return t.Local().Format("02/01/2006") }
