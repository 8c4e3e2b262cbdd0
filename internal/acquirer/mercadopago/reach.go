package mercadopago

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
)

// What a look at the account can find wrong.
var (
	ErrRefusedToken  = errors.New("mercadopago: the access token is refused")
	ErrUnknownDevice = errors.New("mercadopago: the account has no such device")
	ErrMode          = errors.New("mercadopago: the device takes no orders in its mode")
)

// PDV is the mode in which a device takes orders.
const PDV = "PDV"

// Seen is what a look at the account showed.
type Seen struct {
	Devices []string  // of the account
	Mode    string    // of the one that is configured
	Clock   time.Time // of Mercado Pago; zero: it does not say
}

// Reach asks for the account's devices, and for nothing else: no money moves. It fails with what is wrong: token, device, mode.
func Reach(ctx context.Context, c Config) (Seen, error) {
	c.Terminal, c.Book = "check", nobody{}
	var heard remote.Clock
	c.Network = heard.Listen(c.Network)
	a, err := New(c)
	if err != nil {
		return Seen{}, err
	}
	defer a.Close()
	devices, err := a.devices(ctx)
	seen := Seen{Clock: heard.Now}
	var p *problem
	if errors.As(err, &p) && (p.status == http.StatusUnauthorized || p.status == http.StatusForbidden) {
		return seen, fmt.Errorf("%w: %w", ErrRefusedToken, err)
	}
	if err != nil {
		return seen, err
	}
	for _, d := range devices {
		seen.Devices = append(seen.Devices, d.ID)
		if d.ID == a.config.Device {
			seen.Mode = d.Mode
		}
	}
	switch seen.Mode {
	case PDV:
		return seen, nil
	case "":
		return seen, ErrUnknownDevice
	}
	return seen, fmt.Errorf("%w: %s", ErrMode, seen.Mode)
}

type device struct {
	ID   string `json:"id"`
	Mode string `json:"operating_mode"`
}

// devices are those of the account, as far as a shop has some.
func (a *Acquirer) devices(ctx context.Context) (all []device, err error) {
	const page, most = 50, 1000
	for len(all) < most {
		raw, err := a.client.get(ctx, 1, fmt.Sprintf("/terminals/v1/list?limit=%d&offset=%d", page, len(all)))
		if err != nil {
			return nil, err
		}
		var j struct {
			Data struct {
				Terminals []device `json:"terminals"`
			} `json:"data"`
		}
		if err := json.Unmarshal(raw, &j); err != nil {
			return nil, fmt.Errorf("reading the list of devices: %w", err)
		}
		all = append(all, j.Data.Terminals...)
		if len(j.Data.Terminals) < page {
			break
		}
	}
	return all, nil
}

// nobody keeps nothing: a look needs no book.
type nobody struct{}

func (nobody) Owe(string, string) error      { return nil }
func (nobody) Paid(string, string) error     { return nil }
func (nobody) Owed(string) ([]string, error) { return nil, nil }
