package options

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/configfile"
)

// Acquirers are who is paid, with what.
type Acquirers struct {
	Card             string `name:"acquirer-card" env:"MAQUININHA_ACQUIRER_CARD" toml:"acquirer.card" placeholder:"QUEM" help:"Quem recebe crédito e débito: tef, mercadopago, connecttef (a API local; por troca de arquivos, tef), cielo, controlpay, none ou, no emulador, emulator; sem ela, a escolha feita na tela: a princípio emulator no emulador, nenhum em produção."`
	Pix              string `name:"acquirer-pix" env:"MAQUININHA_ACQUIRER_PIX" toml:"acquirer.pix" placeholder:"QUEM" help:"Quem recebe PIX: tef, pix (direto no banco), connecttef, none ou, no emulador, emulator; sem ela, como --acquirer-card."`
	TEFProfile       string `name:"tef-profile" default:"paygo" env:"MAQUININHA_TEF_PROFILE" toml:"tef.profile" placeholder:"PERFIL" help:"Gerenciador de TEF: paygo (padrão), tefdial, sitef, elgin, connecttef, multiplus ou auttar."`
	TEFDir           string `name:"tef-dir" env:"MAQUININHA_TEF_DIR" toml:"tef.dir,path" placeholder:"PASTA" help:"Pasta que contém as de requisição e resposta do TEF; no Windows, sem ela, a do perfil."`
	TEFReq           string `name:"tef-req" env:"MAQUININHA_TEF_REQ" toml:"tef.req,path" placeholder:"PASTA" help:"Pasta de requisição do TEF, se não estiver em --tef-dir."`
	TEFResp          string `name:"tef-resp" env:"MAQUININHA_TEF_RESP" toml:"tef.resp,path" placeholder:"PASTA" help:"Pasta de resposta do TEF, se não estiver em --tef-dir."`
	TEFFiles         string `name:"tef-files" env:"MAQUININHA_TEF_FILES" toml:"tef.files" placeholder:"NOMES" help:"Nomes dos arquivos da troca, se o gerenciador usa outros: temporário, pedido, resposta e status, separados por vírgulas; sem ela, IntPos.tmp,IntPos.001,IntPos.001,IntPos.Sts."`
	TEFPixMenu       bool   `name:"tef-pix-menu" env:"MAQUININHA_TEF_PIX_MENU" toml:"tef.pix_menu" help:"O operador escolhe o PIX no menu do gerenciador, para o perfil sitef, que não tem como pedi-lo; o que foi pago de fato vem da resposta."`
	TEFCompany       string `name:"tef-company" env:"MAQUININHA_TEF_COMPANY" toml:"tef.company" placeholder:"NOME" help:"Empresa da automação, para o PayGo."`
	TEFApplication   string `name:"tef-application" env:"MAQUININHA_TEF_APPLICATION" toml:"tef.application" placeholder:"NOME" help:"Nome da aplicação certificada, para o PayGo; sem ele, maquininha."`
	TEFCertification string `name:"tef-certification" env:"MAQUININHA_TEF_CERTIFICATION" toml:"tef.certification" placeholder:"CHAVE" help:"Chave de certificação, para o PayGo."`
	PixProfile       string `name:"pix-profile" default:"bacen" env:"MAQUININHA_PIX_PROFILE" toml:"pix.profile" placeholder:"PERFIL" help:"Banco: itau, bradesco, bb, santander, inter, sicoob, sicredi, c6, banrisul, ailos, efi, cielo, pagseguro ou, para qualquer outro, bacen (padrão)."`
	PixURL           string `name:"pix-url" env:"MAQUININHA_PIX_URL" toml:"pix.url" placeholder:"URL" help:"Endereço da API Pix do banco, como https://pix.banco.com.br/v2; sem ele, o de produção do perfil."`
	PixTokenURL      string `name:"pix-token-url" env:"MAQUININHA_PIX_TOKEN_URL" toml:"pix.token_url" placeholder:"URL" help:"Endereço que dá o token OAuth2 da API Pix; sem ele, o do perfil."`
	PixClientID      string `name:"pix-client-id" env:"MAQUININHA_PIX_CLIENT_ID" toml:"pix.client_id" placeholder:"ID" help:"Client ID da API Pix; o segredo vem de MAQUININHA_PIX_CLIENT_SECRET, no ambiente, ou do arquivo de configuração."`
	PixSecret        `embed:""`
	PixAppKey        string        `name:"pix-app-key" env:"MAQUININHA_PIX_APP_KEY" toml:"pix.app_key" placeholder:"CHAVE" help:"Chave da aplicação no portal do banco (Banco do Brasil: gw-dev-app-key)."`
	PixAccount       string        `name:"pix-account" env:"MAQUININHA_PIX_ACCOUNT" toml:"pix.account" placeholder:"CONTA" help:"Conta corrente, se a aplicação tem mais de uma (Inter: x-conta-corrente)."`
	PixCert          string        `name:"pix-cert" type:"path" env:"MAQUININHA_PIX_CERT" toml:"pix.cert,path" placeholder:"ARQUIVO" help:"Certificado do cliente para a API Pix: PKCS#12 (.p12, .pfx) com a sua senha, ou PEM."`
	PixCertKey       string        `name:"pix-cert-key" type:"path" env:"MAQUININHA_PIX_CERT_KEY" toml:"pix.cert_key,path" placeholder:"ARQUIVO" help:"Chave privada do certificado em PEM, se não está no mesmo arquivo."`
	PixCA            string        `name:"pix-ca" type:"path" env:"MAQUININHA_PIX_CA" toml:"pix.ca,path" placeholder:"ARQUIVO" help:"Autoridade que assina o certificado do banco (PEM), se o sistema não a conhece."`
	PixKey           string        `name:"pix-key" env:"MAQUININHA_PIX_KEY" toml:"pix.key" placeholder:"CHAVE" help:"Chave PIX que recebe o dinheiro."`
	PixShop          string        `name:"pix-shop" env:"MAQUININHA_PIX_SHOP" toml:"pix.shop" placeholder:"NOME" help:"Nome da loja no comprovante do PIX; sem ele, o definido na tela."`
	PixCity          string        `name:"pix-city" env:"MAQUININHA_PIX_CITY" toml:"pix.city" placeholder:"CIDADE" help:"Cidade da loja, no código PIX que o terminal faz quando o banco não manda um (Bradesco, Santander)."`
	PixNote          string        `name:"pix-note" env:"MAQUININHA_PIX_NOTE" toml:"pix.note" placeholder:"TEXTO" help:"Texto que o pagador vê, até 140 caracteres."`
	PixExpiry        time.Duration `name:"pix-expiry" default:"5m" env:"MAQUININHA_PIX_EXPIRY" toml:"pix.expiry" placeholder:"TEMPO" help:"Por quanto tempo a cobrança PIX pode ser paga."`
	PixSettings      `embed:""`
	MercadoPago      `embed:""`
	ConnectTEF       `embed:""`
	Cielo            `embed:""`
	ControlPay       `embed:""`
}

