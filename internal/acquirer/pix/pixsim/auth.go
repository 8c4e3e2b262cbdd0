package pixsim

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

type token struct {
	scopes []string
	until  time.Time
}

// no is why a token is not given, as RFC 6749 has it.
type no struct {
	status    int
	code, why string
}

// giveToken is the token endpoint. A request that fits none of the bank's forms is refused for what the first of them lacks.
func (b *Bank) giveToken(r *request) reply {
	var first *no
	for _, ask := range b.manner.Asks {
		scopes, refused := ask.read(r, b.config)
		if refused == nil {
			return b.given(scopes)
		}
		if first == nil {
			first = refused
		}
	}
	b.violate(r, first.why)
	return reply{Status: first.status, Body: map[string]string{"error": first.code, "error_description": first.why}, Why: first.why}
}

func (b *Bank) given(scopes []string) reply {
	value := rand.Text()
	b.tokens[value] = token{scopes: scopes, until: time.Now().Add(b.config.TokenLife)}
	answer := map[string]any{
		"access_token": value, "token_type": "Bearer", "expires_in": int(b.config.TokenLife / time.Second), "scope": strings.Join(scopes, " "),
	}
	for _, name := range b.manner.TokenAlso {
		answer[name] = rand.Text()
		if name == "client_id" {
			answer[name] = b.config.ClientID
		}
	}
	return reply{Status: cmp.Or(b.manner.TokenStatus, http.StatusOK), Body: answer}
}

// read takes the request as this form has it, and nothing besides.
func (a Ask) read(r *request, c Config) (scopes []string, refused *no) {
	fields, err := a.fields(r)
	if err != "" {
		return nil, &no{http.StatusBadRequest, "invalid_request", err}
	}
	if why := a.credentials(r, fields, c); why != "" {
		return nil, &no{http.StatusUnauthorized, "invalid_client", why}
	}
	query := r.URL.Query()
	granted := fields.take("grant_type")
	if a.Grant == "query" {
		granted = query.Get("grant_type")
		query.Del("grant_type")
	}
	switch {
	case a.Grant == "omit" && granted != "":
		return nil, &no{http.StatusBadRequest, "invalid_request", "grant_type não é enviado a este banco"}
	case a.Grant != "omit" && granted != "client_credentials":
		return nil, &no{http.StatusBadRequest, "unsupported_grant_type", "grant_type não é client_credentials"}
	case len(query) > 0:
		return nil, &no{http.StatusBadRequest, "invalid_request", "a chamada não tem estes parâmetros na URL"}
	}
	if a.Scopes == nil {
		scopes = allScopes // none is asked for, and the token opens everything
	} else {
		scopes = strings.Fields(fields.take("scope"))
	}
	for _, s := range scopes {
		if a.Scopes != nil && !slices.Contains(a.Scopes, s) {
			return nil, &no{http.StatusBadRequest, "invalid_scope", "o escopo " + s + " não existe"}
		}
	}
	for name := range fields {
		return nil, &no{http.StatusBadRequest, "invalid_request", "o campo " + name + " não é deste banco"}
	}
	return scopes, nil
}

// tokenFields are those of a body.
type tokenFields map[string]string

func (f tokenFields) take(name string) string {
	value := f[name]
	delete(f, name)
	return value
}

// fields reads the body; or why it can't be read.
func (a Ask) fields(r *request) (tokenFields, string) {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	fields := tokenFields{}
	if a.JSON {
		if media != "application/json" || json.Unmarshal(r.Body, &fields) != nil {
			return nil, "o corpo não é um objeto JSON de textos"
		}
		return fields, ""
	}
	form, err := url.ParseQuery(string(r.Body))
	if media != "application/x-www-form-urlencoded" || err != nil {
		return nil, "o corpo não é um formulário"
	}
	for name, values := range form {
		if len(values) > 1 {
			return nil, "o campo " + name + " vem duas vezes"
		}
		fields[name] = values[0]
	}
	return fields, ""
}

// credentials are right, or why not.
func (a Ask) credentials(r *request, fields tokenFields, c Config) string {
	id, secret, basic := r.BasicAuth()
	if a.Auth != "basic" {
		if r.Header.Get("Authorization") != "" {
			return "as credenciais vão no corpo, sem Authorization"
		}
		id, secret = fields.take("client_id"), fields.take("client_secret")
	} else if !basic {
		return "sem credenciais Basic"
	}
	want := c.ClientSecret
	if a.Auth == "public" {
		want = "" // there is none
	}
	if !a.same(id, c.ClientID) || !a.same(secret, want) {
		return "credenciais erradas"
	}
	return ""
}

// same takes credentials as they are, which is how banks compare them.
func (a Ask) same(got, want string) bool {
	equal := func(s string) bool { return subtle.ConstantTimeCompare([]byte(s), []byte(want)) == 1 }
	plain, err := url.QueryUnescape(got)
	return equal(got) || a.Escaped && err == nil && equal(plain)
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
		refusal = b.problem(http.StatusUnauthorized, "AcessoNegado", "token desconhecido")
	case time.Now().After(t.until):
		refusal = b.bad(r, http.StatusUnauthorized, "AcessoNegado", "token expirado")
	case !slices.Contains(t.scopes, scope):
		refusal = b.bad(r, http.StatusForbidden, "AcessoNegado", "o token não tem o escopo "+scope)
	default:
		return nil
	}
	return &refusal
}
