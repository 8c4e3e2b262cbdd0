package httpapi

import (
	"errors"
	"net/http"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/reply"
)

// Errors that only this layer knows.
var (
	errUnauthorized = errors.New("missing or wrong credentials")
	errNoRoute      = errors.New("no such path")
	errMethod       = errors.New("no such method on this path")
	errForeignPage  = errors.New("sent by a page of another origin")
)

// failures are the hub's own refusals: the first row that fits answers.
var failures = []struct {
	err     error
	status  int
	message string
}{
	{errUnauthorized, 401, "Credenciais ausentes ou inválidas"},
	{errNoRoute, 404, "Rota não encontrada"},
	{errMethod, 405, "Método não permitido"},
	{errForeignPage, 403, "Pedido de página de outra origem recusado"},

	{fleet.ErrNotFound, 404, "Não encontrado"},
	{fleet.ErrForbidden, 403, "O papel desta chave ou pessoa não permite isto"},
	{fleet.ErrTaken, 409, "Já existe um com este nome"},
	{fleet.ErrBadCode, 403, "Código inválido, já usado ou vencido; peça outro no hub"},
	{fleet.ErrRevoked, 409, "Terminal revogado"},
	{fleet.ErrBadName, 400, "Requisição inválida: name deve ter de 1 a 100 caracteres, em uma linha"},
	{fleet.ErrBadRole, 400, "Requisição inválida: role deve ser reads, operates ou administers, e não acima do seu"},
	{fleet.ErrBadPassword, 400, "Requisição inválida: password deve ter de 8 a 1024 caracteres"},
	{fleet.ErrBadPublicKey, 400, "Requisição inválida: publicKey não é uma chave Ed25519"},
	{fleet.ErrWhichShop, 400, "Requisição inválida: shop é obrigatório, pois há mais de uma loja"},

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
