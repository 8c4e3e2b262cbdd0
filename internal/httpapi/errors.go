package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/sale"
)

// Errors that only this layer knows.
var (
	errUnauthorized       = errors.New("missing or wrong credentials")
	errNoRoute            = errors.New("no such path")
	errMethod             = errors.New("no such method on this path")
	errForeignPage        = errors.New("sent by a page of another origin without CORS")
	errInternal           = errors.New("internal error")
	errNoImage            = errors.New("no image")
	errBadImage           = errors.New("image cannot be decoded")
	errNoText             = errors.New("no text")
	errNoXML              = errors.New("no XML")
	errNoContent          = errors.New("no content")
	errDrawer             = errors.New("cash drawer not opened")
	errNotShowable        = errors.New("image cannot be shown")
	errNotMobile          = errors.New("not a mobile platform")
	errNoQuestionShown    = errors.New("no question on the screen")
	errNoPaymentShown     = errors.New("no payment on the screen")
	errCrowded            = fmt.Errorf("drawing: %w", operation.ErrBusy)
	errPaymentBackground  = fmt.Errorf("payment: %w", payment.ErrBackground)
	errReversalBackground = fmt.Errorf("reversal: %w", payment.ErrBackground)
)

// failures is section 7 of the interface and what the decisions add to it: the first row that fits answers.
var failures = []struct {
	err     error
	status  int
	code    int
	message string
}{
	{errUnauthorized, 401, 401, "Credenciais ausentes ou inválidas"},
	{errNoRoute, 404, 404, "Rota não encontrada"},
	{errMethod, 405, 405, "Método não permitido"},
	{errForeignPage, 403, 403, "Pedido de página de outra origem recusado; use CORS, com o Content-Type da rota"},
	{errCrowded, 503, 503, "Muitos documentos grandes ao mesmo tempo, tente novamente em instantes"}, // before what it wraps
	{operation.ErrBusy, 503, 503, "Aplicativo ocupado realizando outra operação, tente mais tarde!"},

	{sale.ErrAlreadyOpen, 409, 409, "Já existe uma venda ativa!"},
	{sale.ErrNoneOpen, 409, 409, "Nenhuma venda ativa!"},
	{sale.ErrItemExists, 400, 400, "Item já existente na venda!"},
	{sale.ErrItemUnknown, 404, 404, "Item não encontrado na venda!"},
	{sale.ErrPaymentExists, 400, 400, "Pagamento já existente na venda!"},
	{sale.ErrPaymentUnknown, 404, 404, "Pagamento não encontrado na venda!"},
	{sale.ErrDiscountExists, 400, 400, "Desconto já existente na venda!"},
	{sale.ErrDiscountUnknown, 404, 404, "Desconto não encontrado na venda!"},
	{sale.ErrAdditionExists, 400, 400, "Acréscimo já existente na venda!"},
	{sale.ErrAdditionUnknown, 404, 404, "Acréscimo não encontrado na venda!"},
	{sale.ErrUnknownSale, 404, 404, "Venda não encontrada"},

	{question.ErrNoQuestions, 400, 400, "Nenhuma pergunta recebida"},
	{question.ErrDuplicateIDs, 400, 400, "Existem perguntas com IDs duplicados no formulário"},
	{question.ErrShown, 409, 409, "Já existe uma pergunta em exibição!"},
	{question.ErrCancelledByPerson, 409, 409, "Pergunta cancelada pelo usuário"},
	{question.ErrCancelledByCaller, 409, 409, "Pergunta cancelada pelo PDV"},
	{question.ErrTimedOut, 409, 409, "Tempo esgotado"},

	{errNoImage, 400, 400, "Nenhuma imagem enviada"},
	{errNoText, 400, 500, "Nenhum texto enviado"}, // the body's code differs: section 7
	{errNoXML, 400, 403, "Nenhum XML enviado"},    // the body's code differs: section 7
	{errNoContent, 400, 400, "Nenhum conteúdo enviado"},
	{errDrawer, 500, 500, "Erro ao abrir a gaveta"}, // before what it wraps
	{printing.ErrFailed, 500, 500, "Erro ao imprimir"},
	{errNotShowable, 500, 500, "Erro ao exibir imagem"},

	{errPaymentBackground, 503, 503, "Aplicativo em segundo plano. Abra o app para concluir o pagamento."},
	{errReversalBackground, 503, 503, "Aplicativo em segundo plano. Abra o app para concluir o estorno."},
	{payment.ErrUnknown, 503, 503, "Situação da transação desconhecida; consulte pelo referenceId."},
	{payment.ErrNotFound, 404, 404, "Transação não encontrada"},
	{payment.ErrReferenceUsed, 409, 409, "Referência já utilizada em outra transação"},
	{payment.ErrReversed, 409, 409, "Transação já estornada"},
	{payment.ErrNotReversible, 409, 409, "Transação não pode ser estornada"},
	{payment.ErrAboveLeft, 409, 409, "Valor maior do que o disponível para estorno"},
	{payment.ErrWholeOnly, 409, 409, "O adquirente desta transação não faz estorno parcial"},
	{payment.ErrAtDevice, 409, 409, "O estorno desta transação só é feito na maquininha; feito lá, repita este pedido"},
	{payment.ErrReversalUsed, 409, 409, "reversalId já utilizado em outro estorno desta transação"},
	{payment.ErrNoAcquirer, 503, 503, "Nenhum adquirente configurado neste terminal"},
	{payment.ErrElsewhere, 503, 503, "O adquirente desta transação não está configurado neste terminal"},
	{payment.ErrMethod, 503, 503, "Nenhum adquirente configurado para esta forma de pagamento"},
	{payment.ErrUnresolved, 503, 503, "Uma transação anterior ainda está sem resposta do adquirente; tente novamente em instantes"},

	{operation.ErrNone, 404, 404, "Nenhuma operação em andamento"},
	{operation.ErrOther, 409, 409, "A operação em andamento é outra"},
	{operation.ErrCommitted, 409, 409, "A operação já não pode ser cancelada"},

	{errNotMobile, 403, 403, "Reinicialização disponível apenas para dispositivos móveis"},
	{operation.ErrStopping, 503, 503, stopping},
	{operation.ErrNotSaved, 503, 503, notSaved},

	{errNoQuestionShown, 409, 409, "Nenhuma pergunta em exibição!"},
	{errNoPaymentShown, 409, 409, "Nenhum pagamento em exibição!"},
	{printing.ErrNoJob, 404, 404, "Impressão não encontrada"},
}

