package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

// Errors that only this layer knows.
var (
	errUnauthorized = errors.New("missing or wrong credentials")
	errNoRoute      = errors.New("no such path")
	errMethod       = errors.New("no such method on this path")
	errNoFactor     = errors.New("an administrator without the second factor that is asked for")
	errForeignPage  = errors.New("sent by a page of another origin")
	errGuessed      = errors.New("who tries many of these is slowed down")
)

// guessed is a refusal of what may be one of many guesses. Its answer waits in refuse: there nobody's turn is held meanwhile.
func guessed(err error) error { return fmt.Errorf("%w: %w", errGuessed, err) }

// failures are the hub's own refusals: the first row that fits answers.
var failures = []struct {
	err     error
	status  int
	message string
}{
	{errUnauthorized, 401, "Credenciais ausentes ou inválidas"},
	{errNoRoute, 404, "Rota não encontrada"},
	{errMethod, 405, "Método não permitido"},
	{errNoFactor, 403, "Defina o segundo fator para continuar"},
	{errCrowded, 503, "Muitas requisições deste cliente em andamento, tente novamente em instantes"},
	{errForeignPage, 403, "Pedido de página de outra origem recusado"},

	{fleet.ErrNotFound, 404, "Não encontrado"},
	{fleet.ErrForbidden, 403, "O papel desta chave ou pessoa não permite isto"},
	{fleet.ErrTaken, 409, "Já existe um com este nome"},
	{fleet.ErrBadCode, 403, "Código inválido, já usado ou vencido; peça outro no hub"},
	{fleet.ErrRevoked, 409, "Terminal revogado"},
	{fleet.ErrBadName, 400, "Requisição inválida: name deve ter de 1 a 100 caracteres, em uma linha"},
	{fleet.ErrBadRole, 400, "Requisição inválida: role deve ser reads, operates ou administers, e não acima do seu"},
	{fleet.ErrBadPassword, 400, "Requisição inválida: password deve ter de 8 a 1024 caracteres"},
	{fleet.ErrWrongPassword, 403, "Senha atual incorreta"},
	{fleet.ErrBadEnd, 400, "Requisição inválida: expiresAt deve ser uma data futura, em menos de 50 anos"},
	{fleet.ErrNeedsFactor, 428, "Informe o código do segundo fator"},
	{fleet.ErrWrongFactor, 403, "Código do segundo fator incorreto ou já usado"},
	{fleet.ErrTooManyCodes, 429, "Muitos códigos errados; tente novamente em 15 minutos"},
	{fleet.ErrBadFactor, 400, "Requisição inválida: code não é um código de secret agora"},
	{fleet.ErrOtherSecret, 503, "O segundo fator foi gravado por um hub com outra chave; use maquininha-hub password"},
	{fleet.ErrBadPublicKey, 400, "Requisição inválida: publicKey não é uma chave Ed25519"},
	{fleet.ErrWhichShop, 400, "Requisição inválida: shop é obrigatório, pois há mais de uma loja"},

	{webhooks.ErrNotFound, 404, "Não encontrado"},
	{webhooks.ErrBadURL, 400, "Requisição inválida: url deve ser um endereço https://"},
	{webhooks.ErrTooMany, 409, "Já há 20 webhooks deste cliente; revogue um antes"},
	{webhooks.ErrBadType, 400, "Requisição inválida: types tem um tipo de evento desconhecido"},
	{settings.ErrNotFound, 404, "Não encontrado"},
	{settings.ErrUnknown, 400, "Requisição inválida: values tem uma configuração desconhecida"},
	{settings.ErrBadValue, 400, "Requisição inválida: values ou comment tem um texto longo demais, ou de mais de uma linha"},
	{settings.ErrNoSecret, 400, "Requisição inválida: só um segredo que já existe pode ficar como está (null)"},
	{settings.ErrStale, 409, "Há uma versão mais nova destas configurações; leia-a antes de mudar"},
	{settings.ErrFirst, 409, "Não há versão anterior"},
	{records.ErrNotFound, 404, "Não encontrado"},
	{records.ErrBadMark, 400, "Requisição inválida: after não é o fim de uma página"},
	{operations.ErrNotFound, 404, "Operação não encontrada"},
}

// away is the database's: any error that is not in the table means that it can't be read or written now.
const away = "Banco de dados do hub fora do ar, tente novamente"

func failureOf(err error) (status int, message string) {
	var said *reply.Failure
	if errors.As(err, &said) {
		return said.Status, said.Message
	}
	for _, row := range failures {
		if errors.Is(err, row.err) {
			return row.status, row.message
		}
	}
	return http.StatusServiceUnavailable, away
}

// isAway tells of an error that says nothing but that the database could not be asked.
func isAway(err error) bool {
	_, message := failureOf(err)
	return message == away
}

// refuse answers with a refusal, and tells its status.
func (api *API) refuse(w http.ResponseWriter, r *http.Request, err error) int {
	status, message := failureOf(err)
	if errors.Is(err, errGuessed) {
		api.slowDown(r)
	}
	switch {
	case message == away && r.Context().Err() != nil:
		// The caller has hung up, and with it the question to the database. Returning without an answer would send an empty 200.
		panic(http.ErrAbortHandler)
	case message == away:
		api.Log("banco de dados", err)
	case status == http.StatusUnauthorized:
		if len(r.Header["Authorization"]) > 0 {
			api.slowDown(r)
		}
		if r.Header.Get("Sec-Fetch-Mode") == "" || r.Header.Get("Sec-Fetch-Mode") == "navigate" { // a page asks by itself, not by the browser's window
			w.Header().Set("WWW-Authenticate", `Basic realm="maquininha-hub", charset="UTF-8"`)
		}
	}
	reply.Error(w, status, message)
	return status
}
