package remotetest

import (
	"io"
	"log"
	"net/http"
	"sync"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

// Serve has the handler at the pipe's other end, until the function that it returns is called.
func Serve(p *Pipe, h http.Handler) (closing func()) {
	server := httpsim.NewServer(h, nil)
	server.ErrorLog = log.New(io.Discard, "", 0)
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(p) })
	return func() {
		server.Close()
		serving.Wait()
	}
}

// Ends are how the scenes end for a driver that finds again, by a name of its own, whatever it has asked for. silent is how a
// refund ends while nobody answers.
func Ends(silent paymenttest.End) map[paymenttest.Scene]paymenttest.End {
	paid := paymenttest.End{Told: payment.Approved, Final: payment.Approved}
	back := paymenttest.End{Told: payment.Reversed, Final: payment.Reversed}
	unpaid := paymenttest.End{Told: payment.Cancelled, Final: payment.Cancelled}
	return map[paymenttest.Scene]paymenttest.End{
		{Kind: payment.Payment, Case: paymenttest.Silent}:     {Told: payment.Pending, Final: payment.Cancelled},
		{Kind: payment.Payment, Case: paymenttest.LostBefore}: unpaid,
		{Kind: payment.Payment, Case: paymenttest.LostAfter}:  paid, // it looks, and finds it
		{Kind: payment.Payment, Case: paymenttest.Late}:       unpaid,
		{Kind: payment.Payment, Case: paymenttest.Duplicate}:  paid,
		{Kind: payment.Refund, Case: paymenttest.Silent}:      silent,
		{Kind: payment.Refund, Case: paymenttest.LostBefore}:  back, // a person ordered it: it is asked for again
		{Kind: payment.Refund, Case: paymenttest.LostAfter}:   back,
		{Kind: payment.Refund, Case: paymenttest.Late}:        back,
		{Kind: payment.Refund, Case: paymenttest.Duplicate}:   back,
	}
}

// Lacks are the scenes that can't happen where a refund is the shop's own affair.
func Lacks() map[paymenttest.Scene]string {
	return map[paymenttest.Scene]string{
		{Kind: payment.Refund, Case: paymenttest.CustomerCancels}: "nobody asks the customer about a refund",
	}
}

// Trouble is what a simulator can do wrong with an operation.
type Trouble struct {
	Call    httpsim.Call    // that the operation hangs on
	Tries   int             // of the driver's, all told, where it gets nowhere
	Refused httpsim.Misdeed // a refund that is not made
}

// In is the misbehaviour of a scene; false: the simulator behaves.
func (t Trouble) In(s paymenttest.Scene) (httpsim.Misbehaviour, bool) {
	if s.Kind == payment.Refund && s.Case == paymenttest.Refuse {
		return httpsim.Misbehaviour{Kind: t.Refused, Times: 1}, true
	}
	const lost = 4 // then it looks, and finds it
	m, ok := map[paymenttest.Case]httpsim.Misbehaviour{
		paymenttest.Silent:     {Kind: httpsim.Silent, Times: 1000},
		paymenttest.LostBefore: {Kind: httpsim.Drop, On: t.Call, Times: t.Tries},
		paymenttest.LostAfter:  {Kind: httpsim.DropAfter, On: t.Call, Times: lost},
		paymenttest.Late:       {Kind: httpsim.Slow, On: t.Call, Times: t.Tries, Delay: paymenttest.Lateness},
		paymenttest.Duplicate:  {Kind: httpsim.Duplicate, Times: 1000},
	}[s.Case]
	return m, ok
}
