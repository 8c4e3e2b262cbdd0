package pixsim

import (
	"slices"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// What every simulator over HTTP does wrong, and what a PSP does.
type (
	Misdeed      = httpsim.Misdeed
	Misbehaviour = httpsim.Misbehaviour
	Call         = httpsim.Call
	Chaos        = httpsim.Chaos
)

// The calls of the API.
const (
	OnAny            = httpsim.OnAny // all but the token
	OnToken     Call = "token"
	OnCreate    Call = "create"
	OnSee       Call = "see"
	OnWithdraw  Call = "withdraw"
	OnRefund    Call = "refund"
	OnSeeRefund Call = "see-refund"
	OnCode      Call = "code" // where a bank tells codes apart from charges
	OnPay       Call = "pay"  // no call of the API: a customer
)

// The ways to misbehave. "After" means that the call was carried out, only the answer is missing.
const (
	Slow        = httpsim.Slow
	Silent      = httpsim.Silent
	SilentAfter = httpsim.SilentAfter
	Drop        = httpsim.Drop
	DropAfter   = httpsim.DropAfter
	CutAnswer   = httpsim.CutAnswer
	Fail        = httpsim.Fail
	FailAfter   = httpsim.FailAfter
	Unavailable = httpsim.Unavailable
	TooMany     = httpsim.TooMany
	Denied      = httpsim.Denied
	Duplicate   = httpsim.Duplicate
	Garbage     = httpsim.Garbage
	Endless     = httpsim.Endless
	Lost        = httpsim.Lost
	LostJSON    = httpsim.LostJSON

	Forget Misdeed = "forget"
	Twice  Misdeed = "twice"
	Wordy  Misdeed = "wordy"
	Bare   Misdeed = "bare"

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
	callsOnly   = slices.Concat(httpsim.Everywhere, []Misdeed{Forget, Twice, Wordy, Bare, PaidBefore, PaidAfter})
	refundsOnly = []Misdeed{RefundSlowly, RefundRefused, RefundSlowlyRefused}
	payersOnly  = []Misdeed{PaidTwice, PaidMore, PaidLess, PaidLate, NeverPaid, RemovedByPSP}
)

// Repertoire is all that can go wrong. Money that comes when its payment is over goes back later: chance leaves it alone.
var Repertoire = httpsim.Repertoire{
	Calls: []Call{OnToken, OnCreate, OnSee, OnWithdraw, OnRefund, OnSeeRefund, OnCode, OnPay}, Spared: OnToken, People: OnPay,
	Own: []httpsim.Own{
		{Kind: Forget, Meaning: "os tokens expiram antes da hora"},
		{Kind: Twice, Meaning: "cada pagamento aparece duas vezes na lista"},
		{Kind: Wordy, Meaning: "400 que repete as credenciais de quem chamou"},
		{Kind: Bare, Rare: true, Meaning: "a cobrança vem sem código e sem location"},
		{Kind: PaidBefore, Only: OnWithdraw, Meaning: "o cliente paga logo antes da retirada da cobrança"},
		{Kind: PaidAfter, Only: OnWithdraw, Meaning: "um pagamento em curso chega depois da retirada"},
		{Kind: RefundSlowly, Only: OnRefund, Meaning: "devolução EM_PROCESSAMENTO por ms milissegundos, depois DEVOLVIDO"},
		{Kind: RefundRefused, Only: OnRefund, Meaning: "devolução NAO_REALIZADO"},
		{Kind: RefundSlowlyRefused, Only: OnRefund, Meaning: "devolução EM_PROCESSAMENTO por ms milissegundos, depois NAO_REALIZADO"},
		{Kind: PaidTwice, Only: OnPay, Meaning: "o cliente paga duas vezes"},
		{Kind: PaidMore, Only: OnPay, Meaning: "o cliente paga um centavo a mais"},
		{Kind: PaidLess, Only: OnPay, Meaning: "o cliente paga um centavo a menos"},
		{Kind: PaidLate, Only: OnPay, Rare: true, Meaning: "o cliente paga um segundo depois de a cobrança expirar"},
		{Kind: NeverPaid, Only: OnPay, Meaning: "o cliente desiste"},
		{Kind: RemovedByPSP, Only: OnPay, Meaning: "o PSP remove a cobrança em vez de o cliente pagar"},
	},
}

// Misdeeds are all the ways to misbehave.
func Misdeeds() []Misdeed { return Repertoire.Misdeeds() }
