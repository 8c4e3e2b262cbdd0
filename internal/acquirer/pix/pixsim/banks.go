package pixsim

import (
	"slices"
	"time"
)

// Manner is how a bank serves the API. What a row leaves out is as the Central Bank's text has it.
type Manner struct {
	Name  string // of the bank's profile
	Base  string // path of the API; empty: the root
	Patch string // path of the API for withdrawals; empty: as Base

	Token       string // path that gives tokens
	Asks        []Ask  // the forms of a request for one; no other is taken
	TokenStatus int    // 0: 200
	TokenLife   time.Duration
	TokenAlso   []string // what else the answer tells
	NoTokenCert bool     // tokens are given without a client certificate; the API never is
	PKCS12      bool     // the bank hands the certificate out so

	Headers, Query []Field // that come with every call of the API

	Code      Code
	Created   int // status of a creation; 0: 201
	Refunded  int // of a refund; 0: 201
	Removido  bool
	TextLife  bool          // calendario.expiracao is a text
	Nulls     bool          // what is absent comes as null
	MaxExpiry time.Duration // of a charge; 0: any

	Form  form    // of refusals; nil: RFC 7807
	Taken refusal // a txid that was used before; zero: 400
}

// Ask is a form of a request for a token.
type Ask struct {
	Auth    string // basic, body or public: the client id alone, in the body
	Escaped bool   // Basic may be percent-escaped, as RFC 6749 has it; banks compare plainly
	JSON    bool   // the body is no form
	Grant   string // query or omit: where grant_type is; empty: in the body
	Scopes  []string
}

// Field comes with a call. Its value may be {client_id}, {app_key}, {account} (nothing, if the shop has one account) or {uuid}, a
// new one each time.
type Field struct{ Name, Value string }

// Code is where a charge's code is told.
type Code struct {
	Create, See string // members of the answers to a creation and to a look; empty: pixCopiaECola
	Absent      bool   // … or of neither
	Call        string // path that tells it, with {txid} or {loc}; empty: none
	Member      string // of that call's answer
	Base64      bool
	Beside      string // path, with {txid}, of a creation whose answer has the code beside the charge; empty: none
}

var (
	usual     = []string{"cob.write", "cob.read", "pix.write", "pix.read"}
	allScopes = append([]string{"qrcode.read", "qrcode.write"}, usual...)
)

