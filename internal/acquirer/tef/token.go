package tef

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// token is what Outcome.Token holds: all that confirming, undoing and cancelling an operation takes.
type token struct {
	ID            string `json:"id,omitempty"` // field 001, the others likewise
	Network       string `json:"network,omitempty"`
	NSU           string `json:"nsu,omitempty"`
	Authorization string `json:"authorization,omitempty"`
	Date          string `json:"date,omitempty"`
	Time          string `json:"time,omitempty"`
	Key           string `json:"key,omitempty"`
	Final         bool   `json:"final,omitempty"`    // it must not be confirmed
	Reported      bool   `json:"reported,omitempty"` // by the refusal of another, whose id this is
}

// anonymous stands for an id that was not given, since undoing takes one. It is none of ours.
const anonymous = "1"

func (p Profile) tokenOf(r intpos.Message) token {
	t := token{
		ID: cmp.Or(r.Get(intpos.ID), anonymous), Network: r.Get(intpos.Network), NSU: r.Get(intpos.NSU), Authorization: r.Get(intpos.Authorization),
		Date: r.Get(intpos.Date), Time: r.Get(intpos.Time), Key: r.Get(intpos.Key),
	}
	switch w := p.spoken(r); {
	case w == refused:
		t.Reported = true
	case t.Key == "" && p.OwnKey:
		t.Key = cmp.Or(r.Get(intpos.Document), t.ID)
	}
	return t
}

// fields are those of the operation that go with what follows on it.
func (t token) fields(numbers []string) Fields {
	all := Fields{
		intpos.Network: t.Network, intpos.NSU: t.NSU, intpos.Authorization: t.Authorization, intpos.Date: t.Date, intpos.Time: t.Time, intpos.Key: t.Key,
	}
	f := Fields{}
	for _, number := range numbers {
		f[number] = all[number]
	}
	return f
}

func (t token) String() string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // nothing but texts
	}
	return string(text)
}

func parseToken(text string) (token, error) {
	var t token
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return token{}, fmt.Errorf("reading what was kept of the operation: %w", err)
	}
	return t, nil
}

// same tells whether both are one operation at the network, by what both say.
func (t token) same(o token) bool {
	if t.Network != "" && o.Network != "" && t.Network != o.Network {
		return false
	}
	if t.Key != "" && o.Key != "" {
		return t.Key == o.Key
	}
	return t.NSU == o.NSU && t.NSU != ""
}

// Operation is one that the manager speaks of on its own account: an answer nobody waits for, or one it still has
// pending.
type Operation struct {
	// Number is ours; 0 where the manager gives only its own key.
	Number int64
	token  token
}

// Is tells whether a kept Outcome.Token is this operation's.
func (o Operation) Is(kept string) bool {
	t, err := parseToken(kept)
	return err == nil && t.same(o.token)
}

// IsNot tells that a kept Outcome.Token is another operation's for sure.
func (o Operation) IsNot(kept string) bool {
	t, err := parseToken(kept)
	if err != nil || o.token.Key == "" && o.token.NSU == "" || t.Key == "" && t.NSU == "" {
		return false
	}
	return !t.same(o.token)
}

// idLimit is by the ten digits of field 001.
const idLimit = 10_000_000_000

// operationID is the operation's field 001.
func operationID(t payment.Transaction) (string, error) {
	n := t.OperationNumber()
	if n == 0 {
		n = formerNumber(t)
	}
	if n <= 0 || n >= idLimit {
		return "", fmt.Errorf("operation %s does not fit in the ten digits of TEF", t.Operation())
	}
	return strconv.FormatInt(n, 10), nil
}

// formerScale is how numbers were made before the ledger kept them: 17 was 1700 and 17-r2 was 1702. They are smaller
// than any of today.
const formerScale = 100

func formerNumber(t payment.Transaction) int64 { return t.ID*formerScale + int64(len(t.Reversals)) }

// operation is what a manager means by an id that we may have given.
func (t token) operation() Operation {
	o := Operation{token: t}
	if n, err := strconv.ParseInt(t.ID, 10, 64); err == nil && 0 < n && n < idLimit {
		o.Number = n
	}
	return o
}
