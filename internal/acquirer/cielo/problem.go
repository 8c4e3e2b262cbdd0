package cielo

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

func newCaller(c Config) (remote.Caller, error) {
	by, err := remote.Transport{CA: c.CA, Timeout: c.Timeout, Network: c.Network}.Client()
	if err != nil {
		return remote.Caller{}, fmt.Errorf("cielo: %w", err)
	}
	secrets := remote.Caller{Secrets: []string{c.Token, c.ClientID, c.Merchant}}
	return remote.Caller{
		Base: c.BaseURL, HTTP: by, Timeout: c.Timeout, Backoff: c.Pace.Repeating(), Secrets: secrets.Secrets,
		Headers: map[string]string{"Client-Id": c.ClientID, "Access-Token": c.Token, "Merchant-Id": c.Merchant},
		Refused: func(a remote.Answer) remote.Problem { return parseProblem(a, secrets.Hide) },
	}, nil
}

type problemJSON struct {
	Code    json.RawMessage `json:"code"`
	Message string          `json:"message"`
	Error   string          `json:"error"`
}

// parseProblem reads both an object and a list of them. Cielo's own have a code and a message; an empty body, or what frameworks and
// gateways say of an address that they don't know, is nobody's word on an order.
func parseProblem(a remote.Answer, hide func(string) string) *remote.Complaint {
	p := remote.Complain("Cielo", a)
	var one problemJSON
	var several []problemJSON
	if json.Unmarshal(a.Body, &one) != nil && json.Unmarshal(a.Body, &several) == nil && len(several) > 0 {
		one = several[0]
	}
	p.Own = len(one.Code) > 0 && one.Message != "" && one.Error == ""
	p.Text = remote.Tidy(hide(cmp.Or(one.Message, one.Error))) // hidden first: half a secret is one too
	return &p
}

// isGone tells Cielo's word that there is no such order from somebody else's.
func isGone(err error) bool {
	p := remote.Complained(err)
	return p != nil && p.Absent()
}

var refusals = remote.Refusals{Down: "Cielo fora do ar", Denied: "A Cielo recusou as credenciais", Otherwise: "Recusado pela Cielo"}
