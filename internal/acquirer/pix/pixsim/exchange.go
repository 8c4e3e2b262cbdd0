package pixsim

// Exchange is one request and what became of it, for whoever looks on. One without a method is something that
// happened by itself, like a payment, or a Problem with a connection that brought no request.
type Exchange struct {
	Method, Path string
	Call         Call    // empty: none of the API
	Status       int     // 0: the connection ended without an answer
	State        string  // of the charge or refund that the answer tells of
	Misdeed      Misdeed // empty: the PSP behaved
	Problem      string  // why it was refused
	Events       []Event // what the ledger got
}

func (b *Bank) report(e Exchange) {
	if b.config.Log != nil {
		b.config.Log(e)
	}
}

// note keeps what an answer says.
func (e *Exchange) note(answer reply) {
	switch j := answer.Body.(type) {
	case map[string]any:
		e.State, _ = j["status"].(string)
		if detail, ok := j["detail"].(string); ok {
			e.Problem = detail
		}
	case map[string]string:
		e.Problem = j["error_description"]
	}
}
