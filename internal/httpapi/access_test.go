package httpapi_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	pathpkg "path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/device"
	"github.com/maquininha/maquininha/internal/docpage/docpagetest"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/httpapi/apidoc"
	"github.com/maquininha/maquininha/internal/waittest"
)

var nobody = header{"Authorization", ""}

const (
	contractMethods = "GET, POST, PUT, DELETE, OPTIONS"
	overJSON        = "Content-Length: 1048577" // one byte; the body itself need not be sent
	isBusy          = "Aplicativo ocupado realizando outra operação, tente mais tarde!"
)

func basic(credentials string) header {
	return header{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(credentials))}
}

// raw sends bytes as they are and reads one answer; then is done between the two.
func (m *terminal) raw(method, text string, then ...func(*net.TCPConn) error) *answer {
	m.t.Helper()
	a := &answer{t: m.t, what: fmt.Sprintf("%.80q", text)}
	conn, err := net.DialTimeout("tcp", m.host(), waittest.Limit)
	if err != nil {
		m.t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(waittest.Limit)) //nolint:errcheck // a real socket takes it
	if _, err := io.WriteString(conn, m.verbatim(text)); err != nil {
		m.t.Fatalf("%s: %v", a.what, err)
	}
	for _, do := range then {
		if err := do(conn.(*net.TCPConn)); err != nil {
			m.t.Fatalf("%s: %v", a.what, err)
		}
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		m.t.Fatalf("%s: %v", a.what, err)
	}
	defer resp.Body.Close()
	a.status, a.header = resp.StatusCode, resp.Header
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		m.t.Fatalf("%s: %v", a.what, err)
	}
	return a
}

// asks is a request line and headers with the right credentials, up to the blank line.
func asks(method, target string, more ...string) string {
	return method + " " + target + " HTTP/1.1\r\nHost: terminal\r\nConnection: close\r\nAuthorization: " +
		basic(testUser+":"+testPassword).value + "\r\n" + strings.Join(append(more, ""), "\r\n") + "\r\n"
}

type noEmulator struct{ httpapi.Emulator }

// operations are the routes in the description's words.
func operations(t *testing.T) (routes, described []string) {
	t.Helper()
	for _, pattern := range httpapi.New(httpapi.Desks{Device: device.New(device.Identity{})}, httpapi.Config{Emulator: noEmulator{}}).Patterns() {
		if pattern == "GET /docs/{file...}" {
			continue // what the page of GET /docs loads
		}
		routes = append(routes, strings.NewReplacer("/{$}", "/", "{picture}", "{n}.png").Replace(pattern))
	}
	slices.Sort(routes)
	return routes, docpagetest.Operations(docpagetest.Load(t, apidoc.Spec()))
}

func TestAccessRoutesAreTheDescribedOnes(t *testing.T) {
	t.Parallel()
	routes, described := operations(t)
	if diff := cmp.Diff(described, routes); diff != "" {
		t.Errorf("description and routes differ (-described +served):\n%s", diff)
	}
	for _, contract := range []string{ // sections 4.1 to 4.7
		"POST /sale", "PATCH /sale", "POST /sale/item", "PATCH /sale/item/{itemId}", "DELETE /sale/item/{itemId}", "POST /sale/item/{itemId}/cancel",
		"POST /sale/payment", "PATCH /sale/payment/{paymentId}", "DELETE /sale/payment/{paymentId}", "POST /sale/finalize", "POST /sale/cancel",
		"POST /ask", "POST /ask/form", "POST /ask/cancel", "POST /print/image", "POST /print/text", "POST /print/xml", "POST /print/acbr", "POST /transaction", "GET /transaction",
		"GET /transaction/{referenceId}", "POST /transaction/{referenceId}/reversal", "GET /logs", "GET /logs/zip/download", "GET /logs/stream",
		"POST /display/image", "POST /display/text", "POST /display/carousel", "POST /display/clear", "POST /display/pop",
		"GET /status", "GET /info", "POST /restart", "GET /docs", "GET /openapi.bundle.yaml",
	} {
		if !slices.Contains(routes, contract) {
			t.Errorf("%s is missing", contract)
		}
	}
}

