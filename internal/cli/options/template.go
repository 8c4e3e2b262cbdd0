package options

import "github.com/maquininha/maquininha/internal/configfile"

// sections are the tables in the order of the file.
var sections = []configfile.Section{
	{Table: "", Title: ""},
	{Table: "api", Title: "Os chamadores: por onde entram e com que senha."},
	{Table: "tls", Title: "HTTPS para os chamadores. Qualquer uma destas o liga."},
	{Table: "screen", Title: "A tela do terminal."},
	{Table: "emulator", Title: "Só no modo emulator."},
	{Table: "printer", Title: "A impressora e o papel."},
	{Table: "coupon", Title: "O que os cupons fiscais mostram além do obrigatório."},
	{Table: "acquirer", Title: "Quem recebe os pagamentos."},
	{Table: "tef", Title: "O gerenciador de TEF deste computador, se card ou pix for tef."},
	{Table: "pix", Title: "O banco que serve a API Pix, se pix for pix."},
	{Table: "mercadopago", Title: "A maquininha Point do Mercado Pago, se card for mercadopago."},
	{Table: "connecttef", Title: "A API local do Connect TEF, se card ou pix for connecttef (não é o perfil connecttef de [tef], que é a troca de arquivos)."},
	{Table: "cielo", Title: "As maquininhas Smart ou LIO da Cielo, se card for cielo."},
	{Table: "controlpay", Title: "O ControlPay, da PayGo, se card for controlpay."},
	{Table: "discovery", Title: "Ser achado na rede local (maquininha discover)."},
	{Table: "logs", Title: "Quanto dos logs fica guardado."},
	{Table: "sales", Title: "Quanto das vendas encerradas fica guardado."},
	{Table: "limits", Title: "O maior corpo aceito em cada requisição."},
}

const preamble = `Configuração da maquininha. Uma linha que começa com # não vale: é explicação, ou uma opção com o seu padrão; para mudá-la, tire o #.
As mudanças valem quando o serviço é iniciado de novo. Variáveis de ambiente (entre colchetes) e opções da linha de comando valem mais do que este arquivo. Caminhos relativos começam na pasta dele.
Confira com: maquininha check`

// Template is a configuration file with every setting: those with a value are set, the others are comments with their default.
func Template(values map[string]string) []byte {
	return configfile.Write(preamble, sections, Settings(), values)
}
