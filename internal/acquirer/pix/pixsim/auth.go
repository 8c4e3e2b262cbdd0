package pixsim

import (
	"crypto/rand"
	"crypto/subtle"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

var allScopes = []string{"cob.write", "cob.read", "pix.write", "pix.read"}

type token struct {
	scopes []string
	until  time.Time
}

// giveToken is the token endpoint, as RFC 6749 has it.
func (b *Bank) giveToken(r *request) reply {
	form, err := url.ParseQuery(string(r.Body))
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	id, secret, basic := r.BasicAuth()
	switch {
	case media != "application/x-www-form-urlencoded" || err != nil:
		return b.oauthError(r, http.StatusBadRequest, "invalid_request", "o corpo não é um formulário")
	case !basic:
		return b.oauthError(r, http.StatusUnauthorized, "invalid_client", "sem credenciais Basic")
	case !same(id, b.config.ClientID) || !same(secret, b.config.ClientSecret):
		return b.oauthError(r, http.StatusUnauthorized, "invalid_client", "credenciais erradas")
	case form.Get("grant_type") != "client_credentials":
		return b.oauthError(r, http.StatusBadRequest, "unsupported_grant_type", "grant_type não é client_credentials")
	}
	scopes := strings.Fields(form.Get("scope"))
	for _, s := range scopes {
		if !slices.Contains(allScopes, s) {
			return b.oauthError(r, http.StatusBadRequest, "invalid_scope", "o escopo "+s+" não existe")
		}
	}
	value := rand.Text()
	b.tokens[value] = token{scopes: scopes, until: time.Now().Add(b.config.TokenLife)}
	return reply{Status: http.StatusOK, Body: map[string]any{
		"access_token": value, "token_type": "Bearer", "expires_in": int(b.config.TokenLife / time.Second), "scope": strings.Join(scopes, " "),
	}}
}

// same takes credentials as they are, which is how banks compare them, or escaped as RFC 6749 has it.
func same(got, want string) bool {
	equal := func(s string) bool { return subtle.ConstantTimeCompare([]byte(s), []byte(want)) == 1 }
	plain, err := url.QueryUnescape(got)
	return equal(got) || err == nil && equal(plain)
}

func (b *Bank) oauthError(r *request, status int, code, why string) reply {
	b.violate(r, why)
	return reply{Status: status, Body: map[string]string{"error": code, "error_description": why}}
}

// authorize refuses a request without a token that opens this scope; nil: it may pass.
func (b *Bank) authorize(r *request, scope string) *reply {
	value, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	t, known := b.tokens[value]
	var refusal reply
	switch {
	case !bearer || value == "":
		refusal = b.bad(r, http.StatusUnauthorized, "AcessoNegado", "sem token Bearer")
	case !known:
		// Not a violation: the PSP may have forgotten the token early.
		refusal = problem(http.StatusUnauthorized, "AcessoNegado", "token desconhecido")
	case time.Now().After(t.until):
		refusal = b.bad(r, http.StatusUnauthorized, "AcessoNegado", "token expirado")
	case !slices.Contains(t.scopes, scope):
		refusal = b.bad(r, http.StatusForbidden, "AcessoNegado", "o token não tem o escopo "+scope)
	default:
		return nil
	}
	return &refusal
}
