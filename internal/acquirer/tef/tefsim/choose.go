package tefsim

import (
	"math/rand/v2"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// magic is the emulator's list of amounts, in cents, for callers that can reach neither script nor file.
var magic = map[string]Order{
	"51": {Case: Refuse, Message: "Saldo insuficiente"},
	"54": {Case: Refuse, Message: "Cartão vencido"},
	"55": {Case: Refuse, Message: "Senha inválida"},
	"57": {Case: Cancel},
	"91": {Case: Refuse, Message: "Emissor fora do ar"},
	"98": {Case: Silence},
}

// choose is how a request ends: by the control file, the script, the habits, chance, the amount.
func (s *simulator) choose(request intpos.Message) (Order, error) {
	command := request.Get(intpos.Command)
	once, standing, nonsense, err := controlled(s.config.Dir, command)
	if err != nil {
		return Order{}, err
	}
	for _, text := range nonsense {
		s.report(Exchange{Problem: Control + ": " + text})
	}
	for _, o := range standing {
		s.adopt(o)
	}
	s.listen()
	if once != nil {
		return *once, nil
	}
	if o, found := pick(&s.script, command); found {
		return o, nil
	}
	if o, found := s.habitual(command); found {
		return o, nil
	}
	if o, found := s.chaos.order(command); found {
		return o, nil
	}
	if o, found := magic[cents(request.Get(intpos.Amount))]; found && (command == intpos.Sale || command == intpos.Pix) {
		return o, nil
	}
	return Order{Case: Approve}, nil
}

// listen takes the orders that came in by the channel.
func (s *simulator) listen() {
	for {
		select {
		case o, open := <-s.config.Orders:
			if !open {
				s.config.Orders = nil
				return
			}
			s.take(o)
		default:
			return
		}
	}
}

// Chaos has a share of the requests misbehave. The same seed and the same requests give the same misbehaviour.
type Chaos struct {
	Share float64 // 0 to 1
	Seed  uint64
	Cases []Case // none: all but Approve
}

type chance struct {
	Chaos
	dice *rand.Rand
}

func (c Chaos) roll() *chance {
	if c.Cases == nil {
		c.Cases = Cases[1:]
	}
	return &chance{c, rand.New(rand.NewPCG(c.Seed, 0))}
}

func (c *chance) order(command string) (Order, bool) {
	if c.dice.Float64() >= c.Share {
		return Order{}, false
	}
	o := Order{Case: c.Cases[c.dice.IntN(len(c.Cases))]}
	// The others can only be passed over.
	return o, isOperation(command) || o.Case == NoStatus
}

// cents reads both ways to write an amount; a comma stands for reais.
func cents(amount string) string {
	return strings.TrimLeft(strings.NewReplacer(",", "", ".", "").Replace(amount), "0")
}
