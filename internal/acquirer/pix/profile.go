package pix

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Settings are how a bank wants to be spoken to where it departs from the Central Bank's text. A profile has a bank's own;
// a configuration may have others. What is empty is as the profile says, and else as the Central Bank does.
type Settings struct {
	TokenAuth   string // one of TokenAuths
	TokenFormat string // one of TokenFormats
	TokenGrant  string // one of TokenGrants
	Scopes      string // separated by blanks; NoScopes: none are asked for
	BasicEscape *bool  // percent-escapes the credentials of Basic first, as RFC 6749 has it and hardly a bank does
	TokenCert   *bool  // shows the client certificate to who gives tokens
	APICert     *bool  // … and to the API
	// Headers go with every call, as "name: value; name: value", and Query with those of the API, as "name=value&name=value".
	// {client_id}, {app_key}, {account}, {token} and {uuid} stand for what they say; what comes out empty is left out.
	Headers, Query string
	CodeCall       string // path that tells the code where a charge lacks it, with {txid} and {loc}; NoCall: none
	CreatePath     string // where charges are created; cob
	PatchURL       string // where they are withdrawn, relative to the API's address
}

// The words of the settings. The first is what the Central Bank's text asks for.
var (
	TokenAuths   = []string{"basic", "body", "body-public", "none"} // body-public: there is no secret; none: the secret is the token
	TokenFormats = []string{"form", "json"}
	TokenGrants  = []string{"body", "query", "omit"}
	CreatePaths  = []string{"cob", "cob-emv"}
)

// NoScopes and NoCall say that there is nothing, where an empty text would mean the profile's own.
const (
	NoScopes = "none"
	NoCall   = "none"
)

const usualScopes = "cob.write cob.read pix.write pix.read"

// over is s where it says something, p where it does not.
func (s Settings) over(p Settings) Settings {
	return Settings{
		TokenAuth: cmp.Or(s.TokenAuth, p.TokenAuth), TokenFormat: cmp.Or(s.TokenFormat, p.TokenFormat), TokenGrant: cmp.Or(s.TokenGrant, p.TokenGrant),
		Scopes: cmp.Or(s.Scopes, p.Scopes), BasicEscape: cmp.Or(s.BasicEscape, p.BasicEscape),
		TokenCert: cmp.Or(s.TokenCert, p.TokenCert), APICert: cmp.Or(s.APICert, p.APICert),
		Headers: cmp.Or(s.Headers, p.Headers), Query: cmp.Or(s.Query, p.Query), CodeCall: cmp.Or(s.CodeCall, p.CodeCall),
		CreatePath: cmp.Or(s.CreatePath, p.CreatePath), PatchURL: cmp.Or(s.PatchURL, p.PatchURL),
	}
}

// Profile is a bank as its developers' portal describes it.
type Profile struct {
	Name, Bank string
	URL        string // of the API, in production; empty: only the contract says
	TokenURL   string // relative to URL where both are on one host
	Settings
	NeedsAppKey bool          // a key of the application goes with every call
	NeedsPlace  bool          // its charges often come without a code, which is made with the shop's name and city
	MaxExpiry   time.Duration // of a charge; 0: the Central Bank's
	// What a technician may do about a token that is refused, and what a bare 403 of the API means; empty: not known.
	TokenHint, ForbiddenHint string
}

var yes, no = true, false

// byCentralBank is for any bank without a profile.
var byCentralBank = Settings{
	TokenAuth: "basic", TokenFormat: "form", TokenGrant: "body", Scopes: usualScopes, BasicEscape: &no, TokenCert: &yes, APICert: &yes,
	CodeCall: NoCall, CreatePath: "cob",
}

