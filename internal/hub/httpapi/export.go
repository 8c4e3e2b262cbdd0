package httpapi

import (
	"net/http"
	"strconv"

	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/moment"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/spreadsheet"
)

// export is one that is asked for.
type export struct {
	relay.Caller
	q     query
	names *exportNames
}

// export sends rows as they are read: a year of them is never in memory. Half a file must not look like a whole one. Columns of times say in
// their heads which zone's these are.
func (api *API) export(w http.ResponseWriter, r *http.Request, name string, head func(zone string) []string, rows func(x *export, each func(cells ...string) error) error) {
	caller, err := api.authenticate(r)
	if err != nil {
		api.refuse(w, r, err)
		return
	}
	q := api.datedQuery(r, caller.Scope)
	leave, err := api.exports.enter(r.Context(), caller.Scope)
	if err != nil {
		api.refuse(w, r, err)
		return
	}
	defer leave()
	names, err := api.namesFor(r.Context(), caller.Scope)
	if err != nil {
		api.refuse(w, r, err)
		return
	}
	var sheet *spreadsheet.Writer
	begun := false
	begin := func() (err error) {
		if begun {
			return nil
		}
		begun = true
		h := w.Header()
		h.Set("Content-Type", "text/csv; charset=utf-8")
		h.Set("Content-Disposition", `attachment; filename="`+name+`.csv"`)
		h.Set("Cache-Control", "no-store")
		sheet, err = spreadsheet.New(w, ';', head(" ("+moment.ZoneName(q.Zone)+")"))
		return err
	}
	const lookEach = 500 // a slow reader takes hours, and may have been shut out since
	n := 0
	err = rows(&export{caller, q, names}, func(cells ...string) error {
		if err := begin(); err != nil {
			return err
		}
		if n++; n%lookEach == 0 {
			if _, err := api.authenticate(r); err != nil && !isAway(err) {
				return err
			}
		}
		return sheet.Row(cells...)
	})
	if err != nil && !begun {
		api.refuse(w, r, err)
		return
	}
	if err == nil {
		err = begin()
	}
	if err == nil {
		err = sheet.End()
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
}

// reais is an amount as Brazilian spreadsheets read it.
func reais(amount string) string {
	d, err := money.Parse(amount)
	if err != nil {
		return amount
	}
	return d.Reais()
}

func (api *API) exportTransactions(w http.ResponseWriter, r *http.Request) {
	head := func(zone string) []string {
		return []string{"Data" + zone, "Cliente", "Loja", "Terminal", "Número", "Situação", "Tipo", "Valor", "Referência", "NSU", "Atualizada em" + zone}
	}
	api.export(w, r, "transacoes", head, func(x *export, each func(...string) error) error {
		f := x.q.transactions()
		if x.q.Fault != nil {
			return x.q.Fault
		}
		return api.Records.EachTransaction(r.Context(), x.Scope, f, func(t records.Transaction) error {
			whose := x.names.of(r.Context(), t.Place, t.Terminal)
			return each(spreadsheet.Time(t.CreatedAt, x.q.Zone), whose[0], whose[1], whose[2], strconv.FormatInt(t.Attempt, 10), t.Status, t.Method, reais(t.Amount), t.Reference,
				t.NSU, spreadsheet.Time(t.UpdatedAt, x.q.Zone))
		})
	})
}

func (api *API) exportClosings(w http.ResponseWriter, r *http.Request) {
	head := func(string) []string {
		return []string{"Cliente", "Loja", "Terminal", "Tipo", "Vendas", "Valor", "Estornos", "Valor estornado", "Líquido", "Pendentes", "Valor pendente"}
	}
	api.export(w, r, "fechamento", head, func(x *export, each func(...string) error) error {
		f := x.q.closings()
		if x.q.Fault != nil {
			return x.q.Fault
		}
		all, err := api.Records.Closings(r.Context(), x.Scope, f)
		for _, c := range all {
			whose := x.names.of(r.Context(), c.Place, c.Terminal)
			err := each(whose[0], whose[1], whose[2], c.Method, strconv.FormatInt(c.Gross.Count, 10), c.Gross.Amount.Reais(), strconv.FormatInt(c.Reversed.Count, 10),
				c.Reversed.Amount.Reais(), c.Net().Reais(), strconv.FormatInt(c.Pending.Count, 10), c.Pending.Amount.Reais())
			if err != nil {
				return err
			}
		}
		return err
	})
}

func (api *API) exportLogs(w http.ResponseWriter, r *http.Request) {
	head := func(zone string) []string {
		return []string{"Data" + zone, "Cliente", "Loja", "Terminal", "Número", "Nível", "Origem", "Mensagem", "Detalhes"}
	}
	api.export(w, r, "logs", head, func(x *export, each func(...string) error) error {
		f := x.q.entries()
		if x.q.Fault != nil {
			return x.q.Fault
		}
		return api.Records.EachEntry(r.Context(), x.Scope, f, func(e records.Entry) error {
			whose := x.names.of(r.Context(), e.Place, e.Terminal)
			return each(spreadsheet.Time(e.At, x.q.Zone), whose[0], whose[1], whose[2], strconv.FormatInt(e.ID, 10), e.Level, e.Source, e.Message, e.Details)
		})
	})
}