var public = []string{"GET /", "GET /docs", "GET /openapi.bundle.yaml"}

func TestAccessNeedsCredentials(t *testing.T) {
	t.Parallel()
	m := start(t)
	challenge := regexp.MustCompile(`^Basic realm="[^"]+", charset="UTF-8"$`)
	refused := func(a *answer) {
		t.Helper()
		a.is(401, "Credenciais ausentes ou inválidas")
		if got := a.header.Get("WWW-Authenticate"); !challenge.MatchString(got) {
			t.Errorf("%s: WWW-Authenticate %q", a.what, got)
		}
	}
	routes, _ := operations(t)
	for _, pattern := range routes {
		method, path, _ := strings.Cut(pattern, " ")
		path = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "1")
		if a := m.call(method, path, nil, nobody); !slices.Contains(public, pattern) {
			refused(a)
		} else if a.ok(); len(a.body) == 0 {
			t.Errorf("%s is empty", pattern)
		}
	}
	// Paths and methods that are not there tell a stranger nothing either.
	for _, row := range []struct{ method, path string }{
		{"GET", "/nada"},
		{"PUT", "/sale"},
		{"POST", "/docs"},
		{"DELETE", "/openapi.bundle.yaml"},
		{"POST", "/"},
		{"GET", "/docs/nada"},
		{"GET", "/Docs"},
		{"GET", "/openapi.bundle.yaml/"},
		{"GET", "/emulator/nada"},
		{"TRACE", "/status"},
		{"HACK", "/sale"},
	} {
		refused(m.unchecked(row.method, row.path, nil, nobody))
	}
	utf := testUser + ":" + testPassword
	tries := 0
	for name, h := range map[string]header{
		"wrong password": basic(testUser + ":errada"), "wrong user": basic("outro:" + testPassword), "empty password": basic(testUser + ":"), "empty user": basic(":" + testPassword),
		"nothing": basic(""), "a colon": basic(":"), "no colon": basic(testUser + testPassword), "longer": basic(utf + "x"), "shorter": basic(utf[:len(utf)-1]), "swapped": basic(testPassword + ":" + testUser),
		"upper case": basic(strings.ToUpper(testUser) + ":" + testPassword), "NUL": basic(utf + "\x00"), "Latin-1": basic(testUser + ":segr\xeado"), "without accent": basic(testUser + ":segredo"),
		"not Base64": {"Authorization", "Basic ***"}, "bare": {"Authorization", "Basic"}, "plain text": {"Authorization", "Basic " + utf}, "Bearer": {"Authorization", "Bearer " + basic(utf).value[6:]},
		"Digest": {"Authorization", `Digest username="loja"`}, "no scheme": {"Authorization", basic(utf).value[6:]}, "other header": {"Proxy-Authorization", basic(utf).value},
	} {
		if tries++; tries%8 == 0 {
			m = start(t) // the first ten are answered at once
		}
		headers := []header{h}
		if h.name != "Authorization" {
			headers = append(headers, nobody)
		}
		a := m.call("GET", "/status", nil, headers...)
		a.what += " with " + name
		refused(a)
	}
	m.call("GET", "/status", nil, header{"Authorization", strings.Replace(basic(m.user+":"+m.secret).value, "Basic", "basic", 1)}).ok() // a scheme has no case
	m.call("GET", "/docs", nil, basic("outro:errada")).ok()                                                                             // public is public
	if a := m.unchecked("GET", "/status?user=loja&password=segredo", nil, nobody); a.status != 401 {
		t.Errorf("credentials in the query: %d", a.status)
	}
}