// Profiles are the banks that are known, by what differs from the Central Bank's text.
var Profiles = []Profile{
	{Name: "bacen", Bank: "qualquer banco que siga o texto do Banco Central"},
	{
		Name: "itau", Bank: "Itaú", URL: "https://secure.api.itau/pix_recebimentos/v2", TokenURL: "https://sts.itau.com.br/as/token.oauth2",
		Settings: Settings{TokenAuth: "body", Scopes: NoScopes, Headers: "x-correlationID: {uuid}", CodeCall: "/cob/{txid}/qrcode"},
	},
	{
		Name: "bradesco", Bank: "Bradesco", URL: "https://qrpix.bradesco.com.br/v2", TokenURL: "/auth/server/oauth/token",
		Settings: Settings{Scopes: NoScopes}, NeedsPlace: true,
	},
	{
		Name: "bb", Bank: "Banco do Brasil", URL: "https://api-pix.bb.com.br/pix/v2", TokenURL: "https://oauth.bb.com.br/oauth/token",
		Settings: Settings{Query: "gw-dev-app-key={app_key}", TokenCert: &no}, NeedsAppKey: true,
	},
	{
		Name: "santander", Bank: "Santander", URL: "https://trust-pix.santander.com.br/api/v1", TokenURL: "/oauth/token",
		Settings: Settings{TokenAuth: "body", TokenGrant: "query", Scopes: NoScopes, PatchURL: "v2"}, NeedsPlace: true,
	},
	{
		Name: "inter", Bank: "Inter", URL: "https://cdpj.partners.bancointer.com.br/pix/v2", TokenURL: "/oauth/v2/token",
		Settings: Settings{TokenAuth: "body", Headers: "x-conta-corrente: {account}"},
	},
	{
		Name: "sicoob", Bank: "Sicoob", URL: "https://api.sicoob.com.br/pix/api/v2",
		TokenURL: "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token",
		Settings: Settings{TokenAuth: "body-public", Headers: "client_id: {client_id}"},
	},
	{Name: "sicredi", Bank: "Sicredi", URL: "https://api-pix.sicredi.com.br/api/v2", TokenURL: "/oauth/token"},
	{
		Name: "c6", Bank: "C6 Bank", URL: "https://baas-api.c6bank.info/v2/pix", TokenURL: "/v1/auth",
		Settings: Settings{Scopes: NoScopes, CodeCall: "/loc/{loc}/qrcode"},
	},
	{
		Name: "banrisul", Bank: "Banrisul", URL: "https://mtls-api.banrisul.com.br/pix/api-mtls", TokenURL: "/auth/oauth/v2/token",
		Settings: Settings{TokenAuth: "body"}, TokenHint: `tente token_auth = "basic"`,
	},
	{
		Name: "ailos", Bank: "Ailos", URL: "https://pixcobranca.ailos.coop.br/ailos/pix-cobranca/api/v1", TokenURL: "v1/client/connect/token",
		Settings: Settings{
			TokenAuth: "body", TokenGrant: "omit", Scopes: usualScopes + " qrcode.read qrcode.write", CodeCall: "/qrcode/consulta/{txid}",
		},
	},
	{
		Name: "efi", Bank: "Efí (Gerencianet)", URL: "https://pix.api.efipay.com.br/v2", TokenURL: "/oauth/token",
		Settings: Settings{TokenFormat: "json", Scopes: NoScopes, CodeCall: "/loc/{loc}/qrcode"},
	},
	{
		Name: "cielo", Bank: "Cielo", URL: "https://api-mtls.cielo.com.br/cielo-pix/v1", TokenURL: "https://api2.cielo.com.br/v2/oauth/access-token",
		Settings: Settings{TokenFormat: "json", TokenCert: &no}, MaxExpiry: time.Hour,
	},
	{
		Name: "pagseguro", Bank: "PagSeguro (PagBank)", URL: "https://secure.api.pagseguro.com/instant-payments", TokenURL: "/pix/oauth2",
		Settings: Settings{TokenFormat: "json"}, ForbiddenHint: "a conta pode não estar habilitada para a API",
	},
}

// ProfileNamed is the profile of that name; the empty name is the Central Bank's.
func ProfileNamed(name string) (Profile, bool) {
	i := slices.IndexFunc(Profiles, func(p Profile) bool { return p.Name == cmp.Or(name, "bacen") })
	if i < 0 {
		return Profile{}, false
	}
	p := Profiles[i]
	p.Settings = p.over(byCentralBank)
	return p, true
}

// ProfileNames are all of them.
func ProfileNames() (names []string) {
	for _, p := range Profiles {
		names = append(names, p.Name)
	}
	return names
}

// Addresses are where the bank is found: as given, else as the profile knows it. A token's address on another host is known
// only for the API of production: who names another API names its tokens too.
func (p Profile) Addresses(base, token string) (string, string) {
	if token == "" && (base == "" || !strings.Contains(p.TokenURL, "://")) {
		token = relative(cmp.Or(base, p.URL), p.TokenURL)
	}
	return cmp.Or(base, p.URL), token
}

// relative is an address as one on the page of the other would be read.
func relative(base, ref string) string {
	if ref == "" {
		return ""
	}
	from, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil {
		return ref
	}
	to, err := from.Parse(ref)
	if err != nil {
		return ref
	}
	return to.String()
}

// Secret tells whether the bank gives one with the client id.
func (s Settings) Secret() bool { return s.TokenAuth != "body-public" }

// scopes are what a token is asked for.
func (s Settings) scopes() string {
	if s.Scopes == NoScopes {
		return ""
	}
	return strings.Join(strings.Fields(s.Scopes), " ")
}

// field is a name with its value.
type field struct{ name, value string }

// headerFields reads Headers; false: it is not written so.
func (s Settings) headerFields() ([]field, bool) { return fieldsOf(s.Headers, ";", ":") }

// queryFields reads Query; false: it is not written so.
func (s Settings) queryFields() ([]field, bool) { return fieldsOf(s.Query, "&", "=") }

func fieldsOf(text, between, within string) (fields []field, ok bool) {
	for part := range strings.SplitSeq(text, between) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, found := strings.Cut(part, within)
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || name == "" || strings.ContainsFunc(name+value, func(r rune) bool { return r < ' ' || r > '~' }) || strings.Contains(name, " ") {
			return nil, false
		}
		fields = append(fields, field{name, value})
	}
	return fields, true
}

// SettingError names the setting that is none of the words it may be.
type SettingError struct {
	Setting string
	Words   []string // empty: it has a form, not words
}

func (e *SettingError) Error() string { return ErrSetting.Error() + ": " + e.Setting }
func (e *SettingError) Unwrap() error { return ErrSetting }

// Check refuses words that no setting knows.
func (s Settings) Check() error {
	for _, word := range []struct {
		setting, value string
		words          []string
	}{
		{"token-auth", s.TokenAuth, TokenAuths},
		{"token-format", s.TokenFormat, TokenFormats},
		{"token-grant", s.TokenGrant, TokenGrants},
		{"create-path", s.CreatePath, CreatePaths},
	} {
		if word.value != "" && !slices.Contains(word.words, word.value) {
			return &SettingError{word.setting, word.words}
		}
	}
	if _, ok := s.headerFields(); !ok {
		return &SettingError{"headers", nil}
	}
	if _, ok := s.queryFields(); !ok {
		return &SettingError{"query", nil}
	}
	if s.CodeCall != "" && s.CodeCall != NoCall && !strings.HasPrefix(s.CodeCall, "/") {
		return &SettingError{"code-call", nil}
	}
	return nil
}
