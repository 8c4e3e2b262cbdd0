package options

import (
	"cmp"

	"github.com/maquininha/maquininha/internal/app"
)

// HTTPS are how callers are served over HTTPS. Any of them turns it on.
type HTTPS struct {
	TLS       bool   `name:"tls" env:"MAQUININHA_TLS" toml:"tls.enabled" help:"Atende a API também por HTTPS, com um certificado próprio guardado na pasta de dados."`
	TLSListen string `name:"tls-listen" env:"MAQUININHA_TLS_LISTEN" toml:"tls.listen" placeholder:"ENDEREÇO" help:"Endereço da API por HTTPS; com --tls e sem ele, :9052."`
	TLSCert   string `name:"tls-cert" env:"MAQUININHA_TLS_CERT" toml:"tls.cert,path" placeholder:"ARQUIVO" help:"Certificado em PEM, com os intermediários, no lugar do próprio; relido quando muda."`
	TLSKey    string `name:"tls-key" env:"MAQUININHA_TLS_KEY" toml:"tls.key,path" placeholder:"ARQUIVO" help:"Chave do certificado, em PEM e sem senha."`
}

// Configured is HTTPS as the service knows it; without a place to listen there is none.
func (t HTTPS) Configured() app.TLS {
	if !t.TLS && t.TLSListen == "" && t.TLSCert == "" && t.TLSKey == "" {
		return app.TLS{}
	}
	return app.TLS{Listen: cmp.Or(t.TLSListen, ":9052"), Cert: t.TLSCert, Key: t.TLSKey}
}
