package pixsim

import (
	"net/http"
	"strings"
)

// Exchange is one request and what became of it, for whoever looks on. One without a method is something that
// happened by itself, like a payment, or a Problem with a connection that brought no request.
type Exchange struct {
	Method, Path string
	Call         Call    // empty: none of the API
	Status       int     // 0: the connection ended without an answer
	State        string  // of the charge or refund that the answer tells of
	Misdeed      Misdeed // empty: the PSP behaved
	Problem      string  // why it was refused
	Events       []Event // what the ledger got
}

func (b *Bank) report(e Exchange) {
	if b.config.Log != nil {
		b.config.Log(e)
	}
}

// answerer remembers the status that was written.
type answerer struct {
	http.ResponseWriter
	status int
}

func (a *answerer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

func (a *answerer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(p)
}

// Unwrap lets a connection be taken over.
func (a *answerer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// note keeps what an answer says.
func (e *Exchange) note(answer reply) {
	switch j := answer.body.(type) {
	case map[string]any:
		e.State, _ = j["status"].(string)
		if detail, ok := j["detail"].(string); ok {
			e.Problem = detail
		}
	case map[string]string:
		e.Problem = j["error_description"]
	}
}

// complaints are what the HTTP server has to say about connections.
type complaints func(Exchange)

func (report complaints) Write(line []byte) (int, error) {
	report(Exchange{Problem: strings.TrimSpace(string(line))})
	return len(line), nil
}