// PixSettings are where a bank differs from its profile.
type PixSettings struct {
	PixTokenAuth   string `name:"pix-token-auth" hidden:"" env:"MAQUININHA_PIX_TOKEN_AUTH" toml:"pix.token_auth" placeholder:"COMO" help:"Onde vão as credenciais do token: basic, body, body-public (sem segredo) ou none (o segredo é o token); sem ela, como o perfil."`
	PixTokenFormat string `name:"pix-token-format" hidden:"" env:"MAQUININHA_PIX_TOKEN_FORMAT" toml:"pix.token_format" placeholder:"COMO" help:"O pedido de token: form ou json; sem ela, como o perfil."`
	PixTokenGrant  string `name:"pix-token-grant" hidden:"" env:"MAQUININHA_PIX_TOKEN_GRANT" toml:"pix.token_grant" placeholder:"ONDE" help:"Onde vai grant_type: body, query ou omit; sem ela, como o perfil."`
	PixScopes      string `name:"pix-scopes" hidden:"" env:"MAQUININHA_PIX_SCOPES" toml:"pix.scopes" placeholder:"ESCOPOS" help:"Escopos do token, separados por espaços, ou none; sem ela, como o perfil."`
	PixBasicEscape *bool  `name:"pix-basic-escape" hidden:"" negatable:"" env:"MAQUININHA_PIX_BASIC_ESCAPE" toml:"pix.basic_escape" help:"Codifica as credenciais de basic como a RFC 6749; sem ela, como o perfil."`
	PixTokenCert   *bool  `name:"pix-token-cert" hidden:"" negatable:"" env:"MAQUININHA_PIX_TOKEN_CERT" toml:"pix.token_cert" help:"Mostra o certificado a quem dá o token; sem ela, como o perfil."`
	PixAPICert     *bool  `name:"pix-api-cert" hidden:"" negatable:"" env:"MAQUININHA_PIX_API_CERT" toml:"pix.api_cert" help:"Mostra o certificado à API; sem ela, como o perfil."`
	PixHeaders     string `name:"pix-headers" hidden:"" env:"MAQUININHA_PIX_HEADERS" toml:"pix.headers" placeholder:"CABEÇALHOS" help:"Cabeçalhos de toda chamada, como 'nome: valor; nome: valor'; {client_id}, {app_key}, {account}, {uuid} e {token} são trocados; sem ela, como o perfil."`
	PixQuery       string `name:"pix-query" hidden:"" env:"MAQUININHA_PIX_QUERY" toml:"pix.query" placeholder:"PARÂMETROS" help:"Parâmetros de toda chamada da API, como 'nome=valor&nome=valor'; sem ela, como o perfil."`
	PixCodeCall    string `name:"pix-code-call" hidden:"" env:"MAQUININHA_PIX_CODE_CALL" toml:"pix.code_call" placeholder:"CAMINHO" help:"Chamada que dá o código quando a cobrança vem sem ele, como /cob/{txid}/qrcode, ou none; sem ela, como o perfil."`
	PixCreatePath  string `name:"pix-create-path" hidden:"" env:"MAQUININHA_PIX_CREATE_PATH" toml:"pix.create_path" placeholder:"CAMINHO" help:"Onde a cobrança é criada: cob ou cob-emv; sem ela, como o perfil."`
	PixPatchURL    string `name:"pix-patch-url" hidden:"" env:"MAQUININHA_PIX_PATCH_URL" toml:"pix.patch_url" placeholder:"URL" help:"Onde a cobrança é retirada, se não é o endereço da API; sem ela, como o perfil."`
}

