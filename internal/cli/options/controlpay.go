package options

import (
	"cmp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/settings"
)

// ControlPay are the shop's account at PayGo's cloud and its terminal. Key and password come from the environment or from files.
type ControlPay struct {
	ControlPayKey          string              `name:"controlpay-key" env:"MAQUININHA_CONTROLPAY_KEY" toml:"controlpay.key" secret:"" hidden:"" help:"Chave de integração do ControlPay, se este arquivo for só seu (chmod 600)."`
	ControlPayKeyFile      settings.SecretFile `name:"controlpay-key-file" env:"MAQUININHA_CONTROLPAY_KEY_FILE" toml:"controlpay.key_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só a chave de integração do ControlPay."`
	ControlPayTerminal     int                 `name:"controlpay-terminal" default:"0" env:"MAQUININHA_CONTROLPAY_TERMINAL" toml:"controlpay.terminal" placeholder:"NÚMERO" help:"Terminal deste caixa no ControlPay (terminalId)."`
	ControlPayPassword     string              `name:"controlpay-password" env:"MAQUININHA_CONTROLPAY_PASSWORD" toml:"controlpay.password" secret:"" hidden:"" help:"Senha técnica do ControlPay, que os estornos pedem, se este arquivo for só seu (chmod 600)."`
	ControlPayPasswordFile settings.SecretFile `name:"controlpay-password-file" env:"MAQUININHA_CONTROLPAY_PASSWORD_FILE" toml:"controlpay.password_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só a senha técnica do ControlPay."`
	ControlPayURL          string              `name:"controlpay-url" env:"MAQUININHA_CONTROLPAY_URL" toml:"controlpay.url" placeholder:"URL" help:"Endereço do ControlPay, se não é o de produção (testes, simulador)."`
}

func (f ControlPay) configured() app.ControlPay {
	return app.ControlPay{
		URL: f.ControlPayURL, Key: cmp.Or(f.ControlPayKey, f.ControlPayKeyFile.Content), Terminal: f.ControlPayTerminal,
		Password: cmp.Or(f.ControlPayPassword, f.ControlPayPasswordFile.Content),
	}
}
