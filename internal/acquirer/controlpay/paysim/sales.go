package paysim

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

// The states of the API.
const (
	inPayment  = 6
	credited   = 10
	expired    = 15
	cancelling = 19
	cancelled  = 20
	refused    = 25
)

var stateNames = map[int]string{
	inPayment: "Em Pagamento", credited: "Creditado", expired: "Expirado", cancelling: "Cancelamento iniciado", cancelled: "Cancelado", refused: "Recusado",
}

// What somebody at the terminal can be told.
var (
	ErrNoSale = errors.New("não há venda com este id")
	ErrOver   = errors.New("a venda já terminou")
)

type sale struct {
	made   Event
	now    Event
	papers []Event // what the terminal did about it
}

type newSale struct {
	Method       int    `json:"formaPagamentoId"`
	Terminal     int    `json:"terminalId"`
	Reference    string `json:"referencia"`
	Start        bool   `json:"iniciarTransacaoAutomaticamente"`
	InFull       bool   `json:"aVista"`
	ByIssuer     bool   `json:"parcelamentoAdmin"`
	Installments int    `json:"quantidadeParcelas"`
	Amount       string `json:"valorTotalVendido"`
}

var amountPattern = regexp.MustCompile(`^\d{1,10},\d{2}$`)

// wrong is the first rule that the body breaks.
func (n newSale) wrong(terminal int) string {
	switch {
	case n.Method < 20 || n.Method > 25:
		return "formaPagamentoId desconhecida"
	case n.Terminal != terminal:
		return "o terminal não é desta conta"
	case n.Reference == "" || len(n.Reference) > 64:
		return "referencia vazia ou longa demais"
	case !n.Start:
		return "este simulador só inicia vendas automaticamente"
	case !amountPattern.MatchString(n.Amount) || strings.Trim(n.Amount, "0,") == "":
		return "valorTotalVendido não é um valor como 1,00"
	case n.Installments < 1 || n.Installments > 99 || n.InFull != (n.Installments == 1):
		return "aVista e quantidadeParcelas não combinam"
	case n.Method != 21 && n.Installments > 1:
		return "parcelas só valem para o crédito"
	}
	return ""
}

// sell makes a sale of each request, as the API does: two of one reference are two.
func (a *Account) sell(r *request) httpsim.Reply {
	var body newSale
	if err := httpsim.Decode(r.Body, &body); err != nil {
		return a.bad(r, http.StatusBadRequest, err.Error())
	}
	if wrong := body.wrong(a.config.Terminal); wrong != "" {
		return a.bad(r, http.StatusBadRequest, wrong)
	}
	for _, s := range a.inTurn {
		if s.made.Reference == body.Reference {
			_ = a.happen(Event{Kind: Violated, Note: "a referencia " + body.Reference + " já tem uma venda"}) // taken all the same
		}
	}
	made := Event{
		Kind: Made, Sale: int64(len(a.inTurn) + 1), Reference: body.Reference, Amount: strings.Replace(body.Amount, ",", ".", 1), Method: body.Method,
		Installments: body.Installments, State: inPayment, Until: time.Now().Add(a.config.Patience),
	}
	if err := a.happen(made); err != nil {
		return broken(err)
	}
	return told(a.sales[made.Sale])
}

// cancel gives a whole sale back, on the day it was made.
func (a *Account) cancel(r *request) httpsim.Reply {
	var body struct {
		Sale     int64  `json:"intencaoVendaId"`
		Terminal int    `json:"terminalId"`
		Wait     bool   `json:"aguardarTefIniciarTransacao"`
		Password string `json:"senhaTecnica"`
	}
	if err := httpsim.Decode(r.Body, &body); err != nil {
		return a.bad(r, http.StatusBadRequest, err.Error())
	}
	s := a.sales[body.Sale]
	switch {
	case s == nil:
		return a.bad(r, http.StatusNotFound, "não há venda com este id")
	case body.Terminal != a.config.Terminal:
		return a.bad(r, http.StatusBadRequest, "o terminal não é o da venda")
	case body.Password != a.config.Password:
		return problem(http.StatusBadRequest, "senha técnica inválida")
	case s.now.State != credited:
		return problem(http.StatusBadRequest, "a venda está "+stateNames[s.now.State])
	case s.made.At.Format(time.DateOnly) != time.Now().Format(time.DateOnly):
		return problem(http.StatusBadRequest, "o cancelamento só é possível no dia da venda")
	}
	m, _ := a.Whims.Take(OnCancel, cancelsOnly)
	var err error
	switch m.Kind {
	case CancelRefused:
		// The sale stays as it is.
	case CancelSlowly:
		err = a.happen(Event{Kind: Moved, Sale: s.made.Sale, State: cancelling, Until: time.Now().Add(m.Delay)})
	default:
		err = a.move(s, cancelled, a.paper(s, "CNC", "CANCELAMENTO AUTORIZADO", true))
	}
	if err != nil {
		return broken(err)
	}
	return told(s)
}