func (f PixSettings) configured() pix.Settings {
	return pix.Settings{
		TokenAuth: f.PixTokenAuth, TokenFormat: f.PixTokenFormat, TokenGrant: f.PixTokenGrant, Scopes: f.PixScopes, BasicEscape: f.PixBasicEscape,
		TokenCert: f.PixTokenCert, APICert: f.PixAPICert, Headers: f.PixHeaders, Query: f.PixQuery, CodeCall: f.PixCodeCall,
		CreatePath: f.PixCreatePath, PatchURL: f.PixPatchURL,
	}
}

// Configured is who is paid, as the service knows it.
func (f Acquirers) Configured() app.Acquirers {
	return app.Acquirers{
		Card: f.Card, Pix: f.Pix,
		TEF: app.TEF{
			Profile: f.TEFProfile, Dir: f.TEFDir, Req: f.TEFReq, Resp: f.TEFResp,
			Files: f.TEFFiles, PixMenu: f.TEFPixMenu, Company: f.TEFCompany, Application: f.TEFApplication, Certification: f.TEFCertification,
		},
		PSP: app.PSP{
			Profile: f.PixProfile, URL: f.PixURL, TokenURL: f.PixTokenURL, ClientID: f.PixClientID, ClientSecret: f.ClientSecret(),
			AppKey: f.PixAppKey, Account: f.PixAccount, Certificate: f.PixCert, PrivateKey: f.PixCertKey, CertificatePassword: f.CertificatePassword(), CA: f.PixCA,
			Key: f.PixKey, Shop: f.PixShop, City: f.PixCity, Note: f.PixNote, Expiry: f.PixExpiry, Settings: f.PixSettings.configured(),
		},
		MercadoPago: f.MercadoPago.configured(), ConnectTEF: f.ConnectTEF.configured(), Cielo: f.Cielo.configured(), ControlPay: f.ControlPay.configured(),
	}
}

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

// Printing are how a printer prints, whoever prints on it.
type Printing struct {
	Model     string `name:"printer-model" example:"tm-t20" env:"MAQUININHA_PRINTER_MODEL" toml:"printer.model" placeholder:"MODELO" help:"Modelo ou família da impressora, como tm-t20, mp-4200, daruma ou pos-58, que decide a linguagem, a largura e a densidade; sem ele, o escolhido na tela, a princípio o que a impressora diz que é, ou ESC/POS. Os nomes: maquininha printers models."`
	Cut       bool   `name:"printer-cut" default:"true" negatable:"" env:"MAQUININHA_PRINTER_CUT" toml:"printer.cut" help:"Corta o papel depois de imprimir (padrão); --no-printer-cut não corta."`
	Feed      int    `name:"printer-feed" default:"3" env:"MAQUININHA_PRINTER_FEED" toml:"printer.feed" placeholder:"LINHAS" help:"Linhas que o papel avança depois de imprimir."`
	Copies    int    `name:"printer-copies" default:"1" env:"MAQUININHA_PRINTER_COPIES" toml:"printer.copies" placeholder:"N" help:"Vias de cada impressão."`
	Drawer    bool   `name:"printer-drawer" env:"MAQUININHA_PRINTER_DRAWER" toml:"printer.drawer" help:"Abre a gaveta antes de cada impressão."`
	DrawerPin int    `name:"printer-drawer-pin" default:"2" env:"MAQUININHA_PRINTER_DRAWER_PIN" toml:"printer.drawer_pin" placeholder:"PINO" help:"Pino do conector da impressora em que está a gaveta: 2 (padrão) ou 5; a segunda gaveta é a do outro."`
}

