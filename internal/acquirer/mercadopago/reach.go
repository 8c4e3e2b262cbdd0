package mercadopago

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	c.Terminal, c.Book = "check", remote.NoBook{}
	var seen Seen
	clock, err := remote.Visit(&c.Network, func() (*Acquirer, error) { return New(c) }, func(a *Acquirer) error {
		devices, err := a.devices(ctx)
		for _, d := range devices {
			seen.Devices = append(seen.Devices, d.ID)
			if d.ID == a.config.Device {
				seen.Mode = d.Mode
			}
		}
		return err
	})
	seen.Clock = clock
	switch p := remote.Complained(err); {
	case p != nil && p.Denied():
		return seen, fmt.Errorf("%w: %w", ErrRefusedToken, err)
	case err != nil:
		return seen, remote.Strange(err)
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
			Data *struct {
				Terminals []device `json:"terminals"`
			} `json:"data"`
		}
		if err := json.Unmarshal(raw, &j); err != nil || j.Data == nil {
			return nil, fmt.Errorf("reading the list of devices: %w", errors.Join(remote.ErrSomebodyElse, err))
		}
		all = append(all, j.Data.Terminals...)
		if len(j.Data.Terminals) < page {
			break
		}
	}
	return all, nil
}
