package options

import (
	"cmp"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/settings"
)

// Cielo is the shop at Cielo's Order Manager. The token comes from the environment or from a file.
type Cielo struct {
	CieloClientID   string              `name:"cielo-client-id" env:"MAQUININHA_CIELO_CLIENT_ID" toml:"cielo.client_id" placeholder:"ID" help:"Client-Id da integração remota na Cielo."`
	CieloToken      string              `name:"cielo-token" env:"MAQUININHA_CIELO_TOKEN" toml:"cielo.token" secret:"" hidden:"" help:"Access-Token da integração remota na Cielo, se este arquivo for só seu (chmod 600)."`
	CieloTokenFile  settings.SecretFile `name:"cielo-token-file" env:"MAQUININHA_CIELO_TOKEN_FILE" toml:"cielo.token_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só o Access-Token da Cielo."`
	CieloMerchantID string              `name:"cielo-merchant-id" env:"MAQUININHA_CIELO_MERCHANT_ID" toml:"cielo.merchant_id" placeholder:"ID" help:"Merchant-Id da loja na Cielo."`
	CieloLIO        bool                `name:"cielo-lio" env:"MAQUININHA_CIELO_LIO" toml:"cielo.lio" help:"As maquininhas são LIO, e não Smart: crédito ou débito se escolhe nelas."`
	CieloExpiry     time.Duration       `name:"cielo-expiry" default:"5m" env:"MAQUININHA_CIELO_EXPIRY" toml:"cielo.expiry" placeholder:"TEMPO" help:"Por quanto tempo o pedido espera nas maquininhas da Cielo, de 30s a 3h."`
	CieloURL        string              `name:"cielo-url" env:"MAQUININHA_CIELO_URL" toml:"cielo.url" placeholder:"URL" help:"Endereço do Order Manager da Cielo, se não é o de produção (sandbox ou simulador)."`
}

func (f Cielo) configured() app.Cielo {
	return app.Cielo{
		URL: f.CieloURL, ClientID: f.CieloClientID, Token: cmp.Or(f.CieloToken, f.CieloTokenFile.Content), Merchant: f.CieloMerchantID, LIO: f.CieloLIO, Expiry: f.CieloExpiry,
	}
}
