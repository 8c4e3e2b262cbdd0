package pix

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	pkcs12 "software.sslmate.com/src/go-pkcs12"

	"github.com/maquininha/maquininha/internal/money"
)

// contractWith is what a shop has with a bank.
func contractWith(profile string) Config {
	return Config{Profile: profile, ClientID: "id", ClientSecret: "a+b/c=", AppKey: "app", Account: "123", Key: "k", Terminal: "1", City: "Recife"}
}

// How each bank is asked for a token, to the letter.
func TestTokenRequests(t *testing.T) {
	const basic, four = "Basic aWQ6YStiL2M9", "cob.write+cob.read+pix.write+pix.read"
	for _, c := range []struct{ profile, url, authorization, body string }{
		{"itau", "https://sts.itau.com.br/as/token.oauth2", "", "client_id=id&client_secret=a%2Bb%2Fc%3D&grant_type=client_credentials"},
		{"bradesco", "https://qrpix.bradesco.com.br/auth/server/oauth/token", basic, "grant_type=client_credentials"},
		{"bb", "https://oauth.bb.com.br/oauth/token", basic, "grant_type=client_credentials&scope=" + four},
		{"santander", "https://trust-pix.santander.com.br/oauth/token?grant_type=client_credentials", "", "client_id=id&client_secret=a%2Bb%2Fc%3D"},
		{"inter", "https://cdpj.partners.bancointer.com.br/oauth/v2/token", "", "client_id=id&client_secret=a%2Bb%2Fc%3D&grant_type=client_credentials&scope=" + four},
		{"sicoob", "https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token", "", "client_id=id&grant_type=client_credentials&scope=" + four},
		{"sicredi", "https://api-pix.sicredi.com.br/oauth/token", basic, "grant_type=client_credentials&scope=" + four},
		{"c6", "https://baas-api.c6bank.info/v1/auth", basic, "grant_type=client_credentials"},
		{"banrisul", "https://mtls-api.banrisul.com.br/auth/oauth/v2/token", "", "client_id=id&client_secret=a%2Bb%2Fc%3D&grant_type=client_credentials&scope=" + four},
		{
			"ailos", "https://pixcobranca.ailos.coop.br/ailos/pix-cobranca/api/v1/client/connect/token", "",
			"client_id=id&client_secret=a%2Bb%2Fc%3D&scope=" + four + "+qrcode.read+qrcode.write",
		},
		{"efi", "https://pix.api.efipay.com.br/oauth/token", basic, `{"grant_type":"client_credentials"}`},
		{"cielo", "https://api2.cielo.com.br/v2/oauth/access-token", basic, `{"grant_type":"client_credentials","scope":"cob.write cob.read pix.write pix.read"}`},
		{"pagseguro", "https://secure.api.pagseguro.com/pix/oauth2", basic, `{"grant_type":"client_credentials","scope":"cob.write cob.read pix.write pix.read"}`},
	} {
		config, err := contractWith(c.profile).complete()
		if err != nil {
			t.Errorf("%s: %v", c.profile, err)
			continue
		}
		r, err := newTokens(config, nil).request()
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		if r.URL.String() != c.url || r.Header.Get("Authorization") != c.authorization || string(body) != c.body {
			t.Errorf("%s asks %s with %q and %s", c.profile, r.URL, r.Header.Get("Authorization"), body)
		}
	}
}

// What differs from a bank's own answer is the configuration's to say.
func TestSettingsGoBeforeTheProfile(t *testing.T) {
	c := contractWith("sicoob")
	c.TokenAuth, c.Scopes, c.Headers = "basic", NoScopes, "x-sicoob-clientid: {client_id}"
	c.TokenCert, c.BasicEscape = &no, &yes
	c, err := c.complete()
	if err != nil {
		t.Fatal(err)
	}
	r, err := newTokens(c, nil).request()
	if err != nil {
		t.Fatal(err)
	}
	if id, secret, ok := r.BasicAuth(); !ok || id != "id" || secret != "a%2Bb%2Fc%3D" || *c.TokenCert || c.scopes() != "" {
		t.Errorf("%q %q in %+v", id, secret, c.Settings)
	}
	if c.Headers != "x-sicoob-clientid: {client_id}" || c.TokenFormat != "form" {
		t.Errorf("%+v", c.Settings)
	}
}

// Another API than that of production must not be opened with production's tokens.
func TestAddresses(t *testing.T) {
	const sandbox = "https://sandbox.example/api/v1"
	for _, c := range []struct{ profile, base, token, wantBase, wantToken string }{
		{"santander", "", "", "https://trust-pix.santander.com.br/api/v1", "https://trust-pix.santander.com.br/oauth/token"},
		{"santander", sandbox, "", sandbox, "https://sandbox.example/oauth/token"},
		{"itau", sandbox, "", sandbox, ""},
		{"itau", sandbox, "https://sandbox.example/jwt", sandbox, "https://sandbox.example/jwt"},
		{"bacen", sandbox, "", sandbox, ""},
	} {
		p, _ := ProfileNamed(c.profile)
		if base, token := p.Addresses(c.base, c.token); base != c.wantBase || token != c.wantToken {
			t.Errorf("%+v: %s and %s", c, base, token)
		}
	}
	c, err := contractWith("santander").complete()
	if err != nil || c.PatchURL != "https://trust-pix.santander.com.br/api/v2" {
		t.Errorf("withdrawn at %s, %v", c.PatchURL, err)
	}
}