func TestAccessCredentialsOfTheInstallation(t *testing.T) {
	t.Parallel()
	directOnly(t, "the terminal's own password")
	m := start(t, func(c *app.Config) { c.Username, c.Password = "joão 😀", "a:b:ç" })
	m.call("GET", "/status", nil, basic("joão 😀:a:b:ç")).ok()
	m.call("GET", "/status", nil).is(401, "Credenciais ausentes ou inválidas")
	m.call("GET", "/status", nil, basic("joão 😀:a")).is(401, "Credenciais ausentes ou inválidas")
}

func TestAccessPublicPages(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, path := range []string{"/", "/docs"} {
		a := m.unchecked("GET", path, nil, nobody)
		if a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !bytes.Contains(bytes.ToLower(a.body), []byte("<html")) {
			t.Errorf("GET %s: %d %s", path, a.status, a.header)
		}
		// Whatever a page loads is as public as the page.
		for _, found := range regexp.MustCompile(`(?:src|href)="(/?[\w./-]+)"`).FindAllSubmatch(a.body, -1) {
			target := pathpkg.Join("/", string(found[1]))
			if got := m.unchecked("GET", target, nil, nobody); got.status != 200 {
				t.Errorf("%s refers to %s: %d", path, target, got.status)
			}
		}
	}
	if a := m.unchecked("GET", "/", nil, nobody); !bytes.Contains(a.body, []byte(`href="docs"`)) {
		t.Error("the landing page does not lead to /docs")
	}
	if a := m.unchecked("GET", "/openapi.bundle.yaml", nil, nobody); a.status != 200 || !bytes.Equal(a.body, apidoc.Spec()) {
		t.Errorf("GET /openapi.bundle.yaml: %d, %d bytes", a.status, len(a.body))
	}
}

func TestAccessUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, path := range []string{
		"/nada", "/sale/", "/sale/item/", "/sale/item//cancel", "/sale/item/1/nada", "/SALE", "/ask/form/", "/status/", "/docs/nada", "/docs/../status", "/docs/..%2Fstatus", "/docs/%2e%2e/status", "/../status",
		"/sale/../status", "//status", "/status//", "/./status", "/status/.", "/status/..", "///", "/sale%2Fitem", "/st%61tus/", "/emulator", "/emulator/printer/jobs/", "/logs/zip", "/logs/zip/download/", "/favicon.ico",
	} {
		a := m.raw("GET", asks("GET", path))
		a.is(404, "Rota não encontrada")
		m.isError(a)
		if a := m.raw("GET", strings.Replace(asks("GET", path), "Authorization", "X-Nada", 1)); a.status != 401 {
			t.Errorf("GET %s without credentials: %d, want 401", path, a.status)
		}
	}
	for _, row := range []struct{ method, path, allow string }{
		{"PUT", "/ask", "OPTIONS, POST"},
		{"DELETE", "/sale", "GET, HEAD, OPTIONS, PATCH, POST, PUT"},
		{"GET", "/sale/clear", "DELETE, OPTIONS"},
		{"POST", "/sales/1", "GET, HEAD, OPTIONS"},
		{"GET", "/sale/item", "OPTIONS, POST"},
		{"GET", "/sale/item/1", "DELETE, OPTIONS, PATCH, PUT"},
		{"POST", "/sale/item/clear", "DELETE, OPTIONS, PATCH, PUT"},
		{"GET", "/sale/item/1/cancel", "OPTIONS, POST"},
		{"GET", "/ask", "OPTIONS, POST"},
		{"DELETE", "/transaction", "GET, HEAD, OPTIONS, POST"},
		{"POST", "/transaction/r1", "GET, HEAD, OPTIONS"},
		{"POST", "/status", "GET, HEAD, OPTIONS"},
		{"GET", "/restart", "OPTIONS, POST"},
		{"POST", "/docs", "GET, HEAD, OPTIONS"},
		{"POST", "/", "GET, HEAD, OPTIONS"},
		{"PUT", "/openapi.bundle.yaml", "GET, HEAD, OPTIONS"},
		{"TRACE", "/status", "GET, HEAD, OPTIONS"},
		{"HACK", "/logs/stream", "GET, HEAD, OPTIONS"},
		{"GET", "/display/pop", "OPTIONS, POST"},
		{"POST", "/emulator/screen", "GET, HEAD, OPTIONS"},
	} {
		a := m.call(row.method, row.path, nil).is(405, "Método não permitido")
		if got := a.header.Get("Allow"); got != row.allow {
			t.Errorf("%s: Allow %q, want %q", a.what, got, row.allow)
		}
	}
}

