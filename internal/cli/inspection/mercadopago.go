package inspection

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/app"
)

// lookAtMercadoPago asks for the account's devices: that proves token, device and mode, and moves no money.
func (i *Inspection) lookAtMercadoPago(m app.MercadoPago) {
	i.lookAtDevice("Mercado Pago", m.Check(), func(ctx context.Context) (clock time.Time, good, wrong string) {
		seen, err := mercadopago.Reach(ctx, m.Driver())
		if err != nil {
			return seen.Clock, "", whyNoDevice(err, m, seen)
		}
		return seen.Clock, "a maquininha " + m.Device + " é da conta e está em modo PDV", ""
	})
}

// whyNoDevice says which of token, device and mode is wrong, in the words of whoever configures.
func whyNoDevice(err error, m app.MercadoPago, seen mercadopago.Seen) string {
	switch {
	case errors.Is(err, mercadopago.ErrRefusedToken):
		return "o access token foi recusado: é o de produção da aplicação, inteiro? (MAQUININHA_MERCADOPAGO_TOKEN ou --mercadopago-token-file)"
	case errors.Is(err, mercadopago.ErrUnknownDevice) && len(seen.Devices) == 0:
		return "a conta não tem nenhuma maquininha: associe a sua a uma loja e a um caixa no aplicativo do Mercado Pago"
	case errors.Is(err, mercadopago.ErrUnknownDevice):
		return "a conta não tem a maquininha " + m.Device + " (--mercadopago-device); tem " + strings.Join(seen.Devices, ", ")
	case errors.Is(err, mercadopago.ErrMode):
		return "a maquininha " + m.Device + " está no modo " + seen.Mode + " e não recebe cobranças: passe-a ao modo PDV e reinicie-a"
	}
	return whyNoAnswer(err, m.Host(), "o Mercado Pago", "--mercadopago-url")
}
