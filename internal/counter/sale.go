package counter

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// Patience is how long a caller waits for any answer.
const Patience = 25 * time.Second

// Sale is what a caller knows of one reference. It believes what it was told, and asks where it was told nothing.
type Sale struct {
	Reference string
	TPag      string
	Amount    string
	Acquirer  string

	Part string // of the amount, that may go back first

	Approved  bool          // it was told so
	Returning bool          // it has asked for the part back
	Reversing bool          // it has asked for the reversal
	Reversed  bool          // it was told so
	Back      money.Decimal // as much as it was told went back
	Asking    Kind          // what it has asked for without an answer
	lost      Kind          // as Asking, until it knows what became of it
	Taken     []string      // answers that took others back
}

// Kind is what a caller asks for.
type Kind string

// The kinds.
const (
	Paying    Kind = "payment"
	Returning Kind = "reversal of a part"
	Reversing Kind = "reversal"
)

// NewSale is a reference for a new payment.
func NewSale(reference, acquirer, tPag string, cents int) *Sale {
	return &Sale{
		Reference: reference, TPag: tPag, Acquirer: acquirer,
		Amount: fmt.Sprintf("%d.%02d", cents/100, cents%100), Part: fmt.Sprintf("%d.%02d", cents/200, cents/2%100),
	}
}

// Payment is the body that asks for it.
func (s *Sale) Payment() map[string]any {
	return map[string]any{
		"tPag": s.TPag, "amount": json.Number(s.Amount), "referenceId": s.Reference, "details": map[string]string{"pedido": s.Reference},
	}
}

// Answer is what came back; status 0: nothing did.
type Answer struct {
	Status  int
	State   string // details.status
	Message string
	Amount  string
	Back    string // details.reversed
}

// ReadAnswer reads what a terminal answers on a transaction. What is none of its answers is none.
func ReadAnswer(status int, body []byte) Answer {
	var said struct {
		Message string
		Details struct {
			Status   string
			Amount   json.Number
			Reversed json.Number
		}
	}
	if json.Unmarshal(body, &said) != nil {
		return Answer{}
	}
	return Answer{status, said.Details.Status, said.Message, said.Details.Amount.String(), said.Details.Reversed.String()}
}

// Became is what a caller found out about an answer that it had lost; empty: it had lost none, or knows nothing yet.
type Became string

// What may have become of it.
const (
	FoundApproved Became = "approved"
	FoundUndone   Became = "undone"
	FoundReversed Became = "reversed"
	FoundKept     Became = "kept"
)

// Found counts what became of lost answers.
type Found struct{ Approved, Undone, Reversed, Kept int }

// Count counts one.
func (f *Found) Count(what Became) {
	switch what {
	case FoundApproved:
		f.Approved++
	case FoundUndone:
		f.Undone++
	case FoundReversed:
		f.Reversed++
	case FoundKept:
		f.Kept++
	}
}

// Verdict is what an answer is to its caller.
type Verdict string

// The verdicts.
const (
	Agreed      Verdict = "agreed"
	Declined    Verdict = "declined"
	Settled     Verdict = "settled" // by something else that was asked for
	Lost        Verdict = "lost"
	Unavailable Verdict = "unavailable" // 502 and 503: nobody knows, or it is busy, absent or going down
	Contrary    Verdict = "contrary"
)

// Begin notes what is asked for.
func (s *Sale) Begin(k Kind) {
	s.Asking = k
	s.Reversing = s.Reversing || k == Reversing
	s.Returning = s.Returning || k == Returning
}

// Heard takes the answer to what was asked for.
func (s *Sale) Heard(k Kind, a Answer) (Verdict, Became) {
	if a.Status == 0 || a.Status == http.StatusServiceUnavailable || a.Status == http.StatusBadGateway {
		s.lost = k
		if a.Status == 0 {
			return Lost, ""
		}
		return Unavailable, ""
	}
	if k == Paying {
		return s.heardPayment(a)
	}
	return s.heardReversal(k, a)
}

func (s *Sale) heardPayment(a Answer) (Verdict, Became) {
	switch a.Status {
	case http.StatusOK:
		became := s.Learn("approved", a.Back)
		if a.Amount != s.Amount {
			s.take("it was told that %s was paid instead of %s", a.Amount, s.Amount)
		}
		return Agreed, became
	case http.StatusForbidden:
		return Declined, s.Learn("refused", "")
	case http.StatusConflict:
		return Settled, s.Learn("reversed", "") // the only other content that a reference of this caller can have
	}
	return s.contrary(Paying, a)
}

func (s *Sale) heardReversal(k Kind, a Answer) (Verdict, Became) {
	switch {
	case a.Status == http.StatusOK && k == Returning:
		became := s.Learn(a.State, a.Back)
		if part := money.MustParse(s.Part); s.Back.Cmp(part) < 0 {
			s.take("it was told that %s went back, and %s was asked for", s.Back, part)
		}
		return Agreed, became
	case a.Status == http.StatusOK, a.Status == http.StatusConflict && a.Message == "Transação já estornada":
		return Agreed, s.Learn("reversed", a.Back)
	case a.Status == http.StatusForbidden:
		s.Asking, s.lost = "", ""
		return Declined, ""
	}
	return s.contrary(k, a)
}

// contrary is an answer that none of these can have.
func (s *Sale) contrary(k Kind, a Answer) (Verdict, Became) {
	s.take("a %s was answered %d %s", k, a.Status, a.Message)
	s.lost = k
	return Contrary, ""
}

// Looked takes the answer to a look.
func (s *Sale) Looked(a Answer) Became {
	switch a.Status {
	case http.StatusOK:
		return s.Learn(a.State, a.Back)
	case http.StatusNotFound:
		return s.Learn("unknown", "")
	}
	return ""
}

// Learn takes the terminal's word for how the reference stands and how much of it went back, and notes what contradicts an
// earlier one.
func (s *Sale) Learn(state, back string) (became Became) {
	s.learnBack(back)
	found := func(lost Kind, what Became) {
		if s.lost == lost {
			became = what
		}
	}
	switch state {
	case "approved":
		if s.Reversed {
			s.take("it is approved after it was reversed")
		}
		found(Paying, FoundApproved)
		found(Reversing, FoundKept)
		if s.Back.Sign() > 0 {
			found(Returning, FoundReversed)
		} else {
			found(Returning, FoundKept)
		}
		s.Approved = true
	case "reversed":
		if !s.Reversing {
			s.take("it is reversed, which nobody asked for")
		}
		found(Reversing, FoundReversed)
		s.Reversed = true
	case "refused", "cancelled", "unknown":
		if s.Approved {
			s.take("it is %s after it was approved", state)
		}
		found(Paying, FoundUndone)
	default:
		return "" // pending: ask again
	}
	s.Asking, s.lost = "", ""
	return became
}

// learnBack takes the terminal's word for how much went back; empty: it said nothing of it.
func (s *Sale) learnBack(text string) {
	back, err := money.Parse(text)
	switch {
	case err != nil:
		return
	case back.Cmp(s.Back) < 0:
		s.take("%s of it went back, after %s had", back, s.Back)
	case back.Sign() > 0 && !s.Reversing && (!s.Returning || back.Cmp(money.MustParse(s.Part)) != 0):
		s.take("%s of it went back, which nobody asked for", back)
	}
	s.Back = back
}

// take notes an answer that took another one back.
func (s *Sale) take(format string, details ...any) {
	s.Taken = append(s.Taken, fmt.Sprintf(format, details...))
}
