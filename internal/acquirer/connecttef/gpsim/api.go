package gpsim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/portuguese"
)

type request = httpsim.Request[Event]

func (m *Manager) routes() []httpsim.Route[Event] {
	at := regexp.MustCompile(`^/api/v1/operacao()$`)
	return []httpsim.Route[Event]{
		{Call: OnSee, Method: http.MethodGet, Path: at, Query: "identificacao", Serve: m.see},
		{Call: OnSale, Method: http.MethodPost, Path: at, Query: "tipoOperacao=0", Serve: m.sell},
		{Call: OnRefund, Method: http.MethodPost, Path: at, Query: "tipoOperacao=1", Serve: m.giveBack},
	}
}

// admit holds a request to the rules of all calls.
func (m *Manager) admit(r *request) *httpsim.Reply {
	switch {
	case r.Header.Get("Content-Type") != "application/json":
		no := m.bad(r, "falta Content-Type: application/json")
		return &no
	case r.Method == http.MethodGet && len(r.Body) > 0:
		no := m.bad(r, "a consulta não tem corpo")
		return &no
	}
	return nil
}

func (m *Manager) lost(r *request) httpsim.Reply {
	no := m.bad(r, "o caminho, o método ou a operação não existe")
	no.Status = http.StatusNotFound
	return no
}

// bad refuses a request that breaks a rule, and keeps that for the tests.
func (m *Manager) bad(r *request, why string) httpsim.Reply {
	_ = m.happen(Event{Kind: Violated, Note: fmt.Sprintf("%s %s: %s", r.Method, r.URL.Path, why)}) // refused all the same
	return problem(http.StatusBadRequest, why)
}

// problem is an error; in which form the real one says it, nobody tells.
func problem(status int, detail string) httpsim.Reply {
	return httpsim.Reply{Status: status, Body: map[string]any{"textoEspecialOperador": detail}, Why: detail}
}

// broken is the simulator's own fault.
func broken(err error) httpsim.Reply {
	return problem(http.StatusInternalServerError, portuguese.Error(err))
}

// stateOf is the operation's that an answer tells of.
func stateOf(answer httpsim.Reply) string {
	j, _ := answer.Body.(map[string]any)
	text, _ := j["textoEspecialOperador"].(string)
	if status, ended := j["statusTransacao"].(string); ended {
		return "statusTransacao " + status
	}
	return text
}

func (m *Manager) see(r *request) httpsim.Reply {
	o := m.operations[r.URL.Query().Get("identificacao")]
	switch {
	case o == nil && m.config.Empty:
		return httpsim.Reply{Status: http.StatusOK, Body: map[string]any{}}
	case o == nil:
		return problem(http.StatusNotFound, "operação não encontrada")
	}
	return m.tell(o)
}

// tell is an operation as it is by now.
func (m *Manager) tell(o *operation) httpsim.Reply {
	if err := m.mature(o); err != nil {
		return broken(err)
	}
	return httpsim.Reply{Status: http.StatusOK, Body: o.json(m.config.Network)}
}

type newOperation struct {
	ID     string      `json:"identificacao"`
	Total  json.Number `json:"valorTotal"`
	Type   string      `json:"tipoTransacao"`
	Times  string      `json:"quantidadeParcelas"`
	Print  bool        `json:"imprimirComprovante"`
	Number string      `json:"numeroTransacao"`
	Final  string      `json:"finalizacao"`
}

var (
	idPattern     = regexp.MustCompile(`^[A-Za-z0-9-]{1,36}$`)
	amountPattern = regexp.MustCompile(`^\d{1,8}(\.\d{1,2})?$`)
	types         = []string{"10", "11", "12", "20", "30", "60"}
)