// Banks are those that can be played, as far as is publicly known of them. Not known, and so the simulator's own: the status and
// form in which each refuses a missing certificate, header or key of the application; how many calls a minute Inter lets pass
// (PerMinute); whether Cielo and Inter want REMOVIDO_ or REMOVIDA_ when a charge is withdrawn (both are taken); whether Banco do Brasil's
// production takes gw-app-key too, as some clients call it. Test environments are not played.
var Banks = []Manner{
	{Name: "bacen", Token: "/oauth/token", Asks: []Ask{{Auth: "basic", Escaped: true, Scopes: usual}}},
	{
		Name: "itau", Base: "/pix_recebimentos/v2", Token: "/as/token.oauth2", Asks: []Ask{{Auth: "body"}}, TokenLife: 5 * time.Minute,
		Headers: []Field{{"x-correlationID", "{uuid}"}},
		// The model says that the code may be missing; then there is a call for it.
		Code: Code{Absent: true, Call: "/cob/{txid}/qrcode", Member: "pixCopiaECola"}, Form: correlated,
	},
	{
		// A charge may come without code and without location: Bare has it so. Another creation has the code.
		Name: "bradesco", Base: "/v2", Token: "/auth/server/oauth/token", Asks: []Ask{{Auth: "basic"}, {Auth: "basic", Scopes: usual}},
		Code: Code{Absent: true, Beside: "/cob-emv/{txid}"}, Created: 200, Refunded: 200, TextLife: true,
	},
	{
		Name: "bb", Base: "/pix/v2", Token: "/oauth/token", Asks: []Ask{{Auth: "basic", Scopes: usual}}, NoTokenCert: true,
		Query: []Field{{"gw-dev-app-key", "{app_key}"}}, Created: 200, Refunded: 200, Form: ofBB,
		Taken: refusal{422, "CobOperacaoInvalida", "o txid já foi usado", "cob.txid"},
	},
	{
		Name: "santander", Base: "/api/v1", Patch: "/api/v2", Token: "/oauth/token", PKCS12: true, Asks: []Ask{{Auth: "body", Grant: "query"}}, TokenLife: 5 * time.Minute,
		TokenAlso: []string{"client_id"}, Code: Code{Absent: true}, Created: 200,
		Taken: refusal{400, "CobOperacaoInvalida", "txid já registrado", ""},
	},
	{
		Name: "inter", Base: "/pix/v2", Token: "/oauth/v2/token", Asks: []Ask{{Auth: "body", Scopes: usual}}, TokenLife: time.Hour,
		Headers: []Field{{"x-conta-corrente", "{account}"}}, Removido: true, Form: ofInter,
	},
	{
		Name: "sicoob", Base: "/pix/api/v2", Token: "/auth/realms/cooperado/protocol/openid-connect/token", PKCS12: true, Asks: []Ask{{Auth: "public", Scopes: usual}},
		TokenLife: 5 * time.Minute, Headers: []Field{{"client_id", "{client_id}"}}, Code: Code{Create: "brcode"}, Refunded: 200, Nulls: true, Form: ofSicoob,
	},
	{
		// Another public client asks with everything in the query; that is not played.
		Name: "sicredi", Base: "/api/v2", Token: "/oauth/token", Asks: []Ask{{Auth: "basic", Scopes: usual}}, Refunded: 200,
	},
	{
		Name: "c6", Base: "/v2/pix", Token: "/v1/auth", Asks: []Ask{{Auth: "basic"}, {Auth: "body"}}, TokenLife: 10 * time.Minute,
		Code: Code{Absent: true, Call: "/loc/{loc}/qrcode", Member: "qrcode"}, Created: 200, // whether the charge has it too is not sure
	},
	{
		// Two public clients ask in two ways.
		Name: "banrisul", Base: "/pix/api-mtls", Token: "/auth/oauth/v2/token", Asks: []Ask{{Auth: "body", Scopes: usual}, {Auth: "basic", Scopes: usual}},
	},
	{
		Name: "ailos", Base: "/ailos/pix-cobranca/api/v1", Token: "/ailos/pix-cobranca/api/v1/client/connect/token",
		Asks: []Ask{{Auth: "body", Grant: "omit", Scopes: allScopes}},
		Code: Code{Absent: true, Call: "/qrcode/consulta/{txid}", Member: "copiaCola", Base64: true}, Created: 200, Refunded: 200,
	},
	{
		Name: "efi", Base: "/v2", Token: "/oauth/token", PKCS12: true, Asks: []Ask{{Auth: "basic", JSON: true}, {Auth: "basic"}}, TokenLife: time.Hour,
		Code: Code{Call: "/loc/{loc}/qrcode", Member: "qrcode"}, Form: ofEfi, Taken: refusal{409, "txid_duplicado", "o txid já foi usado", ""},
	},
	{
		Name: "cielo", Base: "/cielo-pix/v1", Token: "/v2/oauth/access-token", Asks: []Ask{{Auth: "basic", JSON: true, Scopes: usual}}, TokenStatus: 201,
		NoTokenCert: true, Removido: true, MaxExpiry: time.Hour,
	},
	{
		Name: "pagseguro", Base: "/instant-payments", Token: "/pix/oauth2", Asks: []Ask{{Auth: "basic", JSON: true, Scopes: usual}, {Auth: "basic", Scopes: usual}},
		TokenAlso: []string{"refresh_token"},
	},
}

// BankNamed is how the bank of that profile serves the API; the empty name is the Central Bank's text.
func BankNamed(name string) (Manner, bool) {
	if name == "" {
		return Banks[0], true
	}
	i := slices.IndexFunc(Banks, func(m Manner) bool { return m.Name == name })
	if i < 0 {
		return Manner{}, false
	}
	return Banks[i], true
}

// Names are all of them.
func Names() (names []string) {
	for _, m := range Banks {
		names = append(names, m.Name)
	}
	return names
}