// mature brings a sale to where time has taken it.
func (a *Account) mature(s *sale) error {
	switch {
	case s.now.State == inPayment && !time.Now().Before(s.made.Until):
		return a.move(s, expired, "")
	case s.now.State == cancelling && !time.Now().Before(s.now.Until):
		return a.move(s, cancelled, a.paper(s, "CNC", "CANCELAMENTO AUTORIZADO", true))
	}
	return nil
}

// move takes a sale to a state, with what the terminal printed.
func (a *Account) move(s *sale, state int, paper string) error {
	return a.happen(Event{Kind: Moved, Sale: s.made.Sale, State: state, Amount: s.made.Amount, Paper: paper, NSU: fmt.Sprintf("%06d", 100*s.made.Sale+int64(len(s.papers)))})
}

// paper is the terminal's answer, in the lines of the file exchange.
func (a *Account) paper(s *sale, command, text string, approved bool) string {
	cents := strings.TrimLeft(strings.Replace(s.made.Amount, ".", "", 1), "0")
	nsu := fmt.Sprintf("%06d", 100*s.made.Sale+int64(len(s.papers)))
	lines := []string{"000-000 = " + command, fmt.Sprintf("001-000 = %d", s.made.Sale), "003-000 = " + cents}
	if !approved {
		lines = append(lines, "009-000 = 1", "028-000 = 0", "030-000 = "+text)
		return strings.Join(append(lines, "999-999 = 0", ""), "\r\n")
	}
	kind := map[int]string{21: "10", 22: "20", 23: "60"}[s.made.Method]
	if s.made.Installments > 1 {
		kind = "11"
	}
	lines = append(lines, "009-000 = 0", "010-000 = DEMO", "011-000 = "+kind, "012-000 = "+nsu, "013-000 = 019501", fmt.Sprintf("018-000 = %d", s.made.Installments),
		"027-000 = "+nsu, "028-000 = 0", "030-000 = "+text, "040-000 = VISA",
		"712-000 = 3", `713-001 = "LOJA DO SIMULADOR"`, `713-002 = "VIA CLIENTE"`, `713-003 = "NSU `+nsu+`"`,
		"714-000 = 3", `715-001 = "LOJA DO SIMULADOR"`, `715-002 = "VIA ESTABELECIMENTO"`, `715-003 = "NSU `+nsu+`"`,
		"729-000 = 1", "739-000 = 060", "740-000 = 453957******1486", "748-000 = VISA CREDITO")
	return strings.Join(append(lines, "999-999 = 0", ""), "\r\n")
}

// json is a sale as the API tells it.
func (s *sale) json() map[string]any {
	papers := []any{}
	for _, p := range s.papers {
		papers = append(papers, map[string]any{"nsuTid": p.NSU, "autorizacao": "019501", "adquirente": "DEMO", "respostaAdquirente": p.Paper})
	}
	value := money.MustParse(s.made.Amount)
	return map[string]any{
		"id": s.made.Sale, "referencia": s.made.Reference, "valorFinal": value, "valorFinalFormat": value.Reais(), "quantidadeParcelas": s.made.Installments,
		"formaPagamento":      map[string]any{"id": s.made.Method},
		"intencaoVendaStatus": map[string]any{"id": s.now.State, "nome": stateNames[s.now.State]}, "pagamentosExternos": papers,
	}
}
