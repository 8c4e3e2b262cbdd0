package pixsim

import "slices"

// Misdeed is a way to misbehave.
type Misdeed string

// The ways. "After" means that the call was carried out, only the answer is missing.
const (
	Slow        Misdeed = "slow" // even if nobody waits any more
	Silent      Misdeed = "silent"
	SilentAfter Misdeed = "silent-after"
	Drop        Misdeed = "drop"
	DropAfter   Misdeed = "drop-after"
	CutAnswer   Misdeed = "cut"
	Fail        Misdeed = "500"
	FailAfter   Misdeed = "500-after"
	Unavailable Misdeed = "503"
	TooMany     Misdeed = "429"
	Denied      Misdeed = "401"
	Duplicate   Misdeed = "duplicate"
	Garbage     Misdeed = "garbage"
	Endless     Misdeed = "endless"
	Lost        Misdeed = "lost"
	Forget      Misdeed = "forget"
	Twice       Misdeed = "twice"
	Wordy       Misdeed = "wordy"

	PaidBefore Misdeed = "paid-before"
	PaidAfter  Misdeed = "paid-after"

	RefundSlowly        Misdeed = "refund-slowly"
	RefundRefused       Misdeed = "refund-refused"
	RefundSlowlyRefused Misdeed = "refund-slowly-refused"

	PaidTwice    Misdeed = "paid-twice"
	PaidMore     Misdeed = "paid-more"
	PaidLess     Misdeed = "paid-less"
	PaidLate     Misdeed = "paid-late"
	NeverPaid    Misdeed = "never-paid"
	RemovedByPSP Misdeed = "removed"
)

var (
	callsOnly = []Misdeed{
		Slow, Silent, SilentAfter, Drop, DropAfter, CutAnswer, Fail, FailAfter, Unavailable, TooMany, Denied, Duplicate, Garbage, Endless, Lost, Forget, Twice,
		Wordy, PaidBefore, PaidAfter,
	}
	refundsOnly = []Misdeed{RefundSlowly, RefundRefused, RefundSlowlyRefused}
	payersOnly  = []Misdeed{PaidTwice, PaidMore, PaidLess, PaidLate, NeverPaid, RemovedByPSP}
	allCalls    = []Call{OnAny, OnToken, OnCreate, OnSee, OnWithdraw, OnRefund, OnSeeRefund, OnPay}
)

// Misdeeds are all the ways to misbehave.
func Misdeeds() []Misdeed { return slices.Concat(callsOnly, refundsOnly, payersOnly) }

var meanings = map[Misdeed]string{
	Slow:                "atende depois de ms milissegundos",
	Silent:              "não atende nem responde",
	SilentAfter:         "atende e não responde",
	Drop:                "corta a conexão sem atender",
	DropAfter:           "atende e corta a conexão",
	CutAnswer:           "atende e corta a resposta ao meio",
	Fail:                "500 sem atender",
	FailAfter:           "atende e responde 500",
	Unavailable:         "503 sem atender",
	TooMany:             "429, com Retry-After de ms milissegundos",
	Denied:              "401: credenciais ou token recusados",
	Duplicate:           "responde duas vezes na mesma conexão",
	Garbage:             "atende e responde 200 sem JSON",
	Endless:             "atende e responde 2 MiB de nada",
	Lost:                "404 em HTML, que não é da API",
	Forget:              "os tokens expiram antes da hora",
	Twice:               "cada pagamento aparece duas vezes na lista",
	Wordy:               "400 que repete as credenciais de quem chamou",
	PaidBefore:          "o cliente paga logo antes da retirada da cobrança",
	PaidAfter:           "um pagamento em curso chega depois da retirada",
	RefundSlowly:        "devolução EM_PROCESSAMENTO por ms milissegundos, depois DEVOLVIDO",
	RefundRefused:       "devolução NAO_REALIZADO",
	RefundSlowlyRefused: "devolução EM_PROCESSAMENTO por ms milissegundos, depois NAO_REALIZADO",
	PaidTwice:           "o cliente paga duas vezes",
	PaidMore:            "o cliente paga um centavo a mais",
	PaidLess:            "o cliente paga um centavo a menos",
	PaidLate:            "o cliente paga um segundo depois de a cobrança expirar",
	NeverPaid:           "o cliente desiste",
	RemovedByPSP:        "o PSP remove a cobrança em vez de o cliente pagar",
}

// Meaning says in Portuguese what goes wrong.
func (m Misdeed) Meaning() string { return meanings[m] }

// only is the call at which alone it can happen; OnAny: at all of them.
func (m Misdeed) only() Call {
	switch {
	case slices.Contains(refundsOnly, m):
		return OnRefund
	case slices.Contains(payersOnly, m):
		return OnPay
	case m == PaidBefore || m == PaidAfter:
		return OnWithdraw
	}
	return OnAny
}
