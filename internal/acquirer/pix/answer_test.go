package pix

import (
	"strings"
	"testing"
	"unicode/utf8"
)

const aTxID = "mqabcdefghijklmnopqrstuvwxyz234567"

func FuzzCharge(f *testing.F) {
	for _, s := range []string{
		`{"txid":"` + aTxID + `","status":"ATIVA","calendario":{"expiracao":300},"valor":{"original":"10.00"},"pixCopiaECola":"000201"}`,
		`{"txid":"` + aTxID + `","status":"REMOVIDO_PELO_PSP","calendario":{"expiracao":"300"},"valor":{"original":10.00}}`,
		`{"txid":"` + aTxID + `","status":"CONCLUIDA","valor":{"original":"10.00"},"pix":[{"endToEndId":"E9999999920260301120012345678901","valor":"10.00","devolucoes":[{"id":"a","status":"DEVOLVIDO","valor":"10.00"}]}]}`,
		`{"txid":"` + aTxID + `","status":"CONCLUIDA","valor":{"original":"10.00"},"pix":[{"endToEndId":"../../cob/x","valor":"1e9"}]}`,
		`{"pix":null,"valor":[]}`, `[]`, `null`, ``, `{"txid":{}}`, `{"status":"ATIVA","valor":{"original":"-1.00"}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := parseCharge(raw, aTxID)
		if err != nil {
			if !utf8.ValidString(err.Error()) || strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, p := range c.received {
			if !e2ePattern.MatchString(p.e2eid) || seen[p.e2eid] || p.amount.Sign() < 0 || p.amount.Places() > 2 {
				t.Errorf("payment %+v", p)
			}
			seen[p.e2eid] = true
		}
		if c.life < 0 || c.life > maxExpiry || c.amount.Sign() < 0 {
			t.Errorf("%+v", c)
		}
	})
}

func FuzzRefund(f *testing.F) {
	f.Add([]byte(`{"id":"a","rtrId":"D1","valor":"10.00","status":"EM_PROCESSAMENTO","motivo":"x"}`))
	f.Add([]byte(`{"id":"A","valor":10.00,"status":"NAO_REALIZADO","motivo":"a\u0000\nb"}`))
	f.Add([]byte(`{"id":"a","status":"?"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := parseRefund(raw, "a")
		if err == nil && (strings.ContainsAny(r.reason+r.rtrID, "\r\n\x00") || r.amount.Sign() < 0) {
			t.Errorf("%+v", r)
		}
	})
}

func FuzzProblem(f *testing.F) {
	f.Add(404, []byte(`{"type":"https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado","title":"Não Encontrado","status":404}`))
	f.Add(400, []byte(`{"title":"Cobrança inválida.","violacoes":{"propriedade":"cpf","razao":"secret"}}`))
	f.Add(400, []byte(`{"title":"x","violacoes":[{"razao":"a"},{"razao":"b"}]}`))
	f.Add(401, []byte(`{"error":"invalid_client","error_description":"secret"}`))
	f.Add(404, []byte(`<html>`))
	f.Fuzz(func(t *testing.T, status int, raw []byte) {
		p := parseProblem(status, raw, func(s string) string { return strings.ReplaceAll(s, "secret", "***") })
		if !utf8.ValidString(p.Error()) || strings.ContainsAny(p.Text, "\r\n") || len([]rune(p.Text)) > 201 || strings.Contains(p.Text, "secret") {
			t.Errorf("%q", p.Text)
		}
	})
}

func FuzzToken(f *testing.F) {
	f.Add([]byte(`{"access_token":"abc","token_type":"Bearer","expires_in":300}`))
	f.Add([]byte(`{"access_token":"a\r\nb","expires_in":-1}`))
	f.Add([]byte(`{"access_token":"abc","expires_in":"99999999999999999999"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		value, life, err := parseToken(raw)
		if err == nil && (value == "" || strings.ContainsAny(value, "\r\n ") || life < 0) {
			t.Errorf("%q for %v", value, life)
		}
	})
}

func TestProblems(t *testing.T) {
	asIs := func(s string) string { return s }
	for raw, want := range map[string]string{
		`{"title":"Cobrança inválida.","detail":"d","violacoes":[{"razao":"r","propriedade":"p"}]}`: "Cobrança inválida.; d; p: r",
		`{"title":"t","violacoes":{"razao":"r"}}`:                                                   "t; r",
		`{"error":"invalid_client","error_description":"no"}`:                                       "invalid_client; no",
		`{"nome":"cobranca_nao_encontrada","mensagem":"não há"}`:                                    "não há",
		`{"error":{"x":1}}`: "", `<html>`: "",
	} {
		if got := parseProblem(400, []byte(raw), asIs).Text; got != want {
			t.Errorf("%s: %q", raw, got)
		}
	}
	for raw, want := range map[string]bool{
		`{"type":"https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado"}`:           true,
		`{"type":"https://pix.bcb.gov.br/api/v2/error/PixDevolucaoNaoEncontrada"}`:  true,
		`{"nome":"cobranca_nao_encontrada"}`:                                        true,
		`{"type":"about:blank","title":"Not Found"}`:                                false,
		`{"title":"Página não encontrada"}`:                                         false,
		`{"title":"Página não encontrada","detail":"x"}`:                            false,
		`{"type":"about:blank","title":"Não encontrado","status":404,"detail":"x"}`: false,
		`{"nome":"Loja"}`: false,
		`{"erros":[{"mensagem":"rota desconhecida"}]}`: false,
		`<html>`: false,
	} {
		if got := parseProblem(404, []byte(raw), asIs).notFound; got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}
