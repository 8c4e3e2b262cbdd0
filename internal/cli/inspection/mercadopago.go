package inspection

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// lookAtMercadoPago asks for the account's devices: that proves token, device and mode, and moves no money.
func (i *Inspection) lookAtMercadoPago(m app.MercadoPago) {
	const subject = "Mercado Pago"
	if m.Check() != nil {
		return // said already
	}
	if i.Offline {
		i.Skipped(subject, "não consultado (--offline)")
		return
	}
	ctx, cancel := context.WithTimeout(i.Context, 20*time.Second)
	defer cancel()
	asked := time.Now()
	seen, err := mercadopago.Reach(ctx, m.Driver())
	if !seen.Clock.IsZero() {
		i.heardClock(seen.Clock, asked, time.Since(asked))
	}
	if err != nil {
		i.Wrong(subject, "%s", whyNoDevice(err, m, seen))
		return
	}
	i.Good(subject, "a maquininha %s é da conta e está em modo PDV", m.Device)
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
	host := m.Driver().BaseURL
	if host == "" {
		host = mercadopago.Production
	}
	if u, parsed := url.Parse(host); parsed == nil {
		host = u.Host
	}
	if why := whyNotReached(err, host); why != "" {
		return why
	}
	return portuguese.Error(err)
}
