package referee

import (
	"fmt"
	"time"
)

// wishes finds callers who took the 202 of a wish to cancel for the payment's end: they cancelled the sale before the payment
// was answered, and its approval was never given back.
func (c *courtroom) wishes() {
	for i := range c.Exchanges {
		wish := &c.Exchanges[i]
		if wish.Route != callOff || wish.Status != accepted || wish.Reference == "" {
			continue
		}
		x := c.find(func(y *Exchange) bool {
			return y.Route == pay && y.Reference == wish.Reference && y.heldAt(wish.Arrived)
		})
		if x == nil || x.Outcome != "approved" || c.givenBack(x) || c.unfinished(x.Answered) {
			continue
		}
		if left := c.after(wish.Arrived, func(y *Exchange) bool { return y.Route == cancel && y.Status == ok && y.Arrived.Before(x.Answered) }); left != nil {
			c.accuse(CancelTaken, left, fmt.Sprintf("a venda foi cancelada antes da resposta da requisição %d, que foi aprovada apesar do cancelamento pedido e não foi estornada", x.N))
		}
	}
}

// heldAt tells that a request was waiting for its answer then.
func (x *Exchange) heldAt(at time.Time) bool {
	return x.Arrived.Before(at) && (x.Answered.After(at) || x.Left.After(at))
}

// wasCalledOff tells that the caller had asked for the end of an operation before it hung up: that is no short patience.
func (c *courtroom) wasCalledOff(x *Exchange) bool {
	return c.after(x.Arrived, func(y *Exchange) bool {
		return y.Route == callOff && y.Status == accepted && y.Arrived.Before(x.Left) && (x.asks() || y.Reference == "" || y.Reference == x.Reference)
	}) != nil
}
