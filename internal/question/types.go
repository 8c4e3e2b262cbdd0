// Package question is what the terminal asks a person: questions and forms,
// the checks on both sides, and the desk that holds the one being asked.
//
// A Form comes from NewForm and is not changed afterwards; whatever was wrong
// with it has been said before anything was shown. An answer is canonical from
// the moment it is accepted: Question.Canonical is the only way in, for the
// page, the autopilot and test scripts alike, and what it returns it accepts
// again unchanged.
//
// The Desk shows one form at a time, and each ends in exactly one way:
// answered, cancelled by the person or the caller, left by a caller who hung
// up, or cut off because the service stops.
package question

import (
	"slices"
	"time"
)

// Type is what kind of answer a question takes.
type Type string

// The types, named as the interface names them.
const (
	Text      Type = "TEXT"
	Number    Type = "NUMBER"
	Phone     Type = "PHONE"
	CPF       Type = "CPF"
	CNPJ      Type = "CNPJ"
	CPFOrCNPJ Type = "CPFORCNPJ"
	Email     Type = "EMAIL"
	CEP       Type = "CEP"
	Date      Type = "DATE"
	Time      Type = "TIME"
	Money     Type = "MONEY"
	Regex     Type = "REGEX"
	List      Type = "LIST"
	Button    Type = "BUTTON"
)

// Types are all of them.
var Types = []Type{
	Text, Number, Phone, CPF, CNPJ, CPFOrCNPJ, Email, CEP, Date, Time, Money, Regex, List, Button,
}

// Known reports whether the terminal can ask for t.
func (t Type) Known() bool {
	return slices.Contains(Types, t)
}

// HasOptions reports whether the answer is chosen from options, not typed.
func (t Type) HasOptions() bool {
	return t == List || t == Button
}

// Option is one of the answers to choose from.
type Option struct {
	ID    int
	Name  string // what the person reads
	Value string // what the caller gets
}

// Question is one thing to ask.
type Question struct {
	ID           int
	Text         string // empty: the screen has a prompt for each type
	Type         Type
	Required     bool
	MinLength    int // in characters of the canonical answer, as is MaxLength
	MaxLength    int
	Default      *string // shown at the start, even one the type would refuse
	Mask         string  // # stands for a digit
	Regex        string  // RE2; the canonical answer must match as a whole
	ErrorMessage string  // shown instead of the terminal's own words
	Options      []Option
}

// DefaultQuestion is a question of which nothing was said.
func DefaultQuestion() Question {
	return Question{Type: Text, MaxLength: 255}
}

// Parameters are how a form looks and ends.
type Parameters struct {
	ButtonText             string
	ShowCancelButton       bool
	ButtonCancelText       string
	ShowSuccessMessage     bool
	SuccessMessage         string // empty: the screen has its own words
	SuccessMessageInterval time.Duration
	ConfirmAnswer          bool
}

// DefaultParameters are the parameters of which nothing was said.
func DefaultParameters() Parameters {
	return Parameters{
		ButtonText:             "Confirmar",
		ButtonCancelText:       "Cancelar",
		SuccessMessageInterval: 3 * time.Second,
	}
}

// Form is one or more questions, asked one after the other. A single question
// is a form of one.
type Form struct {
	Parameters Parameters
	Questions  []Question
}

// Answer is what the person said to the question of that id.
type Answer struct {
	ID    int
	Value string // canonical; empty when a question that is not required was left so
}
