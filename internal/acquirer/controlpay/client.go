package controlpay

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// client speaks HTTP with ControlPay: every call is a POST with JSON, and the key in the address.
type client struct {
	remote.Caller
	key string
}

func newClient(c Config) (*client, error) {
	by, err := remote.Transport{CA: c.CA, Timeout: c.Timeout, Network: c.Network}.Client()
	if err != nil {
		return nil, fmt.Errorf("controlpay: %w", err)
	}
	cl := &client{key: c.Key, Caller: remote.Caller{
		Base: c.BaseURL, HTTP: by, Timeout: c.Timeout, Backoff: c.Pace.Repeating(), Secrets: []string{c.Key, url.QueryEscape(c.Key)},
		Headers: map[string]string{"User-Agent": "maquininha/" + cmp.Or(c.Version, "1")},
	}}
	cl.Refused = func(a remote.Answer) remote.Problem { return parseProblem(a, cl.Hide) }
	return cl, nil
}

// call asks as often as tries says, under a name that logs on both sides can be held against each other by. Its error is a *remote.Failure.
func (c *client) call(ctx context.Context, tries int, name, path string, query url.Values, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // made here, of what JSON can write
	}
	if query == nil {
		query = url.Values{}
	}
	query.Set("key", c.key)
	return c.Do(ctx, remote.Call{
		Method: http.MethodPost, Path: "/" + path + "/?" + query.Encode(), Body: text, Headers: map[string]string{"X-Request-Id": name}, Tries: tries,
	})
}

// parseProblem reads ControlPay's form of a no, which is a message alone. A proxy's page helps nobody, and that a call is not found is
// never about a sale: one that is missing is an empty list.
func parseProblem(a remote.Answer, hide func(string) string) *remote.Complaint {
	p := remote.Complain("ControlPay", a)
	var said struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(a.Body, &said) == nil {
		p.Text = remote.Words(hide(said.Message)) // hidden first: half a secret is one too
		p.Own = p.Text != "" && p.Status != http.StatusNotFound
	}
	return &p
}

var refusals = remote.Refusals{Down: "ControlPay fora do ar", Denied: "O ControlPay recusou a chave de integração", Otherwise: "Recusado pelo ControlPay"}
