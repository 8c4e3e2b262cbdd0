package pixsim

import (
	"net/http"
	"slices"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// Next has the PSP misbehave. Those asked for earlier come first.
func (b *Bank) Next(m Misbehaviour) error { return b.whims.Next(m) }

// Behave forgets every misbehaviour asked for.
func (b *Bank) Behave() { b.whims.Behave() }

// misbehave serves the request as the next misbehaviour says.
func (b *Bank) misbehave(w http.ResponseWriter, r *request, route route) {
	m, _ := b.whims.Take(route.call, callsOnly)
	r.Note.Misdeed = m.Kind
	switch m.Kind {
	case Forget:
		b.mu.Lock()
		clear(b.tokens)
		b.mu.Unlock()
	case Denied:
		write(w, b.denied(route.call))
		return
	case Wordy:
		write(w, b.problem(http.StatusBadRequest, "RequisicaoInvalida", r.Header.Get("Authorization")+" "+b.config.ClientSecret))
		return
	case PaidBefore:
		b.inFlight(r)
	}
	if b.stage.Before(w, r.Request.Request, m) {
		return
	}
	answer := b.serve(r, route)
	told(r.Note, answer)
	if m.Kind == PaidAfter {
		b.inFlight(r)
	}
	if j, ok := answer.Body.(map[string]any); ok {
		spoil(j, m.Kind)
	}
	r.Note.Status = b.stage.After(w, r.Request.Request, m, answer)
}

// spoil takes from an answer, or adds to it.
func spoil(j map[string]any, how Misdeed) {
	switch list, paid := j["pix"].([]map[string]any); {
	case how == Twice && paid:
		j["pix"] = slices.Repeat(list, 2)
	case how == Bare:
		for _, member := range []string{"pixCopiaECola", "brcode", "location", "loc"} {
			delete(j, member)
		}
	}
}

// denied is a refusal in the words of the endpoint.
func (b *Bank) denied(call Call) reply {
	if call == OnToken {
		return reply{Status: http.StatusUnauthorized, Body: map[string]string{"error": "invalid_client", "error_description": "credenciais recusadas"}, Why: "credenciais recusadas"}
	}
	return b.problem(http.StatusUnauthorized, "AcessoNegado", "token recusado")
}

// stage is where the PSP misbehaves, in its own words.
func (b *Bank) newStage() httpsim.Stage {
	return httpsim.Stage{Closed: b.door.Closed(), Problem: b.plain}
}

// inFlight is the customer whose bank had read the charge already.
func (b *Bank) inFlight(r *request) {
	_, _ = b.PayLate(r.path[0], "") // no charge, no payment
}