func TestAccessHead(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, row := range []struct {
		path   string
		who    header
		status int
	}{
		{"/status", header{}, 200},
		{"/info", header{}, 200},
		{"/sale", header{}, 409},
		{"/transaction", header{}, 200},
		{"/logs", header{}, 200},
		{"/nada", header{}, 404},
		{"/ask", header{}, 405},
		{"/", nobody, 200},
		{"/docs", nobody, 200},
		{"/openapi.bundle.yaml", nobody, 200},
		{"/status", nobody, 401},
	} {
		var headers []header
		if row.who.name != "" {
			headers = append(headers, row.who)
		}
		if a := m.unchecked("HEAD", row.path, nil, headers...); a.status != row.status || len(a.body) != 0 {
			t.Errorf("HEAD %s: %d %q, want %d and no body", row.path, a.status, a.body, row.status)
		}
	}
}

func TestAccessPrecedence(t *testing.T) {
	t.Parallel()
	m := start(t, shortBodyTimeout)
	large := func(method, path string) *answer { return m.raw(method, asks(method, path, overJSON)) }
	const tooLarge = "Requisição grande demais: o limite é de 1 MiB"
	// 413 and 400 before 409 and 404: no sale is open.
	large("POST", "/sale/item").is(413, tooLarge)
	large("PATCH", "/sale/item/nada").is(413, tooLarge)
	m.call("POST", "/sale/item", `{"code":1}`).blames("code")
	m.call("PATCH", "/sale/payment/nada", `{"value":-1}`).blames("value")
	m.call("PATCH", "/sale", `[]`).blames("")
	m.call("POST", "/emulator/answer", `{`).blames("")
	payment := m.holdOpen("/transaction", `{"tPag":"03","amount":5.00}`)
	m.awaitScreen("the payment", paying)
	for _, path := range []string{"/transaction", "/transaction/nada/reversal", "/print/image", "/print/text", "/print/xml", "/print/acbr", "/drawer", "/ask", "/ask/form", "/display/image", "/display/text", "/display/carousel", "/display/clear", "/display/pop"} {
		for _, a := range []*answer{m.call("POST", path, nil), m.call("POST", path, `{`), large("POST", path)} {
			a.is(503, isBusy) // before 413, 400, 404
		}
		m.call("POST", path, `{`, nobody).is(401, "Credenciais ausentes ou inválidas") // 401 before busy
		m.call("PUT", path, `{`).is(405, "Método não permitido")                       // 405 before busy
		m.call("POST", path+"/a/b/c", `{`).is(404, "Rota não encontrada")              // 404 before busy
	}
	for _, row := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/status", 200},
		{"GET", "/info", 200},
		{"GET", "/logs", 200},
		{"GET", "/logs/zip/download", 200},
		{"GET", "/docs", 200},
		{"GET", "/transaction", 200},
		{"GET", "/transaction/nada", 404},
		{"POST", "/ask/cancel", 200},
		{"POST", "/restart", 403},
		{"GET", "/sale", 409},
	} {
		if a := m.unchecked(row.method, row.path, nil); a.status != row.status {
			t.Errorf("%s %s while busy: %d %s, want %d", row.method, row.path, a.status, a.body, row.status)
		}
	}
	if m.call("GET", "/info", nil).ok().json()["isBusy"] != true {
		t.Error("isBusy is false while a payment runs")
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	payment.answer().is(200, "Transação aprovada")
	if m.call("GET", "/info", nil).ok().json()["isBusy"] != false {
		t.Error("isBusy is true after the payment")
	}
}
