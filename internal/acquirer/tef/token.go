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
	Final         bool   `json:"final,omitempty"` // it must not be confirmed
}

// anonymous stands for an id that was not given, since undoing takes one. It is none of ours.
const anonymous = "1"

func tokenOf(r intpos.Message) token {
	return token{
		ID: cmp.Or(r.Get(intpos.ID), anonymous), Network: r.Get(intpos.Network), NSU: r.Get(intpos.NSU), Authorization: r.Get(intpos.Authorization),
		Date: r.Get(intpos.Date), Time: r.Get(intpos.Time), Key: r.Get(intpos.Key),
	}
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

// finish is the message that confirms or undoes the operation.
func (t token) finish(command string) intpos.Message {
	return intpos.Of(intpos.Command, command, intpos.ID, t.ID, intpos.Network, t.Network, intpos.NSU, t.NSU, intpos.Key, t.Key)
}

// same tells whether both are one operation at the network.
func (t token) same(o token) bool {
	if t.Key != "" && o.Key != "" {
		return t.Key == o.Key && t.Network == o.Network
	}
	return t.NSU == o.NSU && t.Network == o.Network && t.NSU != ""
}

// Operation is one that the manager speaks of on its own account: an answer nobody waits for, or one it still has
// pending.
type Operation struct {
	// Transaction and Reversal are ours, as Transaction.ID and Reversals; 0 where the manager gives only its own key.
	Transaction int64
	Reversal    int
	token       token
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

// reversalsPerID is how many reversals of a transaction the ten digits of field 001 leave room for, the payment
// counted as the first.
const (
	reversalsPerID = 100
	idLimit        = 10_000_000_000
)

// number is the operation's field 001: 17 is 1700 and 17-r2 is 1702.
func number(t payment.Transaction) (string, error) {
	if t.ID <= 0 || t.ID >= idLimit/reversalsPerID || t.Reversals >= reversalsPerID {
		return "", fmt.Errorf("operation %s does not fit in the ten digits of TEF", t.Operation())
	}
	return strconv.FormatInt(t.ID*reversalsPerID+int64(t.Reversals), 10), nil
}

// operation is number backwards, for an answer of an id we may have given.
func (t token) operation() Operation {
	o := Operation{token: t}
	if n, err := strconv.ParseInt(t.ID, 10, 64); err == nil && 0 < n && n < idLimit {
		o.Transaction, o.Reversal = n/reversalsPerID, int(n%reversalsPerID)
	}
	return o
}
