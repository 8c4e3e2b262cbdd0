package tefsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// Case is how the manager behaves.
type Case string

// The cases. Silence keeps no money; Lost is the same after charging, as is Mute, which does not even say that it
// took the request.
const (
	Approve     Case = "approve"
	Refuse      Case = "refuse"
	Cancel      Case = "cancel"
	NoStatus    Case = "no-status"
	Mute        Case = "mute"
	Silence     Case = "silent"
	Lost        Case = "lost"
	Partial     Case = "slow"
	Locked      Case = "locked"
	WrongID     Case = "wrong-id"
	NoID        Case = "no-id"
	WrongAmount Case = "wrong-amount"
	Final       Case = "final"
	NoResult    Case = "no-009"
	Pending     Case = "pending-other"
	Late        Case = "late"
	Duplicate   Case = "duplicate"
	Careless    Case = "whole-card"
	OtherMethod Case = "other-method"
)

// Cases are all of them.
var Cases = []Case{
	Approve, Refuse, Cancel, NoStatus, Mute, Silence, Lost, Partial, Locked, WrongID, NoID, WrongAmount, Final, NoResult, Pending, Late, Duplicate,
	Careless, OtherMethod,
}

var meanings = map[Case]string{
	Approve:     "aprova",
	Refuse:      "recusa (aceita um texto: refuse Saldo insuficiente)",
	Cancel:      "cancelada pelo cliente no pinpad",
	NoStatus:    "nem lê o pedido: não há IntPos.Sts",
	Mute:        "lê e cobra, mas não responde nada",
	Silence:     "responde o status e depois nada; não cobra",
	Lost:        "responde o status, cobra, e depois nada",
	Partial:     "escreve a resposta aos poucos",
	Locked:      "a resposta fica presa por um momento, como por um antivírus",
	WrongID:     "a resposta traz o 001 de outra operação",
	NoID:        "a resposta não traz o 001",
	WrongAmount: "aprova com um centavo a mais",
	Final:       "aprova sem esperar confirmação (729 = 1)",
	NoResult:    "cobra, e a resposta não traz o 009",
	Pending:     "recusa: a venda de outro está pendente na rede",
	Late:        "aprova muito depois, atendendo outros nesse meio tempo",
	Duplicate:   "responde duas vezes",
	Careless:    "aprova com o número inteiro do cartão em toda parte",
	OtherMethod: "o cliente paga de outra forma que a pedida: American Express, no crédito",

	Reverse:      "no menu administrativo (ADM), alguém cancela a última venda",
	ReverseFinal: "o mesmo, sem esperar confirmação",
}

// Meaning says in Portuguese what the manager does.
func (c Case) Meaning() string { return meanings[c] }

// Order says how requests are to end. An empty Command means sales and cancellations; ATV, CNF and NCN know NoStatus
// alone. Every 0 is the next request only, 1 is all from now on, 3 every third.
type Order struct {
	Every   int
	Command string
	Case    Case
	Message string
}

// ParseOrder reads "[always|every N] [COMMAND] case [message]", as in "refuse Saldo insuficiente" or "always CNF
// no-status".
func ParseOrder(line string) (Order, error) {
	var o Order
	word, rest := nextWord(line)
	switch word {
	case "always":
		o.Every = 1
		word, rest = nextWord(rest)
	case "every":
		word, rest = nextWord(rest)
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return Order{}, fmt.Errorf("every pede um número a partir de 1, e não %q", word)
		}
		o.Every = n
		word, rest = nextWord(rest)
	}
	if command := strings.ToUpper(word); slices.Contains([]string{intpos.Alive, intpos.Sale, intpos.Cancel, intpos.Confirm, intpos.Undo, intpos.Admin}, command) {
		o.Command = command
		word, rest = nextWord(rest)
	}
	o.Case, o.Message = Case(word), rest
	known := Cases
	if o.Command == intpos.Admin {
		known = MenuCases
	}
	if !slices.Contains(known, o.Case) {
		return Order{}, fmt.Errorf("%q não é um caso; os casos são %s", word, names(known))
	}
	if !isOperation(o.Command) && o.Command != intpos.Admin && o.Case != Approve && o.Case != NoStatus {
		return Order{}, fmt.Errorf("%s só aceita approve e no-status", o.Command)
	}
	return o, nil
}

// isOperation tells the commands that may move money; an empty one stands for them.
func isOperation(command string) bool {
	return command == "" || command == intpos.Sale || command == intpos.Pix || command == intpos.Cancel
}

func nextWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return s[:i], strings.TrimSpace(s[i:])
	}
	return s, ""
}

func names(cases []Case) string {
	var names []string
	for _, c := range cases {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

func (o Order) String() string {
	var words []string
	switch {
	case o.Every == 1:
		words = append(words, "always")
	case o.Every > 1:
		words = append(words, "every", strconv.Itoa(o.Every))
	}
	for _, word := range []string{o.Command, string(o.Case), o.Message} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

func (o Order) fits(command string) bool {
	if o.Command == "" {
		return isOperation(command)
	}
	return o.Command == command || o.Command == intpos.Sale && command == intpos.Pix
}

// pick takes the first order that fits.
func pick(orders *[]Order, command string) (Order, bool) {
	i := slices.IndexFunc(*orders, func(o Order) bool { return o.fits(command) })
	if i < 0 {
		return Order{}, false
	}
	o := (*orders)[i]
	*orders = slices.Delete(*orders, i, i+1)
	return o, true
}