// wrong says which rule a new operation breaks; empty: none.
func (n newOperation) wrong(refund bool) string {
	switch {
	case !idPattern.MatchString(n.ID):
		return "identificacao deve ter até 36 letras, números e hifens"
	case !amountPattern.MatchString(n.Total.String()) || money.MustParse(n.Total.String()).Sign() <= 0:
		return "valorTotal deve ser um valor como 29.9"
	case n.Type != "" && !slices.Contains(types, n.Type):
		return "tipoTransacao não existe"
	case n.Times != "" && n.Times != "1" && n.Type != "11" && n.Type != "12":
		return "quantidadeParcelas só vale no crédito parcelado"
	case refund && (n.Type == "" || n.Number == "" || n.Final == ""):
		return "o estorno pede tipoTransacao, numeroTransacao e finalizacao"
	}
	return ""
}

// read is what a request asks for, or the reply that it can't.
func (m *Manager) read(r *request, refund bool) (n newOperation, no *httpsim.Reply) {
	refuse := func(answer httpsim.Reply) (newOperation, *httpsim.Reply) { return n, &answer }
	if err := httpsim.Decode(r.Body, &n); err != nil {
		return refuse(m.bad(r, err.Error()))
	}
	if wrong := n.wrong(refund); wrong != "" {
		return refuse(m.bad(r, wrong))
	}
	switch known := m.operations[n.ID]; {
	case known != nil && !refund:
		return refuse(m.bad(r, "já há uma operação com esta identificacao")) // nobody says what it would do
	case known != nil:
		return refuse(problem(http.StatusConflict, "já há uma operação com esta identificacao"))
	}
	return n, nil
}

func (m *Manager) sell(r *request) httpsim.Reply {
	n, no := m.read(r, false)
	if no != nil {
		return *no
	}
	made := Event{
		Kind: Made, ID: n.ID, Amount: money.MustParse(n.Total.String()).Cents(), Type: n.Type, Times: n.Times, Until: time.Now().Add(m.config.Wait), End: statusTimeout,
	}
	return m.begin(made, "")
}

func (m *Manager) giveBack(r *request) httpsim.Reply {
	n, no := m.read(r, true)
	if no != nil {
		return *no
	}
	made := Event{Kind: Made, ID: n.ID, Refund: true, Amount: money.MustParse(n.Total.String()).Cents(), Type: n.Type, Until: time.Now(), End: Approved}
	sale := m.sold(n.Number, n.Final)
	why := ""
	switch {
	case sale == nil:
		why = "TRANSACAO NAO ENCONTRADA"
	case m.givenBack(sale):
		made.Of, why = sale.made.ID, "TRANSACAO JA CANCELADA"
	case money.MustParse(sale.amount()).Cmp(money.MustParse(made.Amount)) != 0:
		made.Of, why = sale.made.ID, "VALOR DIFERE DO DA VENDA"
	default:
		made.Of = sale.made.ID
	}
	switch r.Misbehaviour.Kind {
	case RefundSlowly:
		made.Until = made.Until.Add(r.Misbehaviour.Delay)
	case RefundRefused:
		made.End = statusRefused
	case RefundInVain:
		made.Until, made.End = made.Until.Add(r.Misbehaviour.Delay), statusRefused
	}
	return m.begin(made, why)
}

// begin takes an operation to the device, or ends it at once.
func (m *Manager) begin(made Event, why string) httpsim.Reply {
	busy, err := m.busy()
	if err == nil {
		err = m.happen(made)
	}
	if err != nil {
		return broken(err)
	}
	o := m.operations[made.ID]
	switch {
	case why != "":
		err = m.end(o, ending{status: statusRefused, text: why})
	case busy:
		err = m.end(o, ending{status: statusRefused, text: "TERMINAL OCUPADO"})
	default:
		m.attend(o)
		return httpsim.Reply{Status: http.StatusOK, Body: map[string]any{
			"identificacao": o.made.ID, "executada": false, "textoEspecialOperador": "Aguarde...",
		}}
	}
	if err != nil {
		return broken(err)
	}
	return m.tell(o)
}
