package portuguese

// ofControlPay are those of PayGo's ControlPay.
var ofControlPay = []string{
	"controlpay: no URL", "--controlpay-url deve ser um endereço como https://api.controlpay.com.br",
	"controlpay: a URL must be scheme, host and path only", "--controlpay-url não pode ter usuário, ? nem #",
	"controlpay: a URL must be https", "--controlpay-url deve começar com https://",
	"controlpay: no integration key", "falta MAQUININHA_CONTROLPAY_KEY",
	"controlpay: a key is one word", "a chave do ControlPay é uma palavra só, sem espaços",
	"controlpay: no terminal", "falta --controlpay-terminal",
	"controlpay: a terminal without a name", "falta o número do terminal",
	"controlpay: the key is refused", "o ControlPay recusou a chave",
	"paysim: key and ledger are needed", "o simulador precisa de chave e livro",
	"ControlPay answered ", "o ControlPay respondeu ",
	"the sale is still open at the terminal", "a venda continua aberta no terminal",
	"a sale without an id", "uma venda sem id",
	"a sale in the unknown state ", "uma venda no estado desconhecido ",
	"a sale of ", "uma venda de ",
	"reading the sale", "lendo a venda",
	"the answer is another sale: ", "o ControlPay respondeu com outra venda: ",
	"no sale was made", "nenhuma venda foi criada",
	"the request for the sale may still be on its way", "o pedido da venda ainda pode estar a caminho",
	"there are several sales of one reference", "há várias vendas com uma só referência",
	"reading the list of sales", "lendo a lista de vendas",
}
