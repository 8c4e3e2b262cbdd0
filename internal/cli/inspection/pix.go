package inspection

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// whyNoPIX says which of credentials, certificate, key and address is wrong, in the words of whoever configures.
func whyNoPIX(err error, p app.PSP, profile pix.Profile) string {
	settings := p.Driver().Effective()
	at, shown := p.TokenURL, *settings.TokenCert
	if errors.Is(err, pix.ErrAPI) {
		at, shown = p.URL, *settings.APICert
	}
	host := at
	if u, parsed := url.Parse(at); parsed == nil {
		host = u.Host
	}
	var authority x509.UnknownAuthorityError
	var alert tls.AlertError
	status, text, answered := pix.Answer(err)
	said := strings.TrimSuffix(fmt.Sprintf("%d: %s", status, text), ": ")
	switch {
	case answered && status == http.StatusForbidden && text == "" && shown && p.Certificate == "":
		return fmt.Sprintf("%s pede o certificado do cliente (veja --pix-cert; %s)", host, said)
	case answered && status == http.StatusForbidden && text == "" && shown: // wrong credentials are refused with words
		return fmt.Sprintf("%s recusou o certificado do cliente: é o que foi registrado no banco para esta aplicação? (veja --pix-cert; %s)", host, said)
	case answered && errors.Is(err, pix.ErrAPI):
		return whyNoAPI(status, said, p, profile)
	case answered && (status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusBadRequest):
		return hinted(fmt.Sprintf("o banco recusou %s (%s)", credentials(settings), said), profile.TokenHint)
	case answered:
		return fmt.Sprintf("%s respondeu %s", at, said)
	case errors.As(err, &authority):
		return "o certificado de " + host + " não é de uma autoridade conhecida (veja --pix-ca)"
	case errors.As(err, &alert):
		return host + " recusou o certificado do cliente (veja --pix-cert e --pix-cert-key)"
	}
	if why := whyNotReached(err, host); why != "" {
		return why
	}
	for _, wrong := range []struct {
		err   error
		words string
	}{
		{pix.ErrNotHTTPS, "os endereços do banco (--pix-url e --pix-token-url) devem começar com https://"},
		{pix.ErrNoURL, "--pix-url e --pix-token-url devem ser endereços como https://pix.banco.com.br/v2"},
		{pix.ErrURLParts, "--pix-url e --pix-token-url não podem ter usuário, ? nem #"},
		{pix.ErrLongKey, "--pix-key tem no máximo 77 caracteres"},
		{pix.ErrLongNote, "--pix-note tem no máximo 140 caracteres"},
		{pix.ErrExpiry, "--pix-expiry deve estar entre 1s e 24h"},
		{pix.ErrCAUnreadable, "a autoridade " + p.CA + " (--pix-ca) não pode ser lida"},
		{pix.ErrNoCertificate, p.CA + " (--pix-ca) não tem nenhum certificado em PEM"},
	} {
		if errors.Is(err, wrong.err) {
			return wrong.words
		}
	}
	if errors.Is(err, pix.ErrAPI) {
		return host + " não respondeu à API: " + portuguese.Error(err)
	}
	return host + " não deu o token: " + portuguese.Error(err)
}

// credentials are what the bank knows the shop by.
func credentials(s pix.Settings) string {
	if s.Secret() {
		return "o client ID ou o client secret"
	}
	return "o client ID"
}

// whyNoAPI is for a token that was given and does not open the API.
func whyNoAPI(status int, said string, p app.PSP, profile pix.Profile) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusBadRequest:
		suspects := []string{"o certificado (--pix-cert)"}
		if profile.NeedsAppKey {
			suspects = append([]string{"a chave da aplicação (--pix-app-key)"}, suspects...)
		}
		if strings.Contains(profile.Headers, "{account}") {
			suspects = append([]string{"a conta (--pix-account)"}, suspects...)
		}
		return hinted(fmt.Sprintf("o banco deu o token, mas a API o recusou (%s): confira %s", said, strings.Join(suspects, " e ")), profile.ForbiddenHint)
	case http.StatusNotFound:
		return fmt.Sprintf("o banco deu o token, mas %s não é a API Pix (%s): confira --pix-url", p.URL, said)
	}
	return fmt.Sprintf("o banco deu o token, mas %s respondeu %s", p.URL, said)
}

func hinted(text, hint string) string {
	if hint == "" {
		return text
	}
	return text + "; " + hint
}
