package screenui

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	tokenCookie = "maquininha_screen"
	// bodyTimeout is how long a page's few bytes may take, whether somebody reads them or not.
	bodyTimeout = 10 * time.Second
)

// Guard stands before the screen: only the terminal's own page may drive it. It refuses another site's page by the
// Origin, and DNS rebinding (another's name that points to this address) by the Host. On an address that others reach
// everybody needs the device's token.
type Guard struct {
	token string // empty: on loopback, where only this machine comes in
	names []string
}

// NewGuard guards a listener's address; the token is needed unless that is a loopback.
func NewGuard(address net.Addr, token string) *Guard {
	g := &Guard{names: []string{"localhost"}}
	if Exposed(address) {
		g.token = token
		// A device that cannot tell its own name is reached by its address alone.
		if name, err := os.Hostname(); err == nil {
			g.names = append(g.names, strings.ToLower(name), strings.ToLower(name)+".local")
		}
	}
	return g
}

// Exposed reports whether others than this machine reach the address.
func Exposed(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return !ok || !tcp.IP.IsLoopback()
}

// NewToken makes a device's token.
func NewToken() string { return rand.Text() }

// Wrap lets through only what the terminal's own page sends.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			r.Body = newTimedBody(w, r.Body)
		}
		page().Protect(w.Header())
		switch {
		case !g.knownHost(r.Host):
			turnAway(w, r, http.StatusForbidden, "Endereço não reconhecido: abra a tela pelo endereço mostrado quando o serviço inicia")
		case !fromOwnPage(r):
			turnAway(w, r, http.StatusForbidden, "Pedido de outra página recusado")
		case g.token != "" && g.admit(w, r):
		case g.token != "" && !g.holdsToken(r):
			turnAway(w, r, http.StatusUnauthorized, "Este aparelho ainda não foi autorizado: abra o link ou leia o QR mostrado quando o serviço inicia")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// turnAway says why: in words to a person who opened the address, as an answer to a script.
func turnAway(w http.ResponseWriter, r *http.Request, status int, message string) {
	// Browsers send Sec-Fetch-Mode over TLS and on loopback only; on a shop's network Accept must do.
	if r.Header.Get("Sec-Fetch-Mode") != "navigate" && !strings.Contains(r.Header.Get("Accept"), "text/html") {
		refuse(w, status, message)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<!doctype html><html lang="pt-BR"><meta name="viewport" content="width=device-width"><title>maquininha</title><h1>maquininha</h1><p>%s.`, message)
}

// knownHost refuses names that may be another's, pointed to this address.
func (g *Guard) knownHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if slices.Contains(g.names, host) {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && (g.token != "" || ip.IsLoopback())
}

// fromOwnPage tells the terminal's page from all others by what browsers say of where a request comes from: no page
// can set these headers. A change must say it; a read may come without, from the address bar. Reads are checked too,
// and a change that says nothing is refused: http.CrossOriginProtection does neither.
func fromOwnPage(r *http.Request) bool {
	if origins := r.Header.Values("Origin"); len(origins) > 0 {
		u, err := url.Parse(origins[0])
		return len(origins) == 1 && err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, r.Host)
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return site == "same-origin"
	}
	opens := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.URL.Path == "/"
	return site == "" || site == "same-origin" || site == "none" || opens
}

// admit takes the token out of the link, so that it does not stay in the address bar.
func (g *Guard) admit(w http.ResponseWriter, r *http.Request) bool {
	given := r.URL.Query().Get("token")
	if r.Method != http.MethodGet || r.URL.Path != "/" || !g.matches(given) {
		return false
	}
	http.SetCookie(w, &http.Cookie{
		Name: tokenCookie, Value: given, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: 400 * 24 * 3600,
	})
	rest := r.URL.Query()
	rest.Del("token")
	target := "/"
	if len(rest) > 0 {
		target += "?" + rest.Encode()
	}
	// Not a redirect: a browser that came from another site's link would not show the cookie on its way.
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintf(w, `<!doctype html><html lang="pt-BR"><meta http-equiv="refresh" content="0;url=%s"><title>maquininha</title><p><a href="%s">Abrir o terminal</a>`,
		html.EscapeString(target), html.EscapeString(target))
	return true
}

func (g *Guard) holdsToken(r *http.Request) bool {
	c, err := r.Cookie(tokenCookie)
	return err == nil && g.matches(c.Value)
}

func (g *Guard) matches(given string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(g.token)) == 1
}

// timedBody must be read to its end within bodyTimeout, or the connection is closed. The handler has no limit.
type timedBody struct {
	io.ReadCloser
	conn *http.ResponseController
}

func newTimedBody(w http.ResponseWriter, body io.ReadCloser) timedBody {
	b := timedBody{body, http.NewResponseController(w)}
	b.conn.SetReadDeadline(time.Now().Add(bodyTimeout)) //nolint:errcheck // the connection may be gone
	return b
}

func (b timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		b.conn.SetReadDeadline(time.Time{}) //nolint:errcheck // as above
	}
	return n, err
}
