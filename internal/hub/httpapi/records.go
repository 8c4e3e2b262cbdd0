package httpapi

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/reply"
	"github.com/maquininha/maquininha/internal/moment"
	"github.com/maquininha/maquininha/internal/money"
)

// transactionBody is a transaction of some terminal. Details are what the terminal itself answers.
type transactionBody struct {
	Terminal    string          `json:"terminal"`
	Tenant      string          `json:"tenant"`
	Shop        string          `json:"shop"`
	Epoch       string          `json:"epoch"`
	Attempt     int64           `json:"attempt"`
	ReferenceID *string         `json:"referenceId"`
	Method      string          `json:"method"`
	Amount      json.RawMessage `json:"amount"`
	Status      string          `json:"status"`
	NSU         string          `json:"nsu"`
	CreatedAt   *string         `json:"createdAt"`
	UpdatedAt   *string         `json:"updatedAt"`
	Answer      json.RawMessage `json:"answer"`
}

func transactionOf(t records.Transaction) transactionBody {
	return transactionBody{
		t.Terminal, t.Tenant, t.Shop, t.Epoch, t.Attempt, nullable(t.Reference), t.Method, json.RawMessage(t.Amount), t.Status, t.NSU,
		reply.Stamp(t.CreatedAt), reply.Stamp(t.UpdatedAt), t.Answer,
	}
}

func (q query) transactions() records.TransactionFilter {
	return records.TransactionFilter{
		Within: q.place(), Terminal: q.Get("terminal"), Since: q.Moment("since", false), Until: q.Moment("until", true),
		Status: q.Choice("status", "pending", "approved", "refused", "cancelled", "reversed"), Method: q.Choice("method", "credit", "debit", "pix", "any"),
		Reference: q.Get("referenceId"),
	}
}

func (api *API) listTransactions(r *request) (any, error) {
	q := api.datedQuery(r.Request, r.caller.Scope)
	f, after, limit := q.transactions(), q.mark(), q.Whole("limit", 100, 0, 500)
	if q.Fault != nil {
		return nil, q.Fault
	}
	page, next, err := api.Records.Transactions(r.Context(), r.caller.Scope, f, after, limit)
	return struct {
		Transactions []transactionBody `json:"transactions"`
		Next         *string           `json:"next"` // to be asked for as after; null: there are no more
	}{mapped(page, transactionOf), nullable(next.String())}, err
}

func (api *API) history(r *request) (any, error) {
	attempt, err := strconv.ParseInt(r.PathValue("attempt"), 10, 64)
	if err != nil {
		return nil, records.ErrNotFound
	}
	steps, err := api.Records.History(r.Context(), r.caller.Scope, r.PathValue("id"), r.PathValue("epoch"), attempt)
	if err == nil && len(steps) == 0 {
		err = records.ErrNotFound
	}
	type stepBody struct {
		Number    int64   `json:"number"`
		At        *string `json:"at"`
		Operation string  `json:"operation"`
		State     string  `json:"state"`
		Note      *string `json:"note"`
	}
	return mapped(steps, func(s records.Step) stepBody {
		return stepBody{s.Number, reply.Stamp(s.At), s.Operation, s.State, nullable(s.Note)}
	}), err
}

type sumBody struct {
	Count  int64         `json:"count"`
	Amount money.Decimal `json:"amount"`
}

// closingBody is what one terminal took in one way, or all of them together.
type closingBody struct {
	Tenant   string        `json:"tenant,omitempty"`
	Shop     string        `json:"shop,omitempty"`
	Terminal string        `json:"terminal,omitempty"`
	Method   string        `json:"method,omitempty"`
	Gross    sumBody       `json:"gross"`
	Reversed sumBody       `json:"reversed"`
	Net      money.Decimal `json:"net"`
	Pending  sumBody       `json:"pending"`
}

func closingOf(c records.Closing) closingBody {
	return closingBody{c.Tenant, c.Shop, c.Terminal, c.Method, sumBody(c.Gross), sumBody(c.Reversed), c.Net(), sumBody(c.Pending)}
}

func (q query) closings() records.ClosingFilter {
	return records.ClosingFilter{Within: q.place(), Terminal: q.Get("terminal"), Since: q.Moment("since", false), Until: q.Moment("until", true)}
}

