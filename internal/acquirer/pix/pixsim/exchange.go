package pixsim

import "github.com/maquininha/maquininha/internal/acquirer/httpsim"

// Exchange is one request and what became of it, for whoever looks on.
type Exchange = httpsim.Exchange[Event]

// told keeps what an answer says.
func told(e *Exchange, answer reply) {
	switch j := answer.Body.(type) {
	case map[string]any:
		e.State, _ = j["status"].(string)
		if j["access_token"] != nil {
			e.State = "token entregue"
		}
		if detail, ok := j["detail"].(string); ok {
			e.Problem = detail
		}
	case map[string]string:
		e.Problem = j["error_description"]
	}
}
