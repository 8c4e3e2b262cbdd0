package options

import (
	"cmp"
	"os"

	"github.com/maquininha/maquininha/internal/cli/settings"
)

// CallerSecret is the callers' password. It comes from the environment or from a file: process arguments are
// everybody's to read.
type CallerSecret struct {
	Password     string              `env:"MAQUININHA_PASSWORD" toml:"api.password" secret:"" hidden:"" help:"Senha dos chamadores, se este arquivo for só seu (chmod 600); sem ela, a definida na tela ou gerada no primeiro início."`
	PasswordFile settings.SecretFile `env:"MAQUININHA_PASSWORD_FILE" toml:"api.password_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só a senha dos chamadores."`
}

// PasswordVariable is where most have it.
const PasswordVariable = "MAQUININHA_PASSWORD"

// Secret is the password; empty: none is known here.
func (s CallerSecret) Secret() string { return cmp.Or(s.Password, s.PasswordFile.Content) }

// From is where the password comes from, when not from its variable.
func (s CallerSecret) From(c *Configuration) string {
	switch {
	case os.Getenv(PasswordVariable) != "" || s.Secret() == "":
		return ""
	case s.Password != "":
		return c.Path()
	}
	return s.PasswordFile.Path
}

// PixSecret is what goes with the client id at the bank.
type PixSecret struct {
	PixClientSecret     string              `name:"pix-client-secret" env:"MAQUININHA_PIX_CLIENT_SECRET" toml:"pix.client_secret" secret:"" hidden:"" help:"Client secret da API Pix, se este arquivo for só seu (chmod 600)."`
	PixClientSecretFile settings.SecretFile `name:"pix-client-secret-file" env:"MAQUININHA_PIX_CLIENT_SECRET_FILE" toml:"pix.client_secret_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só o client secret da API Pix."`
	PixCertPassword     string              `name:"pix-cert-password" env:"MAQUININHA_PIX_CERT_PASSWORD" toml:"pix.cert_password" secret:"" hidden:"" help:"Senha do certificado PKCS#12, se este arquivo for só seu (chmod 600)."`
	PixCertPasswordFile settings.SecretFile `name:"pix-cert-password-file" env:"MAQUININHA_PIX_CERT_PASSWORD_FILE" toml:"pix.cert_password_file,path" placeholder:"ARQUIVO" help:"Arquivo que contém só a senha do certificado PKCS#12."`
}

// CertificatePassword opens the client certificate, wherever it is.
func (s PixSecret) CertificatePassword() string {
	return cmp.Or(s.PixCertPassword, s.PixCertPasswordFile.Content)
}

// ClientSecret is the secret, wherever it is.
func (s PixSecret) ClientSecret() string {
	return cmp.Or(s.PixClientSecret, s.PixClientSecretFile.Content)
}