func (api *API) listClosings(r *request) (any, error) {
	q := api.datedQuery(r.Request, r.caller.Scope)
	f := q.closings()
	if q.Fault != nil {
		return nil, q.Fault
	}
	rows, err := api.Records.Closings(r.Context(), r.caller.Scope, f)
	if err != nil {
		return nil, err
	}
	var total records.Closing
	for _, c := range rows {
		for _, s := range []struct{ to, from *records.Sum }{{&total.Gross, &c.Gross}, {&total.Reversed, &c.Reversed}, {&total.Pending, &c.Pending}} {
			s.to.Count += s.from.Count
			if s.to.Amount, err = s.to.Amount.Plus(s.from.Amount); err != nil {
				return nil, err
			}
		}
	}
	return struct {
		Closings []closingBody `json:"closings"`
		Total    closingBody   `json:"total"`
	}{mapped(rows, closingOf), closingOf(total)}, nil
}

type entryBody struct {
	Terminal  string  `json:"terminal"`
	Tenant    string  `json:"tenant"`
	Shop      string  `json:"shop"`
	ID        string  `json:"id"`
	Level     string  `json:"level"`
	Source    string  `json:"source"`
	Message   string  `json:"message"`
	Details   *string `json:"details"`
	CreatedAt *string `json:"createdAt"`
}

func entryOf(e records.Entry) entryBody {
	return entryBody{e.Terminal, e.Tenant, e.Shop, strconv.FormatInt(e.ID, 10), e.Level, e.Source, e.Message, nullable(e.Details), reply.Stamp(e.At)}
}

func (q query) entries() records.EntryFilter {
	return records.EntryFilter{
		Within: q.place(), Terminal: q.Get("terminal"), Since: q.Moment("dateFrom", false), Until: q.Moment("dateTo", true),
		Level: q.Choice("level", "fatal", "error", "warning", "info", "trace", "path", "debug"), Source: q.Choice("source", "app", "router", "http"), Words: q.Get("search"),
	}
}

func (api *API) listLogs(r *request) (any, error) {
	q := api.datedQuery(r.Request, r.caller.Scope)
	f, after, limit := q.entries(), q.mark(), q.Whole("limit", 100, 0, 500)
	if q.Fault != nil {
		return nil, q.Fault
	}
	page, next, err := api.Records.Entries(r.Context(), r.caller.Scope, f, after, limit)
	return struct {
		Entries []entryBody `json:"entries"`
		Next    *string     `json:"next"` // a search may have to be gone on with even where a page is empty
	}{mapped(page, entryOf), nullable(next.String())}, err
}

func (api *API) listGaps(r *request) (any, error) {
	type gapBody struct {
		Terminal string       `json:"terminal"`
		Epoch    string       `json:"epoch"`
		Kind     records.Kind `json:"kind"`
		First    int64        `json:"first"`
		Last     int64        `json:"last"`
		FoundAt  *string      `json:"foundAt"`
	}
	q := queryOf(r.Request)
	after, limit := q.mark(), q.Whole("limit", 100, 0, 500)
	if q.Fault != nil {
		return nil, q.Fault
	}
	page, next, err := api.Records.Gaps(r.Context(), r.caller.Scope, q.Get("terminal"), after, limit)
	return struct {
		Gaps []gapBody `json:"gaps"`
		Next *string   `json:"next"`
	}{mapped(page, func(g records.Gap) gapBody {
		return gapBody{g.Terminal, g.Epoch, g.Kind, g.First, g.Last, reply.Stamp(g.FoundAt)}
	}), nullable(next.String())}, err
}

// notBefore says what operations can be listed from.
const notBefore = "deve ser uma data ISO 8601 ou o id de uma operação dos últimos 7 dias"

func (api *API) listOperations(r *request) (any, error) {
	q := api.datedQuery(r.Request, r.caller.Scope)
	f := operations.Filter{Within: q.place(), Terminal: q.Get("terminal")}
	if before := q.Get("before"); operations.IsID(before) {
		f.Behind = before
	} else if t, ok := moment.ParseIn(before, false, q.Zone); ok {
		f.Before = t
	} else if before != "" {
		q.Wrong("before", notBefore)
	}
	f.State = operations.State(q.Choice("state", string(operations.Waiting), string(operations.Running), string(operations.Done), string(operations.Broken)))
	limit := q.Whole("limit", 100, 0, 500)
	if q.Fault != nil {
		return nil, q.Fault
	}
	all, err := api.Operations.List(r.Context(), r.caller.Scope, f, limit)
	if errors.Is(err, operations.ErrNotFound) {
		err = reply.Invalid("before", notBefore)
	}
	return relay.Bodies(all), err
}
