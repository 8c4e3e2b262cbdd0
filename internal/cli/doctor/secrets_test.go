//go:build !windows

package doctor

import (
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
)

// Secrets that stand where none should are told neither: in addresses, and in the place of the name of their file.
func TestDoctorHidesMisplacedSecrets(t *testing.T) {
	t.Parallel()
	const misplaced = `[acquirer]
pix = "pix"
[api]
password_file = "Senha/No-Lugar-1"
[pix]
url = "https://127.0.0.1:1/v2?api_key=CHAVE-DO-BANCO'2&x=%C3%A7have-3"
token_url = "https://127.0.0.1:1/token?client_secret=SEGREDO-4#FRAGMENTO-5"
client_id = "loja"
client_secret_file = "Segredo-No-Lugar-6"
key = "pix@exemplo.com.br"
cert_key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhki\n-----END PRIVATE KEY-----'
#token_url = "https://127.0.0.1:1/token?client_secret=SEGREDO-7"
#password_file = "Senha-No-Lugar-8"
`
	secrets := []string{"No-Lugar", "CHAVE-DO-BANCO", "have-3", "SEGREDO", "FRAGMENTO", "MIIEv", "SENHA-9"}
	for when, env := range map[string][]string{
		"in the file": nil,
		"in the environment": {
			"MAQUININHA_PASSWORD_FILE=SENHA-9", "MAQUININHA_PIX_CLIENT_SECRET_FILE=/SEGREDO-10", "MAQUININHA_PIX_URL=https://127.0.0.1:1?k=SEGREDO-11",
			"MAQUININHA_PIX_TOKEN_URL=127.0.0.1:1/?k=SEGREDO-12", "MAQUININHA_PRINTER=tcp://127.0.0.1:1?k=SEGREDO-13",
		},
	} {
		said, files := examined(t, env, "--data", clitest.Written(t, misplaced))
		clitest.Wants(t, said, "✗ Segredos      [api] password_file não é um arquivo existente: ", "✗ Segredos      [pix] client_secret_file não é um arquivo existente: ")
		clitest.Wants(t, files["maquininha.toml"], `url = "https://127.0.0.1:1/v2?••••"`, `token_url = "https://127.0.0.1:1/token?••••"`, `password_file = "••••"`, `client_id = "loja"`)
		files["the screen"] = said
		for where, text := range files {
			for _, secret := range secrets {
				if i := strings.Index(text, secret); i >= 0 {
					t.Errorf("%s: %s has %q: …%q…", when, where, secret, text[max(0, i-60):min(len(text), i+len(secret)+20)])
				}
			}
		}
	}
}