// Coupon is what fiscal coupons show besides what they must.
type Coupon struct {
	Logo      string `name:"print-logo" env:"MAQUININHA_PRINT_LOGO" toml:"coupon.logo,path" placeholder:"ARQUIVO" help:"Logotipo (PNG) no alto dos cupons fiscais; sem ele, o escolhido na tela, a princípio nenhum."`
	TradeName *bool  `name:"print-trade-name" negatable:"" env:"MAQUININHA_PRINT_TRADE_NAME" toml:"coupon.trade_name" help:"Imprime nos cupons fiscais o nome fantasia do emitente (xFant); sem ela, a escolha feita na tela, a princípio não."`
	Phone     *bool  `name:"print-phone" negatable:"" env:"MAQUININHA_PRINT_PHONE" toml:"coupon.phone" help:"Imprime nos cupons fiscais o telefone do emitente (fone); sem ela, a escolha feita na tela, a princípio não."`
	ItemNotes *bool  `name:"print-item-notes" negatable:"" env:"MAQUININHA_PRINT_ITEM_NOTES" toml:"coupon.item_notes" help:"Imprime na NFC-e as informações adicionais de cada item (infAdProd), que na NF-e saem sempre; sem ela, a escolha feita na tela, a princípio não."`
}

// Configured is the same as the service knows it.
func (c Coupon) Configured() app.Coupon {
	return app.Coupon{Logo: c.Logo, TradeName: c.TradeName, Phone: c.Phone, ItemNotes: c.ItemNotes}
}

// Look is how the shop wants its screen.
type Look struct {
	Colour string `name:"screen-colour" env:"MAQUININHA_SCREEN_COLOUR" toml:"screen.colour" placeholder:"COR" example:"#0b57d0" help:"Cor da loja na tela, como #0b57d0; sem ela, a escolhida na tela, a princípio verde."`
	Theme  string `name:"screen-theme" env:"MAQUININHA_SCREEN_THEME" toml:"screen.theme" placeholder:"TEMA" help:"Fundo da tela: light (claro) ou dark (escuro); sem ele, o escolhido na tela, a princípio light."`
	// Pictures are read when the service starts.
	Pictures string `name:"screen-pictures" env:"MAQUININHA_SCREEN_PICTURES" toml:"screen.pictures,path" placeholder:"PASTA" help:"Pasta com as imagens da loja (PNG, JPEG, GIF ou WebP) que a tela de espera mostra em sequência, pela ordem dos nomes; sem ela, nenhuma."`
}

func (l Look) check() error {
	if l.Colour != "" && !app.IsColour(l.Colour) {
		return configfile.Refuse("screen-colour", "deve ser uma cor como #0b57d0")
	}
	if l.Theme != "" && !slices.Contains(app.Themes(), l.Theme) {
		return configfile.Refuse("screen-theme", "deve ser um de %s", strings.Join(app.Themes(), ", "))
	}
	return nil
}

// Check refuses what no printer can do.
func (f Printing) Check(dpiFlag string, dpi int) error {
	return cmp.Or(app.CheckModel(f.Model), within(dpiFlag, cmp.Or(dpi, 203), 100, 600), within("printer-feed", f.Feed, 0, 255), within("printer-copies", f.Copies, 1, 10), f.checkPin())
}

func (f Printing) checkPin() error {
	if f.DrawerPin != 2 && f.DrawerPin != 5 {
		return configfile.Refuse("printer-drawer-pin", "deve ser 2 ou 5")
	}
	return nil
}

// CheckWidth refuses paper on which no coupon can be read: the narrowest roll has some 25 mm at 203 dpi, the widest is a
// sheet at 300.
func CheckWidth(flag string, dots int) error { return within(flag, dots, 200, 2000) }

func within(flag string, value, least, most int) error {
	if value < least || value > most {
		return configfile.Refuse(flag, "deve estar entre %d e %d", least, most)
	}
	return nil
}

// NameServer is whom names are asked of; the zero one is the system's own. Android tells none to a program.
type NameServer string

// address is the server's, with the port that is usual.
func (n NameServer) address() (string, error) {
	if ip, err := netip.ParseAddr(string(n)); err == nil {
		return netip.AddrPortFrom(ip, 53).String(), nil
	}
	at, err := netip.ParseAddrPort(string(n))
	if err != nil || at.Port() == 0 {
		return "", configfile.Refuse("dns", "%q não é um endereço; use algo como 192.168.0.1 ou 8.8.8.8:53", string(n))
	}
	return at.String(), nil
}

// check refuses what is no address.
func (n NameServer) check() error {
	if n == "" {
		return nil
	}
	_, err := n.address()
	return err
}

// Use has every name of this process asked of the server.
func (n NameServer) Use() {
	address, err := n.address()
	if n == "" || err != nil {
		return
	}
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	}}
}
