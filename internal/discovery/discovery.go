// Package discovery lets terminals be found in the shop's network: it announces one over multicast DNS (RFC 6762 and
// 6763), and finds those that are announced.
//
// Anybody in the network may send anything. So nothing that comes in is trusted: it is bounded, cleaned before anybody
// sees it, and the worst it can do to a terminal is to have it announced under another name. Announcing is a courtesy: no
// failure of it ends anything else.
package discovery

import (
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Service is the kind of service that terminals are.
const Service = "_maquininha._tcp"

// Terminal is one as the network knows it. Port and SecurePort are the API's over HTTP and over HTTPS; 0 is none.
type Terminal struct {
	Name        string
	Version     string
	Mode        string
	Port        int
	SecurePort  int
	Fingerprint string // SHA-256 of the certificate, in hexadecimal digits
	Pin         string // of its key, as curl's --pinnedpubkey takes it

	Addresses []netip.Addr // only of one that was found
}

// port is what the service record says: HTTP's where it is spoken, because that is what plain callers use.
func (t Terminal) port() int {
	if t.Port != 0 {
		return t.Port
	}
	return t.SecurePort
}

// The keys of the text record; each value is public.
const (
	keyFormat      = "txtvers"
	keyVersion     = "version"
	keyMode        = "mode"
	keyPath        = "path"
	keyScheme      = "scheme" // of the port in the service record
	keySecurePort  = "https"
	keyFingerprint = "sha256"
	keyPin         = "pin"
)

// text is the text record: a string of at most 255 bytes for each key.
func (t Terminal) text() []string {
	scheme := "http"
	if t.Port == 0 {
		scheme = "https"
	}
	pairs := []string{keyFormat, "1", keyVersion, t.Version, keyMode, t.Mode, keyPath, "/", keyScheme, scheme}
	if t.SecurePort != 0 {
		pairs = append(pairs, keySecurePort, strconv.Itoa(t.SecurePort), keyFingerprint, t.Fingerprint, keyPin, t.Pin)
	}
	var record []string
	for i := 0; i < len(pairs); i += 2 {
		record = append(record, cut(pairs[i]+"="+pairs[i+1], 255))
	}
	return record
}

// describe takes what a text record says of a terminal on the given port.
func (t *Terminal) describe(record []string, port int) {
	said := map[string]string{}
	for _, pair := range record {
		key, value, _ := strings.Cut(pair, "=")
		if key = strings.ToLower(key); key != "" && said[key] == "" {
			said[key] = clean(value)
		}
	}
	t.Version, t.Mode, t.Pin = said[keyVersion], said[keyMode], said[keyPin]
	if sum, err := hex.DecodeString(said[keyFingerprint]); err == nil && len(sum) == 32 {
		t.Fingerprint = strings.ToLower(said[keyFingerprint])
	}
	if t.Port = port; said[keyScheme] == "https" {
		t.Port, t.SecurePort = 0, port
	}
	if secure, err := strconv.ParseUint(said[keySecurePort], 10, 16); err == nil {
		t.SecurePort = int(secure)
	}
}

// clean makes bytes from the network fit for a person's screen: valid text, on one line, without what steers terminals or
// turns the direction of writing.
func clean(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsGraphic(r) && r != ' ' {
			return -1
		}
		return r
	}, s))
}

// cut shortens a text to so many bytes, between two letters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// label is a name as the network takes one: 63 bytes, and dots would divide it.
func label(name string, attempt int) string {
	const most = 63
	name = strings.ReplaceAll(clean(name), ".", "-")
	if name == "" {
		name = "maquininha"
	}
	if attempt < 2 {
		return cut(name, most)
	}
	number := " (" + strconv.Itoa(attempt) + ")"
	return cut(name, most-len(number)) + number
}
