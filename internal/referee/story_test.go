package referee

import (
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// story is what a caller did, a second apart unless told.
type story struct {
	clock time.Time
	all   []Exchange
	grace time.Duration
}

type detail func(*Exchange)

func tell(parts ...func(*story)) *story {
	s := &story{clock: time.Unix(1_800_000_000, 0)}
	for _, part := range parts {
		part(s)
	}
	return s
}

// do is a request that is answered after ten milliseconds.
func do(route string, status int, details ...detail) func(*story) {
	return func(s *story) {
		s.clock = s.clock.Add(time.Second)
		method, path, _ := strings.Cut(route, " ")
		x := Exchange{
			N: len(s.all) + 1, Method: method, Path: path, Route: route, Arrived: s.clock, Answered: s.clock.Add(10 * time.Millisecond),
			Status: status, Credentials: true,
		}
		for _, d := range details {
			d(&x)
		}
		s.all = append(s.all, x)
		if end := slices.MaxFunc([]time.Time{x.Answered, x.Left}, time.Time.Compare); end.After(s.clock) {
			s.clock = end
		}
	}
}

func message(text string) detail { return func(x *Exchange) { x.Message = text } }
func ref(r string) detail        { return func(x *Exchange) { x.Reference = r } }

func charging(amount string) detail {
	return func(x *Exchange) { x.Charge = Charge{TPag: "03", Amount: money.MustParse(amount)} }
}

func told(outcome, amount string) detail {
	return func(x *Exchange) {
		d := money.MustParse(amount)
		x.Outcome, x.Amount = outcome, &d
	}
}

// hungUp is the caller's patience.
func hungUp(after time.Duration) detail {
	return func(x *Exchange) { x.Left, x.Answered, x.Status = x.Arrived.Add(after), time.Time{}, 0 }
}

func took(d time.Duration) detail { return func(x *Exchange) { x.Answered = x.Arrived.Add(d) } }
func cut(x *Exchange)             { x.Cut = true }
func anonymous(x *Exchange)       { x.Credentials = false }
func about(what string) detail    { return func(x *Exchange) { x.Content = what } }
func by(caller string) detail     { return func(x *Exchange) { x.Caller = caller } }

// meanwhile puts the clock back to just after the request came: the next comes while this one is held.
func meanwhile(s *story) { s.clock = s.all[len(s.all)-1].Arrived }

func soon(s *story) { s.clock = s.clock.Add(50*time.Millisecond - time.Second) }

func graceOf(d time.Duration) func(*story) { return func(s *story) { s.grace = d } }

func item(code, total string, details ...detail) func(*story) {
	return do(addItem, 200, append(details, func(x *Exchange) { x.Item = Item{code, money.MustParse(total)} })...)
}

func refusedItem(code, total string) func(*story) {
	return item(code, total, func(x *Exchange) { x.Status, x.Message = 400, "Requisição inválida: quantity é obrigatório" })
}

func closing(total, electronic, other string, details ...detail) func(*story) {
	return do(finalize, 200, append(details, func(x *Exchange) {
		x.Sale = &Sale{Total: money.MustParse(total), Electronic: money.MustParse(electronic), Other: money.MustParse(other)}
	})...)
}

var (
	busy       = message("Aplicativo ocupado realizando outra operação, tente mais tarde!")
	background = message("Aplicativo em segundo plano. Abra o app para concluir o pagamento.")
	unknown    = message("Situação da transação desconhecida; consulte pelo referenceId.")
	stopping   = message(stoppingText)
	used       = message("Referência já utilizada em outra transação")
	active     = message("Já existe uma venda ativa!")
)

func paid(reference, amount string, details ...detail) func(*story) {
	return do(pay, 200, append([]detail{ref(reference), charging(amount), told("approved", amount)}, details...)...)
}

func attempt(reference, amount string, status int, details ...detail) func(*story) {
	return do(pay, status, append([]detail{ref(reference), charging(amount)}, details...)...)
}

func looks(reference string, status int, details ...detail) func(*story) {
	return do(lookUp, status, append(details, ref(reference))...)
}

// part is a reversal of so much, under an id.
func part(reference, amount, id string, status int, details ...detail) func(*story) {
	return do(reverse, status, append([]detail{ref(reference), func(x *Exchange) {
		d := money.MustParse(amount)
		x.Part, x.PartID = &d, id
	}}, details...)...)
}

// back is an answer that says how much went back so far.
func back(outcome, amount, sum string) detail {
	return func(x *Exchange) {
		told(outcome, amount)(x)
		x.Back = money.MustParse(sum)
	}
}

func times(n int, part func(*story)) func(*story) {
	return func(s *story) {
		for range n {
			part(s)
		}
	}
}
