package pixsim

import (
	"net/http"
	"regexp"
	"slices"
	"time"
)

var uuidPattern = regexp.MustCompile(`^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)

// atTheDoor refuses what does not get as far as the call itself; nil: it may pass.
func (b *Bank) atTheDoor(r *request, route route) *reply {
	var no reply
	switch {
	case b.wantsCertificate(route) && (r.TLS == nil || len(r.TLS.VerifiedChains) == 0):
		b.violate(r, "sem certificado de cliente")
		no = reply{Status: http.StatusForbidden, Media: "text/html", Why: "sem certificado de cliente"} // a gateway's: only its status speaks
	case b.tooMany():
		no = b.plain(http.StatusTooManyRequests, "pedidos demais em um minuto")
	case route.scope == "":
		return nil
	default:
		if why := b.lacking(r); why != "" {
			no = b.bad(r, http.StatusForbidden, "AcessoNegado", why)
			break
		}
		return b.authorize(r, route.scope)
	}
	return &no
}

// wantsCertificate tells whether the bank does, where certificates are spoken of at all.
func (b *Bank) wantsCertificate(route route) bool {
	return b.config.TLS != nil && b.config.TLS.ClientCAs != nil && (route.scope != "" || !b.manner.NoTokenCert)
}

// tooMany counts a call, and tells of one beyond those of a minute.
func (b *Bank) tooMany() bool {
	if b.config.PerMinute == 0 {
		return false
	}
	now := time.Now()
	b.calls = slices.DeleteFunc(b.calls, func(t time.Time) bool { return now.Sub(t) >= time.Minute })
	if len(b.calls) >= b.config.PerMinute {
		return true
	}
	b.calls = append(b.calls, now)
	return false
}

// lacking is the first header or parameter that is missing or wrong.
func (b *Bank) lacking(r *request) string {
	for _, f := range b.manner.Headers {
		if why := b.wrong(f, r.Header.Values(f.Name)); why != "" {
			return "cabeçalho " + why
		}
	}
	query := r.URL.Query()
	for _, f := range b.manner.Query {
		if why := b.wrong(f, query[f.Name]); why != "" {
			return "parâmetro " + why
		}
	}
	return ""
}

// strays tells of parameters that no call of this bank has.
func (b *Bank) strays(r *request) bool {
	query := r.URL.Query()
	for _, f := range b.manner.Query {
		query.Del(f.Name)
	}
	return len(query) > 0
}

func (b *Bank) wrong(f Field, values []string) string {
	want := map[string]string{"{client_id}": b.config.ClientID, "{app_key}": b.config.AppKey, "{account}": b.config.Account}[f.Value]
	switch {
	case f.Value == "{account}" && want == "":
		return "" // the shop has one account: it may be named or not
	case len(values) != 1:
		return f.Name + " ausente"
	case f.Value == "{uuid}" && !uuidPattern.MatchString(values[0]):
		return f.Name + " não é um UUID"
	case f.Value == "{uuid}" && b.named[values[0]]:
		return f.Name + " já foi usado em outra chamada"
	case f.Value == "{uuid}":
		b.named[values[0]] = true
	case values[0] != want:
		return f.Name + " errado"
	}
	return ""
}