const (
	notSaved = "Não foi possível gravar os dados, tente novamente"
	stopping = "Serviço encerrando, tente novamente em instantes"
)

// whyNotSaved names what somebody at the terminal can do something about.
func whyNotSaved(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "Não há espaço no disco do terminal: nada foi gravado; libere espaço e tente novamente"
	case errors.Is(err, syscall.EROFS):
		return "O disco do terminal está somente para leitura: nada foi gravado; verifique o disco e tente novamente"
	}
	return notSaved
}

// failure is an error as the caller gets it.
type failure struct {
	status  int
	code    int
	message string
	reason  string // for X-Motivo
}

func failureOf(err error) failure {
	var said *requestError
	if errors.As(inCallersWords(err), &said) {
		return failure{status: said.status, code: said.status, message: said.message}
	}
	for _, row := range failures {
		if errors.Is(err, row.err) {
			f := failure{status: row.status, code: row.code, message: row.message}
			switch {
			case row.err == printing.ErrFailed, row.err == errDrawer:
				f.reason = reasonOf(err)
			case row.message == notSaved:
				f.message = whyNotSaved(err)
			}
			return f
		}
	}
	return failure{status: http.StatusInternalServerError, code: http.StatusInternalServerError, message: "Erro interno"}
}

// rules are what a field of a sale or a transaction can be wrong with.
var rules = map[error]string{
	sale.ErrNegative:         "não pode ser negativo",
	sale.ErrUnknownType:      oneOf(sale.PaymentTypes),
	sale.ErrInexact:          "não cabe na soma da venda sem arredondar",
	payment.ErrTooFine:       "deve ter no máximo duas casas decimais",
	operation.ErrNotPositive: "deve ser maior que zero",
	operation.ErrTooLarge:    "está fora da faixa aceita",
}

// inCallersWords puts a domain's rule into the caller's words; other errors pass.
func inCallersWords(err error) error {
	var field *operation.FieldError
	if errors.As(err, &field) {
		return invalid(field.Field, rules[field.Err])
	}
	return err
}

// details are what the log keeps of a failure beside its status.
func (f failure) details(err error) string {
	details := f.message
	var said *requestError
	switch {
	case errors.As(err, &said):
		if said.excerpt != "" {
			details += "\n" + said.excerpt
		}
	case f.reason != "":
		details += "\n" + f.reason + "\n" + portuguese.Text(err.Error())
	case f.status >= 500 && f.status != http.StatusServiceUnavailable, errors.Is(err, payment.ErrUnknown), errors.Is(err, operation.ErrNotSaved):
		details += "\n" + portuguese.Text(err.Error())
	}
	return details
}

// requestError is one whose words depend on the request.
type requestError struct {
	status  int
	message string
	excerpt string // of the body, for the log
}

func (e *requestError) Error() string { return e.message }

// invalid is a request that names its own fault: the field in the caller's own JSON path, and what it must be.
func invalid(path, problem string) error {
	return &requestError{status: http.StatusBadRequest, message: "Requisição inválida: " + strings.TrimSpace(path+" "+problem)}
}

func refused(text string) error {
	return &requestError{status: http.StatusForbidden, message: text}
}

// headerText is what a header can carry: one line of ASCII, accents taken off.
func headerText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r < 0x20:
			return ' '
		case r > 0x7e:
			return '?'
		}
		return r
	}, norm.NFD.String(s))
}
