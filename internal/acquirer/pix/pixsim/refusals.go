package pixsim

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/portuguese"
)

// refusal is a no before a bank has put it into its form.
type refusal struct {
	status   int
	kind     string // of the Central Bank's errors, or the bank's own
	detail   string
	property string // of the request, that is wrong; empty: none is named
}

// form is how a bank puts a refusal.
type form func(refusal) (media string, body any)

const problemMedia = "application/problem+json"

// rfc7807 is the Central Bank's own.
func rfc7807(r refusal) (string, any) {
	j := map[string]any{"type": "https://pix.bcb.gov.br/api/v2/error/" + r.kind, "title": r.kind, "status": r.status, "detail": r.detail}
	if r.property != "" {
		j["violacoes"] = []map[string]string{{"razao": r.detail, "propriedade": r.property}}
	}
	return problemMedia, j
}

// correlated has an id for who asks the bank about it.
func correlated(r refusal) (string, any) {
	media, body := rfc7807(r)
	body.(map[string]any)["correlationId"] = uuid.NewString()
	return media, body
}

// ofInter has no type.
func ofInter(r refusal) (string, any) {
	title := map[int]string{http.StatusNotFound: "Recurso não encontrado"}[r.status]
	if title == "" {
		title = http.StatusText(r.status)
	}
	return "application/json", map[string]any{
		"title": title, "detail": r.detail, "timestamp": time.Now().Format(time.RFC3339), "violacoes": []any{},
	}
}

// ofBB has three forms: the gateway's, that of what is missing, and the Central Bank's.
func ofBB(r refusal) (string, any) {
	switch r.status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return "application/json", map[string]any{
			"statusCode": r.status, "error": http.StatusText(r.status), "message": r.detail, "attributes": map[string]string{"error": r.detail},
		}
	case http.StatusNotFound:
		return "application/json", map[string]any{
			"erros": []map[string]string{{
				"codigo": "4769515", "versao": "1", "mensagem": "Não há informações para os dados informados", "ocorrencia": r.detail,
			}},
		}
	}
	return rfc7807(r)
}

func ofSicoob(r refusal) (string, any) {
	return "application/json", map[string]any{"mensagens": []map[string]string{{"mensagem": r.detail, "codigo": "1"}}}
}

// efiNames are Efí's words for the Central Bank's errors.
var efiNames = map[string]string{"CobNaoEncontrado": "cobranca_nao_encontrada", "txid_duplicado": "txid_duplicado"}

func ofEfi(r refusal) (string, any) {
	name, known := efiNames[r.kind]
	if !known {
		name = "erro_aplicacao"
	}
	return "application/json", map[string]string{"nome": name, "mensagem": r.detail}
}

// refuse puts a no into the bank's form.
func (b *Bank) refuse(r refusal) reply {
	put := b.manner.Form
	if put == nil {
		put = rfc7807
	}
	media, body := put(r)
	return reply{Status: r.status, Media: media, Body: body, Why: r.detail}
}

func (b *Bank) problem(status int, kind, detail string) reply {
	return b.refuse(refusal{status: status, kind: kind, detail: detail})
}

// plain is an error that is not about a charge or a refund.
func (b *Bank) plain(status int, detail string) reply {
	kind, known := map[int]string{
		http.StatusServiceUnavailable: "ServicoIndisponivel", http.StatusInternalServerError: "ErroInternoDoServidor",
		http.StatusNotFound: "NaoEncontrado", http.StatusConflict: "CobOperacaoInvalida",
	}[status]
	if !known {
		kind = "RequisicaoInvalida"
	}
	return b.problem(status, kind, detail)
}

// broken is the PSP's own fault.
func (b *Bank) broken(err error) reply {
	return b.plain(http.StatusInternalServerError, portuguese.Error(err))
}
