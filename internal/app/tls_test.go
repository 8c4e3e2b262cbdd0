//go:build unix

package app_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/app"
)

// secureCaller calls over HTTPS and trusts just the certificates of a file.
func secureCaller(t *testing.T, address, certFile string) caller {
	t.Helper()
	text, err := os.ReadFile(certFile)
	must(t, err)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		t.Fatalf("%s holds no certificate", certFile)
	}
	c := newCaller(t, "https://"+address)
	transport := c.client.Transport.(*http.Transport)
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	transport.ForceAttemptHTTP2 = true
	return c
}

// presented is the certificate a listener shows.
func presented(t *testing.T, address string) *x509.Certificate {
	t.Helper()
	conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
	must(t, err)
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0]
}

// What is spoken over TLS: nothing old, and HTTP only to say that it is the wrong door.
func TestTLSSpokenHere(t *testing.T) {
	t.Parallel()
	c := config(t.TempDir())
	c.TLS = app.TLS{Listen: "127.0.0.1:0"}
	term := start(t, c)
	address := term.app.SecureAddress().String()
	for _, version := range []uint16{tls.VersionTLS10, tls.VersionTLS11} {
		if conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version}); err == nil {
			conn.Close()
			t.Errorf("%s is spoken", tls.VersionName(version))
		}
	}
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, MaxVersion: version, NextProtos: []string{"h2", "http/1.1"}})
		if err != nil {
			t.Errorf("%s: %v", tls.VersionName(version), err)
			continue
		}
		if s := conn.ConnectionState(); s.Version != version || s.NegotiatedProtocol != "http/1.1" {
			t.Errorf("%s with %q", tls.VersionName(s.Version), s.NegotiatedProtocol)
		}
		conn.Close()
	}
	status, body := newCaller(t, "http://"+address).call(t, "GET", "/status", "")
	if status != http.StatusBadRequest || !strings.Contains(body, "https://") || !strings.Contains(body, `"code":400`) {
		t.Errorf("HTTP at the door of HTTPS: %d %s", status, body)
	}
	// Those who begin a handshake and never end it keep nobody else from theirs.
	for range 50 {
		conn, err := net.Dial("tcp", address)
		must(t, err)
		t.Cleanup(func() { conn.Close() })
		_, err = conn.Write([]byte("\x16\x03\x01\x02"))
		must(t, err)
	}
	secure := secureCaller(t, address, filepath.Join(c.Data, "tls-cert.pem"))
	secure.ok(t, "GET", "/status", "")
	if status, _ := secure.as(user, "wrong").call(t, "GET", "/status", ""); status != http.StatusUnauthorized {
		t.Errorf("a wrong password over HTTPS: %d", status)
	}
	must(t, term.stop())
}

// A restart of the service keeps both doors, and the connections of both.
func TestRestartKeepsBothDoors(t *testing.T) {
	t.Parallel()
	c := config(t.TempDir())
	c.TLS = app.TLS{Listen: "127.0.0.1:0"}
	term := start(t, c)
	address := term.app.SecureAddress().String()
	secure := secureCaller(t, address, filepath.Join(c.Data, "tls-cert.pem"))
	before := presented(t, address)
	for range 3 {
		secure.ok(t, "POST", "/restart", "")
		term.ok(t, "GET", "/status", "")
		term.ok(t, "POST", "/restart", "")
		secure.ok(t, "GET", "/status", "")
	}
	if !presented(t, address).Equal(before) || term.app.SecureAddress().String() != address {
		t.Error("another door after the restart")
	}
	secure.client.CloseIdleConnections()
	must(t, term.stop())
}

// The screen speaks both at one address; the link with the token is for HTTPS.
func TestScreenOverTLS(t *testing.T) {
	t.Parallel()
	c := config(t.TempDir())
	c.Screen, c.TLS = "0.0.0.0:0", app.TLS{Listen: "127.0.0.1:0"}
	term := start(t, c)
	link := regexp.MustCompile(`https://\S+:(\d+)/\?token=(\S+)`).FindStringSubmatch(term.app.Welcome())
	if link == nil {
		t.Fatalf("no link for HTTPS in:\n%s", term.app.Welcome())
	}
	address := "127.0.0.1:" + link[1]
	secure := secureCaller(t, address, filepath.Join(c.Data, "tls-cert.pem"))
	for _, base := range []string{"https://" + address, "http://" + address} {
		resp, err := secure.client.Get(base + "/?token=" + link[2])
		must(t, err)
		resp.Body.Close()
		cookies := resp.Cookies()
		if resp.StatusCode != http.StatusOK || len(cookies) != 1 {
			t.Fatalf("%s: %d, %v", base, resp.StatusCode, cookies)
		}
		req, err := http.NewRequestWithContext(t.Context(), "POST", base+"/closing/dismiss", strings.NewReader("{}"))
		must(t, err)
		req.AddCookie(cookies[0])
		for origin, want := range map[string]int{base: http.StatusNoContent, "https://evil.example": http.StatusForbidden} {
			req.Header.Set("Origin", origin)
			req.Body, _ = req.GetBody()
			resp, err := secure.client.Do(req)
			must(t, err)
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%s from %s: %d, want %d", base, origin, resp.StatusCode, want)
			}
		}
	}
	for _, half := range []string{"", "\x16", "\x16\x03\x01\x02"} { // who says nothing, or stops in the greeting
		conn, err := net.Dial("tcp", address)
		must(t, err)
		defer conn.Close()
		_, err = conn.Write([]byte(half))
		must(t, err)
	}
	secure.client.CloseIdleConnections()
	must(t, term.stop())
}
