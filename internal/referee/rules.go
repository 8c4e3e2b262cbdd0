package referee

// Rule is something callers of the terminal must keep to.
type Rule string

// The rules.
const (
	NothingTested        Rule = "nothing-tested"
	BusyNotRetried       Rule = "busy-not-retried"
	BackgroundNotRetried Rule = "background-not-retried"
	NoReference          Rule = "payment-without-reference"
	ReferenceReused      Rule = "reference-reused"
	LostNotLookedUp      Rule = "lost-answer-not-looked-up"
	DoubleCharge         Rule = "double-charge-danger"
	PartWithoutID        Rule = "reversal-without-id"
	ReversalIDReused     Rule = "reversal-id-reused"
	DoubleReversal       Rule = "double-reversal-danger"
	CancelTaken          Rule = "cancel-taken-for-outcome"
	FinalizedDuring      Rule = "finalize-during-payment"
	FinalizedUnapproved  Rule = "finalize-unapproved"
	FinalizedUncovered   Rule = "finalize-uncovered"
	SaleOvercharged      Rule = "sale-overcharged"
	ItemRefused          Rule = "refused-item-charged"
	SalesMixed           Rule = "open-sale-ignored"
	ShortTimeout         Rule = "timeout-too-short"
	WrongCredentials     Rule = "wrong-credentials"
	FastPolling          Rule = "polling-too-fast"
)

// Words are a rule for whoever broke it.
type Words struct {
	Rule   Rule
	Title  string
	Remedy string
}

// Rules are all of them.
func Rules() []Words { return words }

// Words of a rule.
func (r Rule) Words() Words {
	for _, w := range words {
		if w.Rule == r {
			return w
		}
	}
	return Words{Rule: r}
}

var words = []Words{
	{
		NothingTested, "Um teste precisa falar com o terminal",
		"Use no seu programa o endereço e as credenciais do terminal de teste: MAQUININHA_URL, MAQUININHA_USERNAME e MAQUININHA_PASSWORD.",
	},
	{
		BusyNotRetried, "Um 503 de terminal ocupado deve ser tentado de novo",
		"Espere um pouco (250 ms, depois mais, até 2 s) e envie a mesma requisição de novo, por um minuto: o terminal recusa antes de fazer qualquer coisa. Se a loja desistir, receba de outra forma ou cancele a venda.",
	},
	{
		BackgroundNotRetried, "Um 503 de aplicativo em segundo plano pede que alguém abra o aplicativo e que se tente de novo",
		"Peça ao operador que abra o aplicativo e envie o pagamento de novo, com a mesma referência; ou receba de outra forma, ou cancele a venda.",
	},
	{
		NoReference, "Todo pagamento precisa de um referenceId",
		"Gere uma referência única por cobrança, grave-a antes de cobrar e envie-a em referenceId: sem ela não há como recuperar uma resposta perdida nem estornar.",
	},
	{
		ReferenceReused, "Cada cobrança tem a sua própria referência",
		"Use uma referência nova para cada cobrança; repita uma só para tentar de novo a mesma (mesmos tPag, amount, installments e installmentType).",
	},
	{
		LostNotLookedUp, "A resposta perdida de um pagamento deve ser procurada pela referência",
		"Quando a conexão cai, ou a resposta é 503 de situação desconhecida, consulte GET /transaction/{referenceId} até a situação deixar de ser pending.",
	},
	{
		DoubleCharge, "Depois de uma resposta perdida não se cobra de novo sem saber se a primeira cobrança foi feita",
		"Consulte GET /transaction/{referenceId} até saber; se nunca chegou (404), envie de novo com a mesma referência, que não cobra duas vezes.",
	},
	{
		PartWithoutID, "Todo estorno de uma parte precisa de um reversalId",
		"Gere um reversalId por estorno, grave-o antes de pedir e envie-o com amount: sem ele, repetir um pedido cuja resposta se perdeu pode devolver duas vezes.",
	},
	{
		ReversalIDReused, "Cada estorno tem o seu próprio reversalId",
		"Use um reversalId novo para cada estorno; repita um só para tentar de novo o mesmo, com o mesmo amount.",
	},
	{
		DoubleReversal, "Depois de uma resposta perdida não se devolve outra parte igual sem saber se a primeira foi devolvida",
		"Envie o estorno de novo com o mesmo reversalId, que não devolve duas vezes, ou veja details.reversals em GET /transaction/{referenceId}.",
	},
	{
		CancelTaken, "Pedir o cancelamento não é o desfecho: vale a resposta do próprio pagamento",
		"Depois do 202 de POST /operation/cancel, espere a resposta de POST /transaction: ela pode ser uma aprovação que já estava a caminho. Então estorne, ou continue a venda.",
	},
	{
		FinalizedDuring, "A venda só é finalizada depois que o pagamento terminou",
		"Espere a resposta de POST /transaction antes de POST /sale/finalize.",
	},
	{
		FinalizedUnapproved, "Pagamentos em crédito, débito ou PIX registrados na venda precisam de uma transação aprovada",
		"Registre o pagamento (POST /sale/payment) e finalize só depois do 200 de POST /transaction; 403 é negada ou cancelada: ofereça outra forma ou cancele a venda.",
	},
	{
		FinalizedUncovered, "A venda só é finalizada quando os pagamentos cobrem o total",
		"Confira em GET /sale se summary.paid alcança summary.total; registre os pagamentos em dinheiro e outros com POST /sale/payment.",
	},
	{
		SaleOvercharged, "Uma venda não é cobrada duas vezes, nem por mais do que o seu total",
		"Antes de cobrar, some o que já foi aprovado para esta venda e cobre só o que falta; o que foi cobrado a mais, estorne com POST /transaction/{referenceId}/reversal.",
	},
	{
		ItemRefused, "Um item recusado não está na venda e não pode ser cobrado",
		"Trate o 4xx de POST /sale/item: corrija o item e envie-o de novo, ou tire-o do total antes de cobrar.",
	},
	{
		SalesMixed, "O 409 de venda já ativa não pode ser ignorado",
		"Com o 409 de POST /sale, veja a venda aberta em GET /sale e continue-a, ou encerre-a com POST /sale/cancel antes de abrir outra.",
	},
	{
		ShortTimeout, "Perguntas, pagamentos e estornos precisam de ao menos 60 segundos de espera",
		"Aumente o tempo limite do cliente HTTP nessas rotas para 60 s ou mais (melhor: minutos); para desistir, use POST /ask/cancel ou POST /operation/cancel e espere a resposta.",
	},
	{
		WrongCredentials, "Credenciais erradas ou ausentes não se repetem",
		"Envie Authorization: Basic com o usuário e a senha do terminal em cada requisição; num 401, pare e peça a senha certa: insistir deixa o terminal mais lento.",
	},
	{
		FastPolling, "Consultas repetidas não passam de 10 por segundo",
		"Consulte no máximo uma ou duas vezes por segundo; perguntas e pagamentos respondem sozinhos na requisição aberta.",
	},
}
