package httpapi

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/maquininha/maquininha/internal/metrics"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/question"
)

// counters are what only this layer sees.
type counters struct {
	unauthorized *metrics.Counter
	unrouted     *metrics.Counter // paths and methods that nobody serves
	unreadable   *metrics.Counter // pages that could not be made of what the caller sent
	answered     *metrics.Counter
	ended        []endedQuestions
}

type endedQuestions struct {
	why   error // nil: any other
	count *metrics.Counter
}

func newCounters(m *metrics.Meter) counters {
	asked := m.Totals("maquininha_questions_total", "Perguntas, por desfecho.")
	return counters{
		unauthorized: m.Totals("maquininha_unauthorized_total", "Requisições recusadas por credenciais ausentes ou erradas.").Counter(),
		unrouted:     m.Totals("maquininha_unrouted_total", "Requisições a caminhos ou métodos que não existem.").Counter(),
		unreadable:   m.Totals("maquininha_print_failures_total", "Impressões que falharam, por motivo.").Counter("reason", "document"),
		answered:     asked.Counter("outcome", "answered"),
		ended: []endedQuestions{
			{question.ErrCancelledByPerson, asked.Counter("outcome", "cancelled_by_person")},
			{question.ErrCancelledByCaller, asked.Counter("outcome", "cancelled_by_caller")},
			{question.ErrTimedOut, asked.Counter("outcome", "timed_out")},
			{operation.ErrStopping, asked.Counter("outcome", "stopped")},
			{nil, asked.Counter("outcome", "gone")},
		},
	}
}

// asked counts how a question ended; one that was never shown is none.
func (c *counters) asked(err error) {
	if err == nil {
		c.answered.Inc()
		return
	}
	if errors.Is(err, question.ErrShown) {
		return
	}
	for _, e := range c.ended {
		if e.why == nil || errors.Is(err, e.why) {
			e.count.Inc()
			return
		}
	}
}

// outcomeOf is how a request ended that was answered with an error's status.
func outcomeOf(status int, err error) metrics.Outcome {
	switch {
	case errors.Is(err, operation.ErrBusy):
		return metrics.Busy
	case status >= http.StatusInternalServerError:
		return metrics.Failed
	}
	return metrics.Refused
}

// metrics are read by a machine again and again: nothing of it is logged.
func (api *API) metrics(w http.ResponseWriter, _ *http.Request) {
	text := api.Metrics.Text()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.Write(text) //nolint:errcheck // the caller may be gone
}
