package tefsim

import "github.com/maquininha/maquininha/internal/acquirer/tef/intpos"

// Exchange is one request and what became of it, for whoever looks on. One without a Command is something else that
// whoever steers should know: its Problem says what, in Portuguese.
type Exchange struct {
	Command, ID string
	Amount      string // in cents
	Case        Case
	Answered    bool    // a response was written …
	Result      string  // … with this in field 009
	Text        string  // … and this in field 030
	Entries     []Entry // what the ledger got
	Problem     string
}

func (s *simulator) report(e Exchange) {
	if s.config.Log != nil {
		s.config.Log(e)
	}
}

func (s *simulator) begin(request intpos.Message, c Case) {
	s.now = Exchange{Command: request.Get(intpos.Command), ID: request.Get(intpos.ID), Amount: cents(request.Get(intpos.Amount)), Case: c}
}

func (s *simulator) end() { s.report(s.now) }
