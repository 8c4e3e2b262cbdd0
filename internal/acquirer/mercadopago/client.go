package mercadopago

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// client speaks HTTP with Mercado Pago.
type client struct{ remote.Caller }

func newClient(c Config) (*client, error) {
	by, err := remote.Transport{CA: c.CA, Timeout: c.Timeout, Network: c.Network}.Client()
	if err != nil {
		return nil, fmt.Errorf("mercadopago: %w", err)
	}
	cl := &client{remote.Caller{
		Base: c.BaseURL, HTTP: by, Timeout: c.Timeout, Backoff: c.Pace.Repeating(), Secrets: []string{c.Token},
		Headers: map[string]string{"Authorization": "Bearer " + c.Token},
	}}
	cl.Refused = func(a remote.Answer) remote.Problem { return parseProblem(a, cl.Hide) }
	return cl, nil
}

// get reads. Its error is a *remote.Failure.
func (c *client) get(ctx context.Context, tries int, path string) ([]byte, error) {
	return c.Do(ctx, remote.Call{Method: http.MethodGet, Path: path, Tries: tries})
}

// post sends a kept request, as often as may help: its key makes all of them one.
func (c *client) post(ctx context.Context, q remote.Request) ([]byte, error) {
	return c.Do(ctx, remote.Call{Method: http.MethodPost, Path: q.Path, Body: q.Body, Headers: map[string]string{keyHeader: q.Key}, Tries: remote.MaxTries})
}

// cancel asks once: whoever cancels looks before asking again. A key of its own each time has it answered by the order's state of then.
func (c *client) cancel(ctx context.Context, path string) error {
	_, err := c.Do(ctx, remote.Call{Method: http.MethodPost, Path: path, Tries: 1, Headers: map[string]string{
		keyHeader: uuid.NewString(), "X-Allow-Cancelable-Status": string(atTerminal),
	}})
	return err
}

const keyHeader = "X-Idempotency-Key"
