package inspection

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/app"
)

// Which one is wrong is said, at banks that differ in what they ask for.
func TestWhichPartOfAContractIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bank   string
		change func(*app.PSP)
		want   string // empty: all is well
		lost   bool   // nobody knows the API at its address
	}{
		{bank: "itau", change: func(*app.PSP) {}, want: "não é a API Pix (404", lost: true},
		{bank: "bb", change: func(*app.PSP) {}},
		{bank: "sicoob", change: func(*app.PSP) {}},
		{bank: "efi", change: func(*app.PSP) {}},
		{bank: "inter", change: func(*app.PSP) {}},
		{bank: "bb", change: func(p *app.PSP) { p.AppKey = "outra" }, want: "o banco deu o token, mas a API o recusou (403: Forbidden; parâmetro gw-dev-app-key errado): confira a chave da aplicação (--pix-app-key) e o certificado (--pix-cert)"},
		{bank: "bb", change: func(p *app.PSP) { p.ClientSecret = "outro" }, want: "o banco recusou o client ID ou o client secret (401: invalid_client; credenciais erradas)"},
		{bank: "sicoob", change: func(p *app.PSP) { p.ClientID = "outra" }, want: "o banco recusou o client ID (401"},
		{bank: "inter", change: func(p *app.PSP) { p.Account = "" }, want: "confira a conta (--pix-account) e o certificado (--pix-cert)"},
		{bank: "banrisul", change: func(p *app.PSP) { p.ClientSecret = "outro" }, want: `; tente token_auth = "basic"`},
		{bank: "pagseguro", change: func(p *app.PSP) { p.Settings.Scopes = pix.NoScopes }, want: "; a conta pode não estar habilitada para a API"},
	} {
		t.Run(c.bank, func(t *testing.T) {
			bank, err := pixsim.New(pixsim.Config{
				As: c.bank, ClientID: "loja", ClientSecret: "s", Key: "loja@exemplo.com.br", AppKey: "app", Account: "1", Ledger: filepath.Join(t.TempDir(), "livro.jsonl"),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer bank.Close()
			server := httptest.NewServer(bank)
			defer server.Close()
			manner, _ := pixsim.BankNamed(c.bank)
			if c.lost { // a page of whoever is at that address
				if err := bank.Next(pixsim.Misbehaviour{Kind: pixsim.Lost, Times: 1}); err != nil {
					t.Fatal(err)
				}
			}
			p := app.PSP{
				Profile: c.bank, URL: server.URL + manner.Base, TokenURL: server.URL + manner.Token, ClientID: "loja", ClientSecret: "s",
				Key: "loja@exemplo.com.br", AppKey: "app", Account: "1", City: "Recife", Shop: "Loja",
			}
			c.change(&p)
			_, err = pix.Reach(t.Context(), p.Driver())
			profile, _ := pix.ProfileNamed(c.bank)
			switch said := ""; {
			case c.want == "" && err != nil:
				t.Error(whyNoPIX(err, p, profile))
			case c.want != "" && err == nil:
				t.Errorf("nothing is wrong, want %q", c.want)
			case c.want != "":
				if said = whyNoPIX(err, p, profile); !strings.Contains(said, c.want) {
					t.Errorf("%q, want %q", said, c.want)
				}
			}
		})
	}
}
