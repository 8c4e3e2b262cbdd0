package options

import (
	"time"

	"github.com/maquininha/maquininha/internal/app"
)

// ConnectTEF is the local API of Connect TEF. It has no credentials.
type ConnectTEF struct {
	ConnectTEFURL  string        `name:"connecttef-url" env:"MAQUININHA_CONNECTTEF_URL" toml:"connecttef.url" placeholder:"URL" help:"Endereço da API local do Connect TEF (--acquirer-card connecttef): o deste computador, http://localhost:3000, ou o do Smart POS na rede da loja, como http://192.168.0.20:3000. A troca de arquivos do mesmo produto é --tef-profile connecttef."`
	ConnectTEFWait time.Duration `name:"connecttef-wait" default:"5m" env:"MAQUININHA_CONNECTTEF_WAIT" toml:"connecttef.wait" placeholder:"TEMPO" help:"Por quanto tempo quem pediu espera pelo cliente na maquininha do Connect TEF, de 30s a 1h; depois a transação fica pendente até ela dizer como terminou."`
}

func (f ConnectTEF) configured() app.ConnectTEF {
	return app.ConnectTEF{URL: f.ConnectTEFURL, Wait: f.ConnectTEFWait}
}
