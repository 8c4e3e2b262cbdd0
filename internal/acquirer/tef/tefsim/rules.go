package tefsim

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

var (
	idPattern     = regexp.MustCompile(`^\d{1,10}$`)
	amountPattern = regexp.MustCompile(`^(\d{1,12}|\d{1,10},\d{2})$`)
)

// wrong is the rule that a sale or a cancellation breaks. Vendors differ in what they leave out: only what none of them would send is
// wrong.
func (s *simulator) wrong(request intpos.Message) string {
	amount, given := request.Lookup(intpos.Amount)
	if given && (!amountPattern.MatchString(amount) || cents(amount) == "") {
		return fmt.Sprintf("o valor (003) %q não é em centavos nem em reais com vírgula", amount)
	}
	if nsu := request.Get(intpos.NSU); request.Get(intpos.Command) == intpos.Cancel && nsu != "" && s.sold(nsu) == nil {
		return "nenhuma venda tem este 012"
	}
	return ""
}

// sold is the newest sale of an NSU.
func (s *simulator) sold(nsu string) *operation {
	for _, o := range slices.Backward(s.ledger.order) {
		if o.of == "" && !o.report && (o.nsuText() == nsu || intpos.Same(o.nsuText(), nsu)) {
			return o
		}
	}
	return nil
}

// original is the sale that a cancellation means: by its key, by its NSU or, where the manager would let the person choose, the newest
// that stands.
func (s *simulator) original(request intpos.Message) *operation {
	if key := request.Get(intpos.Key); key != "" {
		return s.ledger.named(key)
	}
	if nsu := request.Get(intpos.NSU); nsu != "" {
		return s.sold(nsu)
	}
	for _, o := range slices.Backward(s.ledger.order) {
		if o.of == "" && !o.report && o.state == Confirmed && s.ledger.cancelledBy(o.key) == nil {
			return o
		}
	}
	return nil
}

// meant is the operation that a confirmation or an undoing is about: by its key, by its id or, for an undoing that names nothing, the
// newest that is open.
func (s *simulator) meant(request intpos.Message) *operation {
	key, id := request.Get(intpos.Key), request.Get(intpos.ID)
	if o := s.ledger.named(key); key != "" && o != nil {
		return o
	}
	for _, o := range slices.Backward(s.ledger.order) {
		if intpos.Same(o.id, id) {
			return o
		}
	}
	if request.Get(intpos.Command) != intpos.Undo || key != "" || id != "" {
		return nil
	}
	for _, o := range slices.Backward(s.ledger.order) {
		if o.open() {
			return o
		}
	}
	return nil
}
