package pixsim

import "github.com/maquininha/maquininha/internal/acquirer/httpsim"

// Exchange is one request and what became of it, for whoever looks on.
type Exchange = httpsim.Exchange[Event]

// told keeps what an answer says.
func told(e *Exchange, answer reply) {
	e.Problem = answer.Why
	j, _ := answer.Body.(map[string]any)
	if answer.Why == "" {
		e.State, _ = j["status"].(string)
	}
	if j["access_token"] != nil {
		e.State = "token entregue"
	}
}