func TestWrongSettings(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Profile = "nubank" },
		func(c *Config) { c.TokenAuth = "digest" },
		func(c *Config) { c.TokenFormat = "xml" },
		func(c *Config) { c.TokenGrant = "header" },
		func(c *Config) { c.Headers = "no value" },
		func(c *Config) { c.Headers = "x: a\nb" },
		func(c *Config) { c.Query = "x" },
		func(c *Config) { c.CodeCall = "https://elsewhere" },
		func(c *Config) { c.PatchURL = "http://elsewhere/" },
		func(c *Config) { c.Profile, c.AppKey = "bb", "" },
		func(c *Config) { c.ClientSecret = "" },
	} {
		c := contractWith("inter")
		change(&c)
		if _, err := c.complete(); err == nil {
			t.Errorf("taken: %+v", c)
		}
	}
	fixed := contractWith("sicoob") // its sandbox: the portal gives a token, and nobody another
	fixed.TokenAuth, fixed.BaseURL = "none", "https://sandbox.example/v2"
	if a, err := New(fixed); err != nil {
		t.Error(err)
	} else if token, err := a.client.tokens.get(t.Context()); err != nil || token != fixed.ClientSecret {
		t.Errorf("%q, %v", token, err)
	}
	c := contractWith("sicoob")
	c.ClientSecret = "" // there is none
	if _, err := c.complete(); err != nil {
		t.Error(err)
	}
}

// Codes are named, placed and left out as each bank likes.
func TestCodesOfAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		`{"txid":"` + aTxID + `","status":"ATIVA","valor":{"original":"10.00"},"pixCopiaECola":"1","brcode":"2"}`:                      "1",
		`{"txid":"` + aTxID + `","status":"ATIVA","valor":{"original":"10.00"},"pixCopiaECola":null,"brcode":"2"}`:                     "2",
		`{"txid":"` + aTxID + `","status":"ativa","valor":{"original":10},"textoImagemQRcode":"3","loc":{"id":7,"location":null}}`:     "3",
		`{"cob":{"txid":"` + aTxID + `","status":"ATIVA","valor":{"original":10.5},"calendario":{"expiracao":"300"}},"emv":"4"}`:       "4",
		`{"txid":"` + aTxID + `","status":"REMOVIDO_PELO_PSP","valor":{"original":"10.00"},"loc":{"id":"7","location":"https://a/b"}}`: "",
	} {
		c, err := parseCharge([]byte(answer), aTxID)
		if err != nil || c.brCode != want {
			t.Errorf("%s: %q, %v", answer, c.brCode, err)
		}
		if want == "" && (c.location != "https://a/b" || c.loc != "7" || c.status != removedByPSP) {
			t.Errorf("%+v", c)
		}
	}
}

func TestCodesAreChecked(t *testing.T) {
	const good = "00020101021226450014br.gov.bcb.pix2523pix.example.com/qr/v2/x520400005303986540510.005802BR5904Loja6006Recife62070503***6304"
	code := withChecksum(good)
	ten := money.MustParse("10")
	if err := checkCode(code, ten); err != nil {
		t.Error(err)
	}
	for name, wrong := range map[string]string{
		"another sum":   withChecksum("00020101021226450014br.gov.bcb.pix2523pix.example.com/qr/v2/x520400005303986540511.005802BR5904Loja6006Recife62070503***6304"),
		"checksum":      code[:len(code)-1] + "?",
		"no location":   withChecksum("00020126320014br.gov.bcb.pix0110shop@x.com5204000053039865802BR5904Loja6006Recife62070503***6304"),
		"cut off":       code[:40],
		"not printable": code + "\x00",
		"empty":         "",
	} {
		if checkCode(wrong, ten) == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func withChecksum(s string) string {
	crc := uint16(0xFFFF)
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	const digits = "0123456789ABCDEF"
	return s + string([]byte{digits[crc>>12], digits[crc>>8&15], digits[crc>>4&15], digits[crc&15]})
}

// Banks say no in forms of their own; what they say of a thing that is missing decides about money.
func TestRefusalForms(t *testing.T) {
	asIs := func(s string) string { return s }
	for raw, want := range map[string]struct {
		text     string
		notFound bool
	}{
		`{"erros":[{"codigo":"4769515","versao":"1","mensagem":"Não há informações","ocorrencia":"x"}]}`: {"Não há informações", true},
		`{"mensagens":[{"mensagem":"não existe","codigo":"1"}]}`:                                         {"não existe", true},
		`{"nome":"cobranca_nao_encontrada","mensagem":"não há"}`:                                         {"não há", true},
		`{"nome":"erro_aplicacao","mensagem":"não há"}`:                                                  {"não há", true},
		`{"title":"Não encontrado","detail":"d","timestamp":"t"}`:                                        {"Não encontrado; d", true},
		`{"statusCode":404,"error":"Not Found","message":"m","attributes":{"error":"x"}}`:                {"Not Found; m", false},
		`<html>`: {"", false}, ``: {"", false},
	} {
		p := parseProblem(404, []byte(raw), asIs)
		if p.Text != want.text || p.notFound != want.notFound || p.api != (raw != "<html>") {
			t.Errorf("%s: %+v", raw, p)
		}
	}
}

func TestPKCS12(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "loja"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	for name, encoder := range map[string]*pkcs12.Encoder{"as OpenSSL 3 writes it": pkcs12.Modern2023, "as portals still do": pkcs12.LegacyDES} {
		file, err := encoder.Encode(key, leaf, nil, "senha")
		if err != nil {
			t.Fatal(err)
		}
		c := Config{Certificate: filepath.Join(t.TempDir(), "loja.p12"), CertificatePassword: "senha"}
		if err := os.WriteFile(c.Certificate, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if pair, err := c.LoadCertificate(); err != nil || pair.Leaf.Subject.CommonName != "loja" || pair.PrivateKey == nil {
			t.Errorf("%s: %v", name, err)
		}
		c.CertificatePassword = "outra"
		if _, err := c.LoadCertificate(); !errors.Is(err, ErrCertificatePassword) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
