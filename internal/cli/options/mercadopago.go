package options

import (
	"cmp"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/settings"
)

// MercadoPago are the shop's account there and its device. The token comes from the environment or from a file.
type MercadoPago struct {
	MercadoPagoToken     string              `name:"mercadopago-token" env:"MAQUININHA_MERCADOPAGO_TOKEN" toml:"mercadopago.token" secret:"" hidden:"" help:"Access token da aplicação no Mercado Pago, se este arquivo for só seu (chmod 600)."`
	MercadoPagoTokenFile settings.SecretFile `name:"mercadopago-token-file" env:"MAQUININHA_MERCADOPAGO_TOKEN_FILE" toml:"mercadopago.token_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só o access token do Mercado Pago."`
	MercadoPagoDevice    string              `name:"mercadopago-device" env:"MAQUININHA_MERCADOPAGO_DEVICE" toml:"mercadopago.device" placeholder:"ID" help:"Maquininha Point deste caixa, em modo PDV, como NEWLAND_N950__N950NCB801293324."`
	MercadoPagoExpiry    time.Duration       `name:"mercadopago-expiry" default:"5m" env:"MAQUININHA_MERCADOPAGO_EXPIRY" toml:"mercadopago.expiry" placeholder:"TEMPO" help:"Por quanto tempo a cobrança espera na maquininha, de 30s a 3h."`
	MercadoPagoURL       string              `name:"mercadopago-url" env:"MAQUININHA_MERCADOPAGO_URL" toml:"mercadopago.url" placeholder:"URL" help:"Endereço da API do Mercado Pago, se não é o de produção (simulador)."`
}

// AccessToken is the token, wherever it is.
func (f MercadoPago) AccessToken() string {
	return cmp.Or(f.MercadoPagoToken, f.MercadoPagoTokenFile.Content)
}

func (f MercadoPago) configured() app.MercadoPago {
	return app.MercadoPago{URL: f.MercadoPagoURL, Token: f.AccessToken(), Device: f.MercadoPagoDevice, Expiry: f.MercadoPagoExpiry}
}
